//! What the comparison and the benchmark share: sets of tools with queries, and a counting allocator.

use callslip_catalog::compile;
use callslip_catalog::eval::{Tool, read_tools};
use callslip_catalog::index::{Document, build};
use callslip_catalog::lexicon::Lexicon;
use std::alloc::{GlobalAlloc, Layout, System};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what is allocated, to report allocations a query.
pub struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(at, layout, size) }
    }
}

/// Allocations so far.
pub fn allocations() -> u64 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// A query with the ids that answer it.
pub struct Query {
    /// The words.
    pub text: String,
    /// Right answers.
    pub gold: Vec<String>,
    /// One of them is enough.
    pub any: bool,
}

/// Tools and queries over them.
pub struct Set {
    /// Its name.
    pub name: String,
    /// The tools.
    pub tools: Vec<Tool>,
    /// The queries that something answers.
    pub queries: Vec<Query>,
}

/// Where the query sets are: `RETRIEVAL_DATA`, or beside the project.
pub fn data() -> PathBuf {
    std::env::var_os("RETRIEVAL_DATA").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/retrieval/data"), PathBuf::from)
}

impl Set {
    /// Reads a set; none when the folder has no such set.
    pub fn read(name: &str) -> Option<Self> {
        let folder = data().join(name);
        let tools = read_tools(BufReader::new(File::open(folder.join("tools.jsonl")).ok()?)).ok()?;
        Some(Self { name: name.to_owned(), tools, queries: queries(&folder.join("queries.open.jsonl"))? })
    }

    /// `count` tools made of the tools of this set, each differing from its model by a word of its own; with the same queries.
    pub fn grown(&self, count: usize) -> Self {
        let tools = (0..count).map(|number| {
            let mut tool = self.tools[number % self.tools.len()].clone();
            let round = number / self.tools.len();
            if round > 0 {
                tool.id = format!("{}_{round}", tool.id);
                tool.title = format!("{} variant{round}", tool.title);
            }
            tool
        });
        let queries = self.queries.iter().map(|query| Query { text: query.text.clone(), gold: query.gold.clone(), any: query.any }).collect();
        Self { name: format!("synthetic-{}k", count / 1000), tools: tools.collect(), queries }
    }

    /// The index over the tools, and the ids of its documents.
    pub fn index(&self) -> (Vec<u8>, Vec<String>) {
        let documents: Vec<Document<'_>> = self.tools.iter().map(Tool::document).collect();
        (build(&documents, &Lexicon::general()), self.tools.iter().map(|tool| tool.id.clone()).collect())
    }
}

/// Reads queries, those without an answer left out.
pub fn queries(file: &Path) -> Option<Vec<Query>> {
    let mut all = Vec::new();
    for line in BufReader::new(File::open(file).ok()?).lines() {
        let value: serde_json::Value = serde_json::from_str(&line.ok()?).ok()?;
        let gold: Vec<String> = value["gold"].as_array()?.iter().filter_map(|id| id.as_str().map(str::to_owned)).collect();
        if !gold.is_empty() {
            all.push(Query { text: value["query"].as_str()?.to_owned(), gold, any: value["any"].as_bool().unwrap_or(false) });
        }
    }
    Some(all)
}

/// The index of the catalog compiled into the product, the names of its actions, and its queries.
pub fn catalog() -> Option<(Vec<u8>, Vec<String>, Vec<Query>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let checked = compile::read_folder(&folder).map_err(|problems| problems.iter().for_each(|problem| eprintln!("{problem}"))).ok()?;
    let names = checked.actions.iter().map(|action| action.operation.to_string()).collect();
    let all = ["arcane", "arcane-docker", "arcane-peer"].iter().filter_map(|name| queries(&data().join(format!("catalog/{name}.open.jsonl")))).flatten();
    Some((compile::documents::index(&checked), names, all.collect()))
}

/// The share of a query's answers among the first five found.
pub fn recall(query: &Query, found: &[&str]) -> f64 {
    let hits = found.iter().take(5).filter(|id| query.gold.iter().any(|gold| gold == *id)).count();
    if query.any { f64::from(u32::from(hits > 0)) } else { number(hits) / number(query.gold.len().min(5)) }
}

/// A small count as a number.
pub fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
