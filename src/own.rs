//! Our own words beside an action's parameters: taken out of a tool's arguments, checked, and what is left over refused.

use crate::call::Own;
use crate::error::{Code, Failure};
use serde_json::{Map, Value};

/// Takes `confirm`, `fields`, `saveTo`, `overwrite` and `cancelActivity` out of the arguments of a tool.
pub fn take(arguments: &mut Map<String, Value>) -> Result<Own, Failure> {
    let confirm = arguments.remove("confirm").filter(|value| !value.is_null());
    let fields = match arguments.remove("fields") {
        None | Some(Value::Null) => Vec::new(),
        Some(value) => fields(&value).ok_or_else(|| wrong("fields", "a list of column names, such as [\"id\", \"name\"]"))?,
    };
    let save_to = match arguments.remove("saveTo") {
        None | Some(Value::Null) => None,
        Some(Value::String(path)) if !path.is_empty() => Some(path),
        Some(_) => return Err(wrong("saveTo", "the path of a file")),
    };
    let overwrite = flag(arguments, "overwrite")?;
    if overwrite && save_to.is_none() {
        return Err(Failure::new(Code::InvalidArguments, "`overwrite` is about the file that `saveTo` names, and there is no `saveTo`.")
            .next("Give `saveTo` too, or leave `overwrite` out."));
    }
    let cancel_activity = flag(arguments, "cancelActivity")?;
    Ok(Own { confirm, fields, save_to, overwrite, cancel_activity })
}

/// A switch, off unless it is literally true: what it allows must not follow from a guess.
fn flag(arguments: &mut Map<String, Value>, name: &str) -> Result<bool, Failure> {
    match arguments.remove(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(flag),
        Some(_) => Err(wrong(name, "true or false")),
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

fn wrong(name: &str, wanted: &str) -> Failure {
    Failure::new(Code::InvalidArguments, format!("`{name}` must be {wanted}.")).next("Call again with it mended.")
}

/// Refuses what no one has taken out of a tool's arguments. `holder`: the argument that parameters of the action belong in.
pub fn finish(arguments: &Map<String, Value>, known: &[&str], holder: &str) -> Result<(), Failure> {
    if arguments.is_empty() {
        return Ok(());
    }
    let names: Vec<_> = arguments.keys().map(|name| format!("`{name}`")).collect();
    let mut failure = Failure::new(Code::InvalidArguments, format!("This tool has no {}.", names.join(", ")));
    failure.accepted = known.iter().map(|name| (*name).to_owned()).collect();
    let step = if holder.is_empty() { "Leave it out.".to_owned() } else { format!("Parameters of the action go inside `{holder}`.") };
    Err(failure.next(step))
}
