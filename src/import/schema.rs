//! A schema of OpenAPI → one that every MCP client takes: one scalar type, no references, no unions, recursion cut.
//!
//! `null` is no value here: leaving a parameter out means it. Where the document allows more than that can say, the schema is made wider,
//! and a note says so.

use super::document::Document;
use super::prose;
use serde_json::{Map, Value, json};

/// Levels of nesting that are tried, until the schema is short enough.
const LEVELS: [usize; 4] = [6, 3, 2, 1];
/// A schema longer than this is offered with fewer levels: it is paid for on every request.
const LONGEST: usize = 3_000;
/// Parts of a schema that are looked at, references followed: some documents would unfold into millions.
const MOST: usize = 1_000;
/// References that are followed one within the other.
const LONGEST_CHAIN: usize = 32;
/// Longest description of a value.
const DESCRIPTION: usize = 160;
/// Formats that JSON Schema knows.
const FORMATS: [&str; 10] = ["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uuid"];
/// What a union and its parts are merged from.
const SCALARS: [&str; 4] = ["string", "integer", "number", "boolean"];

/// A schema in the words of the catalog, `required` of a property beside its other words.
pub type Portable = Map<String, Value>;

/// Converts the schemas of one operation.
pub struct Schemas<'d> {
    document: &'d Document,
    /// References that are being followed.
    stack: Vec<String>,
    /// What was made wider, since it was last taken.
    notes: Vec<String>,
    /// How many parts may still be looked at.
    left: usize,
    /// Properties that only answers have are left out, or those that only requests have.
    answer: bool,
}

impl<'d> Schemas<'d> {
    /// For values that a caller gives.
    pub fn given(document: &'d Document) -> Self {
        Self { document, stack: Vec::new(), notes: Vec::new(), left: MOST, answer: false }
    }

    /// For values that the API answers with.
    pub fn answered(document: &'d Document) -> Self {
        Self { answer: true, ..Self::given(document) }
    }

    /// The schema of one value, and what was made wider in it.
    pub fn portable(&mut self, schema: &Value) -> (Portable, Vec<String>) {
        for levels in LEVELS {
            self.begin();
            let made = self.convert(schema, levels);
            if levels == 1 || self.left > 0 && Value::from(made.clone()).to_string().len() <= LONGEST {
                let mut notes = std::mem::take(&mut self.notes);
                notes.dedup();
                return (made, notes);
            }
        }
        (free(), Vec::new())
    }

    /// References followed and parts merged, on the outermost level alone; `None`: it holds itself.
    pub fn merged(&mut self, schema: &Value) -> Option<Map<String, Value>> {
        self.begin();
        self.merge(schema)
    }

    fn begin(&mut self) {
        self.stack.clear();
        self.notes.clear();
        self.left = MOST;
    }

