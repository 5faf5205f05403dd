//! The listings of a catalog: every surface, from the very bytes the server serves.

use crate::listing::{Listing, tools};
use anyhow::Result;
use callslip::catalog::Catalog;
use callslip_catalog::project::{Surface, Told, instructions};
use serde_json::{Map, Value};

/// Every surface over the whole catalog.
pub fn listings(catalog: &Catalog) -> Result<Vec<Listing>> {
    Surface::NAMES.iter().map(|(name, surface)| listing(catalog, name, *surface)).collect()
}

/// One surface over the whole catalog.
pub fn listing(catalog: &Catalog, name: &str, surface: Surface) -> Result<Listing> {
    let list: Vec<Map<String, Value>> = serde_json::from_slice(catalog.listed(surface).json)?;
    let mut tools = tools(&list)?;
    for tool in &mut tools {
        tool.group = match surface {
            Surface::Individual => domain(catalog, &tool.name)?.unwrap_or_default(),
            _ => tool.name.trim_start_matches(&format!("{}_", catalog.api().name)).to_owned(),
        };
    }
    let told = Told { api: catalog.api(), count: catalog.len(), read_only: false, split_read: false };
    Ok(Listing { name: name.to_owned(), tools, instructions: instructions(surface, &told), actions: catalog.len() })
}

fn domain(catalog: &Catalog, tool: &str) -> Result<Option<String>> {
    let Some(number) = catalog.number(tool) else { return Ok(None) };
    Ok(Some(catalog.action(number)?.domain_name().to_owned()))
}
