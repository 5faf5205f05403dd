//! Request bodies: flattened into parameters as the catalog has them.

use super::document::Document;
use super::draft::{Body, Params};
use super::report::Report;
use super::schema::{Portable, Schemas, kind, required};
use super::{names, parameters};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// What a file parameter says.
const FILE: &str = "base64, or `file:` and a local path";

/// The body of an operation, when it has one.
pub fn read(document: &Document, at: &str, operation: &Value, taken: &BTreeSet<String>, report: &mut Report) -> Option<Body> {
    let body = document.resolve(operation.get("requestBody")?);
    let Some(content) = body.and_then(|body| body["content"].as_object()).filter(|content| !content.is_empty()) else {
        report.simplified(at, "its body has no content that is stated; none is sent");
        return None;
    };
    let (media, stated, kind) = choose(content)?;
    if content.len() > 1 {
        let others: Vec<_> = content.keys().filter(|other| *other != media).map(String::as_str).collect();
        report.simplified(at, format!("its body is sent as {media}, not as {}", others.join(", ")));
    }
    let mut reading = Reading { document, at, taken, report, names: BTreeSet::new() };
    let params = match kind {
        "bytes" => {
            let given = Map::from_iter([
                ("type".to_owned(), "string".into()),
                ("whole".to_owned(), true.into()),
                ("description".to_owned(), FILE.into()),
            ]);
            let mut params = Vec::new();
            reading.add("content", body.is_some_and(|body| body["required"] == true), given, &mut params);
            params
        }
        "multipart" => reading.parts(&stated["schema"]),
        _ => reading.properties(&stated["schema"], kind == "json", body.is_some_and(|body| body["required"] == true)),
    };
    // A form or a multipart body without fields is no body.
    (kind == "json" || !params.is_empty()).then_some(Body { kind, params })
}

/// The content that is sent: JSON before forms, forms before files, files before anything else.
fn choose(content: &Map<String, Value>) -> Option<(&str, &Value, &'static str)> {
    let kind = |media: &str| match media.split(';').next().unwrap_or_default().trim() {
        media if media == "application/json" || media.ends_with("+json") || media == "*/*" => (0, "json"),
        "multipart/form-data" => (1, "multipart"),
        "application/x-www-form-urlencoded" => (2, "form"),
        _ => (3, "bytes"),
    };
    content.iter().min_by_key(|(media, _)| kind(media).0).map(|(media, stated)| (media.as_str(), stated, kind(media).1))
}

struct Reading<'d, 'r> {
    document: &'d Document,
    at: &'r str,
    taken: &'r BTreeSet<String>,
    report: &'r mut Report,
    names: BTreeSet<String>,
}

