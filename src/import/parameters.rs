//! Parameters of path, query and header.

use super::document::Document;
use super::draft::Params;
use super::names;
use super::prose;
use super::report::Report;
use super::schema::{Portable, Schemas, kind, required};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Headers that are not the caller's to give.
const OURS: [&str; 3] = ["accept", "content-type", "authorization"];

/// What is read for one operation.
pub struct Read<'d, 'r> {
    /// The document.
    pub document: &'d Document,
    /// Method and path, for the report.
    pub at: &'r str,
    /// Where notes go.
    pub report: &'r mut Report,
    /// Path, its placeholders in our names in the end.
    pub path: String,
    /// Names that are given.
    pub taken: BTreeSet<String>,
    /// Arrays in the query are sent as repeated keys.
    pub repeats: bool,
}

impl Read<'_, '_> {
    /// Every parameter of path item and operation; `None`: the operation cannot be called without one that a catalog cannot express.
    pub fn all(&mut self, item: &Value, operation: &Value) -> Option<Params> {
        let mut params = Vec::new();
        for stated in stated(self.document, item, operation) {
            self.one(stated, &mut params)?;
        }
        for name in placeholders(&self.path) {
            if params.iter().any(|(known, _): &(String, Portable)| *known == name) {
                continue;
            }
            self.report.simplified(self.at, format!("the document does not state `{name}` of the path; it is taken as a text"));
            let ours = self.place(&name);
            params.push((ours, Map::from_iter([("type".to_owned(), "string".into())])));
        }
        Some(params)
    }

    fn one(&mut self, stated: &Value, params: &mut Params) -> Option<()> {
        let (Some(wire), Some(place)) = (stated["name"].as_str(), stated["in"].as_str()) else {
            self.report.simplified(self.at, "a parameter has no `name` or no `in`; it is not offered");
            return Some(());
        };
        let needed = stated["required"] == true;
        match place {
            "header" if OURS.contains(&wire.to_lowercase().as_str()) => return Some(()),
            "path" if !self.path.contains(&format!("{{{wire}}}")) => {
                self.report.simplified(self.at, format!("`{wire}` is said to be in the path, which has no such place; it is not offered"));
                return Some(());
            }
            "path" | "query" | "header" => {}
            other => return self.refuse(&format!("`{wire}` travels as a {other}"), needed),
        }
        let as_json = stated["content"].as_object().and_then(|content| content.values().next());
        let schema = as_json.map_or(&stated["schema"], |content| &content["schema"]);
        let merged = Schemas::given(self.document).merged(schema).unwrap_or_default();
        if as_json.is_none() && kind(&merged) == Some("object") {
            return self.spread(stated, wire, &merged, params);
        }
        let (mut made, notes) = Schemas::given(self.document).portable(schema);
        if !schema.is_object() {
            made = Map::from_iter([("type".to_owned(), "string".into())]);
        } else if as_json.is_none() && made["type"] == "array" {
            self.array(stated, place, wire, &mut made);
        }
        for note in notes.iter().filter(|_| schema.is_object()) {
            self.report.simplified(self.at, format!("`{wire}`: {note}"));
        }
        if place == "path" && made["type"] != "string" && made["type"] != "integer" {
            made = Map::from_iter([("type".to_owned(), "string".into())]);
        }
        describe(&mut made, wire, stated);
        self.add(wire, place, needed, made, params);
        Some(())
    }

    /// A parameter that cannot be expressed takes the operation with it when it is required.
    fn refuse(&mut self, why: &str, needed: bool) -> Option<()> {
        if needed {
            self.report.left_out(self.at, format!("{why}, which a catalog cannot express, and it is required"));
            return None;
        }
        self.report.simplified(self.at, format!("{why}, which a catalog cannot express; it is not offered"));
        Some(())
    }

    /// The properties of an object in the query, each as a parameter: `filter[name]`, or its own name.
    fn spread(&mut self, stated: &Value, wire: &str, merged: &Map<String, Value>, params: &mut Params) -> Option<()> {
        let needed = stated["required"] == true;
        let deep = stated["style"] == "deepObject";
        let spread = stated["in"] == "query" && (deep || stated["explode"] != false);
        let Some(properties) = merged.get("properties").and_then(Value::as_object).filter(|_| spread) else {
            return self
                .refuse(&format!("`{wire}` is an object of free form in the {}", stated["in"].as_str().unwrap_or_default()), needed);
        };
        for (name, schema) in properties {
            let (mut made, notes) = Schemas::given(self.document).portable(schema);
            let inner_wire = if deep { format!("{wire}[{name}]") } else { name.clone() };
            if made["type"] == "object" {
                self.refuse(&format!("`{inner_wire}` is an object within an object of the query"), false);
                continue;
            }
            for note in notes {
                self.report.simplified(self.at, format!("`{inner_wire}`: {note}"));
            }
            tidy(&mut made, name);
            self.add(&inner_wire, "query", needed && required(merged, name), made, params);
        }
        Some(())
    }

