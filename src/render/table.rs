//! Rows as a Markdown table, as many as fit.

use super::value;
use crate::untrusted::{self, MARK};
use serde_json::Value;
use std::borrow::Cow;

/// Most characters of a cell.
const MOST_CELL: usize = 80;

/// Most characters of a cell that identifies: a cut id is no id.
const MOST_ID: usize = 200;

/// A table and how many rows found room.
pub struct Table {
    /// The mark, the table; empty when there is no row.
    pub text: String,
    /// Rows in it.
    pub rows: usize,
}

/// A table of objects.
pub fn of_objects(columns: &[String], rows: &[Value], most_rows: usize, most_text: usize) -> Table {
    let head: Vec<String> = columns.iter().map(|name| untrusted::cell(name, MOST_CELL)).collect();
    let columns: Vec<(&str, usize)> = columns.iter().map(|name| (name.as_str(), room(name))).collect();
    table(&head, rows.iter().take(most_rows), most_text, |row, line| {
        for (name, room) in &columns {
            let value = row.get(name).map_or(Cow::Borrowed(""), |value| value::short(name, value));
            cell(line, &value, *room);
        }
    })
}

/// A table of rows that are plain values, such as file names.
pub fn of_values(rows: &[Value], most_rows: usize, most_text: usize) -> Table {
    table(&["value".to_owned()], rows.iter().take(most_rows), most_text, |row, line| cell(line, &value::short("", row), MOST_ID))
}

/// Most characters of a cell in a column of that name.
fn room(name: &str) -> usize {
    let name = name.to_lowercase();
    let identifies = ["id", "name", "key", "ref", "digest", "path"].iter().any(|end| name.ends_with(end));
    if identifies { MOST_ID } else { MOST_CELL }
}

fn cell(line: &mut String, text: &str, room: usize) {
    line.push(' ');
    // Most ids and states are letters and digits, which mean nothing to any reader and need no second look.
    if text.len() <= room && text.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        line.push_str(text);
    } else {
        line.push_str(&untrusted::cell(text, room));
    }
    line.push_str(" |");
}

fn table<'a>(
    head: &[String],
    rows: impl Iterator<Item = &'a Value>,
    most_text: usize,
    write: impl Fn(&'a Value, &mut String),
) -> Table {
    let mut text = String::new();
    let mut count = 0;
    for row in rows {
        let before = text.len();
        text.push('|');
        write(row, &mut text);
        text.push('\n');
        if text.len() > most_text {
            text.truncate(before);
            break;
        }
        count += 1;
    }
    if count == 0 || head.is_empty() {
        return Table { text: String::new(), rows: count };
    }
    Table { text: format!("{MARK}\n\n| {} |\n|{}\n{text}", head.join(" | "), "---|".repeat(head.len())), rows: count }
}
