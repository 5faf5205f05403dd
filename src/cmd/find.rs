//! `callslip find`: what the search answers.

use super::{DONE, FAILED};
use crate::app::App;
use crate::config::Misuse;
use crate::surface::Find;
use crate::{find, terminal};
use anyhow::Result;
use comfy_table::{ContentArrangement, Table, presets};
use serde_json::Value;

pub fn run(app: &App, query: &str, limit: u32, explain: bool, json: bool) -> Result<u8> {
    if !(1..=50).contains(&limit) {
        return Err(Misuse("--limit is between 1 and 50".into()).into());
    }
    if query.chars().count() > 256 {
        return Err(Misuse("the query is longer than 256 characters".into()).into());
    }
    let asked = Find { query: query.to_owned(), toolset: None, offset: 0, limit: limit as usize, tool_names: false };
    let outcome = find::answer(app, &asked);
    if outcome.is_error {
        eprintln!("{}", outcome.text);
        return Ok(FAILED);
    }
    if json {
        terminal::json(&outcome.structured);
        return Ok(DONE);
    }
    let items = outcome.structured["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = terminal::width() {
        table.set_width(width);
    }
    table.set_header(["id", "kind", "what it does"]);
    for item in items {
        table.add_row([text(&item["id"]), kind(item), text(&item["description"])]);
    }
    if !items.is_empty() {
        terminal::print(&table.to_string());
    }
    if explain {
        terminal::print(&explained(app, query, items));
    }
    let confidence = text(&outcome.structured["confidence"]);
    match outcome.structured["advice"].as_str() {
        Some(advice) => terminal::print(&format!("\nconfidence {confidence}: {advice}")),
        None => terminal::print(&format!("\nconfidence {confidence}. `callslip show ID` shows one whole, `callslip call ID` runs it.")),
    }
    Ok(DONE)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn kind(item: &Value) -> &'static str {
    match (item["destructive"] == true, item["mutating"] == true) {
        (true, _) => "destructive",
        (false, true) => "write",
        (false, false) => "read",
    }
}

/// How each score came about, one block a hit.
fn explained(app: &App, query: &str, items: &[Value]) -> String {
    let mut lines = Vec::new();
    for item in items {
        let id = text(&item["id"]);
        let number = app.catalog.number(id).and_then(|number| u32::try_from(number).ok());
        let Some(explanation) = number.and_then(|number| app.catalog.index().explain(query, number)) else {
            lines.push(format!("\n{id}: found by its name or as a command line"));
            continue;
        };
        lines.push(format!(
            "\n{id}: {:.2} (words below x coverage of the query {:.2}, of the title {:.2}, intent {:+.0})",
            explanation.score, explanation.query, explanation.title, explanation.intent
        ));
        for part in explanation.parts {
            let place = if part.title { ", in the title" } else { "" };
            lines.push(format!("  {:<16} {:>6.2}  strength {:.2}{place}", part.term, part.worth, part.strength));
        }
    }
    lines.join("\n")
}
