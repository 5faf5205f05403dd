//! The comparison: each engine over the same tools and queries, in one process, one after the other. Prints two Markdown tables.

use bm25::{Document as Text, Language, SearchEngineBuilder};
use callslip_catalog::index::Index;
use callslip_peers::{Counting, Query, Set, allocations, catalog, number, recall};
use std::hint::black_box;
use std::time::Instant;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::{TantivyDocument, Term, doc};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Rounds over all queries; each query counts with its median.
const ROUNDS: usize = 7;

struct Measured {
    recall: f64,
    median: f64,
    last_hundredth: f64,
    allocations: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("| tools | engine | R@5 | p50 µs | p99 µs | allocations a query | build ms | bytes a tool |\n|---|---|---|---|---|---|---|---|");
    if let Some((bytes, names, queries)) = catalog() {
        let index = Index::open(&bytes)?;
        let measured = measure(&queries, |text| ours(&index, &names, text));
        row(&format!("arcane catalog, {}", names.len()), "callslip", &measured, None, Some(bytes.len() / names.len()));
    }
    for name in ["arcane", "mega-10k"] {
        let Some(set) = Set::read(name) else { continue };
        compare(&set)?;
        if name == "mega-10k" {
            callslip(&set.grown(100_000))?;
        }
    }
    Ok(())
}

fn compare(set: &Set) -> Result<(), Box<dyn std::error::Error>> {
    callslip(set)?;
    lexical(set);
    with_tantivy(set)
}

fn ours<'n>(index: &Index<'_>, names: &'n [String], text: &str) -> Vec<&'n str> {
    index.search(text, 10, |_| true).hits.iter().map(|hit| names[hit.document as usize].as_str()).collect()
}

fn callslip(set: &Set) -> Result<(), Box<dyn std::error::Error>> {
    let begun = Instant::now();
    let (bytes, names) = set.index();
    let built = begun.elapsed().as_secs_f64() * 1e3;
    let index = Index::open(&bytes)?;
    let measured = measure(&set.queries, |text| ours(&index, &names, text));
    row(&format!("{}, {}", set.name, names.len()), "callslip", &measured, Some(built), Some(bytes.len() / names.len()));
    Ok(())
}

/// One text of everything a tool says.
fn text_of(tool: &callslip_catalog::eval::Tool) -> String {
    let mut text = format!("{} {} {} {}", tool.title, tool.id, tool.description, tool.tags.join(" "));
    for parameter in &tool.params {
        text.push_str(&format!(" {} {}", parameter.name, parameter.description));
    }
    text
}

fn lexical(set: &Set) {
    let begun = Instant::now();
    let texts = set.tools.iter().enumerate().map(|(id, tool)| Text { id, contents: text_of(tool) });
    let engine = SearchEngineBuilder::<usize>::with_documents(Language::English, texts).build();
    let built = begun.elapsed().as_secs_f64() * 1e3;
    let measured = measure(&set.queries, |text| engine.search(text, 10).iter().map(|hit| set.tools[hit.document.id].id.as_str()).collect());
    row(&format!("{}, {}", set.name, set.tools.len()), "bm25 crate", &measured, Some(built), None);
}

fn with_tantivy(set: &Set) -> Result<(), Box<dyn std::error::Error>> {
    let begun = Instant::now();
    let mut schema = Schema::builder();
    let options = || TextOptions::default().set_indexing_options(TextFieldIndexing::default().set_tokenizer("en_stem").set_index_option(IndexRecordOption::WithFreqs));
    let fields: Vec<Field> = ["title", "description", "parameters", "tags"].iter().map(|name| schema.add_text_field(name, options())).collect();
    let place = schema.add_u64_field("place", STORED);
    let index = tantivy::Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
    for (number, tool) in set.tools.iter().enumerate() {
        let parameters: Vec<String> = tool.params.iter().map(|parameter| format!("{} {}", parameter.name, parameter.description)).collect();
        writer.add_document(doc!(fields[0] => tool.title.as_str(), fields[1] => tool.description.as_str(), fields[2] => parameters.join(" "), fields[3] => tool.tags.join(" "), place => number as u64))?;
    }
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let built = begun.elapsed().as_secs_f64() * 1e3;
    let mut analyzer = index.tokenizers().get("en_stem").ok_or("no stemmer")?;
    let measured = measure(&set.queries, |text| {
        let mut clauses: Vec<(Occur, Box<dyn tantivy::query::Query>)> = Vec::new();
        let mut words = analyzer.token_stream(text);
        while let Some(word) = words.next() {
            for (number, &field) in fields.iter().enumerate() {
                let query = TermQuery::new(Term::from_field_text(field, &word.text), IndexRecordOption::WithFreqs);
                let boost = if number == 0 { 2.0 } else { 1.0 };
                clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(query), boost))));
            }
        }
        let found = searcher.search(&BooleanQuery::new(clauses), &TopDocs::with_limit(10).order_by_score()).unwrap_or_default();
        let place_of = |address| searcher.doc::<TantivyDocument>(address).ok().and_then(|document| document.get_first(place).and_then(|value| value.as_u64()));
        found.iter().filter_map(|&(_, address)| place_of(address)).filter_map(|number| set.tools.get(usize::try_from(number).ok()?)).map(|tool| tool.id.as_str()).collect()
    });
    row(&format!("{}, {}", set.name, set.tools.len()), "tantivy", &measured, Some(built), None);
    Ok(())
}

fn measure<'n>(queries: &[Query], mut search: impl FnMut(&str) -> Vec<&'n str>) -> Measured {
    let found = queries.iter().map(|query| recall(query, &search(&query.text))).sum::<f64>() / number(queries.len());
    let before = allocations();
    for query in queries {
        black_box(search(&query.text));
    }
    let made = allocations() - before;
    let mut times: Vec<f64> = queries
        .iter()
        .map(|query| {
            let mut rounds: Vec<f64> = (0..ROUNDS)
                .map(|_| {
                    let begun = Instant::now();
                    black_box(search(&query.text));
                    begun.elapsed().as_secs_f64() * 1e6
                })
                .collect();
            rounds.sort_by(f64::total_cmp);
            rounds[ROUNDS / 2]
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() * share / 100).min(times.len() - 1)];
    Measured { recall: found, median: at(50), last_hundredth: at(99), allocations: number(usize::try_from(made).unwrap_or(0)) / number(queries.len()) }
}

fn row(tools: &str, engine: &str, measured: &Measured, built: Option<f64>, size: Option<usize>) {
    let built = built.map_or(String::new(), |built| format!("{built:.0}"));
    let size = size.map_or(String::new(), |size| size.to_string());
    println!(
        "| {tools} | {engine} | {:.1} | {:.1} | {:.1} | {:.1} | {built} | {size} |",
        100.0 * measured.recall,
        measured.median,
        measured.last_hundredth,
        measured.allocations
    );
}
