//! A request that passed the checks, in the terms of its operation.

use axum::body::Bytes;
use serde_json::Value;

use crate::{multipart::Part, operation::Operation, options::Switches};

/// What an answer is made from.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    pub operation: &'static Operation,
    pub path: Vec<(&'static str, String)>,
    pub query: Vec<(String, String)>,
    pub body: Value,
    pub parts: Vec<Part>,
    /// The body as received.
    pub raw: Bytes,
    /// The environment that does the work: `"0"` for the local host and for what is not tied to one.
    pub environment: String,
    pub switches: Switches,
    /// Whether it came with the proof of a fresh step-up.
    pub stepped_up: bool,
    /// The number of this request, by which unstable lists turn.
    pub turn: usize,
    /// Rows that generic lists have.
    pub rows: usize,
}

impl Call {
    /// A path parameter, as written.
    pub fn segment(&self, name: &str) -> &str {
        self.path.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }

    /// A query parameter that is not empty.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).filter(|text| !text.is_empty())
    }

    /// A boolean query parameter.
    pub fn flag(&self, name: &str) -> bool {
        self.query(name) == Some("true")
    }

    /// A text property of the body.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name).and_then(Value::as_str)
    }

    /// The JSON of a multipart part.
    pub fn part(&self, name: &str) -> Option<Value> {
        let part = self.parts.iter().find(|part| part.name == name)?;
        serde_json::from_slice(&part.bytes).ok()
    }
}
