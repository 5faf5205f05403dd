//! `callslip eval`: ranks the queries of a file and writes a run file, for measuring the search.

use super::DONE;
use crate::cli::Options;
use anyhow::{Context, Result};
use callslip_catalog::eval;
use callslip_catalog::index::{self, Index};
use callslip_catalog::lexicon::Lexicon;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

pub fn run(options: &Options, queries: &Path, tools: Option<&Path>, out: &Path) -> Result<u8> {
    let open = |path: &Path| File::open(path).map(BufReader::new).with_context(|| path.display().to_string());
    let queries = open(queries)?;
    let out = BufWriter::new(File::create(out).with_context(|| out.display().to_string())?);
    if let Some(path) = tools {
        let tools = eval::read_tools(open(path)?)?;
        let documents: Vec<_> = tools.iter().map(eval::Tool::document).collect();
        let bytes = index::build(&documents, &Lexicon::general());
        let name = |number: u32| tools.get(number as usize).map_or("", |tool| tool.id.as_str());
        eval::run(&Index::open(&bytes)?, name, queries, out)?;
    } else {
        let catalog = super::catalog(options)?;
        let actions = catalog.actions()?;
        let name = |number: u32| actions.get(number as usize).map_or("", |action| &*action.operation);
        eval::run(catalog.index(), name, queries, out)?;
    }
    Ok(DONE)
}
