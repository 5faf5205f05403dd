//! Documents with figures: where they are, what is read of them, how they are written anew.
//!
//! A document carries figures in two forms. A table stands between `<!-- audit:begin -->` and `<!-- audit:end -->` ([`crate::table`]). A
//! figure inside a sentence stands as `<!-- audit:dynamic.o200k -->197<!-- /audit -->`, named by surface and figure.

use crate::count::thousands;
use crate::measure::Cost;
use crate::table::{self, Row};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

const OPEN: &str = "<!-- audit:";
const SHUT: &str = "-->";
const CLOSE: &str = "<!-- /audit -->";

/// A figure inside a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inline {
    /// `surface.figure`.
    pub name: String,
    /// What a reader sees; `None` where the figure is not closed.
    pub shown: Option<String>,
    /// Byte offsets of what is shown.
    place: (usize, usize),
}

/// What a document says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Said {
    /// Every table; `None` where one has another head or no end.
    pub tables: Vec<Option<Vec<Row>>>,
    /// Figures inside sentences.
    pub inline: Vec<Inline>,
}

/// Every Markdown document that may carry figures: the README, and all of some folders that are there.
pub fn documents(readme: &Path, folders: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = vec![readme.to_owned()];
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        collect(folder, &mut found)?;
    }
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            collect(&entry, found)?;
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            found.push(entry);
        }
    }
    Ok(())
}

/// Reads what a document says.
pub fn read(text: &str) -> Said {
    Said { tables: table::all(text), inline: inline(text) }
}

fn inline(text: &str) -> Vec<Inline> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find(OPEN).map(|place| from + place) {
        let Some(shut) = text[open..].find(SHUT).map(|place| open + place) else { break };
        let name = text[open + OPEN.len()..shut].trim().to_owned();
        let start = shut + SHUT.len();
        from = start;
        if name == "begin" || name == "end" {
            continue;
        }
        // A figure ends before the next mark of any kind: one without an end must not swallow its neighbour's.
        let next = text[start..].find("<!--").map(|place| start + place);
        let end = next.filter(|next| text[*next..].starts_with(CLOSE));
        let shown = end.map(|end| text[start..end].trim().to_owned());
        found.push(Inline { name, shown, place: (start, end.unwrap_or(start)) });
    }
    found
}

/// A figure by its name `surface.figure`: its value, and how it is written.
pub fn figure(name: &str, costs: &[Cost]) -> Option<(f64, String)> {
    use crate::count::real;
    let (surface, figure) = name.split_once('.')?;
    let cost = costs.iter().find(|cost| cost.surface == surface)?;
    let counted = |count: usize| Some((real(count), thousands(count)));
    match figure {
        "tools" => counted(cost.tools),
        "actions" => counted(cost.actions),
        "bytes" => counted(cost.bytes),
        "o200k" => counted(cost.o200k),
        "cl100k" => counted(cost.cl100k),
        "median" => counted(cost.median),
        "instructions" => counted(cost.instructions),
        "per_action" => Some((cost.per_action(), format!("{:.1}", cost.per_action()))),
        "share" => Some((cost.share(), format!("{:.1}%", cost.share()))),
        _ => None,
    }
}

/// A document with every figure written anew.
pub fn written(text: &str, costs: &[Cost]) -> Result<String> {
    let mut out = table::written(text, costs)?;
    // From the end, so that the places before stay true.
    for found in inline(&out).into_iter().rev() {
        if found.shown.is_none() {
            bail!("the figure `{}` has no {CLOSE} behind it", found.name);
        }
        let (_, shown) = figure(&found.name, costs).with_context(|| format!("there is no figure `{}`", found.name))?;
        out.replace_range(found.place.0..found.place.1, &shown);
    }
    Ok(out)
}
