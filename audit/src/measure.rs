//! Tools, bytes and tokens of a listing.

use crate::count::{cl100k, median, o200k, real};
use crate::listing::Listing;
use serde::{Deserialize, Serialize};

/// What one surface, or one server, costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Name of the surface or server.
    pub surface: String,
    /// How many tools it announces.
    pub tools: usize,
    /// Bytes of name, description and input schema of all tools.
    pub bytes: usize,
    /// Tokens of the same, `o200k_base`.
    pub o200k: usize,
    /// Tokens of the same, `cl100k_base`.
    pub cl100k: usize,
    /// The middle tool's tokens, `o200k_base`.
    pub median: usize,
    /// Tokens of the instructions, `o200k_base`.
    pub instructions: usize,
    /// Actions reachable.
    pub actions: usize,
    /// What each tool costs, in the order announced.
    pub each: Vec<ToolCost>,
}

/// What one tool costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCost {
    /// Its name.
    pub name: String,
    /// What it belongs to.
    pub group: String,
    /// Bytes.
    pub bytes: usize,
    /// Tokens, `o200k_base`.
    pub o200k: usize,
}

impl Cost {
    /// `o200k_base` tokens an action.
    pub fn per_action(&self) -> f64 {
        real(self.o200k) / real(self.actions.max(1))
    }

    /// Share of a context of 200,000 tokens, in percent.
    pub fn share(&self) -> f64 {
        real(self.o200k) / 2_000.0
    }
}

/// The costs of several listings.
pub fn costs(listings: &[Listing]) -> Vec<Cost> {
    listings.iter().map(cost).collect()
}

/// The cost of one listing: the sum over its tools, each counted alone.
pub fn cost(listing: &Listing) -> Cost {
    let each: Vec<_> = listing
        .tools
        .iter()
        .map(|tool| ToolCost { name: tool.name.clone(), group: tool.group.clone(), bytes: tool.text.len(), o200k: o200k(&tool.text) })
        .collect();
    Cost {
        surface: listing.name.clone(),
        tools: each.len(),
        bytes: each.iter().map(|tool| tool.bytes).sum(),
        o200k: each.iter().map(|tool| tool.o200k).sum(),
        cl100k: listing.tools.iter().map(|tool| cl100k(&tool.text)).sum(),
        median: median(each.iter().map(|tool| tool.o200k).collect()),
        instructions: o200k(&listing.instructions),
        actions: listing.actions,
        each,
    }
}
