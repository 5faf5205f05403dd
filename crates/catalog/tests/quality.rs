//! Gates on how well actions are found: the three Arcane sets over this catalog, the public sets over their tools, and requests that
//! nothing serves. The sets lie beside the project (or where `RETRIEVAL_DATA` says); without them the gates are skipped, said so.

use callslip_catalog::compile;
use callslip_catalog::eval::{Tool, read_tools};
use callslip_catalog::index::{Confidence, Document, Index, build};
use callslip_catalog::lexicon::Lexicon;
use callslip_catalog::model::Kind;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

struct Query {
    text: String,
    gold: Vec<String>,
    any: bool,
}

/// Means over the queries of a set, in percent.
#[derive(Debug)]
struct Quality {
    in_five: f64,
    first: f64,
    unsure: f64,
}

fn data() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/retrieval/data");
    std::env::var_os("RETRIEVAL_DATA").map_or(beside, PathBuf::from)
}

fn read(file: &Path) -> Option<Vec<Query>> {
    let Ok(file) = File::open(file) else {
        eprintln!("skipped: no {}", file.display());
        return None;
    };
    let query = |line: String| {
        let value: serde_json::Value = serde_json::from_str(&line).expect("a line of JSON");
        let gold = value["gold"].as_array().into_iter().flatten().filter_map(|id| id.as_str().map(str::to_owned)).collect();
        Query { text: value["query"].as_str().unwrap_or_default().to_owned(), gold, any: value["any"].as_bool().unwrap_or(false) }
    };
    Some(BufReader::new(file).lines().map(|line| query(line.expect("readable"))).collect())
}

fn catalog() -> compile::Checked {
    compile::read_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).expect("a valid catalog")
}

fn measure(index: &Index<'_>, names: &[String], queries: &[&Query]) -> Quality {
    let mut sums = Quality { in_five: 0.0, first: 0.0, unsure: 0.0 };
    for query in queries {
        let answer = index.search(&query.text, 10, |_| true);
        let hit: Vec<bool> = answer.hits.iter().map(|hit| query.gold.contains(&names[hit.document as usize])).collect();
        let five = number(hit.iter().take(5).filter(|hit| **hit).count());
        sums.in_five += if query.any { five.min(1.0) } else { five / number(query.gold.len().clamp(1, 5)) };
        sums.first += f64::from(u8::from(hit.first() == Some(&true)));
        sums.unsure += f64::from(u8::from(answer.confidence != Confidence::High));
    }
    let share = |sum: f64| 100.0 * sum / number(queries.len().max(1));
    Quality { in_five: share(sums.in_five), first: share(sums.first), unsure: share(sums.unsure) }
}

fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[test]
fn the_catalog_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let checked = catalog();
    let names: Vec<String> = checked.actions.iter().map(|action| action.operation.to_string()).collect();
    let bytes = compile::documents::index(&checked);
    let index = Index::open(&bytes).expect("an index just built");
    let mut served = (0.0, 0.0);
    let mut nothing = read(&folder.join("tests/queries/none.jsonl")).expect("it stands beside the tests");
    for (set, in_five, first) in [("arcane", 93.0, 80.0), ("arcane-docker", 98.0, 88.0), ("arcane-peer", 98.0, 87.0)] {
        let Some(queries) = read(&data().join(format!("catalog/{set}.open.jsonl"))) else { continue };
        let (answered, unanswered): (Vec<_>, Vec<_>) = queries.into_iter().partition(|query| !query.gold.is_empty());
        let quality = measure(&index, &names, &answered.iter().collect::<Vec<_>>());
        assert!(quality.in_five >= in_five && quality.first >= first, "{set}: {quality:?}");
        served = (served.0 + quality.unsure * number(answered.len()), served.1 + number(answered.len()));
        nothing.extend(unanswered);
    }
    let quality = measure(&index, &names, &nothing.iter().collect::<Vec<_>>());
    assert!(quality.unsure >= 70.0, "requests nothing serves: {quality:?}");
    assert!(served.1 < 1.0 || served.0 / served.1 <= 5.0, "false alarms: {} %", served.0 / served.1);
}

#[test]
fn any_tools_are_found() {
    let sets = [
        "k8s-core",
        "restbench-tmdb",
        "restbench-spotify",
        "azure-mcp",
        "metatool",
        "livemcpbench",
        "bfcl-live",
        "toollinkos",
        "github-rest",
        "stabletoolbench",
        "seal-tools",
    ];
    let mut all = Vec::new();
    for set in sets {
        let Some(queries) = read(&data().join(set).join("queries.open.jsonl")) else { return };
        let file = File::open(data().join(set).join("tools.jsonl")).expect("tools beside the queries");
        let tools: Vec<Tool> = read_tools(BufReader::new(file)).expect("lines of JSON");
        let names: Vec<String> = tools.iter().map(|tool| tool.id.clone()).collect();
        let bytes = build(&tools.iter().map(Tool::document).collect::<Vec<Document<'_>>>(), &Lexicon::general());
        let index = Index::open(&bytes).expect("an index just built");
        all.push(measure(&index, &names, &queries.iter().collect::<Vec<_>>()));
    }
    let mean = |pick: fn(&Quality) -> f64| all.iter().map(pick).sum::<f64>() / number(all.len());
    let (in_five, first) = (mean(|quality| quality.in_five), mean(|quality| quality.first));
    assert!(in_five >= 77.5 && first >= 64.0, "R@5 {in_five:.1}, R@1 {first:.1}: {all:?}");
}

/// Questions that ask for nothing to be changed.
const INNOCENT: &str = include_str!("queries/innocent.txt");

#[test]
fn a_question_never_gets_a_destructive_action_first() {
    let checked = catalog();
    let bytes = compile::documents::index(&checked);
    let index = Index::open(&bytes).expect("an index just built");
    let mut wrong = Vec::new();
    for question in INNOCENT.lines() {
        let answer = index.search(question, 5, |_| true);
        let first = answer.hits.first().map(|hit| &checked.actions[hit.document as usize]);
        wrong.extend(first.filter(|action| action.kind == Kind::Destructive).map(|action| format!("{question}: {}", action.id)));
    }
    assert!(INNOCENT.lines().count() >= 100 && wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_name_of_every_action_finds_it_first() {
    let checked = catalog();
    let bytes = compile::documents::index(&checked);
    let index = Index::open(&bytes).expect("an index just built");
    let first =
        |query: &str| index.search(query, 3, |_| true).hits.first().map(|hit| checked.actions[hit.document as usize].id.to_string());
    for action in &checked.actions {
        let tool = action.tool_name(&checked.api.name);
        let forms = [action.id.to_string(), tool.clone(), tool.to_uppercase(), action.operation.to_string(), format!(" `{}` ", action.id)];
        for form in forms {
            assert_eq!(first(&form).as_deref(), Some(&*action.id), "{form}");
        }
    }
}
