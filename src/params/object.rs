//! `params` of the tools that run any action: an object, nothing, or (as some clients send it) a JSON string that holds an object.

use super::Given;
use crate::error::{Code, Failure};
use serde_json::Value;

/// The arguments in the argument called `holder`: `params` or, on some tools, `arguments`.
pub fn object(holder: &str, value: Option<Value>) -> Result<Given, Failure> {
    let refusal = |found: &str| refusal(holder, found);
    match value {
        None | Some(Value::Null) => Ok(Given::default()),
        Some(Value::Object(arguments)) => Ok(arguments.into()),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(Given { as_text: true, ..Given::default() }),
        Some(Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(arguments)) => Ok(Given { arguments, as_text: true, ..Given::default() }),
            _ => Err(refusal("a string that holds no JSON object")),
        },
        Some(Value::Array(_)) => Err(refusal("an array")),
        Some(Value::Bool(_)) => Err(refusal("a boolean")),
        Some(Value::Number(_)) => Err(refusal("a number")),
    }
}

fn refusal(holder: &str, found: &str) -> Failure {
    Failure::new(Code::InvalidArguments, format!("`{holder}` must be an object with the action's parameters, not {found}."))
        .next(format!("Pass the parameters as an object, such as `\"{holder}\": {{\"name\": \"web\"}}`."))
}
