//! Refuses what does not fit the operation's schemas: request bodies are closed and strict, the way the framework under
//! Arcane has them. Lists every flaw, not the first.

use serde_json::Value;

use crate::{
    call::Call,
    operation::{Operation, Parameter, Place, resolve},
    problem::Flaw,
    shape::{Fields, Limits, Shape, ShapeKind},
};

impl Operation {
    /// Where an answer does not fit the operation's schema: empty for one that does.
    pub fn misfits(&'static self, answer: &Value) -> Vec<String> {
        let mut flaws = Vec::new();
        if let Some(shape) = &self.response {
            value(shape, answer, "answer", &mut flaws);
        }
        flaws.into_iter().map(|flaw| format!("{}: {} ({})", flaw.location, flaw.message, flaw.value)).collect()
    }
}

/// Flaws of the query and of path values.
pub(crate) fn parameters(operation: &'static Operation, call: &Call) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    for parameter in &operation.parameters {
        let value = match parameter.place {
            Place::Path => Some(call.segment(&parameter.name)),
            Place::Query => call.query.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| value.as_str()),
            Place::Header => continue,
        };
        match value {
            Some(value) if !value.is_empty() => flaws.extend(parameter_flaw(parameter, value)),
            _ if parameter.required => flaws.push(Flaw {
                message: "required query parameter is missing".to_owned(),
                location: format!("query.{}", parameter.name),
                value: Value::from(""),
            }),
            _ => {}
        }
    }
    flaws
}

fn parameter_flaw(parameter: &'static Parameter, value: &str) -> Option<Flaw> {
    let shape = resolve(&parameter.shape);
    let mut found = Vec::new();
    let message = match shape.kind {
        ShapeKind::Integer => match value.parse::<i64>() {
            Ok(number) => {
                scalar_limits(shape, &Value::from(number), "", &mut found);
                None
            }
            Err(_) => Some("invalid integer"),
        },
        ShapeKind::Number if value.parse::<f64>().is_err() => Some("invalid float"),
        ShapeKind::Boolean if !matches!(value, "true" | "false" | "1" | "0") => Some("invalid boolean"),
        _ => {
            scalar_limits(shape, &Value::from(value), "", &mut found);
            None
        }
    };
    let message = message.map(str::to_owned).or_else(|| found.pop().map(|flaw| flaw.message))?;
    let place = if parameter.place == Place::Path { "path" } else { "query" };
    Some(Flaw { message, location: format!("{place}.{}", parameter.name), value: Value::from(value) })
}

/// Flaws of a JSON value against a shape; `location` begins with `body`.
pub(crate) fn value(shape: &'static Shape, value: &Value, location: &str, flaws: &mut Vec<Flaw>) {
    let nullable = shape.nullable;
    let shape = resolve(shape);
    if value.is_null() && (nullable || shape.nullable) {
        return;
    }
    let expected = match (&shape.kind, value) {
        (ShapeKind::Any | ShapeKind::Shared(_), _) => return,
        (ShapeKind::Integer, Value::Number(number)) if number.is_f64() => Some("integer"),
        (ShapeKind::Boolean, Value::Bool(_))
        | (ShapeKind::Free, Value::Object(_))
        | (ShapeKind::Integer | ShapeKind::Number, Value::Number(_))
        | (ShapeKind::Text(_), Value::String(_)) => None,
        (ShapeKind::List(item), Value::Array(items)) => {
            for (number, entry) in items.iter().enumerate() {
                self::value(item, entry, &format!("{location}[{number}]"), flaws);
            }
            None
        }
        (ShapeKind::Map(item), Value::Object(map)) => {
            for (name, entry) in map {
                self::value(item, entry, &format!("{location}.{name}"), flaws);
            }
            None
        }
        (ShapeKind::Object(fields), Value::Object(_)) => {
            object(fields, value, location, flaws);
            None
        }
        (ShapeKind::Boolean, _) => Some("boolean"),
        (ShapeKind::Integer, _) => Some("integer"),
        (ShapeKind::Number, _) => Some("number"),
        (ShapeKind::Text(_), _) => Some("string"),
        (ShapeKind::List(_), _) => Some("array"),
        (ShapeKind::Free | ShapeKind::Map(_) | ShapeKind::Object(_), _) => Some("object"),
    };
    match expected {
        Some(expected) => flaws.push(Flaw { message: format!("expected {expected}"), location: location.to_owned(), value: value.clone() }),
        None => scalar_limits(shape, value, location, flaws),
    }
}

fn object(fields: &'static Fields, value: &Value, location: &str, flaws: &mut Vec<Flaw>) {
    for field in &fields.fields {
        match value.get(&field.name) {
            Some(entry) => self::value(&field.shape, entry, &format!("{location}.{}", field.name), flaws),
            None if field.required => flaws.push(Flaw {
                message: format!("expected required property {} to be present", field.name),
                location: location.to_owned(),
                value: value.clone(),
            }),
            None => {}
        }
    }
    let Some(map) = value.as_object().filter(|_| fields.closed) else {
        return;
    };
    for (name, entry) in map {
        // The framework itself writes `$schema` into answers, and takes it back.
        if name != "$schema" && !fields.fields.iter().any(|field| field.name == *name) {
            flaws.push(Flaw { message: "unexpected property".to_owned(), location: format!("{location}.{name}"), value: entry.clone() });
        }
    }
}

fn scalar_limits(shape: &Shape, value: &Value, location: &str, flaws: &mut Vec<Flaw>) {
    let Some(limits) = &shape.limits else { return };
    if let Some(message) = beyond(limits, value) {
        flaws.push(Flaw { message, location: location.to_owned(), value: value.clone() });
    }
}

fn beyond(limits: &Limits, value: &Value) -> Option<String> {
    if !limits.values.is_empty() && !limits.values.contains(value) {
        let names: Vec<String> = limits.values.iter().map(Value::to_string).collect();
        return Some(format!("expected value to be one of {}", names.join(", ")));
    }
    let number = value.as_f64();
    let length = value.as_str().map(|text| text.chars().count() as u64);
    let count = value.as_array().map(|list| list.len() as u64);
    let below = |bound: Option<u64>, have: Option<u64>| bound.zip(have).filter(|(bound, have)| have < bound);
    let above = |bound: Option<u64>, have: Option<u64>| bound.zip(have).filter(|(bound, have)| have > bound);
    if let Some((bound, _)) = limits.minimum.zip(number).filter(|(bound, have)| have < bound) {
        Some(format!("expected number >= {bound}"))
    } else if let Some((bound, _)) = limits.maximum.zip(number).filter(|(bound, have)| have > bound) {
        Some(format!("expected number <= {bound}"))
    } else if let Some((bound, _)) = below(limits.min_length, length) {
        Some(format!("expected length >= {bound}"))
    } else if let Some((bound, _)) = above(limits.max_length, length) {
        Some(format!("expected length <= {bound}"))
    } else if let Some((bound, _)) = below(limits.min_items, count) {
        Some(format!("expected array length >= {bound}"))
    } else {
        above(limits.max_items, count).map(|(bound, _)| format!("expected array length <= {bound}"))
    }
}
