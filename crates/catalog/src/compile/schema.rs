//! A parameter table becomes a JSON Schema, keywords in one fixed order.

use super::reader::Table;
use serde_json::{Map, Value};

/// Keywords of JSON Schema a parameter may use, in the order they are written.
const KEYWORDS: [&str; 16] = [
    "type",
    "description",
    "enum",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "uniqueItems",
    "default",
    "items",
    "properties",
    "additionalProperties",
];

/// Keys of a parameter that are not JSON Schema.
pub const PARAM_KEYS: [&str; 8] = ["required", "wire", "header", "fill", "fill_null", "whole", "part", "secret"];

/// All keys of a parameter.
pub fn param_keys() -> Vec<&'static str> {
    KEYWORDS.into_iter().chain(PARAM_KEYS).collect()
}

/// The schema stated by a parameter table.
pub fn from_table(table: &Table<'_>) -> Value {
    let given = KEYWORDS.iter().filter_map(|keyword| Some(((*keyword).to_owned(), table.value(keyword)?))).collect();
    let mut unknown = Vec::new();
    let schema = tidy(given, &mut unknown);
    for key in unknown {
        table.problem(format!(
            "{} holds an unknown schema keyword `{key}`; known are {} and `required`",
            table.what(),
            KEYWORDS.join(", ")
        ));
    }
    schema
}

/// Puts keywords in order and moves `required = true` of a property into the list of its parent.
fn tidy(mut given: Map<String, Value>, unknown: &mut Vec<String>) -> Value {
    let mut schema = Map::new();
    let mut required = Vec::new();
    for keyword in KEYWORDS {
        let Some(value) = given.shift_remove(keyword) else { continue };
        let value = match (keyword, value) {
            ("items" | "additionalProperties", Value::Object(inner)) => tidy(inner, unknown),
            ("properties", Value::Object(properties)) => {
                let mut tidied = Map::new();
                for (name, value) in properties {
                    let Value::Object(mut inner) = value else {
                        unknown.push(format!("properties.{name}"));
                        continue;
                    };
                    if inner.shift_remove("required") == Some(Value::Bool(true)) {
                        required.push(Value::from(name.as_str()));
                    }
                    tidied.insert(name, tidy(inner, unknown));
                }
                Value::Object(tidied)
            }
            (_, value) => value,
        };
        schema.insert(keyword.to_owned(), value);
    }
    if !required.is_empty() {
        schema.insert("required".into(), Value::Array(required));
    }
    unknown.extend(given.into_iter().map(|(key, _)| key));
    Value::Object(schema)
}
