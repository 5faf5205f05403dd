//! What a catalog can be made from: a folder of TOML or an OpenAPI document.

use anyhow::{Result, anyhow, bail};
use callslip_catalog::compile::{self, Checked, Problem};
use std::path::Path;

/// A catalog that was read and checked.
#[derive(Debug)]
pub struct Read {
    /// The catalog.
    pub checked: Checked,
}

impl Read {
    /// What of a document is not in the catalog, in one line; `None`: nothing.
    pub fn summary(&self) -> Option<String> {
        None
    }
}

/// Reads a catalog folder.
pub fn read(path: &Path) -> Result<Read> {
    if !path.is_dir() {
        bail!("{} is neither a compiled catalog nor a catalog folder", path.display());
    }
    compile::read_folder(path).map(|checked| Read { checked }).map_err(|problems| wrong(path, &problems))
}

/// Every problem of a catalog, and how many.
fn wrong(path: &Path, problems: &[Problem]) -> anyhow::Error {
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    anyhow!("{}\nThe catalog in {} has {} problem(s).", lines.join("\n"), path.display(), problems.len())
}
