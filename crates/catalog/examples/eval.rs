//! Ranks the queries of a set over a list of tools: `eval TOOLS QUERIES OUT [SEARCH_TOML]`. What `callslip eval --tools` does,
//! without the rest of the product.

use callslip_catalog::eval::{Tool, read_tools, run};
use callslip_catalog::index::{Document, Index, build};
use callslip_catalog::lexicon::Lexicon;
use std::fs::File;
use std::io::{BufReader, BufWriter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tools, queries, out, rest @ ..] = arguments.as_slice() else {
        return Err("usage: eval TOOLS QUERIES OUT [SEARCH_TOML]".into());
    };
    let tools: Vec<Tool> = read_tools(BufReader::new(File::open(tools)?))?;
    let documents: Vec<Document<'_>> = tools.iter().map(Tool::document).collect();
    let mut lexicon = Lexicon::general();
    if let [words] = rest {
        words_of_catalog(&std::fs::read_to_string(words)?, &mut lexicon)?;
    }
    let begun = std::time::Instant::now();
    let bytes = build(&documents, &lexicon);
    eprintln!("built {} documents, {} bytes, {:?}", documents.len(), bytes.len(), begun.elapsed());
    let index = Index::open(&bytes)?;
    let name = |number: u32| tools.get(number as usize).map_or("", |tool| tool.id.as_str());
    run(&index, name, BufReader::new(File::open(queries)?), BufWriter::new(File::create(out)?))?;
    Ok(())
}

#[cfg(feature = "compile")]
fn words_of_catalog(text: &str, lexicon: &mut Lexicon) -> Result<(), Box<dyn std::error::Error>> {
    #[derive(serde::Deserialize)]
    struct File {
        #[serde(default)]
        search: callslip_catalog::lexicon::SearchTable,
        #[serde(default)]
        absent: Vec<callslip_catalog::lexicon::Absent>,
    }
    let (table, _) = toml::de::DeTable::parse_recoverable(text);
    let file: File = serde_json::from_value(json(&toml::de::DeValue::Table(table.into_inner())))?;
    let lost = file.search.teach(&file.absent, lexicon);
    if lost.is_empty() { Ok(()) } else { Err(format!("no absent entry for {lost:?}").into()) }
}

#[cfg(not(feature = "compile"))]
fn words_of_catalog(_: &str, _: &mut Lexicon) -> Result<(), Box<dyn std::error::Error>> {
    Err("words of a catalog need the feature `compile`".into())
}

/// TOML as JSON: tables, lists and texts are all that words of a catalog need.
#[cfg(feature = "compile")]
fn json(value: &toml::de::DeValue<'_>) -> serde_json::Value {
    use toml::de::DeValue;
    match value {
        DeValue::String(text) => text.to_string().into(),
        DeValue::Array(items) => items.iter().map(|item| json(item.get_ref())).collect(),
        DeValue::Table(entries) => entries.iter().map(|(key, item)| (key.get_ref().to_string(), json(item.get_ref()))).collect::<serde_json::Map<_, _>>().into(),
        other => format!("{other:?}").into(),
    }
}
