//! One value of a row in both channels: as JSON and as what reads best. Most values go into both as they came.

use super::value;
use crate::rows::Member;
use serde_json::Value;
use std::borrow::Cow;

/// A value of a row.
pub enum Cell<'a> {
    /// A text in its quotes, nothing in it escaped.
    Text(&'a str),
    /// Objects and lists of them, written without spaces and in plain letters.
    Nested(&'a str),
    /// Any other value.
    Value(Cow<'a, Value>),
}

impl<'a> Cell<'a> {
    /// The value of a member.
    pub fn new(member: Member<'a>) -> Self {
        match member {
            Member::Json(json) if json.len() >= 2 && json.starts_with('"') && !json.as_bytes().contains(&b'\\') => Self::Text(json),
            Member::Json(json) if is_compact(json) => Self::Nested(json),
            Member::Json(json) => Self::Value(Cow::Owned(crate::rows::value(json))),
            Member::Value(value) => Self::Value(Cow::Borrowed(value)),
        }
    }

    /// Appends it as JSON.
    pub fn write(&self, json: &mut Vec<u8>) {
        match self {
            Self::Text(same) | Self::Nested(same) => json.extend_from_slice(same.as_bytes()),
            // Writing a value into memory does not fail.
            Self::Value(value) => drop(serde_json::to_writer(json, &**value)),
        }
    }

    /// What reads best, in a field of that name. `json`: as it was written.
    pub fn shown<'s>(&'s self, name: &str, json: &'s [u8]) -> Cow<'s, str> {
        match self {
            Self::Text(text) => value::text(&text[1..text.len() - 1]),
            Self::Nested(json) => Cow::Borrowed(json),
            // Nothing in it can be hidden, so that it needs not be written a second time.
            Self::Value(value) if value::is_nested(value) && json.iter().all(|byte| (b' '..=b'~').contains(byte)) => {
                String::from_utf8_lossy(json)
            }
            Self::Value(value) => value::short(name, value),
        }
    }
}

/// Whether a JSON text is surely nested, and as short as it can be written.
fn is_compact(json: &str) -> bool {
    ["[{\"", "[[", "{\""].iter().any(|start| json.starts_with(start)) && json.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_value_is_the_same_however_it_is_read() {
        for value in [
            json!("web"),
            json!(""),
            json!("a\"b"),
            json!("2026-08-01T12:30:00.5Z"),
            json!("\u{202e}x"),
            json!([{"a": 1, "b": [true, null]}]),
            json!([{"a": "b c"}]),
            json!([["x"], 5]),
            json!([5, ["x"]]),
            json!(["a", "b"]),
            json!(["[{"]),
            json!({"a": "é"}),
            json!({"a": "\\"}),
            json!({}),
            json!([]),
            json!([{}]),
            json!(1_785_587_400),
            json!(-1.5),
            json!(null),
            json!(true),
        ] {
            let text = value.to_string();
            let spaced = serde_json::to_string_pretty(&value).expect("JSON");
            let whole = Cell::new(Member::Value(&value));
            let mut expected = Vec::new();
            whole.write(&mut expected);
            for json in [&text, &spaced] {
                let cell = Cell::new(Member::Json(json));
                let mut written = Vec::new();
                cell.write(&mut written);
                assert_eq!(written, expected, "{json}");
                assert_eq!(cell.shown("created", &written), whole.shown("created", &expected), "{json}");
                assert_eq!(cell.shown("created", &written), value::short("created", &value), "{json}");
            }
        }
    }
}
