//! The answer to a tool call: the same thing in two channels.

use serde_json::Value;

/// What a caller receives.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// `structuredContent`: always an object.
    pub structured: Value,
    /// Markdown text.
    pub text: String,
    /// Whether the call failed.
    pub is_error: bool,
}
