//! An OpenAPI document (3.0 or 3.1, JSON or YAML) → catalog source: TOML as a person would write it, facts from the document alone.
//!
//! Used by `callslip import`, and by `--catalog` and `callslip compile` when they are given a document. Whatever a catalog cannot
//! express is reported as a [`Note`]; an operation that the checks refuse is left out and reported as well.

mod body;
mod document;
mod draft;
mod groups;
mod names;
mod operation;
mod parameters;
mod prose;
mod report;
mod returns;
mod schema;
mod security;
mod toml;

pub use report::Note;

use anyhow::{Context, Result, bail};
use callslip_catalog::compile::{Checked, Problem, Source, check_sources};
use document::Document;
use draft::Draft;
use report::Report;
use std::collections::BTreeMap;
use std::path::Path;

/// A document as catalog source.
#[derive(Debug)]
pub struct Imported {
    /// `catalog.toml`.
    pub root: Source,
    /// `catalog/<domain>.toml`, by name.
    pub domains: Vec<Source>,
    /// The source, checked.
    pub checked: Checked,
    /// What is not as the document has it.
    pub notes: Vec<Note>,
    /// Address of the first server, for a hint.
    pub server: String,
}

impl Imported {
    /// How many operations are not in the catalog.
    pub fn left_out(&self) -> usize {
        self.notes.iter().filter(|note| note.left_out).count()
    }
}

/// Reads a document.
pub fn read(path: &Path) -> Result<Imported> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read as text", path.display()))?;
    text_of(&text).with_context(|| path.display().to_string())
}

/// Whether a file could hold a document, by how it begins.
pub fn is_likely(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["json", "yaml", "yml"].contains(&ending.to_lowercase().as_str())
        || std::fs::read_to_string(path).is_ok_and(|text| text.lines().take(50).any(|line| line.contains("openapi")))
}

/// The same from its text.
pub fn text_of(text: &str) -> Result<Imported> {
    let document = Document::parse(text)?;
    let mut report = Report::default();
    let name = names::catalog(document.title(), document.server());
    let mut drafts = operation::all(&document, &name, &mut report);
    loop {
        if drafts.is_empty() {
            bail!("the document has no operation that a catalog can express{}", report.lines());
        }
        let groups = groups::of(&document, &drafts);
        let returns = returns::settle(&mut drafts);
        let root = source("catalog.toml", root(&document, &name, &groups, &returns, &mut report));
        let domains = domains(&groups, &drafts);
        match check_sources(&root, &domains) {
            Ok(checked) => {
                let (notes, server) = (report.into_notes(), document.server().to_owned());
                return Ok(Imported { root, domains, checked, notes, server });
            }
            Err(problems) => drop_refused(&problems, &domains, &mut drafts, &mut report)?,
        }
    }
}

fn source(name: &str, text: String) -> Source {
    Source { name: name.to_owned(), text }
}

fn root(document: &Document, name: &str, groups: &groups::Groups, returns: &returns::Settled, report: &mut Report) -> String {
    let mut out = toml::Writer::default();
    out.pair("name", name);
    out.pair("title", &prose::line(document.title(), 40));
    out.pair("about", &document.about());
    out.pair("base_path", &document.base_path(report));
    out.pair("query_arrays", if parameters::repeats(document) { "repeat" } else { "comma" });
    security::write(document, &mut out, report);
    returns.write(&mut out);
    groups.write_toolsets(&mut out);
    out.text()
}

fn domains(groups: &groups::Groups, drafts: &[Draft]) -> Vec<Source> {
    let mut files: BTreeMap<&str, toml::Writer> = BTreeMap::new();
    for draft in drafts {
        let out = files.entry(&draft.domain).or_insert_with(|| groups.begin(&draft.domain));
        draft.write(out);
    }
    files.into_iter().map(|(name, out)| source(&format!("catalog/{name}.toml"), out.text())).collect()
}

/// An operation that breaks a rule of the format is left out with the words of the check.
fn drop_refused(problems: &[Problem], domains: &[Source], drafts: &mut Vec<Draft>, report: &mut Report) -> Result<()> {
    let before = drafts.len();
    for problem in problems {
        let Some(source) = domains.iter().find(|source| source.name == problem.file) else { continue };
        let header = source.text.lines().take(problem.line).filter(|line| line.starts_with('[')).last().unwrap_or_default();
        let action = header.trim_matches(['[', ']']).split('.').next().unwrap_or_default();
        let id = format!("{}.{action}", problem.file.trim_start_matches("catalog/").trim_end_matches(".toml"));
        if let Some(place) = drafts.iter().position(|draft| draft.id() == id) {
            let draft = drafts.remove(place);
            report.left_out(&draft.at, &problem.text);
        }
    }
    if drafts.len() == before {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        bail!("the imported catalog does not compile:\n{}", lines.join("\n"));
    }
    Ok(())
}
