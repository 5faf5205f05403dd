//! The table of figures in the README, between two markers.

use crate::measure::Cost;
use anyhow::{Context, Result};
use std::fmt::Write;

/// Begins the table.
pub const BEGIN: &str = "<!-- audit:begin -->";
/// Ends the table.
pub const END: &str = "<!-- audit:end -->";

const HEAD: [&str; 7] = ["surface", "tools", "bytes", "tokens (o200k)", "tokens (cl100k)", "tokens an action", "of a 200 k context"];

/// One documented row: the name of a surface and its figures, each as written.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name of the surface.
    pub surface: String,
    /// Its figures in the order of the head, from `tools`.
    pub figures: Vec<String>,
}

fn cells(cost: &Cost) -> Vec<String> {
    vec![
        format!("`{}`", cost.surface),
        cost.tools.to_string(),
        thousands(cost.bytes),
        thousands(cost.o200k),
        thousands(cost.cl100k),
        format!("{:.1}", cost.per_action()),
        format!("{:.1}%", cost.share()),
    ]
}

/// `12345` as `12,345`.
fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn markdown(costs: &[Cost]) -> String {
    let mut text = format!("| {} |\n|---|{}\n", HEAD.join(" | "), "---:|".repeat(HEAD.len() - 1));
    for cost in costs {
        let _ = writeln!(text, "| {} |", cells(cost).join(" | "));
    }
    text
}

/// The same for a terminal, with the instructions.
pub fn terminal(costs: &[Cost]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(HEAD.into_iter().chain(["instructions"]));
    for cost in costs {
        table.add_row(cells(cost).into_iter().chain([cost.instructions.to_string()]));
    }
    format!("{table}\n")
}

fn between(text: &str) -> Option<(usize, usize)> {
    let start = text.find(BEGIN)? + BEGIN.len();
    let end = start + text.get(start..)?.find(END)?;
    Some((start, end))
}

/// A document with the figures written anew.
pub fn written(text: &str, costs: &[Cost]) -> Result<String> {
    let (start, end) = between(text).with_context(|| format!("no markers {BEGIN} and {END} to write between"))?;
    Ok(format!("{}\n{}{}", &text[..start], markdown(costs), &text[end..]))
}

/// What a reader of the rendered page sees.
fn without_comments(text: &str) -> String {
    let mut visible = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("<!--") {
        visible.push_str(before);
        rest = after.split_once("-->").map_or("", |(_, after)| after);
    }
    visible + rest
}

/// The rows of the table; nothing outside of it counts. `None`: there is no table.
pub fn read(text: &str) -> Option<Vec<Row>> {
    let (start, end) = between(text)?;
    let visible = without_comments(&text[start..end]);
    let mut rows = visible.lines().map(str::trim).filter(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let (surface, figures) = cells.split_first()?;
        Some(Row { surface: surface.trim_matches('`').to_owned(), figures: figures.to_vec() })
    });
    let head = rows.next()??;
    let right = head.surface == HEAD[0] && head.figures.iter().map(String::as_str).eq(HEAD[1..].iter().copied());
    right.then(|| rows.skip(1).flatten().collect())
}
