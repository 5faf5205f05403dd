//! The engines: each gives the ids of the ten tools it finds for a query, best first.

use crate::set::Set;
use bm25::{Document as Text, Language, SearchEngineBuilder};
use callslip_catalog::eval::Tool;
use callslip_catalog::index::Index;
use tantivy::collector::TopDocs;
use tantivy::query::{BooleanQuery, BoostQuery, Occur, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::{TantivyDocument, Term, doc};

/// Hits asked for.
const DEPTH: usize = 10;

/// Finds tools for a query.
pub type Engine<'e> = Box<dyn Fn(&str) -> Vec<&'e str> + 'e>;

/// The search of callslip over an index.
pub fn callslip<'e>(index: Index<'e>, names: &'e [String]) -> Engine<'e> {
    Box::new(move |text| index.search(text, DEPTH, |_| true).hits.iter().map(|hit| names[hit.document as usize].as_str()).collect())
}

/// The `bm25` crate over everything a tool says.
pub fn bm25(set: &Set) -> Engine<'_> {
    let texts = set.tools.iter().enumerate().map(|(id, tool)| Text { id, contents: text_of(tool) });
    let engine = SearchEngineBuilder::<usize>::with_documents(Language::English, texts).build();
    Box::new(move |text| engine.search(text, DEPTH).iter().map(|hit| set.tools[hit.document.id].id.as_str()).collect())
}

fn text_of(tool: &Tool) -> String {
    let mut text = format!("{} {} {} {}", tool.title, tool.id, tool.description, tool.tags.join(" "));
    for parameter in &tool.params {
        text.push_str(&format!(" {} {}", parameter.name, parameter.description));
    }
    text
}

/// Tantivy with stemming: title twice as heavy, description, parameters, tags.
pub fn tantivy(set: &Set) -> tantivy::Result<Engine<'_>> {
    let mut schema = Schema::builder();
    let indexing = TextFieldIndexing::default().set_tokenizer("en_stem").set_index_option(IndexRecordOption::WithFreqs);
    let options = TextOptions::default().set_indexing_options(indexing);
    let fields: Vec<Field> =
        ["title", "description", "parameters", "tags"].iter().map(|name| schema.add_text_field(name, options.clone())).collect();
    let place = schema.add_u64_field("place", STORED);
    let index = tantivy::Index::create_in_ram(schema.build());
    let mut writer = index.writer_with_num_threads(1, 50_000_000)?;
    for (number, tool) in set.tools.iter().enumerate() {
        let parameters: Vec<String> = tool.params.iter().map(|parameter| format!("{} {}", parameter.name, parameter.description)).collect();
        writer.add_document(doc!(
            fields[0] => tool.title.as_str(), fields[1] => tool.description.as_str(), fields[2] => parameters.join(" "),
            fields[3] => tool.tags.join(" "), place => number as u64))?;
    }
    writer.commit()?;
    let searcher = index.reader()?.searcher();
    let analyzer = index.tokenizers().get("en_stem").ok_or_else(|| tantivy::TantivyError::InvalidArgument("no stemmer".into()))?;
    Ok(Box::new(move |text| {
        let mut clauses: Vec<(Occur, Box<dyn tantivy::query::Query>)> = Vec::new();
        let mut analyzer = analyzer.clone();
        let mut words = analyzer.token_stream(text);
        while let Some(word) = words.next() {
            for (number, &field) in fields.iter().enumerate() {
                let query = TermQuery::new(Term::from_field_text(field, &word.text), IndexRecordOption::WithFreqs);
                let boost = if number == 0 { 2.0 } else { 1.0 };
                clauses.push((Occur::Should, Box::new(BoostQuery::new(Box::new(query), boost))));
            }
        }
        let best = TopDocs::with_limit(DEPTH).order_by_score();
        let found = searcher.search(&BooleanQuery::new(clauses), &best).unwrap_or_default();
        let place_of = |address| searcher.doc::<TantivyDocument>(address).ok()?.get_first(place)?.as_u64();
        let tool = |number: u64| set.tools.get(usize::try_from(number).ok()?);
        found.iter().filter_map(|&(_, address)| tool(place_of(address)?)).map(|tool| tool.id.as_str()).collect()
    }))
}
