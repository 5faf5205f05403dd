//! Token audit.
fn main() {}
