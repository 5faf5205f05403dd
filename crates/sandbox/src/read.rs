//! Reads the query and the body of a request into its call, and refuses what does not fit the operation.

use axum::http::request::Parts;
use serde_json::Value;

use crate::{
    call::Call,
    check, multipart,
    operation::{Body, Place, resolve},
    problem::{Flaw, invalid, problem},
    query,
    reply::Reply,
    shape::ShapeKind,
};

/// The framework's bound for JSON.
const LARGEST_JSON: usize = 1_024 * 1_024;

/// Fills the call, or says what is wrong with the request.
pub(crate) fn fill(call: &mut Call, parts: &Parts) -> Result<(), Box<Reply>> {
    let flaw = |message: String, location: &str| Flaw { message, location: location.to_owned(), value: Value::Null };
    let raw = parts.uri.query().unwrap_or_default();
    match query::parse(raw) {
        Some(pairs) => call.query = pairs,
        None => return Err(Box::new(problem(400, "invalid query string"))),
    }
    let mut flaws = check::parameters(call.operation, call);
    for parameter in call.operation.parameters.iter().filter(|parameter| parameter.place == Place::Header) {
        if parameter.required && !parts.headers.contains_key(&parameter.name) {
            flaws.push(flaw("required header parameter is missing".to_owned(), &format!("header.{}", parameter.name)));
        }
    }
    let kind = parts.headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if let Some(body) = &call.operation.body {
        if call.raw.is_empty() {
            if body.required {
                flaws.push(flaw("request body is required".to_owned(), "body"));
            }
        } else if body.content_type.starts_with("multipart/") || (kind.starts_with("multipart/") && body.upload.is_some()) {
            call.parts = multipart::parse(kind, &call.raw).map_err(|text| Box::new(problem(400, text)))?;
            flaws.extend(part_flaws(call, body));
        } else if body.content_type == "application/x-www-form-urlencoded" {
            let text = String::from_utf8_lossy(&call.raw).into_owned();
            let pairs = query::parse(&text).unwrap_or_default();
            call.body = pairs.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
            check::value(&body.shape, &call.body, "body", &mut flaws);
        } else if body.content_type == "application/json" {
            if call.raw.len() > LARGEST_JSON {
                return Err(Box::new(problem(413, "request body is too large")));
            }
            call.body = serde_json::from_slice(&call.raw).map_err(|error| Box::new(problem(400, format!("invalid JSON: {error}"))))?;
            check::value(&body.shape, &call.body, "body", &mut flaws);
        }
    }
    if flaws.is_empty() { Ok(()) } else { Err(Box::new(invalid(&flaws))) }
}

/// Flaws of the parts of a multipart body.
fn part_flaws(call: &Call, body: &'static Body) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let required: Vec<&str> = match (&body.upload, &resolve(&body.shape).kind) {
        (Some(upload), _) => vec![upload],
        (None, ShapeKind::Object(fields)) => fields.fields.iter().filter(|field| field.required).map(|field| field.name.as_str()).collect(),
        _ => Vec::new(),
    };
    for name in required {
        if !call.parts.iter().any(|part| part.name == name) {
            flaws.push(Flaw { message: "file required".to_owned(), location: name.to_owned(), value: Value::Null });
        }
    }
    for (name, shape) in &body.parts {
        let Some(part) = call.parts.iter().find(|part| part.name == *name) else {
            continue;
        };
        match serde_json::from_slice::<Value>(&part.bytes) {
            Ok(value) => check::value(shape, &value, &format!("body.{name}"), &mut flaws),
            Err(error) => {
                flaws.push(Flaw { message: format!("invalid JSON: {error}"), location: format!("body.{name}"), value: Value::Null });
            }
        }
    }
    flaws
}
