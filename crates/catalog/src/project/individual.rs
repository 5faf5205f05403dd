//! `individual`: one tool an action, its parameters at the top level.

use super::{Hints, ToolList, View, definition};
use crate::model::{Action, Kind};
use crate::schema::input_schema;

pub fn tools(view: &View<'_>) -> ToolList {
    ToolList::new(view.actions.iter().map(|action| tool(&view.api.name, action)))
}

/// The definition of one action's own tool.
pub fn tool(catalog: &str, action: &Action<'_>) -> String {
    let description = match &*action.usage {
        "" => action.description.to_string(),
        usage => format!("{} {usage}", action.description),
    };
    let hints = Hints { read_only: action.kind == Kind::Read, destructive: action.may_destroy(), idempotent: action.idempotent };
    definition(&action.tool_name(catalog), &action.title, &description, &input_schema(action, true), hints)
}