    /// What was made wider since it was last asked.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    fn convert(&mut self, schema: &Value, levels: usize) -> Portable {
        let mark = self.stack.len();
        let made = if let Some(merged) = self.merge(schema) {
            self.one(&merged, levels)
        } else {
            let why = if self.left == 0 { "it is too big" } else { "it holds itself" };
            self.note(format!("{why}: what is further in is any object"));
            free()
        };
        self.stack.truncate(mark);
        made
    }

    /// A merged schema in our words.
    fn one(&mut self, merged: &Map<String, Value>, levels: usize) -> Portable {
        let kind = kind(merged).unwrap_or_else(|| {
            self.note("its type is not stated; it is taken as an object");
            "object"
        });
        let mut out = Map::from_iter([("type".to_owned(), kind.into())]);
        if let Some(text) = merged.get("description").and_then(Value::as_str).map(|text| prose::line(text, DESCRIPTION)) {
            out.insert("description".into(), text.into());
        }
        match kind {
            "object" => self.object(merged, levels, &mut out),
            "array" => {
                let items = merged.get("items").filter(|items| items.is_object()).or_else(|| merged.get("prefixItems")?.get(0));
                let items = match items {
                    Some(items) if levels > 0 => self.convert(items, levels - 1),
                    Some(_) => {
                        self.note("deep nesting is cut: what is further in is any object");
                        free()
                    }
                    None => Map::from_iter([("type".to_owned(), "string".into())]),
                };
                out.insert("items".into(), items.into());
                copy(merged, &mut out, &["minItems", "maxItems", "uniqueItems"]);
            }
            _ => self.scalar(merged, kind, &mut out),
        }
        self.default(merged, &mut out);
        out
    }

    fn object(&mut self, merged: &Map<String, Value>, levels: usize, out: &mut Portable) {
        let properties = merged.get("properties").and_then(Value::as_object);
        let more = merged.get("additionalProperties");
        if levels == 0 {
            if properties.is_some() || more.is_some_and(Value::is_object) {
                self.note("deep nesting is cut: what is further in is any object");
            }
            return;
        }
        let mut made = Map::new();
        for (name, schema) in properties.into_iter().flatten() {
            let Some(inner) = self.property(schema) else { continue };
            if !super::names::is_legal(name) {
                self.note(format!("its property {name:?} has a name that clients refuse; it is any object"));
                return;
            }
            let mut inner = self.convert(inner, levels - 1);
            if required(merged, name) {
                inner.insert("required".into(), true.into());
            }
            made.insert(name.clone(), inner.into());
        }
        let has_properties = !made.is_empty();
        if has_properties {
            out.insert("properties".into(), made.into());
        }
        match more {
            Some(Value::Object(schema)) if !schema.is_empty() => {
                let inner = self.convert(&schema.clone().into(), levels - 1);
                out.insert("additionalProperties".into(), inner.into());
            }
            // Closed objects catch mistakes; only what says that it is open is.
            Some(Value::Bool(true) | Value::Object(_)) if has_properties => {
                out.insert("additionalProperties".into(), true.into());
            }
            _ => {}
        }
    }

    /// A property, unless it belongs to the other direction alone.
    fn property<'v>(&self, schema: &'v Value) -> Option<&'v Value> {
        let resolved = self.document.resolve(schema).unwrap_or(schema);
        let foreign = if self.answer { "writeOnly" } else { "readOnly" };
        (resolved[foreign] != true).then_some(schema)
    }

    fn scalar(&mut self, merged: &Map<String, Value>, kind: &str, out: &mut Portable) {
        let fits = |value: &Value| match kind {
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            _ => value.is_i64() || value.is_f64(),
        };
        let constant = merged.get("const").map(|value| vec![value.clone()]);
        if let Some(values) = merged.get("enum").and_then(Value::as_array).cloned().or(constant) {
            let mut kept: Vec<_> = values.into_iter().filter(|value| !value.is_null()).collect();
            if kept.iter().all(fits) {
                kept.dedup();
                if !kept.is_empty() {
                    out.insert("enum".into(), kept.into());
                }
            } else {
                self.note("its enumerated values are not of its type; any is taken");
            }
        }
        if kind == "string" {
            if let Some(format) = merged.get("format").and_then(Value::as_str).filter(|format| FORMATS.contains(format)) {
                out.insert("format".into(), format.into());
            }
            if let Some(pattern) = merged.get("pattern").and_then(Value::as_str) {
                if jsonschema::validator_for(&json!({ "type": "string", "pattern": pattern })).is_ok() {
                    out.insert("pattern".into(), pattern.into());
                } else {
                    self.note("its pattern is no regular expression that can be checked; any text is taken");
                }
            }
            copy(merged, out, &["minLength", "maxLength"]);
        } else if kind != "boolean" {
            bounds(merged, kind, out);
        }
    }

    /// A default that fits what it is the default of.
    fn default(&mut self, merged: &Map<String, Value>, out: &mut Portable) {
        let Some(default) = merged.get("default").filter(|default| !default.is_null()) else { return };
        let simple = !out.contains_key("properties") && out.get("items").is_none_or(|items| items.get("properties").is_none());
        let schema = Value::from(out.clone());
        let plain = default.is_i64() || default.is_f64() || !default.is_number();
        if simple && plain && jsonschema::validator_for(&schema).is_ok_and(|validator| validator.is_valid(default)) {
            out.insert("default".into(), default.clone());
        } else {
            self.note("its default is not told, since it does not fit");
        }
    }

    /// References followed, `allOf` put together, unions made one.
    fn merge(&mut self, schema: &Value) -> Option<Map<String, Value>> {
        self.left = self.left.checked_sub(1)?;
        let mut merged = Map::new();
        let mut schema = schema;
        let document = self.document;
        let (mut parts, mut alternatives) = (Vec::new(), Vec::new());
        while let Some(stated) = schema.as_object() {
            absorb(&mut merged, stated);
            let listed = |key: &str| stated.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
            parts.extend(listed("allOf"));
            alternatives.extend(listed("oneOf").into_iter().chain(listed("anyOf")));
            let Some(reference) = stated.get("$ref").and_then(Value::as_str) else { break };
            if self.stack.len() == LONGEST_CHAIN || self.stack.iter().any(|known| known == reference) {
                return None;
            }
            self.stack.push(reference.to_owned());
            let Some(target) = document.find(reference) else {
                self.note(format!("the reference {reference} leads nowhere within the document; it is any object"));
                merged.entry("type").or_insert("object".into());
                break;
            };
            schema = target;
        }
        for part in parts {
            let mark = self.stack.len();
            match self.merge(&part) {
                Some(part) => absorb(&mut merged, &part),
                None => self.note("a part of it holds itself and is left out"),
            }
            // What one part follows, the next may follow too.
            self.stack.truncate(mark);
        }
        let mut forms = Vec::new();
        alternatives.extend(types(&merged));
        for form in alternatives {
            if form["type"] == "null" || form["enum"] == json!([null]) {
                continue;
            }
            let mark = self.stack.len();
            match self.merge(&form) {
                Some(form) => forms.push(form),
                None => self.note("a form of it holds itself and is left out"),
            }
            self.stack.truncate(mark);
        }
        if let Some(first) =
            merged.get("type").and_then(Value::as_array).and_then(|kinds| kinds.iter().find(|kind| *kind != "null")).cloned()
        {
            merged.insert("type".into(), first);
        }
        if !forms.is_empty() {
            let union = self.union(forms);
            if union.contains_key("type") && kind(&merged) != kind(&union) {
                merged.shift_remove("type");
            }
            absorb(&mut merged, &union);
        }
        Some(merged)
    }

    /// One schema that takes what the forms take, as far as one type can.
    fn union(&mut self, mut forms: Vec<Map<String, Value>>) -> Map<String, Value> {
        if forms.len() == 1 {
            return forms.remove(0);
        }
        let kinds: Vec<_> = forms.iter().map(|form| kind(form).unwrap_or("object")).collect();
        let all = |wanted: &[&str]| kinds.iter().all(|kind| wanted.contains(kind));
        if all(&["object"]) {
            return self.objects(&forms);
        }
        if kinds.iter().all(|kind| *kind == kinds[0]) && SCALARS.contains(&kinds[0]) {
            return values(&forms, kinds[0]);
        }
        if all(&["integer", "number"]) {
            return values(&forms, "number");
        }
        let named = |wanted: &str| kinds.iter().position(|kind| *kind == wanted);
        // A list of one is a form of "one or a list"; a text is the widest of the scalars.
        let chosen = named("array").or_else(|| named("object")).or_else(|| named("string")).unwrap_or(0);
        let kind = kinds[chosen];
        self.note(format!("it may be {}; only {kind} is offered", kinds.join(" or ")));
        if kind == "string" { values(&forms[chosen..=chosen], kind) } else { forms.swap_remove(chosen) }
    }

    /// An object that may have the properties of any form; required is what all require.
    fn objects(&mut self, forms: &[Map<String, Value>]) -> Map<String, Value> {
        let mut properties: Map<String, Value> = Map::new();
        for (name, schema) in forms.iter().filter_map(|form| form.get("properties")?.as_object()).flatten() {
            match properties.get_mut(name) {
                None => {
                    properties.insert(name.clone(), schema.clone());
                }
                Some(known) if known != schema => widen(known, schema),
                Some(_) => {}
            }
        }
        let required: Vec<_> = properties.keys().filter(|name| forms.iter().all(|form| required(form, name))).cloned().collect();
        self.note(format!("it has {} forms; the fields of all are offered, required is what all require", forms.len()));
        let mut union = Map::from_iter([("type".to_owned(), Value::from("object"))]);
        if !properties.is_empty() {
            union.insert("properties".into(), properties.into());
        }
        union.insert("required".into(), required.into());
        union
    }
}

