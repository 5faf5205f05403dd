//! `callslip compile`: a catalog folder or an OpenAPI document → one file that `--catalog` serves without parsing anything.

use super::DONE;
use crate::config::Misuse;
use crate::{source, terminal};
use anyhow::{Context, Result};
use callslip_catalog::compile;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

pub fn run(path: &Path, output: &Path) -> Result<u8> {
    if output.is_dir() {
        return Err(
            Misuse(format!("{} is a folder; name the file to write, such as {}/api.callslip", output.display(), output.display())).into()
        );
    }
    let read = source::read(path)?;
    let bytes = compile::pack(&compile::compile(&read.checked)?)?;
    replace(output, &bytes).with_context(|| format!("{} cannot be written", output.display()))?;
    let count = read.checked.actions.len();
    if let Some(summary) = read.summary(path) {
        eprintln!("callslip: warning: {summary}");
    }
    terminal::print(&format!(
        "{}: {count} actions, {} bytes ({} an action). Serve it: callslip --catalog {}",
        output.display(),
        bytes.len(),
        bytes.len() / count.max(1),
        output.display()
    ));
    Ok(DONE)
}

/// Bytes written at once. A file written in one go lies in the page cache in pieces of 2 MiB, and each counts whole as memory of the
/// process as soon as one byte of it is read.
const PIECE: usize = 64 * 1024;

/// Writes a new file beside the old one and renames it over: whoever serves the old one keeps it, and nobody ever sees half of one.
fn replace(target: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let (draft, mut file) = draft(target)?;
    let written = bytes
        .chunks(PIECE)
        .try_for_each(|piece| file.write_all(piece))
        .and_then(|()| file.sync_all())
        .and_then(|()| fs::rename(&draft, target));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// A file of a name that nothing had.
fn draft(target: &Path) -> std::io::Result<(PathBuf, File)> {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let mut number = 0;
    loop {
        let path = target.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 100 => number += 1,
            Err(error) => return Err(error),
        }
    }
}
