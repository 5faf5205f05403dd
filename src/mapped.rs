//! A compiled catalog mapped into memory: pages are read when something in them is asked for, and shared by every process that serves the
//! same file.
//!
//! The file must not be changed in place while it is served. `callslip compile` never does that: it writes a new file and renames it over
//! the old one, which stays as it was for whoever has it open.

use anyhow::{Context, Result};
use callslip_catalog::file;
use memmap2::Mmap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Whether there is a compiled catalog at that path.
pub fn is_compiled(path: &Path) -> Result<bool> {
    let cannot = || format!("{} cannot be read", path.display());
    if path.is_dir() {
        return Ok(false);
    }
    let mut start = Vec::new();
    File::open(path).with_context(cannot)?.take(file::MAGIC.len() as u64).read_to_end(&mut start).with_context(cannot)?;
    Ok(file::is_compiled(&start))
}

/// The bytes of a file, for as long as the process lives.
pub fn map(path: &Path) -> Result<&'static [u8]> {
    let mapped = File::open(path).and_then(|file| shared(&file)).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(Box::leak(Box::new(mapped)))
}

#[expect(unsafe_code, reason = "a map is memory that another program could change; no library can rule that out")]
fn shared(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and never unmapped. Nobody may write into a catalog file that is served (see above); every read of it
    // is checked, so that even then the worst is a wrong answer, or a signal when the file was cut short.
    unsafe { Mmap::map(file) }
}
