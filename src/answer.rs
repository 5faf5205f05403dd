//! What the upstream answered, before it is shown.

use crate::rows::Rows;
use serde_json::Value;

/// A successful answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// HTTP status.
    pub status: u16,
    /// What came.
    pub body: Content,
    /// Sentences the caller must read: repairs, what was cut, where it was saved.
    pub notes: Vec<String>,
}

/// The content of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// JSON, envelope and all.
    Json(Value),
    /// The same of a list, its rows still text.
    Rows(Rows),
    /// Text, complete or cut with a note.
    Text(String),
    /// Bytes within the cap.
    Bytes {
        /// Content type.
        kind: String,
        /// The bytes.
        data: Vec<u8>,
    },
    /// Bytes written to a file.
    Saved {
        /// Content type.
        kind: String,
        /// Number of bytes.
        size: u64,
        /// Path of the file.
        path: String,
    },
    /// The end of a progress stream or of a socket snapshot.
    Log {
        /// `done`, or what else is known of the outcome.
        outcome: String,
        /// Activity to follow.
        activity: Option<String>,
        /// Head and tail of what was said.
        log: String,
        /// More facts: exit code, the last sample.
        more: serde_json::Map<String, Value>,
    },
    /// Nothing.
    Empty,
}

impl Content {
    /// The JSON of an answer, whether or not it is a list.
    pub fn json(self) -> Option<Value> {
        match self {
            Self::Json(json) => Some(json),
            Self::Rows(rows) => serde_json::from_str(&rows.into_text()).ok(),
            _ => None,
        }
    }
}
