//! One value of a row in both channels: as JSON and as what reads best. Most values are texts that go into both as they came.

use super::value;
use crate::rows::Member;
use serde_json::Value;
use std::borrow::Cow;

/// A value of a row.
pub enum Cell<'a> {
    /// A text in its quotes, nothing in it escaped.
    Text(&'a str),
    /// Any other value.
    Value(Cow<'a, Value>),
}

impl<'a> Cell<'a> {
    /// The value of a member.
    pub fn new(member: Member<'a>) -> Self {
        match member {
            Member::Json(json) if json.len() >= 2 && json.starts_with('"') && !json.as_bytes().contains(&b'\\') => Self::Text(json),
            Member::Json(json) => Self::Value(Cow::Owned(crate::rows::value(json))),
            Member::Value(value) => Self::Value(Cow::Borrowed(value)),
        }
    }

    /// Appends it as JSON.
    pub fn write(&self, json: &mut Vec<u8>) {
        match self {
            Self::Text(text) => json.extend_from_slice(text.as_bytes()),
            // Writing a value into memory does not fail.
            Self::Value(value) => drop(serde_json::to_writer(json, &**value)),
        }
    }

    /// What reads best, in a field of that name. `json`: as it was written.
    pub fn shown<'s>(&'s self, name: &str, json: &'s [u8]) -> Cow<'s, str> {
        match self {
            Self::Text(text) => value::text(&text[1..text.len() - 1]),
            // Nothing in it can be hidden, so that it needs not be written a second time.
            Self::Value(value) if value::is_nested(value) && json.iter().all(|byte| (b' '..=b'~').contains(byte)) => {
                String::from_utf8_lossy(json)
            }
            Self::Value(value) => value::short(name, value),
        }
    }
}