/// Two properties of one name: the values of both where both are enumerated, as discriminators are.
fn widen(known: &mut Value, other: &Value) {
    let listed = |schema: &Value| schema["enum"].as_array().cloned().or_else(|| schema.get("const").map(|value| vec![value.clone()]));
    if let (Some(mut values), Some(more)) = (listed(known), listed(other)) {
        values.extend(more.into_iter().filter(|value| !listed(known).unwrap_or_default().contains(value)));
        *known = json!({ "type": "string", "enum": values });
    }
}

/// Scalars of several forms: enumerated where every form is.
fn values(forms: &[Map<String, Value>], kind: &str) -> Map<String, Value> {
    let mut union = Map::from_iter([("type".to_owned(), Value::from(kind))]);
    let listed = |form: &Map<String, Value>| {
        form.get("enum").and_then(Value::as_array).cloned().or_else(|| form.get("const").map(|value| vec![value.clone()]))
    };
    if let Some(lists) = forms.iter().map(listed).collect::<Option<Vec<_>>>() {
        let mut all: Vec<Value> = Vec::new();
        for value in lists.into_iter().flatten() {
            if !all.contains(&value) {
                all.push(value);
            }
        }
        union.insert("enum".into(), all.into());
    }
    union
}

/// `type: [a, b]` as forms of their own; none where there is one type beside null.
fn types(merged: &Map<String, Value>) -> Vec<Value> {
    let kinds = merged.get("type").and_then(Value::as_array);
    let kinds: Vec<_> = kinds.into_iter().flatten().filter(|kind| *kind != "null").collect();
    if kinds.len() < 2 {
        return Vec::new();
    }
    kinds
        .into_iter()
        .map(|kind| {
            let mut form = merged.clone();
            form.insert("type".into(), kind.clone());
            form.into()
        })
        .collect()
}

