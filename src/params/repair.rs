//! Values that are right but for their wrapping: a number or a boolean in quotes, one value where an array belongs, an object or an array
//! written as a JSON string, `null` for something left out, a name with the slash that Docker puts before it.
//!
//! Only what can be read in one way is touched. A whole number where a string belongs is (`"tail": 100`), one with a fraction is not:
//! `1.10` would have lost its zero by now.

use super::Repair;
use crate::page;
use callslip_catalog::model::{Action, Place};
use serde_json::{Map, Number, Value};

/// Repairs every argument of an action.
pub fn all(action: &Action<'_>, arguments: &mut Map<String, Value>, repairs: &mut Vec<Repair>) {
    for name in page::own_names(action) {
        if arguments.get(*name).is_some_and(Value::is_null) {
            arguments.shift_remove(*name);
            repairs.push(left_out(name));
        }
    }
    for param in &action.params {
        let Some(value) = arguments.get_mut(&*param.name) else { continue };
        if value.is_null() {
            arguments.shift_remove(&*param.name);
            if !param.required {
                repairs.push(left_out(&param.name));
            }
            continue;
        }
        let schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
        repair(&schema, value, &param.name, repairs);
        if param.place == Place::Path
            && let Some(name) = value.as_str().and_then(bare)
        {
            let name = Value::from(name);
            repairs.push(Repair {
                note: format!("`{}` began with a slash, which is no part of a name; it was left out.", param.name),
                hint: format!("`{}` begins with a slash; leave it out.", param.name),
            });
            *value = name;
        }
    }
}

/// A name without the slash that Docker puts before those of containers; what has more slashes is no name.
fn bare(given: &str) -> Option<&str> {
    given.strip_prefix('/').filter(|name| !name.is_empty() && !name.contains('/'))
}

fn left_out(path: &str) -> Repair {
    Repair { note: format!("`{path}` was null and was left out."), hint: format!("`{path}` is null; leave it out instead.") }
}

/// Repairs one value in place, and what is inside it.
fn repair(schema: &Value, value: &mut Value, path: &str, repairs: &mut Vec<Repair>) {
    let wanted = schema["type"].as_str().unwrap_or_default();
    if let Some((better, found)) = better(schema, wanted, value) {
        repairs.push(Repair {
            note: format!("`{path}` was {found}; it was read as {}.", article(wanted)),
            hint: format!("`{path}` must be {}, not {found}.", article(wanted)),
        });
        *value = better;
    }
    match value {
        Value::Object(members) => inside(schema, members, path, repairs),
        Value::Array(items) if schema["items"].is_object() => {
            for (number, item) in items.iter_mut().enumerate() {
                repair(&schema["items"], item, &format!("{path}[{number}]"), repairs);
            }
        }
        _ => {}
    }
}

fn inside(schema: &Value, members: &mut Map<String, Value>, path: &str, repairs: &mut Vec<Repair>) {
    let required = |name: &str| schema["required"].as_array().is_some_and(|names| names.iter().any(|known| known == name));
    let names: Vec<String> = members.keys().cloned().collect();
    for name in names {
        let path = format!("{path}.{name}");
        let stated = &schema["properties"][&name];
        let inner = if stated.is_object() { stated } else { &schema["additionalProperties"] };
        let Some(value) = members.get_mut(&name) else { continue };
        // In a map with free keys `null` is a value like any other; only a stated property can be said to be left out.
        if value.is_null() && stated.is_object() && !required(&name) {
            members.shift_remove(&name);
            repairs.push(left_out(&path));
        } else if inner.is_object() {
            repair(inner, value, &path, repairs);
        }
    }
}

/// The value that was meant, with what it was instead.
fn better(schema: &Value, wanted: &str, value: &Value) -> Option<(Value, &'static str)> {
    match (wanted, value) {
        ("integer", Value::String(text)) => Some((integer(text)?.into(), "a string")),
        // The same number, but a comparison with `1` would miss it.
        ("integer", Value::Number(number)) if number.is_f64() => Some((whole(number)?.into(), "a number with a fraction")),
        ("number", Value::String(text)) => Some((Value::Number(decimal(text)?), "a string")),
        ("boolean", Value::String(text)) => match text.as_str() {
            "true" => Some((true.into(), "a string")),
            "false" => Some((false.into(), "a string")),
            _ => None,
        },
        ("string", Value::Number(number)) if !number.is_f64() => Some((number.to_string().into(), "a number")),
        ("object", Value::String(text)) => parsed(text, Value::is_object).map(|value| (value, "a JSON string")),
        ("array", Value::String(text)) => match parsed(text, Value::is_array) {
            Some(value) => Some((value, "a JSON string")),
            None => single(schema, value),
        },
        ("array", Value::Array(_) | Value::Null) => None,
        ("array", value) => single(schema, value),
        _ => None,
    }
}

/// A value that stands for an array of one, when it could be an item.
fn single(schema: &Value, value: &Value) -> Option<(Value, &'static str)> {
    let wanted = schema["items"]["type"].as_str().unwrap_or_default();
    let fits = wanted.is_empty() || type_name(value) == wanted || (wanted == "number" && value.is_number());
    let fits = fits || better(&schema["items"], wanted, value).is_some();
    fits.then(|| (Value::Array(vec![value.clone()]), "a single value"))
}

fn integer(text: &str) -> Option<Number> {
    let number = text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok()?;
    // `007` and `+5` may be meant otherwise.
    (number.to_string() == text).then_some(number)
}

#[expect(clippy::cast_possible_truncation, reason = "bounded just before")]
fn whole(number: &Number) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() < EXACT).map(|value| value as i64)
}

fn decimal(text: &str) -> Option<Number> {
    match serde_json::from_str(text) {
        Ok(Value::Number(number)) if text.trim() == text => Some(number),
        _ => None,
    }
}

fn parsed(text: &str, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
    serde_json::from_str(text).ok().filter(wanted)
}

/// The type of a value in the words of JSON Schema.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A type with its article.
pub fn article(name: &str) -> String {
    match name {
        "null" => "null".into(),
        "integer" | "array" | "object" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}