    /// An array that is not sent as the catalog sends arrays becomes a text that holds it.
    fn array(&mut self, stated: &Value, place: &str, wire: &str, made: &mut Portable) {
        let separator = match (place, stated["style"].as_str().unwrap_or("form")) {
            ("query", "form") if (stated["explode"] != false) == self.repeats => return,
            ("query", "form") if self.repeats => ",",
            ("query", "form") => {
                self.report.simplified(
                    self.at,
                    format!("`{wire}` would repeat its key, as most arrays of the document do not; one value can be given"),
                );
                ""
            }
            ("query", "spaceDelimited") => " ",
            ("query", "pipeDelimited") => "|",
            _ => ",",
        };
        let description = if separator.is_empty() { String::new() } else { format!("several, separated by `{separator}`") };
        *made = Map::from_iter([("type".to_owned(), "string".into())]);
        if !description.is_empty() {
            made.insert("description".into(), description.into());
            self.report.simplified(self.at, format!("`{wire}` is a list that is sent as one text, separated by {separator:?}"));
        }
    }

    fn add(&mut self, wire: &str, place: &str, needed: bool, mut made: Portable, params: &mut Params) {
        let name = if place == "path" { self.place(wire) } else { names::parameter(wire, place, &self.taken) };
        if needed && place != "path" {
            made.insert("required".into(), true.into());
        }
        if place == "header" {
            made.insert("header".into(), true.into());
        }
        if name != wire {
            made.insert("wire".into(), wire.into());
        }
        self.taken.insert(name.clone());
        params.push((name, made));
    }

    /// Our name of a placeholder, put into the path.
    fn place(&mut self, wire: &str) -> String {
        let name = names::parameter(wire, "path", &self.taken);
        if name != wire {
            self.path = self.path.replace(&format!("{{{wire}}}"), &format!("{{{name}}}"));
        }
        self.taken.insert(name.clone());
        name
    }
}

/// The description of the parameter before that of its schema; none where the name says all.
fn describe(made: &mut Portable, name: &str, stated: &Value) {
    if let Some(text) = stated["description"].as_str().filter(|text| !text.trim().is_empty()) {
        let separator =
            made.get("description").and_then(Value::as_str).filter(|own| own.starts_with("several, separated")).map(str::to_owned);
        let line = prose::line(text, 160);
        made.insert("description".into(), separator.map_or(line.clone(), |own| format!("{line}; {own}")).into());
    }
    tidy(made, name);
}

/// Drops a description that says no more than the name.
pub fn tidy(made: &mut Portable, name: &str) {
    if made.get("description").and_then(Value::as_str).is_some_and(|text| prose::repeats(name, text)) {
        made.shift_remove("description");
    }
}

/// Parameters of the path item, then those of the operation, which stand in for theirs; references resolved.
fn stated<'d>(document: &'d Document, item: &'d Value, operation: &'d Value) -> Vec<&'d Value> {
    let mut found: Vec<&Value> = Vec::new();
    for list in [item, operation] {
        for stated in list["parameters"].as_array().into_iter().flatten().filter_map(|stated| document.resolve(stated)) {
            match found.iter_mut().find(|known| known["name"] == stated["name"] && known["in"] == stated["in"]) {
                Some(known) => *known = stated,
                None => found.push(stated),
            }
        }
    }
    found
}

/// The names between braces.
pub fn placeholders(path: &str) -> Vec<String> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name.to_owned())).collect()
}

/// Whether most arrays in queries of the document repeat their key, as OpenAPI has it when nothing is said.
pub fn repeats(document: &Document) -> bool {
    let mut votes = 0_i64;
    for item in document.root("paths").as_object().into_iter().flat_map(Map::values) {
        for operation in item.as_object().into_iter().flat_map(Map::values) {
            for param in stated(document, item, operation).into_iter().filter(|param| param["in"] == "query") {
                let schema = document.resolve(&param["schema"]).and_then(Value::as_object);
                if schema.and_then(kind) == Some("array") {
                    votes += if param["explode"] == false { -1 } else { 1 };
                }
            }
        }
    }
    votes >= 0
}
