//! A parameter table → [`Param`].

use super::reader::Table;
use super::schema;
use crate::model::{Fill, Param, Place, ValueType};
use serde_json::Value;

/// Every parameter of a `[…params]` or `[…body]` table with the byte offset of its name.
pub fn read_all(table: &Table<'_>, place: &Place<'static>) -> Vec<(Param<'static>, usize)> {
    let found = table.named_tables(|name| format!("parameter `{name}`"));
    let params = found.iter().map(|(name, inner)| (read(&name.text, inner, place.clone(), &[]), name.at)).collect();
    table.finish(&[]);
    params
}

/// A parameter of `[shared]`: it may name the server option its value comes from.
pub fn read_shared(name: &str, table: &Table<'_>) -> Param<'static> {
    let option = table.text("default_option");
    let mut param = read(name, table, Place::Path, &["default_option"]);
    if let Some(option) = option {
        let mut schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
        let default = schema.as_object_mut().and_then(|schema| schema.shift_remove("default"));
        let default = default.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned();
        param.fill = Fill::Option { option: option.text.into(), default: default.into() };
        param.schema = schema.to_string().into();
        param.required = false;
    }
    param
}

fn read(name: &str, table: &Table<'_>, place: Place<'static>, more: &[&'static str]) -> Param<'static> {
    let schema = schema::from_table(table);
    let kind = ValueType::NAMES.iter().find(|(word, _)| schema["type"] == *word).map(|(_, kind)| *kind);
    if kind.is_none() {
        let words: Vec<_> = ValueType::NAMES.iter().map(|(word, _)| *word).collect();
        table.problem(format!("parameter `{name}` needs one `type` of {}", words.join(", ")));
    }
    let wire = table.text("wire").map_or_else(|| name.to_owned(), |placed| placed.text);
    let fill = match (table.value("fill"), table.flag("fill_null")) {
        (Some(value), _) => Fill::Json(value.to_string().into()),
        (None, Some(true)) => Fill::Json("null".into()),
        _ => Fill::Nothing,
    };
    let param = Param {
        name: name.to_owned().into(),
        wire: wire.into(),
        place: place_of(table, place),
        kind: kind.unwrap_or(ValueType::String),
        required: table.flag("required").unwrap_or_default(),
        fill,
        secret: table.flag("secret").unwrap_or_default(),
        shared: false,
        schema: schema.to_string().into(),
    };
    let known: Vec<_> = schema::param_keys().into_iter().chain(more.iter().copied()).collect();
    table.finish(&known);
    param
}

fn place_of(table: &Table<'_>, place: Place<'static>) -> Place<'static> {
    let in_body = place == Place::Body;
    if table.flag("header") == Some(true) {
        if in_body {
            table.problem("a header parameter belongs in the params table, not in the body");
        }
        return Place::Header;
    }
    if table.flag("whole") == Some(true) {
        if !in_body {
            table.problem("`whole` belongs to the one parameter of a body");
        }
        return Place::Whole;
    }
    let Some(part) = table.text("part") else { return place };
    if !in_body {
        table.problem("`part` belongs to the parameters of a multipart body");
    }
    match part.text.as_str() {
        "file" => Place::FilePart,
        "files" => Place::FilesPart,
        "text" => Place::TextPart,
        other => match other.strip_prefix("json:") {
            Some(name) if !name.is_empty() => Place::JsonPart(name.to_owned().into()),
            _ => {
                table.problem_at(part.at, "`part` is file, files, text or json:NAME");
                place
            }
        },
    }
}
