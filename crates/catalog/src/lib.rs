//! What the build and the server of callslip must agree on: the catalog's model, its compiled bytes, the words its index is made of,
//! and how it is projected onto tool surfaces. No network, no clock, no MCP client.
//!
//! The feature `compile` adds the writing half ([`compile`]), which turns TOML into compiled bytes.

pub mod bytes;
#[cfg(feature = "compile")]
pub mod compile;
pub mod eval;
pub mod file;
pub mod index;
pub mod json;
pub mod lexicon;
pub mod model;
pub mod names;
pub mod project;
pub mod schema;
pub mod text;
