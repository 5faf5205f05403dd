//! Which fields of a result are shown: those the caller names, else those the catalog says identify and describe an item.

use crate::error::{Code, Failure};
use crate::params::nearest;
use crate::untrusted;
use callslip_catalog::model::{Action, Shape};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Asks for every field.
pub const ALL: &str = "*";

/// Columns shown of rows that the catalog says nothing about.
const MOST_GUESSED: usize = 8;

/// Refuses fields the result does not have, before anything is sent. A result whose fields the catalog does not state accepts any name.
pub fn check_fields(action: &Action<'_>, fields: &[String]) -> Result<(), Failure> {
    if fields.is_empty() {
        return Ok(());
    }
    if !matches!(action.returns.shape, Shape::List | Shape::Object) {
        let failure = format!("`{}` answers with {}, which has no fields to pick.", action.id, action.returns.shape.name());
        return Err(Failure::new(Code::InvalidArguments, failure).next("Call it again without `fields`."));
    }
    let known: Vec<&str> = action.returns.fields.iter().map(|field| &*field.name).collect();
    if known.is_empty() {
        return Ok(());
    }
    let unknown: Vec<&String> = fields.iter().filter(|name| *name != ALL && !known.contains(&name.as_str())).collect();
    if unknown.is_empty() {
        return Ok(());
    }
    let sentences: Vec<String> = unknown
        .into_iter()
        .map(|name| {
            let shown = untrusted::line(name, 64).replace('`', "'");
            match nearest(name, known.iter().copied()) {
                Some(near) => format!("`{shown}` is not a field of `{}`; did you mean `{near}`?", action.id),
                None => format!("`{shown}` is not a field of `{}`.", action.id),
            }
        })
        .collect();
    let mut failure = Failure::new(Code::InvalidArguments, sentences.join(" "))
        .next(format!("Its fields are {}; `\"*\"` asks for all of them.", named(known.iter().copied())));
    failure.more.insert("fields".into(), known.into());
    Err(failure)
}

/// The columns of a list and the fields that are left out.
pub struct Columns {
    /// Shown, in this order.
    pub shown: Vec<String>,
    /// There, but not shown.
    pub left_out: Vec<String>,
}

/// Chooses the columns of rows that are objects.
pub fn choose(action: &Action<'_>, fields: &[String], rows: &[Value]) -> Columns {
    let mut present = Vec::new();
    let mut seen = BTreeSet::new();
    for name in rows.iter().filter_map(Value::as_object).flat_map(Map::keys) {
        if seen.insert(name) {
            present.push(name.clone());
        }
    }
    if fields.iter().any(|name| name == ALL) {
        return Columns { shown: present, left_out: Vec::new() };
    }
    if !fields.is_empty() {
        let mut once = BTreeSet::new();
        return Columns { shown: fields.iter().filter(|name| once.insert(*name)).cloned().collect(), left_out: Vec::new() };
    }
    let mut shown: Vec<String> = action.returns.columns.iter().map(ToString::to_string).filter(|name| seen.contains(name)).collect();
    if shown.is_empty() {
        shown = guess(&present, rows);
    }
    let left_out = present.into_iter().filter(|name| !shown.contains(name)).collect();
    Columns { shown, left_out }
}

/// What identifies comes first, then what is short.
fn guess(present: &[String], rows: &[Value]) -> Vec<String> {
    let plain = |name: &&String| !rows.iter().any(|row| matches!(row.get(name.as_str()), Some(Value::Object(_) | Value::Array(_))));
    let rank = |name: &String| match name.to_lowercase().as_str() {
        "id" => 0,
        "name" | "key" | "title" => 1,
        _ => 2,
    };
    let mut columns: Vec<String> = present.iter().filter(plain).cloned().collect();
    columns.sort_by_key(rank);
    columns.truncate(MOST_GUESSED);
    if columns.is_empty() { present.iter().take(MOST_GUESSED).cloned().collect() } else { columns }
}

/// A row reduced to the shown columns, in their order.
pub fn pick(row: &Value, columns: &[String]) -> Value {
    let Some(members) = row.as_object() else { return row.clone() };
    columns.iter().filter_map(|name| Some((name.clone(), members.get(name)?.clone()))).collect::<Map<_, _>>().into()
}

/// Names in backticks. They may come from the upstream: what could be more than a name is counted, not shown.
pub fn named<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let (plain, odd): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| untrusted::is_id(name));
    let mut parts: Vec<_> = plain.into_iter().map(|name| format!("`{name}`")).collect();
    if !odd.is_empty() {
        parts.push(format!("{} with unusual names", odd.len()));
    }
    parts.join(", ")
}
