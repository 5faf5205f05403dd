//! The input schema of an action, joined from the schemas of its parameters.

use crate::model::Action;
use std::fmt::Write;

/// The schema as compact JSON. `confirm`: with our own `confirm`, where the action takes one.
pub fn input_schema(action: &Action<'_>, confirm: bool) -> String {
    let mut out = String::from(r#"{"type":"object","properties":{"#);
    let mut separator = "";
    for param in &action.params {
        let _ = write!(out, "{separator}{}:{}", quoted(&param.name), param.schema);
        separator = ",";
    }
    if confirm && action.may_destroy() {
        let _ = write!(out, r#"{separator}"confirm":{{"type":"boolean"}}"#);
    }
    out.push('}');
    let required: Vec<_> = action.params.iter().filter(|param| param.required).map(|param| quoted(&param.name)).collect();
    if !required.is_empty() {
        let _ = write!(out, r#","required":[{}]"#, required.join(","));
    }
    out.push('}');
    out
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
