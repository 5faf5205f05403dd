//! `dynamic`: find an action by words, run it by id.

use super::{Hints, ToolList, View, definition};

pub fn tools(view: &View<'_>) -> ToolList {
    let (name, title) = (&view.api.name, &view.api.title);
    let find = definition(
        &format!("{name}_find_action"),
        &format!("Find {title} action"),
        &format!("Find {title} actions ({}) by English words, a command line or an id.", view.api.about),
        r#"{"type":"object","properties":{"query":{"type":"string","maxLength":256},"limit":{"type":"integer","minimum":1,"maximum":50,"default":10,"description":"3 do for a plain request"}},"required":["query"]}"#,
        Hints::READ,
    );
    let mut tools = vec![find];
    if view.split_read && !view.read_only {
        tools.push(definition(
            &format!("{name}_read_action"),
            &format!("Read with {title} action"),
            "Run a found action that only reads, by its id.",
            r#"{"type":"object","properties":{"action":{"type":"string"},"params":{"type":"object"},"fields":{"type":"array","items":{"type":"string"}}},"required":["action"]}"#,
            Hints::READ,
        ));
    }
    tools.push(definition(
        &format!("{name}_execute_action"),
        &format!("Run {title} action"),
        "Run a found action by its id. Destructive ones need confirm: true, once the user agreed.",
        r#"{"type":"object","properties":{"action":{"type":"string"},"params":{"type":"object"},"confirm":{"type":"boolean"},"fields":{"type":"array","items":{"type":"string"},"description":"columns to return"}},"required":["action"]}"#,
        Hints::executing(view.read_only),
    ));
    ToolList::new(tools)
}
