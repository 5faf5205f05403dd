//! Every name an action answers to, on every surface.

use crate::model::Action;

/// The accepted names of an action in the catalog called `catalog`: id, individual tool name, meta tool with action, operationId.
/// An API whose operationIds are the ids themselves simply has fewer.
pub fn accepted(catalog: &str, action: &Action<'_>) -> Vec<String> {
    let mut names = vec![action.id.to_string(), action.tool_name(catalog), format!("{catalog}_{}", action.id)];
    if !action.operation.is_empty() && !names.iter().any(|name| *name == action.operation) {
        names.push(action.operation.to_string());
    }
    names
}
