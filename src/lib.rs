//! callslip: one catalog of a big REST API, shown to AI agents over MCP as any of several tool surfaces.
//!
//! A call takes the same road on every surface: [`surface`] resolves it to an action, [`policy`] allows it, [`params`] checks its
//! arguments, [`upstream`] sends it, [`render`] shows the answer. See `ARCHITECTURE.md` for the map.

#![deny(clippy::print_stdout)]

pub mod answer;
pub mod arcane;
pub mod call;
pub mod catalog;
pub mod error;
pub mod names;
pub mod outcome;
pub mod page;
pub mod params;
pub mod profile;
pub mod request;
#[cfg(test)]
mod sample;
pub mod untrusted;
pub mod upstream;
