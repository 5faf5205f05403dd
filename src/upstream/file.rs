//! Local files: read for uploads and written for downloads, only below the directories that were allowed when the server was started.

use crate::error::{Code, Failure};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The file to read, resolved and below an allowed directory.
pub(super) fn readable(allowed: &[PathBuf], path: &Path) -> Result<PathBuf, Failure> {
    let path = anchored(allowed, path)?;
    // The real path counts: a link inside an allowed directory must not lead out of it.
    let real = fs::canonicalize(&path).map_err(|error| {
        Failure::new(Code::InvalidArguments, format!("The file {} cannot be read: {error}.", path.display())).next("Check the path.")
    })?;
    within(allowed, &real)?;
    if !real.is_file() {
        return Err(Failure::new(Code::InvalidArguments, format!("{} is not a file.", path.display())).next("Give the path of a file."));
    }
    Ok(real)
}

/// The place to write a file: its directory exists below an allowed one, and nothing stands there yet, or a file that may be replaced.
pub(super) fn writable(allowed: &[PathBuf], path: &Path, overwrite: bool) -> Result<PathBuf, Failure> {
    let path = anchored(allowed, path)?;
    let refuse = |problem: String, step: &str| Failure::new(Code::InvalidArguments, format!("{problem}; nothing was sent.")).next(step);
    let Some(name) = path.file_name() else {
        return Err(refuse(format!("{} is not the name of a file", path.display()), "Give the path of a file."));
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    let folder = fs::canonicalize(folder).map_err(|error| {
        refuse(format!("The directory {} cannot be used: {error}", folder.display()), "Choose a directory that exists.")
    })?;
    within(allowed, &folder)?;
    let target = folder.join(name);
    match fs::symlink_metadata(&target) {
        // A link is not followed and not replaced: what it leads to may be meant, and may be anywhere.
        Ok(there) if !there.is_file() => {
            Err(refuse(format!("{} is there already and is not a file", path.display()), "Choose another name for `saveTo`."))
        }
        Ok(_) if !overwrite => Err(refuse(
            format!("{} exists already and is not overwritten", path.display()),
            "Choose another name for `saveTo`, or give `overwrite: true` beside it to replace that file.",
        )),
        _ => Ok(target),
    }
}

/// The path without tricks; a relative one begins at the first allowed directory.
fn anchored(allowed: &[PathBuf], path: &Path) -> Result<PathBuf, Failure> {
    let Some(first) = allowed.first() else {
        return Err(Failure::new(Code::InvalidArguments, "No local directory is open to this server; nothing was sent.")
            .next("Start it with `--allow-path DIR`, or give the content itself instead of a path."));
    };
    if path.as_os_str().is_empty() || path.components().any(|part| part == Component::ParentDir) {
        return Err(Failure::new(Code::InvalidArguments, "A local path must not be empty and must not hold `..`; nothing was sent.")
            .next("Give the whole path of the file."));
    }
    Ok(if path.is_absolute() { path.to_owned() } else { first.join(path) })
}

fn within(allowed: &[PathBuf], real: &Path) -> Result<(), Failure> {
    let inside = allowed.iter().filter_map(|folder| fs::canonicalize(folder).ok()).any(|folder| real.starts_with(folder));
    if inside {
        return Ok(());
    }
    let folders: Vec<_> = allowed.iter().map(|folder| folder.display().to_string()).collect();
    Err(Failure::new(Code::InvalidArguments, format!("{} is outside the allowed directories; nothing was sent.", real.display()))
        .next(format!("Use a path below {}.", folders.join(" or "))))
}
