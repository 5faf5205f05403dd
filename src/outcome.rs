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
    json: String,
    /// Boxed, as an outcome is handed on many times.
    value: OnceLock<Box<Value>>,
}

impl Structured {
    /// What is written as JSON.
    pub fn written(json: String) -> Self {
        Self { json, value: OnceLock::new() }
    }

    /// The value.
    pub fn into_value(self) -> Value {
        self.value.into_inner().map_or_else(|| read(&self.json), |value| *value)
    }

    /// The JSON, if it was written as such; else the value.
    pub fn into_json(self) -> Result<String, Value> {
        if self.json.is_empty() { Err(self.into_value()) } else { Ok(self.json) }
    }
}

fn read(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}

impl From<Value> for Structured {
    fn from(value: Value) -> Self {
        Self { json: String::new(), value: OnceLock::from(Box::new(value)) }
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
