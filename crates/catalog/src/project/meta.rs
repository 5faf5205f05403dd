//! `meta`: one tool a domain; its description names every action with its parameters in short form.

use super::{Hints, ToolList, View, definition, line::short_form};
use crate::model::{Action, Domain, Kind};

const SCHEMA: &str = r#"{"type":"object","properties":{"action":{"type":"string"},"params":{"type":"object"},"confirm":{"type":"boolean"},"fields":{"type":"array","items":{"type":"string"}}},"required":["action"]}"#;

pub fn tools(view: &View<'_>) -> ToolList {
    let domains = view.api.domains.iter().enumerate();
    ToolList::new(domains.filter_map(|(number, domain)| {
        let actions: Vec<_> = view.actions.iter().copied().filter(|action| usize::from(action.domain) == number).collect();
        (!actions.is_empty()).then(|| tool(&view.api.name, domain, &actions))
    }))
}

/// The tool of a domain with the actions of it that are offered.
pub fn tool(catalog: &str, domain: &Domain<'_>, actions: &[&Action<'_>]) -> String {
    let hints = Hints {
        read_only: actions.iter().all(|action| action.kind == Kind::Read),
        destructive: actions.iter().any(|action| action.may_destroy()),
        idempotent: actions.iter().all(|action| action.idempotent),
    };
    let description = description(&domain.title, actions);
    definition(&format!("{catalog}_{}", domain.name), &domain.title, &description, SCHEMA, hints)
}

/// Longest description that clients take.
const LONGEST: usize = 2_000;

/// Every action in short form; in a domain with too many of them by its name, and where even names are too long, as many as there is
/// room for and how many more there are.
fn description(title: &str, actions: &[&Action<'_>]) -> String {
    let fits = |text: &str| text.chars().count() <= LONGEST;
    let whole = format!("{title}: {}", actions.iter().map(|action| short_form(action)).collect::<Vec<_>>().join(" "));
    if fits(&whole) {
        return whole;
    }
    let mut text = format!("{title}: ");
    for (number, action) in actions.iter().enumerate() {
        let name = format!("{}{} ", action.action_name(), if action.may_destroy() { "!" } else { "" });
        let more = format!("+{}", actions.len() - number);
        if !fits(&format!("{text}{name}{more}")) {
            return text + &more;
        }
        text += &name;
    }
    text.trim_end().to_owned()
}