/// Adds what is not stated yet; properties and required names come together.
fn absorb(merged: &mut Map<String, Value>, other: &Map<String, Value>) {
    for (key, value) in other {
        if ["$ref", "allOf", "oneOf", "anyOf"].contains(&key.as_str()) {
            continue;
        }
        match (key.as_str(), merged.get_mut(key)) {
            ("properties", Some(Value::Object(known))) => {
                for (name, schema) in value.as_object().into_iter().flatten() {
                    known.entry(name).or_insert_with(|| schema.clone());
                }
            }
            ("required", Some(Value::Array(known))) => {
                known.extend(value.as_array().into_iter().flatten().cloned());
            }
            (_, Some(_)) => {}
            (_, None) => {
                merged.insert(key.clone(), value.clone());
            }
        }
    }
}

/// The one type of a merged schema, as stated or as its other words show it.
pub fn kind(merged: &Map<String, Value>) -> Option<&'static str> {
    const KINDS: [&str; 6] = ["string", "integer", "number", "boolean", "object", "array"];
    let stated = match merged.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().find(|kind| *kind != "null").and_then(Value::as_str),
        Some(kind) => kind.as_str(),
        None => None,
    };
    if let Some(kind) = KINDS.into_iter().find(|kind| stated == Some(kind)) {
        return Some(kind);
    }
    let value = merged.get("enum").and_then(|values| values.get(0)).or_else(|| merged.get("const"));
    match value {
        _ if merged.contains_key("properties") || merged.contains_key("additionalProperties") => Some("object"),
        _ if merged.contains_key("items") || merged.contains_key("prefixItems") => Some("array"),
        Some(Value::String(_)) => Some("string"),
        Some(Value::Bool(_)) => Some("boolean"),
        Some(Value::Number(number)) => Some(if number.is_f64() { "number" } else { "integer" }),
        _ if merged.contains_key("format") || merged.contains_key("pattern") => Some("string"),
        _ => None,
    }
}

/// Whether an object must have a property.
pub fn required(merged: &Map<String, Value>, name: &str) -> bool {
    merged.get("required").and_then(Value::as_array).is_some_and(|names| names.iter().any(|known| known == name))
}

/// Any object.
fn free() -> Portable {
    Map::from_iter([("type".to_owned(), "object".into())])
}

fn copy(merged: &Map<String, Value>, out: &mut Portable, keys: &[&str]) {
    for key in keys {
        if let Some(value) = merged.get(*key).filter(|value| value.as_i64().is_some_and(|number| number >= 0) || value.is_boolean()) {
            out.insert((*key).to_owned(), value.clone());
        }
    }
}

/// Bounds, exclusive ones included; what TOML cannot hold bounds nothing.
fn bounds(merged: &Map<String, Value>, kind: &str, out: &mut Portable) {
    for (key, exclusive, step) in [("minimum", "exclusiveMinimum", 1), ("maximum", "exclusiveMaximum", -1)] {
        let whole = |value: &Value| value.as_i64().or_else(|| integral(value.as_f64()?));
        let (bound, beyond) = match (merged.get(key), merged.get(exclusive)) {
            (Some(bound), Some(Value::Bool(beyond))) => (bound, *beyond),
            (_, Some(bound)) if bound.is_number() => (bound, true),
            (Some(bound), _) => (bound, false),
            _ => continue,
        };
        if kind == "integer" {
            if let Some(bound) = whole(bound).and_then(|bound| if beyond { bound.checked_add(step) } else { Some(bound) }) {
                out.insert(key.to_owned(), bound.into());
            }
        } else if bound.is_i64() || bound.is_f64() {
            out.insert(key.to_owned(), bound.clone());
        }
    }
}

/// A decimal that is a whole number of moderate size.
fn integral(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "within the bounds just checked")]
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}
