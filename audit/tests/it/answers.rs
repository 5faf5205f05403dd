//! What answers cost a model, channel by channel: every reading action at its defaults on a host where every list has 500 rows, and
//! searches as operators word them.

use crate::callslip;
use audit::client::Client;
use audit::count::{median, o200k};
use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Kind, Place, ValueType};
use callslip_sandbox::{Options, Sample, Sandbox, Seed, operation};
use serde_json::{Map, Value, json};

/// Tokens of both channels.
struct Cost {
    what: String,
    structured: usize,
    text: usize,
}

impl Cost {
    fn of(what: &str, result: &Value) -> Self {
        let text = result["content"][0]["text"].as_str().unwrap_or_default();
        Self { what: what.to_owned(), structured: o200k(&result["structuredContent"].to_string()), text: o200k(text) }
    }
}

/// Holds both channels to a median and a maximum. `CALLSLIP_SHOW_COSTS` prints the dearest.
fn hold(costs: &[Cost], middle: usize, most: usize) {
    for channel in ["structuredContent", "text"] {
        let tokens = |cost: &Cost| if channel == "text" { cost.text } else { cost.structured };
        let measured = median(costs.iter().map(tokens).collect());
        let mut dearest: Vec<_> = costs.iter().map(|cost| (tokens(cost), &cost.what)).collect();
        dearest.sort_unstable_by(|one, other| other.cmp(one));
        dearest.truncate(8);
        if std::env::var_os("CALLSLIP_SHOW_COSTS").is_some() {
            eprintln!("{channel}: {} answers, median {measured}, dearest {dearest:?}", costs.len());
        }
        assert!(measured <= middle, "{channel}: median {measured} over {middle}");
        assert!(dearest[0].0 <= most, "{channel}: over {most}: {dearest:?}");
    }
}

/// The required parameters of a reading action, as the facts' sample has them.
fn required(action: &Action<'_>, sample: &Sample) -> Map<String, Value> {
    let mut given = Map::new();
    let placeholders = action.path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name));
    for (name, (_, value)) in placeholders.zip(&sample.values) {
        given.insert(name.to_owned(), value.as_str().into());
    }
    let bodied = sample.json.as_ref();
    for param in &action.params {
        let value = match param.place {
            Place::Query => sample.query.iter().find(|(wire, _)| *wire == param.wire).map(|(_, value)| value.as_str().into()),
            Place::Body => bodied.and_then(|body| body.get(&*param.wire)).cloned(),
            Place::Whole => bodied.cloned(),
            Place::Header => Some("x".into()),
            _ => None,
        };
        given.extend(value.filter(|_| param.required).map(|value| (param.name.to_string(), value)));
    }
    // What the catalog asks for and the facts leave optional.
    for param in action.params.iter().filter(|param| param.required) {
        let value = || if param.kind == ValueType::Array { json!(["web"]) } else { json!("web") };
        given.entry(param.name.to_string()).or_insert_with(value);
    }
    given.retain(|name, _| action.param(name).is_some_and(|param| param.required));
    given.extend((&*action.id == "container.exec").then(|| ("command".to_owned(), "hostname".into())));
    given
}

#[test]
fn answers_of_a_crowded_host_keep_their_budget() {
    let Some(program) = callslip() else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let sandbox = runtime.block_on(Sandbox::start(Options { seed: Seed::Rows(500), ..Options::default() })).unwrap();
    let environment = [
        ("ARCANE_URL".to_owned(), sandbox.url()),
        ("ARCANE_API_KEY".to_owned(), sandbox.api_key().to_owned()),
        ("ARCANE_TOKEN".to_owned(), sandbox.session_token()),
    ];
    let mut client = Client::command(&format!("\"{}\" --include account", program.display()), &environment).unwrap();
    let mut costs = Vec::new();
    let mut failed = Vec::new();
    let mut lists = 0;
    for action in Catalog::embedded().unwrap().actions().unwrap().iter().filter(|action| action.kind == Kind::Read) {
        let params = required(action, &operation(&action.operation).unwrap().sample());
        let result = client.call("arcane_execute_action", &json!({ "action": &*action.id, "params": params })).unwrap();
        if result["isError"] == true {
            failed.push(format!("{}: {}", action.id, result["content"][0]["text"]));
        }
        lists += usize::from(result["structuredContent"]["paging"]["total"].as_u64().is_some_and(|total| total >= 500));
        costs.push(Cost::of(&action.id, &result));
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert!(costs.len() > 150 && lists > 40, "{} reading actions, {lists} lists of 500 rows or more", costs.len());
    hold(&costs, 2_000, 8_000);
}

#[test]
fn searches_of_operators_keep_their_budget() {
    let Some(program) = callslip() else { return };
    let queries: Vec<&str> = include_str!("queries.txt").lines().filter(|line| !line.is_empty()).collect();
    assert!(queries.len() >= 60);
    let mut client = Client::command(&format!("\"{}\"", program.display()), &[]).unwrap();
    let mut costs = Vec::new();
    for query in queries {
        let result = client.call("arcane_find_action", &json!({ "query": query })).unwrap();
        assert_eq!(result["isError"], false, "{query}");
        costs.push(Cost::of(query, &result));
    }
    hold(&costs, 1_500, 4_000);
}
