//! Where the tokens go: the dearest tools, groups, sentences and parameters of a listing.

use crate::count::{o200k, real, thousands};
use crate::listing::{Listing, Tool};
use crate::measure::cost;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of each list.
const ROWS: usize = 20;

/// A sentence or parameter that may stand in many tools.
#[derive(Debug, Clone, Copy, Default)]
struct Repeated {
    tokens: usize,
    times: usize,
}

type Counted = BTreeMap<String, Repeated>;

/// The report as text.
pub fn text(listing: &Listing) -> String {
    let measured = cost(listing);
    let mut groups: BTreeMap<&str, Repeated> = BTreeMap::new();
    for tool in &measured.each {
        let entry = groups.entry(&tool.group).or_default();
        entry.tokens += tool.o200k;
        entry.times += 1;
    }
    let (mut sentences, mut parameters) = (Counted::new(), Counted::new());
    for tool in &listing.tools {
        count_sentences(tool, &mut sentences);
        count_parameters(tool, &mut parameters);
    }
    let mut out = format!(
        "{}: {} tool(s), {} tokens, median {}, instructions {}\n",
        listing.name,
        measured.tools,
        thousands(measured.o200k),
        measured.median,
        measured.instructions
    );
    let whole = measured.o200k;
    section(&mut out, "dearest tools", whole, measured.each.iter().map(|tool| (tool.o200k, tool.name.clone())).collect());
    section(
        &mut out,
        "dearest groups",
        whole,
        groups.iter().map(|(name, sum)| (sum.tokens, format!("{name} ({} tools)", sum.times))).collect(),
    );
    section(&mut out, "dearest sentences, over all tools", whole, rows(sentences));
    section(&mut out, "dearest parameters, over all tools", whole, rows(parameters));
    out
}

fn rows(counted: Counted) -> Vec<(usize, String)> {
    let times = |count| if count == 1 { String::new() } else { format!(" ({count} times)") };
    counted.into_iter().map(|(text, sum)| (sum.tokens, format!("{text}{}", times(sum.times)))).collect()
}

fn section(out: &mut String, title: &str, whole: usize, mut rows: Vec<(usize, String)>) {
    rows.sort_by(|one, two| two.0.cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
    let _ = writeln!(out, "\n{title}");
    for (tokens, name) in rows.iter().take(ROWS) {
        let share = real(*tokens) / real(whole.max(1)) * 100.0;
        let name: String = name.chars().take(160).collect();
        let _ = writeln!(out, "{:>8} {share:>5.1}%  {name}", thousands(*tokens));
    }
}

/// Sentences of the description and of every description inside the schema.
fn count_sentences(tool: &Tool, counted: &mut Counted) {
    let mut texts = vec![tool.description.clone()];
    descriptions(&tool.schema, &mut texts);
    for sentence in texts.iter().flat_map(|text| sentences(text)) {
        let entry = counted.entry(sentence.to_owned()).or_default();
        entry.tokens += o200k(sentence);
        entry.times += 1;
    }
}

fn descriptions(schema: &Value, texts: &mut Vec<String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) if key == "description" => texts.push(text.clone()),
                    value => descriptions(value, texts),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| descriptions(value, texts)),
        _ => {}
    }
}

/// Parted behind a full stop, question or exclamation mark and at line ends.
fn sentences(text: &str) -> Vec<&str> {
    text.lines().flat_map(|line| line.split_inclusive(". ")).map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

/// Each parameter of a tool with its whole schema; `required` costs its name once more.
fn count_parameters(tool: &Tool, counted: &mut Counted) {
    let required: Vec<_> = tool.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, schema) in tool.schema["properties"].as_object().into_iter().flatten() {
        let entry = counted.entry(name.clone()).or_default();
        entry.tokens += o200k(&format!("{}:{schema},", Value::from(name.as_str())));
        if required.contains(&name.as_str()) {
            entry.tokens += o200k(&format!("{},", Value::from(name.as_str())));
        }
        entry.times += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listing;
    use serde_json::json;

    #[test]
    fn what_is_repeated_is_summed() {
        let tool = |name: &str| json!({ "name": name, "description": "Do it. Then rest.", "inputSchema": { "properties": { "id": { "type": "string" } }, "required": ["id"] } });
        let list: Vec<_> = [tool("a_b"), tool("a_c")].iter().filter_map(Value::as_object).cloned().collect();
        let tools = listing::tools(&list).unwrap();
        let report = text(&Listing { name: "x".into(), tools, instructions: String::new(), actions: 2 });
        assert!(
            report.contains("Do it. (2 times)") && report.contains("Then rest. (2 times)") && report.contains("id (2 times)"),
            "{report}"
        );
    }
}
