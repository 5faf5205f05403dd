//! Compiles the catalog into the files that `src/catalog.rs` embeds.

use callslip_catalog::compile;
use std::{env, path::Path};

fn main() -> anyhow::Result<()> {
    println!("cargo::rerun-if-changed=catalog.toml");
    println!("cargo::rerun-if-changed=catalog");
    // Embedded by `src/guides.rs`; only this notices a guide that is new.
    println!("cargo::rerun-if-changed=guides");
    match compile::read_folder(Path::new(".")) {
        Ok(checked) => compile::generate(&checked, Path::new(&env::var("OUT_DIR")?))?,
        Err(problems) => problems.iter().for_each(|problem| println!("cargo::error={problem}")),
    }
    Ok(())
}
