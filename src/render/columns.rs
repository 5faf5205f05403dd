//! Which fields of a result are shown: those the caller names, else those the catalog says identify and describe an item.

use crate::error::{Code, Failure};
use crate::params::nearest;
use crate::rows::Row;
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
pub fn choose(action: &Action<'_>, fields: &[String], rows: &[Row<'_>]) -> Columns {
    if !fields.is_empty() && !fields.iter().any(|name| name == ALL) {
        let mut once = BTreeSet::new();
        return Columns { shown: fields.iter().filter(|name| once.insert(*name)).cloned().collect(), left_out: Vec::new() };
    }
    let present = present(rows);
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    if !fields.is_empty() {
        return Columns { shown: owned(&present), left_out: Vec::new() };
    }
    let mut shown: Vec<&str> = action.returns.columns.iter().map(|name| &**name).filter(|name| present.contains(name)).collect();
    if shown.is_empty() {
        shown = guess(&present, rows);
    }
    let left_out: Vec<_> = present.into_iter().filter(|name| !shown.contains(name)).collect();
    Columns { shown: owned(&shown), left_out: owned(&left_out) }
}

/// The names that rows have, in the order in which they first come.
pub fn present<'a>(rows: &'a [Row<'_>]) -> Vec<&'a str> {
    let mut present = Vec::new();
    let mut seen = BTreeSet::new();
    for row in rows {
        // Rows of one list mostly have the same names in the same order, and few have gaps.
        let mut expected = 0;
        for name in row.names() {
            let ahead: &[&str] = &present[expected..present.len().min(expected + 4)];
            if let Some(found) = ahead.iter().position(|known| *known == name) {
                expected += found + 1;
            } else if seen.insert(name) {
                present.push(name);
            }
        }
    }
    present
}

/// What identifies comes first, then what is short.
fn guess<'a>(present: &[&'a str], rows: &[Row<'_>]) -> Vec<&'a str> {
    let plain = |name: &&&str| !rows.iter().any(|row| row.is_nested(name));
    let rank = |name: &&str| match name.to_lowercase().as_str() {
        "id" => 0,
        "name" | "key" | "title" => 1,
        _ => 2,
    };
    let mut columns: Vec<&str> = present.iter().filter(plain).copied().collect();
    columns.sort_by_key(rank);
    columns.truncate(MOST_GUESSED);
    if columns.is_empty() { present.iter().take(MOST_GUESSED).copied().collect() } else { columns }
}

/// An object reduced to some of its fields, in their order.
pub fn pick(row: &Value, columns: &[String]) -> Value {
    let Some(members) = row.as_object() else { return row.clone() };
    columns.iter().filter_map(|name| Some((name.clone(), members.get(name)?.clone()))).collect::<Map<_, _>>().into()
}

/// A name as the catalog knows it. Others are words of the upstream's, however like a name they look.
pub fn known<'a>(action: &'a Action<'_>, name: &str) -> Option<&'a str> {
    action.returns.fields.iter().map(|field| &*field.name).find(|known| *known == name)
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
