//! `callslip import`: an OpenAPI document → a catalog folder, and what of it could not be expressed.

use super::DONE;
use crate::config::Misuse;
use crate::{import, terminal};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

pub fn run(path: &Path, output: Option<&Path>) -> Result<u8> {
    let imported = import::read(path)?;
    let name = imported.checked.api.name.to_string();
    let folder = output.map_or_else(|| PathBuf::from(&name), Path::to_owned);
    if folder.join("catalog.toml").exists() || folder.join("catalog").exists() {
        // What was edited by hand must not be lost.
        return Err(Misuse(format!("{} holds a catalog already; name another folder with -o", folder.display())).into());
    }
    let cannot = || format!("{} cannot be written", folder.display());
    fs::create_dir_all(folder.join("catalog")).with_context(cannot)?;
    for source in imported.domains.iter().chain([&imported.root]) {
        fs::write(folder.join(&source.name), &source.text).with_context(cannot)?;
    }
    for note in &imported.notes {
        eprintln!("{}: {note}", path.display());
    }
    let (left_out, simplified) = (imported.left_out(), imported.notes.len() - imported.left_out());
    let folder = folder.display();
    terminal::print(&format!(
        "{folder}: {} actions; {left_out} left out, {simplified} simplified (told above).",
        imported.checked.actions.len()
    ));
    let variable = name.to_uppercase();
    let server = if imported.server.contains("://") { imported.server.as_str() } else { "https://…" };
    terminal::print(&format!("Serve it: {variable}_URL={} callslip --catalog {folder}", host(server)));
    Ok(DONE)
}

/// An address without its path: the catalog has that.
fn host(url: &str) -> &str {
    url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|end| &url[..url.len() - rest.len() + end])).unwrap_or(url)
}
