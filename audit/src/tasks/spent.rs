//! What a task cost, and the sum over many.

use crate::count::{o200k, real, thousands};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;
use std::ops::AddAssign;

/// Tokens by what a client shows its model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Channels {
    /// `structuredContent` alone.
    pub structured: usize,
    /// Text alone.
    pub text: usize,
    /// Both.
    pub both: usize,
}

impl Channels {
    /// The tokens of a tool result. A client that shows structured content alone falls back to the text where there is none.
    pub fn of(result: &Value) -> Self {
        let blocks = result["content"].as_array().into_iter().flatten();
        let text: usize = blocks.map(|block| block["text"].as_str().map_or_else(|| o200k(&block.to_string()), o200k)).sum();
        match &result["structuredContent"] {
            Value::Null => Self { structured: text, text, both: text },
            content => {
                let structured = o200k(&content.to_string());
                Self { structured, text, both: structured + text }
            }
        }
    }
}

impl AddAssign for Channels {
    fn add_assign(&mut self, other: Self) {
        self.structured += other.structured;
        self.text += other.text;
        self.both += other.both;
    }
}

/// What a task, or all of them, cost on one surface.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Tool calls.
    pub calls: usize,
    /// Questions to a person.
    pub questions: usize,
    /// Searches that did not show the action, so that the agent had to search again.
    pub misses: usize,
    /// What differs from the state and the changes the task asks for, or from the answers expected.
    pub wrong: Vec<String>,
    /// Definitions and instructions, once a turn: a turn is a call, and the last word.
    pub definitions: usize,
    /// Arguments the model writes.
    pub arguments: usize,
    /// Answers to searches and schemas read.
    pub found: Channels,
    /// Results.
    pub results: Channels,
    /// Errors.
    pub errors: Channels,
}

impl Spent {
    /// All tokens for a channel.
    pub fn total(&self, channel: fn(&Channels) -> usize) -> usize {
        self.definitions + self.arguments + channel(&self.found) + channel(&self.results) + channel(&self.errors)
    }
}

impl AddAssign<&Self> for Spent {
    fn add_assign(&mut self, other: &Self) {
        self.calls += other.calls;
        self.questions += other.questions;
        self.misses += other.misses;
        self.wrong.extend(other.wrong.iter().cloned());
        self.definitions += other.definitions;
        self.arguments += other.arguments;
        self.found += other.found;
        self.results += other.results;
        self.errors += other.errors;
    }
}

/// The sums as a Markdown table. The first row is what the others are compared with when `peer` is true.
pub fn markdown(rows: &[(String, Spent)], peer: bool) -> String {
    let mut out = "| surface | calls | questions | wrong effects | searched twice | definitions | arguments | found | results | errors | structured only | text only | both |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n".to_owned();
    let first = rows.first().filter(|_| peer).map(|(_, spent)| spent.clone());
    for (name, spent) in rows {
        let total = |channel: fn(&Channels) -> usize| {
            let tokens = spent.total(channel);
            match &first {
                Some(first) if first != spent => {
                    format!("{} ({:.0}%)", thousands(tokens), real(tokens) / real(first.total(channel).max(1)) * 100.0)
                }
                _ => thousands(tokens),
            }
        };
        let _ = writeln!(
            out,
            "| `{name}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            spent.calls,
            spent.questions,
            spent.wrong.len(),
            spent.misses,
            thousands(spent.definitions),
            thousands(spent.arguments),
            thousands(spent.found.both),
            thousands(spent.results.both),
            thousands(spent.errors.both),
            total(|channels| channels.structured),
            total(|channels| channels.text),
            total(|channels| channels.both),
        );
    }
    out
}
