//! Rows as a Markdown table, as many as fit.

use super::value;
use crate::untrusted::{self, MARK};
use serde_json::Value;
use std::fmt::Write;

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
    let cells =
        rows.iter().map(|row| columns.iter().map(|name| row.get(name).map_or_else(String::new, |value| cell(name, value))).collect());
    table(&head, cells, most_rows, most_text)
}

/// A table of rows that are plain values, such as file names.
pub fn of_values(rows: &[Value], most_rows: usize, most_text: usize) -> Table {
    let cells = rows.iter().map(|row| vec![untrusted::cell(&value::short("", row), MOST_ID)]);
    table(&["value".to_owned()], cells, most_rows, most_text)
}

fn cell(name: &str, value: &Value) -> String {
    let identifies = ["id", "name", "key", "ref", "digest", "path"].iter().any(|end| name.to_lowercase().ends_with(end));
    untrusted::cell(&value::short(name, value), if identifies { MOST_ID } else { MOST_CELL })
}

fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>, most_rows: usize, most_text: usize) -> Table {
    let mut text = String::new();
    let mut count = 0;
    for cells in rows.take(most_rows) {
        let mut line = String::from("|");
        for cell in cells {
            let _ = write!(line, " {cell} |");
        }
        line.push('\n');
        if text.len() + line.len() > most_text {
            break;
        }
        text.push_str(&line);
        count += 1;
    }
    if count == 0 || head.is_empty() {
        return Table { text: String::new(), rows: count };
    }
    Table { text: format!("{MARK}\n\n| {} |\n|{}\n{text}", head.join(" | "), "---|".repeat(head.len())), rows: count }
}
