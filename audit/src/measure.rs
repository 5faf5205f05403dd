//! Tools, bytes and tokens of each surface.

use anyhow::{Context, Result};
use callslip::catalog::Catalog;
use callslip_catalog::project::{Surface, Told, instructions};
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What one surface costs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cost {
    /// Name of the surface.
    pub surface: String,
    /// How many tools it announces.
    pub tools: usize,
    /// Bytes of name, description and input schema of all tools.
    pub bytes: usize,
    /// Tokens of the same, `o200k_base`.
    pub o200k: usize,
    /// Tokens of the same, `cl100k_base`.
    pub cl100k: usize,
    /// Tokens of the instructions, `o200k_base`.
    pub instructions: usize,
    /// Actions reachable.
    pub actions: usize,
}

impl Cost {
    /// `o200k_base` tokens an action.
    pub fn per_action(&self) -> f64 {
        real(self.o200k) / real(self.actions)
    }

    /// Share of a context of 200,000 tokens, in percent.
    pub fn share(&self) -> f64 {
        real(self.o200k) / 2_000.0
    }
}

/// Counts are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "token counts are small")]
pub fn real(count: usize) -> f64 {
    count as f64
}

/// Tokens of a text, `o200k_base`.
pub fn o200k(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// The cost of every surface over the whole catalog.
pub fn surfaces(catalog: &Catalog) -> Result<Vec<Cost>> {
    Surface::NAMES.iter().map(|(name, surface)| cost(catalog, name, *surface)).collect()
}

fn cost(catalog: &Catalog, name: &str, surface: Surface) -> Result<Cost> {
    let texts = definitions(catalog, surface)?;
    let cl100k = tiktoken_rs::cl100k_base_singleton();
    let told = Told { api: catalog.api(), count: catalog.len(), read_only: false, split_read: false };
    Ok(Cost {
        surface: name.to_owned(),
        tools: texts.len(),
        bytes: texts.values().map(String::len).sum(),
        o200k: texts.values().map(|text| o200k(text)).sum(),
        cl100k: texts.values().map(|text| cl100k.encode_ordinary(text).len()).sum(),
        instructions: o200k(&instructions(surface, &told)),
        actions: catalog.len(),
    })
}

/// Each tool of a surface as a model sees it, by name.
pub fn definitions(catalog: &Catalog, surface: Surface) -> Result<BTreeMap<String, String>> {
    let tools: Vec<Map<String, Value>> = serde_json::from_slice(catalog.listed(surface).json)?;
    let seen = tools.iter().map(|tool| {
        let seen: Map<String, Value> =
            ["name", "description", "inputSchema"].iter().filter_map(|key| Some(((*key).to_owned(), tool.get(*key)?.clone()))).collect();
        let name = tool.get("name").and_then(Value::as_str).context("a tool without a name")?;
        Ok((name.to_owned(), Value::Object(seen).to_string()))
    });
    seen.collect()
}
