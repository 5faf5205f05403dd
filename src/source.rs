//! What a catalog can be made from: a folder of TOML or an OpenAPI document.

use crate::import::{self, Note};
use anyhow::{Result, anyhow, bail};
use callslip_catalog::compile::{self, Checked, Problem};
use std::path::Path;

/// A catalog that was read and checked.
#[derive(Debug)]
pub struct Read {
    /// The catalog.
    pub checked: Checked,
    /// What of a document is not in the catalog as it is there.
    pub notes: Vec<Note>,
}

impl Read {
    /// The notes in one line; `None`: there are none.
    pub fn summary(&self, path: &Path) -> Option<String> {
        let left_out = self.notes.iter().filter(|note| note.left_out).count();
        let simplified = self.notes.len() - left_out;
        (!self.notes.is_empty()).then(|| {
            let path = path.display();
            format!("{path}: {left_out} left out, {simplified} simplified; `callslip import {path}` says what and why")
        })
    }
}

/// Reads a catalog folder or an OpenAPI document.
pub fn read(path: &Path) -> Result<Read> {
    if path.is_dir() {
        return compile::read_folder(path).map(|checked| Read { checked, notes: Vec::new() }).map_err(|problems| wrong(path, &problems));
    }
    if !import::is_likely(path) {
        bail!("{} is neither a compiled catalog, a catalog folder nor an OpenAPI document", path.display());
    }
    let imported = import::read(path)?;
    Ok(Read { checked: imported.checked, notes: imported.notes })
}

/// Every problem of a catalog, and how many.
fn wrong(path: &Path, problems: &[Problem]) -> anyhow::Error {
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    anyhow!("{}\nThe catalog in {} has {} problem(s).", lines.join("\n"), path.display(), problems.len())
}
