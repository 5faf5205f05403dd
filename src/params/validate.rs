//! Arguments against the action's JSON Schema, in words that name the place: `syncs[0].branch must be a string`.
//!
//! Values are never repeated in a message: they may be secret, and the caller knows what it sent.

use super::names::nearest;
use super::repair::{article, type_name};
use crate::error::{Code, Failure};
use crate::page;
use crate::untrusted;
use callslip_catalog::model::{Action, Api};
use callslip_catalog::schema::input_schema;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::{Location, LocationSegment};
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Most values of an enumeration that a message lists.
const MOST_VALUES: usize = 30;

/// Adds what the schema finds wrong. Names at the top level and missing parameters are settled before.
pub fn problems(api: &Api<'_>, action: &Action<'_>, arguments: &Map<String, Value>, problems: &mut Vec<String>) -> Result<(), Failure> {
    let ready = ready(action)?;
    let Ready { schema, validator } = &*ready;
    let limit = page::limit_name(api, action);
    for error in validator.iter_errors(&Value::Object(arguments.clone())) {
        // The bounds of a page have their own sentence.
        let is_limit = limit.is_some_and(|limit| error.instance_path().as_str().strip_prefix('/') == Some(limit));
        if is_limit && matches!(error.kind(), ValidationErrorKind::Minimum { .. } | ValidationErrorKind::Maximum { .. }) {
            continue;
        }
        sentences(schema, &error, problems);
    }
    Ok(())
}

/// A schema ready for use.
struct Ready {
    schema: Value,
    validator: Validator,
}

/// Schemas made ready, by their text: that costs more than all else of checking a call, and a model calls the same few actions.
static KNOWN: Mutex<BTreeMap<String, Arc<Ready>>> = Mutex::new(BTreeMap::new());
/// How many are kept.
const MOST_KNOWN: usize = 64;

fn ready(action: &Action<'_>) -> Result<Arc<Ready>, Failure> {
    let broken = |what: String| Failure::new(Code::Internal, format!("The catalog's schema of `{}` cannot be used: {what}.", action.id));
    let text = input_schema(action, false);
    if let Some(ready) = KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&text) {
        return Ok(Arc::clone(ready));
    }
    let mut schema: Value = serde_json::from_str(&text).map_err(|error| broken(error.to_string()))?;
    if let Some(root) = schema.as_object_mut() {
        root.shift_remove("required");
    }
    close_inner(&mut schema);
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&schema)
        .map_err(|error| broken(untrusted::line(&error.to_string(), 200)))?;
    let ready = Arc::new(Ready { schema, validator });
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() >= MOST_KNOWN {
        known.clear();
    }
    known.insert(text, Arc::clone(&ready));
    Ok(ready)
}

/// Closes every object below the root that states its properties and does not say otherwise.
fn close_inner(schema: &mut Value) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(close);
    }
}

fn close(schema: &mut Value) {
    let Some(keywords) = schema.as_object_mut() else { return };
    if keywords.get("properties").is_some_and(Value::is_object) && !keywords.contains_key("additionalProperties") {
        keywords.insert("additionalProperties".into(), false.into());
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = keywords.get_mut(keyword) {
            close(inner);
        }
    }
    close_inner(schema);
}

