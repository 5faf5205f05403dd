//! `progressive`: search, describe, read, run, and the pinned toolsets as their individual tools.

use super::{Hints, ToolList, View, definition, individual};
use crate::model::{Api, Toolset};
use crate::schema::quoted;

pub fn tools(view: &View<'_>) -> ToolList {
    let api = view.api;
    let toolset = |domain: u16| api.domains[usize::from(domain)].toolset;
    let offered = |number: usize| view.actions.iter().any(|action| usize::from(toolset(action.domain)) == number);
    let toolsets: Vec<_> = api.toolsets.iter().enumerate().filter(|(number, _)| offered(*number)).map(|(_, toolset)| toolset).collect();
    let pinned = view.actions.iter().filter(|action| view.pinned.contains(&toolset(action.domain)));
    let mut tools = four(api, &toolsets, view.read_only).to_vec();
    tools.extend(pinned.map(|action| individual::tool(&api.name, action)));
    ToolList::new(tools)
}

/// The four tools that stand before the pinned ones; `toolsets` are those with an offered action.
pub fn four(api: &Api<'_>, toolsets: &[&Toolset<'_>], read_only: bool) -> [String; 4] {
    let title = &api.title;
    let toolsets: Vec<_> = toolsets.iter().map(|toolset| quoted(&toolset.name)).collect();
    [
        definition(
            "search_tools",
            &format!("Search {title} tools"),
            &format!(
                "Find {title} tools ({}) by English words or a command line; an empty query with a toolset lists that toolset.",
                api.about
            ),
            &format!(
                r#"{{"type":"object","properties":{{"query":{{"type":"string","maxLength":256}},"toolset":{{"type":"string","enum":[{}]}},"offset":{{"type":"integer","minimum":0}},"limit":{{"type":"integer","minimum":1,"maximum":50,"default":10,"description":"3 do for a plain request"}}}}}}"#,
                toolsets.join(",")
            ),
            Hints::READ,
        ),
        definition(
            "describe_tool",
            "Describe tool",
            "Schema and kind of a found tool.",
            r#"{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}"#,
            Hints::READ,
        ),
        definition(
            "read_tool",
            "Run reading tool",
            "Run a found tool that only reads.",
            r#"{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"},"fields":{"type":"array","items":{"type":"string"}}},"required":["name"]}"#,
            Hints::READ,
        ),
        definition(
            "run_tool",
            "Run tool",
            "Run any found tool. Destructive ones need confirm: true, once the user agreed.",
            r#"{"type":"object","properties":{"name":{"type":"string"},"arguments":{"type":"object"},"confirm":{"type":"boolean"},"fields":{"type":"array","items":{"type":"string"}}},"required":["name"]}"#,
            Hints::executing(read_only),
        ),
    ]
}