impl Reading<'_, '_> {
    /// The properties of an object as parameters; anything else is one parameter that is the whole body.
    fn properties(&mut self, schema: &Value, json: bool, needed: bool) -> Params {
        let mut params = Vec::new();
        let merged = Schemas::given(self.document).merged(schema).unwrap_or_default();
        let open = merged.get("additionalProperties").is_some_and(|more| more.is_object() || *more == true);
        let has = merged.get("properties").and_then(Value::as_object).is_some_and(|properties| !properties.is_empty());
        let flat = kind(&merged).is_none_or(|kind| kind == "object") && has && !(json && open);
        if json && !flat {
            let empty = !has
                && !open
                && kind(&merged).is_none_or(|kind| kind == "object")
                && schema.as_object().is_some_and(|schema| !schema.is_empty());
            let mut made = self.made("body", schema);
            if empty {
                self.report.simplified(self.at, "what its body holds is not stated; it is any object");
            }
            made.insert("whole".into(), true.into());
            self.add("body", needed, made, &mut params);
            return params;
        }
        // The whole first, so that unions and deep nesting are seen as they are; then property by property.
        let mut schemas = Schemas::given(self.document);
        let merged = schemas.merged(schema).unwrap_or_default();
        for note in schemas.take_notes() {
            self.report.simplified(self.at, format!("its body: {note}"));
        }
        for (name, property) in merged.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if self.document.resolve(property).is_some_and(|property| property["readOnly"] == true) {
                continue;
            }
            let made = self.made(name, property);
            self.add(name, required(&merged, name), made, &mut params);
        }
        if !json && open {
            self.report.simplified(self.at, "its form takes more fields than it names; those are not offered");
        }
        params
    }

    /// The fields of a multipart body: files, texts, and documents whose properties are parameters.
    fn parts(&mut self, schema: &Value) -> Params {
        let mut params = Vec::new();
        let merged = Schemas::given(self.document).merged(schema).unwrap_or_default();
        for (name, property) in merged.get("properties").and_then(Value::as_object).into_iter().flatten() {
            let part = Schemas::given(self.document).merged(property).unwrap_or_default();
            let needed = required(&merged, name);
            let items = part.get("items").map(|items| Schemas::given(self.document).merged(items).unwrap_or_default());
            if is_file(&part) || items.as_ref().is_some_and(is_file) {
                let several = items.is_some();
                let mut made = Map::from_iter([("type".to_owned(), Value::from(if several { "array" } else { "string" }))]);
                let own = part.get("description").and_then(Value::as_str).map(|text| super::prose::line(text, 100));
                made.insert(
                    "description".into(),
                    own.map_or(FILE.to_owned(), |own| format!("{}: {FILE}", own.trim_end_matches('.'))).into(),
                );
                if several {
                    made.insert("items".into(), Map::from_iter([("type".to_owned(), Value::from("string"))]).into());
                }
                made.insert("part".into(), if several { "files" } else { "file" }.into());
                self.add(name, needed, made, &mut params);
                continue;
            }
            let (made, notes) = Schemas::given(self.document).portable(property);
            self.notes(name, &notes);
            let inner = made.get("properties").and_then(Value::as_object).cloned();
            if let Some(inner) = inner.filter(|_| made["type"] == "object") {
                for (inner_name, inner) in inner {
                    let Some(mut inner) = inner.as_object().cloned() else { continue };
                    let inner_needed = inner.shift_remove("required") == Some(true.into());
                    inner.insert("part".into(), format!("json:{name}").into());
                    self.add(&inner_name, needed && inner_needed, inner, &mut params);
                }
                continue;
            }
            let mut made = made;
            if made["type"] == "object" || made["type"] == "array" {
                self.report.simplified(self.at, format!("`{name}` is a part that is not stated further; it is given as text"));
                made = Map::from_iter([("type".to_owned(), "string".into()), ("description".to_owned(), "JSON".into())]);
            }
            parameters::tidy(&mut made, name);
            made.insert("part".into(), "text".into());
            self.add(name, needed, made, &mut params);
        }
        if params.is_empty() {
            self.report.simplified(self.at, "its multipart body names no part; none is sent");
        }
        params
    }

    fn made(&mut self, name: &str, schema: &Value) -> Portable {
        let (mut made, notes) = Schemas::given(self.document).portable(schema);
        self.notes(name, &notes);
        parameters::tidy(&mut made, name);
        made
    }

    fn notes(&mut self, name: &str, notes: &[String]) {
        for note in notes {
            self.report.simplified(self.at, format!("`{name}`: {note}"));
        }
    }

    fn add(&mut self, wire: &str, needed: bool, mut made: Portable, params: &mut Params) {
        let taken: BTreeSet<_> = self.taken.union(&self.names).cloned().collect();
        let name = names::parameter(wire, "body", &taken);
        if needed {
            made.insert("required".into(), true.into());
        }
        if name != wire && made.get("whole").is_none() {
            made.insert("wire".into(), wire.into());
        }
        self.names.insert(name.clone());
        params.push((name, made));
    }
}

/// A file: `format: binary` in 3.0, content that is not text in 3.1.
fn is_file(schema: &Map<String, Value>) -> bool {
    schema.get("format").is_some_and(|format| format == "binary")
        || schema.contains_key("contentMediaType")
        || schema.get("contentEncoding").is_some_and(|encoding| encoding == "binary")
}
