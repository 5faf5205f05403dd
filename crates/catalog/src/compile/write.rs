//! A checked catalog → the files the binary embeds.

use super::{Checked, documents};
use crate::project::{Surface, ToolList, View, tools};
use crate::{bytes, file, names};
use anyhow::{Result, ensure};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A catalog as the server reads it.
#[derive(Debug)]
pub struct Compiled {
    /// `catalog.bin`, see [`bytes`].
    pub catalog: Vec<u8>,
    /// `index.bin`.
    pub index: Vec<u8>,
    /// Tool definitions, in the order of [`Surface::NAMES`].
    pub surfaces: [ToolList; 4],
    /// Every accepted name with the number of its action.
    pub names: Vec<(String, u32)>,
    /// Name and text of every guide, by name.
    pub guides: Vec<(String, String)>,
}

/// Compiles a checked catalog. The same catalog gives the same bytes.
pub fn compile(checked: &Checked) -> Result<Compiled> {
    let view = View { actions: checked.actions.iter().collect(), ..View::new(&checked.api) };
    let mut names = Vec::new();
    for (number, action) in (0..).zip(&checked.actions) {
        names.extend(names::accepted(&checked.api.name, action).into_iter().map(|name| (name, number)));
    }
    let numbers: HashMap<&str, u32> = names.iter().map(|(name, number)| (name.as_str(), *number)).collect();
    Ok(Compiled {
        catalog: bytes::write(&checked.api, &checked.actions, &|name| numbers.get(name).copied())?,
        index: documents::index(checked),
        surfaces: Surface::NAMES.map(|(_, surface)| tools(surface, &view)),
        names,
        guides: checked.guides.clone(),
    })
}

/// Everything in the bytes of one file, see [`file::File`].
pub fn pack(compiled: &Compiled) -> Result<Vec<u8>> {
    let names = names::table(&compiled.names);
    let guides = bincode::encode_to_vec(&compiled.guides, bytes::CONFIG)?;
    let starts = compiled.surfaces.each_ref().map(ToolList::start_bytes);
    let tools = compiled.surfaces.iter().map(|list| list.json.as_bytes());
    let sections: Vec<&[u8]> = [&compiled.catalog[..], &compiled.index, &names, &guides]
        .into_iter()
        .chain(tools)
        .chain(starts.iter().map(Vec::as_slice))
        .collect();
    // Places within a section are `u32`.
    let largest = sections.iter().map(|section| section.len()).max().unwrap_or_default();
    ensure!(u32::try_from(largest).is_ok(), "the catalog is too big for one file: a part of it has {largest} bytes, 4 GiB are the most");
    Ok(file::write(&std::array::from_fn(|number| sections.get(number).copied().unwrap_or_default())))
}

/// Writes `catalog.bin`, `index.bin`, `surfaces/<surface>.json` with the offsets of the tools in `.starts`, and `names.rs` (the phf map
/// of accepted names) into a folder.
pub fn generate(checked: &Checked, out: &Path) -> Result<()> {
    let compiled = compile(checked)?;
    fs::write(out.join("catalog.bin"), &compiled.catalog)?;
    fs::write(out.join("index.bin"), &compiled.index)?;
    fs::create_dir_all(out.join("surfaces"))?;
    for ((name, _), list) in Surface::NAMES.iter().zip(&compiled.surfaces) {
        fs::write(out.join(format!("surfaces/{name}.json")), &list.json)?;
        fs::write(out.join(format!("surfaces/{name}.starts")), list.start_bytes())?;
    }
    let mut map = phf_codegen::Map::<&str>::new();
    for (name, number) in &compiled.names {
        map.entry(name, format!("{number}u32"));
    }
    fs::write(out.join("names.rs"), map.build().to_string())?;
    Ok(())
}
