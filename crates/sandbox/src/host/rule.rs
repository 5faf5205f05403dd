//! Rules of Arcane that no schema tells: which passwords are strong enough, and that a variable is for some environment.

use serde_json::Value;

use crate::{call::Call, problem::problem, reply::Reply};

const WEAK: &str = "password must be at least 12 characters long, with an uppercase letter, a lowercase letter, a number and a symbol";
const NOWHERE: &str = "a variable that is not for all environments needs at least one environment";

pub(super) fn answer(call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "createUser" | "change-password" => {
            let password = call.text("password").or_else(|| call.text("newPassword")).unwrap_or_default();
            (!is_strong(password)).then(|| problem(400, WEAK))
        }
        // Empty leaves the password as it is.
        "updateUser" => call.text("password").filter(|password| !password.is_empty() && !is_strong(password)).map(|_| problem(400, WEAK)),
        "createVariable" => {
            let all = call.body.get("allEnvironments").is_some_and(|all| all == true);
            (!all && names(call).is_none_or(|names| names == 0)).then(|| problem(400, NOWHERE))
        }
        // What is not given stays, so that only an empty list leaves nothing.
        "updateVariable" => {
            let all = call.body.get("allEnvironments").and_then(Value::as_bool);
            (all != Some(true) && names(call) == Some(0)).then(|| problem(400, NOWHERE))
        }
        _ => None,
    }
}

/// How many environments a variable names.
fn names(call: &Call) -> Option<usize> {
    let names = call.body.get("environmentIds")?.as_array()?;
    Some(names.iter().filter_map(Value::as_str).filter(|name| !name.trim().is_empty()).count())
}

fn is_strong(password: &str) -> bool {
    let has = |kind: fn(char) -> bool| password.chars().any(kind);
    let is_sign = |letter: char| !letter.is_alphanumeric() && !letter.is_control();
    password.chars().count() >= 12 && has(char::is_uppercase) && has(char::is_lowercase) && has(char::is_numeric) && has(is_sign)
}
