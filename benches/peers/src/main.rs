//! The comparison: each engine over the same tools and queries, in one process, one after the other. Prints the two tables of
//! `BENCHMARKS.md`; with `quality` or `speed` only that one.

use callslip_catalog::index::Index;
use callslip_peers::counting::Counting;
use callslip_peers::engine::{self, Engine};
use callslip_peers::measure::{number, quality, speed};
use callslip_peers::set::{Query, SETS, Set, catalog};
use std::time::{Duration, Instant};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

type Done = Result<(), Box<dyn std::error::Error>>;

fn main() -> Done {
    let asked = std::env::args().nth(1);
    let wants = |table: &str| asked.as_deref().is_none_or(|asked| asked == table);
    if wants("quality") {
        print_quality()?;
    }
    if wants("speed") {
        print_speed()?;
    }
    Ok(())
}

fn print_quality() -> Done {
    println!("| set | callslip R@5 (R@1) | `bm25` | tantivy | best lexical, study |\n|---|---|---|---|---|");
    if let Some(catalog) = catalog() {
        let index = Index::open(&catalog.bytes)?;
        for (name, queries) in &catalog.sets {
            let ours = quality(queries, &engine::callslip(index, &catalog.names));
            println!("| {name}, the catalog | **{:.1}** ({:.1}), R@10 {:.1} | | | |", ours.in_five, ours.first, ours.in_ten);
        }
    }
    let mut public: Vec<[f64; 7]> = Vec::new();
    for (name, best) in SETS {
        let Some(set) = Set::read(name) else { continue };
        let (bytes, names) = set.index();
        let measured = [engine::callslip(Index::open(&bytes)?, &names), engine::bm25(&set), engine::tantivy(&set)?]
            .map(|engine| quality(&set.queries, &engine));
        let [ours, bm25, tantivy] = &measured;
        let figures = [ours.in_five, ours.first, bm25.in_five, bm25.first, tantivy.in_five, tantivy.first, best];
        println!("| {name}, {} | {}", names.len(), shown(figures));
        if !name.starts_with("arcane") && name != "mega-10k" {
            public.push(figures);
        }
    }
    if !public.is_empty() {
        let mean = std::array::from_fn(|column| public.iter().map(|figures| figures[column]).sum::<f64>() / number(public.len()));
        println!("| mean of the {} public sets | {}", public.len(), shown(mean));
    }
    println!();
    Ok(())
}

fn shown([ours, first, bm25, bm25_first, tantivy, tantivy_first, best]: [f64; 7]) -> String {
    format!("**{ours:.1}** ({first:.1}) | {bm25:.1} ({bm25_first:.1}) | {tantivy:.1} ({tantivy_first:.1}) | {best:.1} |")
}

fn print_speed() -> Done {
    println!("| tools | engine | p50 µs | p99 µs | allocations a query | build ms | bytes a tool |\n|---|---|---|---|---|---|---|");
    if let Some(catalog) = catalog() {
        let all: Vec<Query> = catalog.sets.into_iter().flat_map(|(_, queries)| queries).collect();
        let index = Index::open(&catalog.bytes)?;
        let built = None;
        row(
            "catalog",
            &all,
            &Ready {
                engine: engine::callslip(index, &catalog.names),
                tools: catalog.names.len(),
                name: "callslip",
                built,
                size: Some(catalog.bytes.len()),
            },
        );
    }
    let sets: Vec<Set> = ["arcane", "mega-10k"].iter().filter_map(|name| Set::read(name)).collect();
    let sets = if sets.is_empty() {
        Set::made_up()
            .into_iter()
            .flat_map(|set| {
                let large = set.grown(10_000);
                [set, large]
            })
            .collect()
    } else {
        sets
    };
    for set in &sets {
        ours(set)?;
        let begun = Instant::now();
        let engine = engine::bm25(set);
        row(&set.name, &set.queries, &Ready { engine, tools: set.tools.len(), name: "`bm25`", built: Some(begun.elapsed()), size: None });
        let begun = Instant::now();
        let engine = engine::tantivy(set)?;
        row(&set.name, &set.queries, &Ready { engine, tools: set.tools.len(), name: "tantivy", built: Some(begun.elapsed()), size: None });
    }
    sets.last().map_or(Ok(()), |set| ours(&set.grown(100_000)))
}

fn ours(set: &Set) -> Done {
    let begun = Instant::now();
    let (bytes, names) = set.index();
    let built = Some(begun.elapsed());
    let engine = engine::callslip(Index::open(&bytes)?, &names);
    row(&set.name, &set.queries, &Ready { engine, tools: names.len(), name: "callslip", built, size: Some(bytes.len()) });
    Ok(())
}

/// An engine that has its index.
struct Ready<'e> {
    engine: Engine<'e>,
    name: &'static str,
    tools: usize,
    built: Option<Duration>,
    /// Of the index, in bytes.
    size: Option<usize>,
}

fn row(set: &str, queries: &[Query], ready: &Ready<'_>) {
    let measured = speed(queries, &ready.engine);
    let built = ready.built.map_or(String::new(), |built| format!("{:.0}", built.as_secs_f64() * 1e3));
    let size = ready.size.map_or(String::new(), |size| (size / ready.tools.max(1)).to_string());
    println!(
        "| {set}, {} | {} | {:.1} | {:.1} | {:.1} | {built} | {size} |",
        ready.tools, ready.name, measured.median, measured.last_hundredth, measured.allocations
    );
}
