//! The error shapes of the API. There are four of them, and a client must read each.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::reply::Reply;

/// One fault found in a request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Flaw {
    pub message: String,
    pub location: String,
    pub value: Value,
}

/// `application/problem+json` with a detail.
pub(crate) fn problem(status: u16, detail: impl Into<String>) -> Reply {
    details(status, detail, &[])
}

/// The same with a list of causes.
pub(crate) fn details(status: u16, detail: impl Into<String>, flaws: &[Flaw]) -> Reply {
    let title = StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("Error");
    let mut body = json!({ "title": title, "status": status, "detail": detail.into() });
    if !flaws.is_empty() {
        let list: Vec<Value> = flaws
            .iter()
            .map(|flaw| {
                let mut item = json!({ "message": flaw.message });
                if !flaw.location.is_empty() {
                    item["location"] = json!(flaw.location);
                    item["value"] = flaw.value.clone();
                }
                item
            })
            .collect();
        body["errors"] = Value::Array(list);
    }
    Reply::bytes(status, "application/problem+json", body.to_string().into_bytes())
}

/// A request that does not fit its schema.
pub(crate) fn invalid(flaws: &[Flaw]) -> Reply {
    details(422, "validation failed", flaws)
}

/// The environment proxy's own errors.
pub(crate) fn proxy(status: u16, text: impl Into<String>) -> Reply {
    Reply::json(status, &json!({ "success": false, "data": { "error": text.into() } }))
}

/// Errors of the edge tunnel.
pub(crate) fn tunnel(status: u16, text: impl Into<String>) -> Reply {
    Reply::json(status, &json!({ "error": text.into() }))
}

/// Errors of plain routes.
pub(crate) fn plain(status: u16, text: impl Into<String>) -> Reply {
    Reply::json(status, &json!({ "success": false, "error": text.into() }))
}

/// No such route.
pub(crate) fn unknown_route(path: &str) -> Reply {
    plain(404, format!("API endpoint not found: {path}"))
}
