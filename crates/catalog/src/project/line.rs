//! Parameters in few words: for hits without a schema and for the definitions of `meta`.

use crate::model::{Action, Fill, Param};
use serde_json::Value;
use std::fmt::Write;

/// `containerId: string, required; id or name`.
pub fn param_line(param: &Param<'_>) -> String {
    let schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
    let mut line = format!("{}: {}", param.name, param.kind.name());
    if let Some(items) = schema["items"]["type"].as_str() {
        let _ = write!(line, " of {items}");
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<_> = values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect();
        let _ = write!(line, " {}", values.join("|"));
    }
    if param.required {
        line.push_str(", required");
    }
    if let Some(default) = schema.get("default") {
        let _ = write!(line, ", default {default}");
    }
    if let Some(text) = schema["description"].as_str() {
        let _ = write!(line, "; {text}");
    }
    line
}

/// Most parameters a short form names.
const MOST: usize = 40;

/// `restart(containerId, signal?)`, `!` after the name of an action that may destroy; what all lists share is left to the instructions.
pub fn short_form(action: &Action<'_>) -> String {
    let mut line = action.action_name().to_owned();
    if action.may_destroy() {
        line.push('!');
    }
    let own: Vec<_> = action.params.iter().filter(|param| !param.shared && !matches!(param.fill, Fill::Option { .. })).collect();
    if own.is_empty() {
        return line;
    }
    line.push('(');
    for (number, param) in own.iter().take(MOST).enumerate() {
        let mark = if param.required { "" } else { "?" };
        let _ = write!(line, "{}{}{mark}", if number == 0 { "" } else { "," }, param.name);
    }
    if own.len() > MOST {
        let _ = write!(line, ",+{}", own.len() - MOST);
    }
    line.push(')');
    line
}
