//! Ranks many queries and writes a run file that can be scored: for `callslip eval`, which judges the search over the catalog
//! compiled in or over any list of tools.

use crate::index::{Answer, Confidence, Document, Index, Parameter, Safety};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use std::time::Instant;

/// How many results a run file holds for a query.
const DEPTH: usize = 20;

/// A tool as a line of a `tools.jsonl` states it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Tool {
    /// Its id; the operationId for an API.
    pub id: String,
    /// A second name, where there is one.
    #[serde(default)]
    pub action: String,
    /// Few words.
    #[serde(default)]
    pub title: String,
    /// Sentences.
    #[serde(default)]
    pub description: String,
    /// Parameters.
    #[serde(default)]
    pub params: Vec<ToolParameter>,
    /// Groups it belongs to.
    #[serde(default)]
    pub tags: Vec<String>,
    /// HTTP method, may be empty.
    #[serde(default)]
    pub method: String,
    /// HTTP path, may be empty.
    #[serde(default)]
    pub path: String,
    /// What people say for it.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// When to use it.
    #[serde(default)]
    pub usage: String,
    /// Further words that should find it.
    #[serde(default)]
    pub words: Vec<String>,
    /// The toolset it belongs to.
    #[serde(default)]
    pub toolset: String,
    /// `read`, `write`, `paid` or `destructive`; empty: the method decides.
    #[serde(default)]
    pub kind: String,
}

/// A parameter of a [`Tool`].
#[derive(Clone, Debug, Default, Deserialize)]
pub struct ToolParameter {
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The values it takes.
    #[serde(default)]
    pub values: Vec<String>,
}

impl Tool {
    /// The tool as the search sees it. Without a stated kind the method decides, as it does for an imported API.
    pub fn document(&self) -> Document<'_> {
        Document {
            id: if self.action.is_empty() { &self.id } else { &self.action },
            operation: &self.id,
            title: &self.title,
            description: &self.description,
            aliases: self.aliases.iter().map(String::as_str).collect(),
            parameters: self
                .params
                .iter()
                .map(|given| Parameter {
                    name: &given.name,
                    description: &given.description,
                    values: given.values.iter().map(String::as_str).collect(),
                })
                .collect(),
            domain: self.tags.first().map_or("", String::as_str),
            domain_title: self.tags.get(1).map_or("", String::as_str),
            method: &self.method,
            path: &self.path,
            usage: &self.usage,
            words: self.words.iter().map(String::as_str).collect(),
            toolset: &self.toolset,
            safety: match (self.kind.as_str(), self.method.as_str()) {
                ("read", _) | ("", "GET" | "HEAD" | "") => Safety::Read,
                ("destructive", _) | ("", "DELETE") => Safety::Destructive,
                ("paid", _) => Safety::Paid,
                _ => Safety::Write,
            },
        }
    }
}

/// Reads a `tools.jsonl`.
pub fn read_tools(from: impl BufRead) -> std::io::Result<Vec<Tool>> {
    read_lines(from)
}

#[derive(Deserialize)]
struct Query {
    query: String,
}

#[derive(Serialize)]
struct Run<'r> {
    query: &'r str,
    ranked: Vec<&'r str>,
    scores: Vec<f32>,
    low_confidence: bool,
    confidence: &'r str,
    absent: Option<u32>,
    us: f64,
}

/// Ranks every query of `queries` and writes one line a query; `name` gives the id to write for a document.
pub fn run<'n>(index: &Index<'_>, name: impl Fn(u32) -> &'n str, queries: impl BufRead, mut out: impl Write) -> std::io::Result<()> {
    for Query { query } in read_lines::<Query>(queries)? {
        let begun = Instant::now();
        let answer: Answer = index.search(&query, DEPTH, |_| true);
        let us = begun.elapsed().as_secs_f64() * 1e6;
        let line = Run {
            query: &query,
            ranked: answer.hits.iter().map(|hit| name(hit.document)).collect(),
            scores: answer.hits.iter().map(|hit| hit.score).collect(),
            low_confidence: answer.confidence != Confidence::High,
            confidence: answer.confidence.word(),
            absent: answer.absent,
            us,
        };
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn read_lines<T: for<'d> Deserialize<'d>>(from: impl BufRead) -> std::io::Result<Vec<T>> {
    let mut all = Vec::new();
    for line in from.lines() {
        let line = line?;
        if !line.trim().is_empty() {
            all.push(serde_json::from_str(&line)?);
        }
    }
    Ok(all)
}
