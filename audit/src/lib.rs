//! What the tools of an MCP server cost a model, and whether what is documented about it still holds.
//!
//! The road of the figures: a [`listing`] is taken from the compiled catalog ([`ours`]) or from a running server ([`client`]), measured
//! ([`measure`]), and shown ([`table`], [`report`], [`html`], [`compare`]) or checked ([`check`], [`budget`]). [`tasks`] measures whole
//! conversations. tiktoken is linked here and nowhere else.

pub mod budget;
pub mod check;
pub mod client;
pub mod compare;
pub mod count;
pub mod document;
pub mod html;
pub mod listing;
pub mod measure;
pub mod ours;
pub mod report;
pub mod savings;
pub mod table;
pub mod tasks;
