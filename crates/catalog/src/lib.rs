//! Model, index and projection of a catalog.

pub mod eval;
pub mod index;
pub mod lexicon;
pub mod text;
