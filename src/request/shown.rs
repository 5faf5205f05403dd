//! The dry look at a request: what would be sent, with every secret masked. Refusals for want of `confirm` show it.

use super::{Body, Part, Request, Source};
use serde_json::{Map, Value, json};

const MASK: &str = "***";

impl Request {
    /// Method, path with query, and body as JSON, secrets masked.
    pub fn shown(&self) -> Value {
        let path = if self.mask.path.is_empty() { &self.path } else { &self.mask.path };
        let query: Vec<_> =
            self.query.iter().map(|(name, value)| format!("{name}={}", if self.is_secret(name) { MASK } else { value })).collect();
        let separator = if query.is_empty() { "" } else { "?" };
        let mut shown = Map::new();
        shown.insert("method".into(), self.method.name().into());
        shown.insert("path".into(), format!("{path}{separator}{}", query.join("&")).into());
        if !self.headers.is_empty() {
            let headers = self.headers.iter().map(|(name, value)| (name.clone(), self.text(name, value)));
            shown.insert("headers".into(), headers.collect::<Map<_, _>>().into());
        }
        if let Some(body) = self.shown_body() {
            shown.insert("body".into(), body);
        }
        Value::Object(shown)
    }

    fn shown_body(&self) -> Option<Value> {
        match &self.body {
            Body::None => None,
            Body::Json(value) => Some(self.masked("", value)),
            Body::Form(fields) => {
                Some(fields.iter().map(|(name, value)| (name.clone(), self.text(name, value))).collect::<Map<_, _>>().into())
            }
            Body::Multipart(parts) => Some(parts.iter().map(|part| self.shown_part(part)).collect()),
            Body::Bytes(_) if !self.mask.names.is_empty() => Some(MASK.into()),
            Body::Bytes(source) => Some(typed(source).unwrap_or_else(|| shown_source(source))),
        }
    }

    fn shown_part(&self, part: &Part) -> Value {
        if part.file_name.is_some() {
            return json!({ "part": part.name, "file": part.file_name, "content": shown_source(&part.source) });
        }
        let Source::Bytes(bytes) = &part.source else { return json!({ "part": part.name }) };
        let text = String::from_utf8_lossy(bytes);
        let value = serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text.as_ref()));
        json!({ "part": part.name, "content": self.masked(&part.name, &value) })
    }

    fn masked(&self, name: &str, value: &Value) -> Value {
        if !value.is_null() && self.is_secret(name) {
            return MASK.into();
        }
        match value {
            Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), self.masked(key, value))).collect::<Map<_, _>>().into(),
            Value::Array(items) => items.iter().map(|item| self.masked("", item)).collect(),
            // Variables are often given as `NAME=value`.
            Value::String(text) if self.mask.by_name => match text.split_once('=') {
                Some((variable, _)) if is_secret_name(variable) => format!("{variable}={MASK}").into(),
                _ => value.clone(),
            },
            other => other.clone(),
        }
    }

    fn text(&self, name: &str, value: &str) -> Value {
        if self.is_secret(name) { MASK.into() } else { value.into() }
    }

    fn is_secret(&self, name: &str) -> bool {
        self.mask.names.iter().any(|secret| secret == name) || (self.mask.by_name && is_secret_name(name))
    }
}

/// Whether a name sounds like that of a secret. A plain `key` counts: settings are written as key and value, but so are credentials,
/// and a masked harmless value costs less than a shown secret.
pub fn is_secret_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["password", "passwd", "passphrase", "token", "secret", "credential", "private"].iter().any(|word| lower.contains(word))
        || lower.ends_with("key")
        || lower.ends_with("auth")
}

/// Bytes that are a short text, such as a command: whoever confirms must see it.
fn typed(source: &Source) -> Option<Value> {
    let Source::Bytes(bytes) = source else { return None };
    let text = std::str::from_utf8(bytes).ok().filter(|text| text.len() <= 2000)?;
    (!text.contains(|letter: char| letter.is_control() && letter != '\n')).then(|| text.into())
}

fn shown_source(source: &Source) -> Value {
    match source {
        Source::Bytes(bytes) => format!("{} bytes", bytes.len()).into(),
        Source::File(path) => format!("the file {}", path.display()).into(),
    }
}

/// Every text inside a value.
pub(super) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(object) => object.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}
