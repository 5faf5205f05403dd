//! What the comparison and the benchmark share: sets of tools with queries, engines, measures, and a counting allocator.

pub mod counting;
pub mod engine;
pub mod measure;
pub mod set;
