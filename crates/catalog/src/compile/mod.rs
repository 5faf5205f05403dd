//! The writing half: catalog source → compiled bytes. Used by `build.rs`, by `callslip compile` and by `--catalog`.

mod action;
mod api;
mod check;
pub mod documents;
mod param;
mod reader;
mod returns;
mod schema;
mod write;

pub use reader::{Problem, Problems, Source, nearest};
pub use write::{Compiled, compile, generate, pack};

use crate::lexicon::SearchTable;
use crate::model::{Action, Api};
use reader::Table;
use std::path::Path;
use toml::de::DeTable;

/// A catalog that passed every check.
#[derive(Debug)]
pub struct Checked {
    /// What is true of the whole API, domains included.
    pub api: Api<'static>,
    /// Every action: domains by name, actions in the order of their file.
    pub actions: Vec<Action<'static>>,
    /// The `[search]` table: words for the index.
    pub search: SearchTable,
    /// Name and text of every guide, by name.
    pub guides: Vec<(String, String)>,
}

/// Reads and checks a catalog folder: `catalog.toml`, `catalog/*.toml` and, where there are any, `guides/*.md`. Files are named in problems relative to it.
pub fn read_folder(folder: &Path) -> Result<Checked, Vec<Problem>> {
    let broken = |name: &str, text: String| vec![Problem { file: name.to_owned(), line: 1, text }];
    let read = |name: String| match std::fs::read_to_string(folder.join(&name)) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => Err(broken(&name, format!("cannot be read: {error}"))),
    };
    let root = read("catalog.toml".into())?;
    let entries = std::fs::read_dir(folder.join("catalog")).map_err(|error| broken("catalog", format!("cannot be listed: {error}")))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "toml"))
        .collect();
    names.sort();
    let domains = names.into_iter().map(|name| read(format!("catalog/{name}"))).collect::<Result<Vec<_>, _>>()?;
    let guides = guides(folder).map_err(|(name, error)| broken(&name, format!("cannot be read: {error}")))?;
    Ok(Checked { guides, ..check_sources(&root, &domains)? })
}

/// Name and text of every guide beside a catalog.
fn guides(folder: &Path) -> Result<Vec<(String, String)>, (String, std::io::Error)> {
    let Ok(entries) = std::fs::read_dir(folder.join("guides")) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for file in entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()) {
        let Some(name) = crate::names::guide(&file) else { continue };
        let text = std::fs::read_to_string(folder.join("guides").join(&file)).map_err(|error| (format!("guides/{file}"), error))?;
        found.push((name.to_owned(), text));
    }
    found.sort();
    Ok(found)
}

/// Checks sources that are in memory already; every problem of every file at once.
pub fn check_sources(root: &Source, domains: &[Source]) -> Result<Checked, Vec<Problem>> {
    let problems = Problems::default();
    let parsed_root = parse(root, &problems);
    let parsed: Vec<_> = domains.iter().map(|source| (source, parse(source, &problems))).collect();
    let catalog = Table::root(root, &parsed_root, &problems);
    let mut api = api::read(&catalog);
    let mut stated = Vec::new();
    let mut listed = Vec::new();
    for (source, table) in &parsed {
        let name = Path::new(&source.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let (mut domain, mut actions) = action::read(&Table::root(source, table, &problems), name, &api);
        domain.first = number(stated.len());
        domain.count = number(actions.len());
        for one in &mut actions {
            one.action.domain = u16::try_from(listed.len()).unwrap_or(u16::MAX);
        }
        stated.append(&mut actions);
        listed.push(domain);
    }
    if stated.is_empty() {
        catalog.problem("the catalog has no action; add a table to a file in catalog/");
    }
    check::run(&api, &listed, &stated, &catalog);
    api.api.domains = listed.into();
    let actions = stated.into_iter().map(|one| one.action).collect();
    let found = problems.into_vec();
    if found.is_empty() { Ok(Checked { api: api.api, actions, search: api.search, guides: Vec::new() }) } else { Err(found) }
}

/// What can be read of a file; syntax errors become problems.
fn parse<'s>(source: &'s Source, problems: &Problems) -> DeTable<'s> {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    for error in errors {
        let at = error.span().map_or(0, |span| span.start);
        problems.add(source, at, format!("not valid TOML: {}", error.message()));
    }
    table.into_inner()
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
