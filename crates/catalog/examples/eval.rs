//! Ranks the queries of a set over a list of tools or over a catalog folder: `eval TOOLS_OR_FOLDER QUERIES OUT`. What
//! `callslip eval` does, without the rest of the product. With a query in `EXPLAIN` it also tells how the first scores came about.

use callslip_catalog::compile;
use callslip_catalog::eval::{Tool, read_tools, run};
use callslip_catalog::index::{Document, Index, build};
use callslip_catalog::lexicon::Lexicon;
use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tools, queries, out] = arguments.as_slice() else {
        return Err("usage: eval TOOLS_OR_FOLDER QUERIES OUT".into());
    };
    let begun = std::time::Instant::now();
    let (names, bytes) = if Path::new(tools).is_dir() {
        let checked = compile::read_folder(Path::new(tools)).map_err(|problems| format!("{} problems", problems.len()))?;
        (checked.actions.iter().map(|action| action.operation.to_string()).collect(), compile::documents::index(&checked))
    } else {
        let tools: Vec<Tool> = read_tools(BufReader::new(File::open(tools)?))?;
        let documents: Vec<Document<'_>> = tools.iter().map(Tool::document).collect();
        (tools.iter().map(|tool| tool.id.clone()).collect::<Vec<_>>(), build(&documents, &Lexicon::general()))
    };
    eprintln!("{} documents, {} bytes, {:?}", names.len(), bytes.len(), begun.elapsed());
    let index = Index::open(&bytes)?;
    if let Ok(query) = std::env::var("EXPLAIN") {
        for hit in index.search(&query, 6, |_| true).hits {
            eprintln!("{} {} {:?}", names[hit.document as usize], hit.score, index.explain(&query, hit.document));
        }
    }
    let name = |number: u32| names.get(number as usize).map_or("", String::as_str);
    run(&index, name, BufReader::new(File::open(queries)?), BufWriter::new(File::create(out)?))?;
    Ok(())
}
