//! A checked catalog → the files the binary embeds.

use super::Checked;
use crate::project::{Surface, View, tools};
use crate::{bytes, names};
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// Writes `catalog.bin`, `index.bin`, `surfaces/<surface>.json` with their offsets, and `names.rs` (the phf map of accepted names) into
/// a folder. The same catalog gives the same bytes.
pub fn generate(checked: &Checked, out: &Path) -> Result<()> {
    let bytes = bytes::write(&checked.api, &checked.actions)?;
    fs::write(out.join("catalog.bin"), bytes)?;
    fs::create_dir_all(out.join("surfaces"))?;
    let view = View {
        api: &checked.api,
        actions: checked.actions.iter().collect(),
        read_only: false,
        split_read: false,
        pinned: Vec::new(),
    };
    for (name, surface) in Surface::NAMES {
        let list = tools(surface, &view);
        fs::write(out.join(format!("surfaces/{name}.json")), &list.json).with_context(|| format!("surface {name}"))?;
        let starts: Vec<u8> = list.starts.iter().flat_map(|start| start.to_le_bytes()).collect();
        fs::write(out.join(format!("surfaces/{name}.starts")), starts)?;
    }
    let mut map = phf_codegen::Map::<String>::new();
    for (number, action) in checked.actions.iter().enumerate() {
        for name in names::accepted(&checked.api.name, action) {
            map.entry(name, format!("{number}u32"));
        }
    }
    fs::write(out.join("names.rs"), map.build().to_string())?;
    Ok(())
}
