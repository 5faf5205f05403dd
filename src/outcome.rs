//! The answer to a tool call: the same thing in two channels.

use serde_json::Value;
use std::ops::Deref;
use std::sync::OnceLock;

/// What a caller receives.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// `structuredContent`: always an object.
    pub structured: Structured,
    /// Markdown text.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}

/// A value that may be JSON already: what was written so is taken apart only for those who look into it.
#[derive(Debug, Clone, Default)]
pub struct Structured {
    json: Vec<u8>,
    /// Boxed, as an outcome is handed on many times.
    value: OnceLock<Box<Value>>,
}

impl Structured {
    /// What is written as JSON.
    pub fn written(json: Vec<u8>) -> Self {
        Self { json, value: OnceLock::new() }
    }

    /// The value.
    pub fn into_value(self) -> Value {
        self.value.into_inner().map_or_else(|| read(&self.json), |value| *value)
    }

    /// The JSON, if it was written as such; else the value.
    pub fn into_json(self) -> Result<Vec<u8>, Value> {
        if self.json.is_empty() { Err(self.into_value()) } else { Ok(self.json) }
    }
}

fn read(json: &[u8]) -> Value {
    serde_json::from_slice(json).unwrap_or_default()
}

impl From<Value> for Structured {
    fn from(value: Value) -> Self {
        Self { json: Vec::new(), value: OnceLock::from(Box::new(value)) }
    }
}

/// An outcome that is no failure as it stands in the answer: both channels written as JSON.
#[derive(Debug)]
pub struct Finished {
    /// The text, a JSON string.
    pub text: Vec<u8>,
    /// The structured channel, a JSON object.
    pub structured: Vec<u8>,
}

impl Finished {
    /// Bytes of both.
    pub fn size(&self) -> usize {
        self.text.len() + self.structured.len()
    }

    /// As any other outcome.
    pub fn into_outcome(self) -> Outcome {
        let text = serde_json::from_slice(&self.text).unwrap_or_default();
        Outcome { structured: Structured::written(self.structured), text, is_error: false }
    }
}

impl Deref for Structured {
    type Target = Value;

    fn deref(&self) -> &Value {
        self.value.get_or_init(|| Box::new(read(&self.json)))
    }
}

impl PartialEq for Structured {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq<Value> for Structured {
    fn eq(&self, other: &Value) -> bool {
        **self == *other
    }
}
