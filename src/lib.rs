//! callslip: one catalog of a big REST API, shown to AI agents over MCP as any of several tool surfaces.
//!
//! A call takes the same road on every surface: [`surface`] resolves it to an action, [`policy`] allows it, [`params`] checks its
//! arguments, [`upstream`] sends it, [`render`] shows the answer. See `ARCHITECTURE.md` for the map.

#![deny(clippy::print_stdout)]

pub mod answer;
pub mod app;
pub mod arcane;
pub mod call;
pub mod catalog;
pub mod cli;
pub mod clients;
pub mod cmd;
pub mod config;
pub mod confirmation;
mod cost;
pub mod describe;
pub mod error;
pub mod fence;
pub mod find;
pub mod guides;
pub mod http;
pub mod import;
pub mod list;
pub mod lookup;
pub mod mapped;
pub mod names;
pub mod notary;
pub mod offer;
pub mod outcome;
pub mod own;
pub mod page;
pub mod params;
pub mod policy;
pub mod profile;
pub mod prompts;
pub mod render;
pub mod request;
pub mod resources;
pub mod rows;
pub mod run;
#[cfg(test)]
mod sample;
pub mod server;
pub mod source;
pub mod stdio;
pub mod surface;
pub mod terminal;
pub mod transport;
pub mod untrusted;
pub mod upstream;
pub mod watch;
