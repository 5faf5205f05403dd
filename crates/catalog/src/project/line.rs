//! Parameters in few words: for hits without a schema and for the definitions of `meta`.

use crate::model::{Action, Fill, Param};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt::Write;

/// What a line tells of a schema; the rest of it is passed over.
#[derive(Default, Deserialize)]
struct Brief<'a> {
    #[serde(borrow)]
    items: Option<Items<'a>>,
    #[serde(borrow, rename = "enum")]
    values: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    default: Option<&'a RawValue>,
    #[serde(borrow)]
    description: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Items<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
}

/// `containerId: string, required; id or name`.
pub fn param_line(param: &Param<'_>) -> String {
    let schema: Brief<'_> = serde_json::from_str(&param.schema).unwrap_or_default();
    let mut line = format!("{}: {}", param.name, param.kind.name());
    if let Some(items) = schema.items.and_then(|items| items.kind) {
        let _ = write!(line, " of {items}");
    }
    if let Some(values) = schema.values {
        let text = |value: &&RawValue| serde_json::from_str(value.get()).unwrap_or_else(|_| value.get().to_owned());
        let _ = write!(line, " {}", values.iter().map(text).collect::<Vec<String>>().join("|"));
    }
    if param.required {
        line.push_str(", required");
    }
    if let Some(default) = schema.default {
        let _ = write!(line, ", default {default}");
    }
    if let Some(text) = schema.description {
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
