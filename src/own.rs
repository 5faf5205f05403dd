//! Our own words beside an action's parameters: taken out of a tool's arguments, checked, and what is left over refused.

use crate::call::Own;
use crate::error::{Code, Failure};
use crate::untrusted;
use serde_json::{Map, Value};

/// Takes `confirm`, `fields`, `saveTo`, `overwrite` and `cancelActivity` out of the arguments of a tool. What is wrong with them is told
/// together with what is wrong with the parameters.
pub fn take(arguments: &mut Map<String, Value>, problems: &mut Vec<String>) -> Own {
    let confirm = arguments.remove("confirm").filter(|value| !value.is_null());
    let fields = match arguments.remove("fields") {
        None | Some(Value::Null) => Vec::new(),
        Some(value) => fields(&value).unwrap_or_else(|| {
            problems.push(wrong("fields", "a list of column names, such as [\"id\", \"name\"]"));
            Vec::new()
        }),
    };
    let save_to = match arguments.remove("saveTo") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) if !path.is_empty() => Some(path),
        Some(_) => {
            problems.push(wrong("saveTo", "the path of a file"));
            None
        }
    };
    let overwrite = flag(arguments, "overwrite", problems);
    if overwrite && save_to.is_none() {
        problems.push(
            "`overwrite` is about the file that `saveTo` names, and there is no `saveTo`: give it too, or leave `overwrite` out.".into(),
        );
    }
    let cancel_activity = flag(arguments, "cancelActivity", problems);
    Own { confirm, fields, save_to, overwrite, cancel_activity }
}

/// A switch, off unless it is literally true: what it allows must not follow from a guess.
fn flag(arguments: &mut Map<String, Value>, name: &str, problems: &mut Vec<String>) -> bool {
    match arguments.remove(name) {
        None | Some(Value::Null) => false,
        Some(Value::Bool(flag)) => flag,
        Some(_) => {
            problems.push(wrong(name, "true or false"));
            false
        }
    }
}

/// Column names as models write them: a list, a list in a string, or names with commas between.
fn fields(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Array(items) => items.iter().map(|item| item.as_str().map(|name| name.trim().to_owned())).collect(),
        Value::String(text) if text.trim_start().starts_with('[') => fields(&serde_json::from_str(text).ok()?),
        Value::String(text) => Some(text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()),
        _ => None,
    }
}

fn wrong(name: &str, wanted: &str) -> String {
    format!("`{name}` must be {wanted}.")
}

/// Tells of what no one has taken out of the arguments of a tool whose `holder` has the parameters of the action.
pub fn left(arguments: &Map<String, Value>, holder: &str, problems: &mut Vec<String>) {
    if !arguments.is_empty() {
        let names: Vec<_> = arguments.keys().map(|name| format!("`{}`", untrusted::line(name, 64).replace('`', "'"))).collect();
        problems.push(format!("This tool has no {}; parameters of the action go inside `{holder}`.", names.join(", ")));
    }
}

/// Refuses what no one has taken out of a tool's arguments.
pub fn finish(arguments: &Map<String, Value>, known: &[&str]) -> Result<(), Failure> {
    if arguments.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = arguments.keys().map(|name| format!("`{name}`")).collect();
    let mut failure = Failure::new(Code::InvalidArguments, format!("This tool has no {}.", names.join(", ")));
    failure.accepted = known.iter().map(|name| (*name).to_owned()).collect();
    Err(failure.next("Leave it out."))
}
