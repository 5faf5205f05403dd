//! Writes TOML as a person would: keys in a column, a parameter a line.

use serde_json::{Map, Value};
use std::fmt::Write;

/// A file being written.
#[derive(Debug, Default)]
pub struct Writer {
    out: String,
    /// Pairs of the table that is open, held back until the width of their keys is known.
    pairs: Vec<(String, String)>,
}

impl Writer {
    /// A pair with a text; none when the text is empty.
    pub fn pair(&mut self, key: &str, text: &str) {
        if !text.is_empty() {
            self.raw(key, value(&text.into()));
        }
    }

    /// A pair with any value.
    pub fn value(&mut self, key: &str, given: &Value) {
        self.raw(key, value(given));
    }

    fn raw(&mut self, key: &str, value: String) {
        self.pairs.push((self::key(key), value));
    }

    /// Begins a table: `[a.b]`, or `[[a]]` when `list`.
    pub fn table(&mut self, path: &[&str], list: bool) {
        self.flush();
        let path: Vec<_> = path.iter().map(|part| key(part)).collect();
        let (open, close) = if list { ("[[", "]]") } else { ("[", "]") };
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let _ = writeln!(self.out, "{open}{}{close}", path.join("."));
    }

    fn flush(&mut self) {
        let width = self.pairs.iter().map(|(key, _)| key.chars().count()).filter(|width| *width <= 24).max().unwrap_or(0);
        for (key, value) in self.pairs.drain(..) {
            let _ = writeln!(self.out, "{key:width$} = {value}");
        }
    }

    /// The whole file.
    pub fn text(mut self) -> String {
        self.flush();
        self.out
    }
}

fn key(text: &str) -> String {
    let bare = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if bare { text.to_owned() } else { string(text) }
}

fn value(given: &Value) -> String {
    match given {
        Value::String(text) => string(text),
        Value::Array(items) => format!("[{}]", items.iter().map(value).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => table(map),
        // Callers never give it; an empty text is the nearest that TOML has.
        Value::Null => "\"\"".into(),
        Value::Bool(_) | Value::Number(_) => given.to_string(),
    }
}

fn table(map: &Map<String, Value>) -> String {
    if map.is_empty() {
        return "{}".into();
    }
    let pairs: Vec<_> = map.iter().map(|(name, inner)| format!("{} = {}", key(name), value(inner))).collect();
    format!("{{ {} }}", pairs.join(", "))
}

/// A JSON string is a basic string of TOML but for one character.
fn string(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_written_is_read_again() {
        let texts = ["plain", "", "a \"quote\" \\ and\nlines\t\u{7f}\u{0}", "größe 🦀", "'single'"];
        let mut out = Writer::default();
        for (number, text) in texts.iter().enumerate() {
            out.value(&format!("key {number}"), &json!({ "text": text, "list": [1, -2.5, true, text], "none": {} }));
        }
        out.table(&["a b", "c"], false);
        out.pair("left out", "");
        out.pair("kept", "x");
        let text = out.text();
        let read: toml::Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        for (number, text) in texts.iter().enumerate() {
            let inner = &read[&format!("key {number}")];
            assert_eq!((inner["text"].as_str(), inner["list"][3].as_str()), (Some(*text), Some(*text)));
        }
        assert_eq!(read["a b"]["c"]["kept"].as_str(), Some("x"));
    }
}
