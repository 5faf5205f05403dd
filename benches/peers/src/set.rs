//! Sets of tools with queries over them.

use callslip_catalog::compile;
use callslip_catalog::eval::{Tool, ToolParameter, read_tools};
use callslip_catalog::index::{Document, build};
use callslip_catalog::lexicon::Lexicon;
use callslip_catalog::model::Action;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// The sets over tools, with R@5 of the best lexical engine in an earlier study (of the halves of the queries that are not open).
pub const SETS: [(&str, f64); 15] = [
    ("arcane", 64.2),
    ("arcane-docker", 64.8),
    ("arcane-peer", 96.7),
    ("azure-mcp", 97.6),
    ("bfcl-live", 80.4),
    ("github-rest", 87.5),
    ("k8s-core", 80.0),
    ("livemcpbench", 33.3),
    ("metatool", 62.8),
    ("restbench-spotify", 67.9),
    ("restbench-tmdb", 47.2),
    ("seal-tools", 83.0),
    ("stabletoolbench", 70.4),
    ("toollinkos", 92.2),
    ("mega-10k", 58.7),
];

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
fn data() -> PathBuf {
    std::env::var_os("RETRIEVAL_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/retrieval/data"), PathBuf::from)
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
        let queries =
            self.queries.iter().map(|query| Query { text: query.text.clone(), gold: query.gold.clone(), any: query.any }).collect();
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

/// The catalog of the product: its index, the names of its actions, and its query sets by name.
pub struct Catalog {
    /// The index.
    pub bytes: Vec<u8>,
    /// Names of the actions, by number.
    pub names: Vec<String>,
    /// The query sets; without a folder of such, one made of what people say for the actions.
    pub sets: Vec<(String, Vec<Query>)>,
}

/// Reads the catalog in the folder of the project.
pub fn catalog() -> Option<Catalog> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let checked = compile::read_folder(&folder).map_err(|problems| problems.iter().for_each(|problem| eprintln!("{problem}"))).ok()?;
    let names = checked.actions.iter().map(|action| action.operation.to_string()).collect();
    let read = |name: &str| Some((name.to_owned(), queries(&data().join(format!("catalog/{name}.open.jsonl")))?));
    let mut sets: Vec<_> = ["arcane", "arcane-docker", "arcane-peer"].into_iter().filter_map(read).collect();
    if sets.is_empty() {
        sets.push(("made up".to_owned(), checked.actions.iter().flat_map(|action| said(action)).collect()));
    }
    Some(Catalog { bytes: compile::documents::index(&checked), names, sets })
}

/// What people say for an action, and what it says of itself.
fn said(action: &Action<'_>) -> Vec<Query> {
    let texts = action.aliases.iter().map(|alias| alias.to_string()).chain([action.description.to_lowercase()]);
    texts.map(|text| Query { text, gold: vec![action.operation.to_string()], any: true }).collect()
}

impl Set {
    /// The catalog as a list of tools, with queries made of it: for where no folder of sets is.
    pub fn made_up() -> Option<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let checked = compile::read_folder(&folder).ok()?;
        let tools = checked.actions.iter().map(|action| Tool {
            id: action.operation.to_string(),
            title: action.title.to_string(),
            description: action.description.to_string(),
            method: action.method.name().to_owned(),
            path: action.path.to_string(),
            params: action.params.iter().map(|param| ToolParameter { name: param.name.to_string(), ..ToolParameter::default() }).collect(),
            ..Tool::default()
        });
        Some(Self { name: "made up".to_owned(), tools: tools.collect(), queries: checked.actions.iter().flat_map(said).collect() })
    }
}
