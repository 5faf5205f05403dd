//! The table of figures in a document, between two markers, and the same for a terminal.

use crate::count::thousands;
use crate::measure::Cost;
use anyhow::{Context, Result};
use std::fmt::Write;

/// Begins the table.
pub const BEGIN: &str = "<!-- audit:begin -->";
/// Ends the table.
pub const END: &str = "<!-- audit:end -->";

const HEAD: [&str; 7] = ["surface", "tools", "bytes", "tokens (o200k)", "tokens (cl100k)", "tokens an action", "of a 200 k context"];

/// One documented row: the name of a surface and its figures, each as written.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The table as Markdown.
pub fn markdown(costs: &[Cost]) -> String {
    let mut text = format!("| {} |\n|---|{}\n", HEAD.join(" | "), "---:|".repeat(HEAD.len() - 1));
    for cost in costs {
        let _ = writeln!(text, "| {} |", cells(cost).join(" | "));
    }
    text
}

/// The same for a terminal, with the median and the instructions.
pub fn terminal(costs: &[Cost]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(HEAD.into_iter().chain(["median tool", "instructions"]));
    for cost in costs {
        table.add_row(cells(cost).into_iter().chain([cost.median.to_string(), cost.instructions.to_string()]));
    }
    let text = table.to_string();
    text.lines().map(|line| line.trim().to_owned() + "\n").collect()
}

/// Where each table stands: behind its BEGIN, and before its END, if it has one.
fn places(text: &str) -> Vec<(usize, Option<usize>)> {
    text.match_indices(BEGIN)
        .map(|(at, _)| {
            let start = at + BEGIN.len();
            let rest = &text[start..];
            let end = rest.find(END).filter(|end| rest.find(BEGIN).is_none_or(|next| *end < next));
            (start, end.map(|end| start + end))
        })
        .collect()
}

/// A document with every table written anew.
pub fn written(text: &str, costs: &[Cost]) -> Result<String> {
    let mut out = text.to_owned();
    for (start, end) in places(text).into_iter().rev() {
        let end = end.with_context(|| format!("no {END} behind {BEGIN}"))?;
        out.replace_range(start..end, &format!("\n{}", markdown(costs)));
    }
    Ok(out)
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

/// The rows of every table; nothing outside of them counts. `None`: a table without an end, or with another head.
pub fn all(text: &str) -> Vec<Option<Vec<Row>>> {
    places(text).into_iter().map(|(start, end)| rows(&text[start..end?])).collect()
}

fn rows(text: &str) -> Option<Vec<Row>> {
    let visible = without_comments(text);
    let mut rows = visible.lines().map(str::trim).filter(|line| line.starts_with('|')).map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let (surface, figures) = cells.split_first()?;
        Some(Row { surface: surface.trim_matches('`').to_owned(), figures: figures.to_vec() })
    });
    let head = rows.next()??;
    let right = head.surface == HEAD[0] && head.figures.iter().map(String::as_str).eq(HEAD[1..].iter().copied());
    right.then(|| rows.skip(1).flatten().collect())
}
