//! Rows as a Markdown table, as many as fit.

use crate::untrusted::{self, MARK};
use std::borrow::Cow;

/// Most characters of a cell.
const MOST_CELL: usize = 80;

/// Most characters of a cell that identifies: a cut id is no id.
const MOST_ID: usize = 200;

/// Most rows of a table.
const MOST_ROWS: usize = 50;

/// A table while it is written.
pub struct Table {
    head: Vec<String>,
    /// Most characters of a cell of each column.
    rooms: Vec<usize>,
    text: String,
    rows: usize,
    full: bool,
    /// Most bytes of the rows.
    most: usize,
}

impl Table {
    /// A table of objects, its rows of at most `most` bytes.
    pub fn of_objects(columns: &[String], most: usize) -> Self {
        let head = columns.iter().map(|name| untrusted::cell(name, MOST_CELL)).collect();
        Self::new(head, columns.iter().map(|name| room(name)).collect(), most)
    }

    /// A table of rows that are plain values, such as file names.
    pub fn of_values(most: usize) -> Self {
        Self::new(vec!["value".to_owned()], vec![MOST_ID], most)
    }

    fn new(head: Vec<String>, rooms: Vec<usize>, most: usize) -> Self {
        Self { head, rooms, text: String::with_capacity(4_096), rows: 0, full: false, most }
    }

    /// Appends a row. From the first that finds no room on there is none for any.
    pub fn row<'a>(&mut self, cells: impl Iterator<Item = Cow<'a, str>>) {
        if self.full || self.rows == MOST_ROWS {
            return;
        }
        let before = self.text.len();
        self.text.push('|');
        for (cell, room) in cells.zip(&self.rooms) {
            self.text.push(' ');
            push(&mut self.text, &cell, *room);
            self.text.push_str(" |");
        }
        self.text.push('\n');
        if self.text.len() > self.most {
            self.text.truncate(before);
            self.full = true;
        } else {
            self.rows += 1;
        }
    }

    /// The mark and the table, empty when there is no row; and how many rows found room.
    pub fn finish(self) -> (String, usize) {
        let Self { head, text, rows, .. } = self;
        if rows == 0 || head.is_empty() {
            return (String::new(), rows);
        }
        (format!("{MARK}\n\n| {} |\n|{}\n{text}", head.join(" | "), "---|".repeat(head.len())), rows)
    }
}

/// Most characters of a cell in a column of that name.
fn room(name: &str) -> usize {
    let name = name.to_lowercase();
    let identifies = ["id", "name", "key", "ref", "digest", "path"].iter().any(|end| name.ends_with(end));
    if identifies { MOST_ID } else { MOST_CELL }
}

fn push(line: &mut String, text: &str, room: usize) {
    if text.len() <= room && is_plain(text) {
        line.push_str(text);
    } else {
        line.push_str(&untrusted::cell(text, room));
    }
}

/// Whether a text means nothing to any reader at the first look, as most ids, names and states do.
fn is_plain(text: &str) -> bool {
    // What follows a number may make it the mark of a list item, and spaces at an end are taken away.
    let with_signs = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') && !text.ends_with(' ');
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || with_signs && matches!(byte, b' ' | b'/' | b'(' | b')' | b','))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_look_sees_no_more_than_the_second(text in "[a-z0-9 /(),.:]{0,8}") {
            prop_assert!(!is_plain(&text) || untrusted::cell(&text, MOST_CELL) == text, "{}", text);
        }
    }
}