fn sentences(schema: &Value, error: &ValidationError<'_>, problems: &mut Vec<String>) {
    let path = path_of(error.instance_path());
    let found = type_name(error.instance());
    let text = match error.kind() {
        ValidationErrorKind::Type { kind } => wrong_type(&path, kind, found),
        ValidationErrorKind::Enum { options } => not_listed(&path, options, error.instance()),
        ValidationErrorKind::Required { property } => {
            format!("`{}` is missing.", joined(&path, property.as_str().unwrap_or_default()))
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            let stated = schema_at(schema, error.instance_path());
            problems.extend(unexpected.iter().map(|name| unknown(&path, name, stated)));
            return;
        }
        ValidationErrorKind::Minimum { limit } => format!("`{path}` must be at least {limit}."),
        ValidationErrorKind::Maximum { limit } => format!("`{path}` must be at most {limit}."),
        ValidationErrorKind::ExclusiveMinimum { limit } => format!("`{path}` must be more than {limit}."),
        ValidationErrorKind::ExclusiveMaximum { limit } => format!("`{path}` must be less than {limit}."),
        ValidationErrorKind::MinLength { limit: 1 } => format!("`{path}` must not be empty."),
        ValidationErrorKind::MinLength { limit } => format!("`{path}` must have at least {limit} characters."),
        ValidationErrorKind::MaxLength { limit } => format!("`{path}` must have at most {limit} characters."),
        ValidationErrorKind::MinItems { limit: 1 } => format!("`{path}` must have at least one item."),
        ValidationErrorKind::MinItems { limit } => format!("`{path}` must have at least {limit} items."),
        ValidationErrorKind::MaxItems { limit } => format!("`{path}` must have at most {limit} items."),
        ValidationErrorKind::UniqueItems => format!("`{path}` must not hold the same item twice."),
        ValidationErrorKind::Pattern { pattern } => format!("`{path}` must match the pattern `{}`.", pattern.replace('`', "'")),
        ValidationErrorKind::Format { format } if format == "date-time" => {
            format!("`{path}` must be a date and time with a zone, such as 2026-01-31T12:00:00Z.")
        }
        ValidationErrorKind::Format { format } => format!("`{path}` must be in the format {format}."),
        kind => format!("`{path}` is not valid ({}).", kind.keyword()),
    };
    problems.push(text);
}

fn wrong_type(path: &str, kind: &TypeKind, found: &str) -> String {
    let wanted = match kind {
        TypeKind::Single(wanted) => wanted.to_string(),
        TypeKind::Multiple(_) => return format!("`{path}` must not be {}.", article(found)),
    };
    let hint = match (wanted.as_str(), found) {
        ("string", "integer" | "number" | "boolean") => "; write it in quotes",
        _ => "",
    };
    format!("`{path}` must be {}, not {}{hint}.", article(&wanted), article(found))
}

fn not_listed(path: &str, options: &Value, given: &Value) -> String {
    let words: Vec<String> = options
        .as_array()
        .map(|values| values.iter().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect())
        .unwrap_or_default();
    let mut text = format!("`{path}` must be one of ");
    for (number, word) in words.iter().take(MOST_VALUES).enumerate() {
        let _ = write!(text, "{}`{word}`", if number == 0 { "" } else { ", " });
    }
    if words.len() > MOST_VALUES {
        let _ = write!(text, " and {} more", words.len() - MOST_VALUES);
    }
    match given.as_str().and_then(|given| nearest(given, words.iter().map(String::as_str))) {
        Some(near) => format!("{text}; did you mean `{near}`?"),
        None => format!("{text}."),
    }
}

fn unknown(path: &str, name: &str, stated: Option<&Value>) -> String {
    let known = stated.and_then(|schema| schema["properties"].as_object());
    let place = joined(path, name);
    if let Some(near) = known.and_then(|known| nearest(name, known.keys().map(String::as_str))) {
        return format!("`{place}` is unknown; did you mean `{near}`?");
    }
    let names: Vec<_> = known.into_iter().flatten().take(MOST_VALUES).map(|(name, _)| format!("`{name}`")).collect();
    format!("`{place}` is unknown; known are {}.", names.join(", "))
}

/// The schema of the value at a place, following properties, free keys and items.
fn schema_at<'s>(schema: &'s Value, place: &Location) -> Option<&'s Value> {
    place.segments().try_fold(schema, |schema, segment| match segment {
        LocationSegment::Property(name) => schema["properties"].get(&*name).or_else(|| schema.get("additionalProperties")),
        LocationSegment::Index(_) => schema.get("items"),
    })
}

/// `syncs[0].branch`. Free keys are the caller's own words, so they are cleaned.
fn path_of(place: &Location) -> String {
    let mut path = String::new();
    for segment in place.segments() {
        match segment {
            LocationSegment::Property(name) => path = joined(&path, &name),
            LocationSegment::Index(number) => {
                let _ = write!(path, "[{number}]");
            }
        }
    }
    path
}

fn joined(path: &str, name: &str) -> String {
    let name = untrusted::line(name, 64).replace('`', "'");
    if path.is_empty() { name } else { format!("{path}.{name}") }
}
