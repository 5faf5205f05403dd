//! What each idea in the encoding saves: the definitions as they would be without it, measured beside those that are.
//!
//! Every idea is undone alone, on the whole catalog, so the savings do not add up to the last row, in which all are undone at once.

use crate::count::{o200k, real, thousands};
use anyhow::Result;
use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Kind, Shape};
use callslip_catalog::project::{Surface, short_form};
use callslip_catalog::schema::input_schema;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// An idea: what it says, and how a definition looks without it.
struct Idea {
    name: &'static str,
    undo: fn(&Action<'_>, &mut Value),
}

const IDEAS: [Idea; 9] = [
    Idea { name: "a parameter whose name says all has no description", undo: describe_names },
    Idea { name: "`environmentId` is explained once, in the instructions", undo: explain_environment },
    Idea { name: "paging is explained once, in the instructions", undo: explain_paging },
    Idea { name: "`confirm`, `fields` and `saveTo` are explained once, in the instructions", undo: explain_own },
    Idea { name: "absent means null: no nullable unions", undo: unions },
    Idea { name: "objects without closing marks: what is unknown is refused by the server", undo: close },
    Idea { name: "integers without formats", undo: formats },
    Idea { name: "no titles inside schemas, no `$schema`", undo: titles },
    Idea { name: "output schemas only as resources", undo: outputs },
];

/// The table as Markdown.
pub fn markdown(catalog: &Catalog) -> Result<String> {
    let actions = catalog.actions()?;
    let tools: Vec<Value> = serde_json::from_slice(catalog.listed(Surface::Individual).json)?;
    let total = |undo: &dyn Fn(&Action<'_>, &mut Value)| -> usize {
        let undone = actions.iter().zip(&tools).map(|(action, tool)| {
            let mut seen: Value = ["name", "description", "inputSchema"]
                .iter()
                .map(|key| ((*key).to_owned(), tool[*key].clone()))
                .collect::<Map<_, _>>()
                .into();
            undo(action, &mut seen);
            o200k(&seen.to_string())
        });
        undone.sum()
    };
    let now = total(&|_, _| {});
    let mut out = format!("`individual`: {} tokens.\n\n| idea | tokens without it | saved |\n|---|---:|---:|\n", thousands(now));
    let mut row = |name: &str, without: usize, now: usize| {
        let saved = without.saturating_sub(now);
        let _ = writeln!(
            out,
            "| {name} | {} | {} ({:.0}%) |",
            thousands(without),
            thousands(saved),
            real(saved) / real(without.max(1)) * 100.0
        );
    };
    for idea in &IDEAS {
        row(idea.name, total(&idea.undo), now);
    }
    row("all of these", total(&|action, tool| IDEAS.iter().for_each(|idea| (idea.undo)(action, tool))), now);
    out.push_str(&meta(catalog, &actions)?);
    Ok(out)
}

/// `meta` names each action with its parameters instead of carrying schemas.
fn meta(catalog: &Catalog, actions: &[Action<'_>]) -> Result<String> {
    let tools: Vec<Value> = serde_json::from_slice(catalog.listed(Surface::Meta).json)?;
    let now: usize = tools
        .iter()
        .map(|tool| {
            o200k(&json!({ "name": tool["name"], "description": tool["description"], "inputSchema": tool["inputSchema"] }).to_string())
        })
        .sum();
    let short: usize = actions.iter().map(|action| o200k(&short_form(action))).sum();
    let schemas: usize = actions.iter().map(|action| o200k(&input_schema(action, true))).sum();
    let typed: usize = actions
        .iter()
        .flat_map(|action| action.params.iter().filter(|param| !param.shared))
        .map(|param| o200k(&format!(":{}", param.kind.name())))
        .sum();
    let shared: usize = actions
        .iter()
        .flat_map(|action| action.params.iter().filter(|param| param.shared))
        .map(|param| o200k(&format!(",{}?", param.name)))
        .sum();
    let mut out = format!("\n`meta`: {} tokens.\n\n| idea | tokens without it | saved |\n|---|---:|---:|\n", thousands(now));
    for (name, more) in [
        ("parameters in short form; schemas by `describe`", schemas.saturating_sub(short)),
        ("no types in the short form: names say them, a wrong one is answered with the accepted ones", typed),
        ("`environmentId` and paging are said once, in the instructions", shared),
    ] {
        let _ =
            writeln!(out, "| {name} | {} | {} ({:.0}%) |", thousands(now + more), thousands(more), real(more) / real(now + more) * 100.0);
    }
    Ok(out)
}

/// Visits every schema below a tool's input schema, with the name of its property.
fn properties(schema: &mut Value, visit: &mut dyn FnMut(&str, &mut Map<String, Value>)) {
    if let Some(inner) = schema.get_mut("items") {
        properties(inner, visit);
    }
    for (name, inner) in schema.get_mut("properties").and_then(Value::as_object_mut).into_iter().flatten() {
        properties(inner, visit);
        if let Some(inner) = inner.as_object_mut() {
            visit(name, inner);
        }
    }
}

/// `containerId` → `Container ID`, as generators write it.
fn spoken(name: &str) -> String {
    let mut words = String::new();
    for (place, letter) in name.chars().enumerate() {
        match (place, letter.is_uppercase()) {
            (0, _) => words.extend(letter.to_uppercase()),
            (_, true) => {
                words.push(' ');
                words.extend(letter.to_lowercase());
            }
            (_, false) => words.push(letter),
        }
    }
    words.strip_suffix(" id").map(|rest| format!("{rest} ID")).unwrap_or(words)
}

fn describe_names(_: &Action<'_>, tool: &mut Value) {
    properties(&mut tool["inputSchema"], &mut |name, schema| {
        schema.entry("description").or_insert_with(|| spoken(name).into());
    });
}

fn explain(tool: &mut Value, texts: &[(&str, &str)]) {
    for (name, text) in texts {
        if let Some(schema) = tool["inputSchema"]["properties"].get_mut(*name).and_then(Value::as_object_mut) {
            schema.insert("description".into(), (*text).into());
        }
    }
}

fn explain_environment(action: &Action<'_>, tool: &mut Value) {
    if action.domain_name() != "environment" {
        explain(tool, &[("environmentId", "Id of the environment; the configured one when left out")]);
    }
}

fn explain_paging(action: &Action<'_>, tool: &mut Value) {
    if action.returns.paging.is_some() {
        let texts = [
            ("search", "Text to search for"),
            ("sort", "Column to sort by"),
            ("order", "Sort direction"),
            ("start", "Number of items to skip"),
            ("limit", "Number of items to return"),
        ];
        explain(tool, &texts);
    }
}

fn explain_own(action: &Action<'_>, tool: &mut Value) {
    explain(tool, &[("confirm", "Must be true to go ahead; ask the user first")]);
    let Some(properties) = tool["inputSchema"]["properties"].as_object_mut() else { return };
    if matches!(action.returns.shape, Shape::List | Shape::Object) && action.kind == Kind::Read {
        properties.insert("fields".into(), json!({ "type": "array", "items": { "type": "string" }, "description": "Columns to return" }));
    }
    if action.returns.shape == Shape::Binary {
        properties.insert("saveTo".into(), json!({ "type": "string", "description": "File to write the answer to" }));
    }
}

fn unions(_: &Action<'_>, tool: &mut Value) {
    let required = tool["inputSchema"]["required"].clone();
    let required: Vec<&str> = required.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, schema) in tool["inputSchema"]["properties"].as_object_mut().into_iter().flatten() {
        if !required.contains(&name.as_str())
            && let Some(kind) = schema["type"].as_str().map(str::to_owned)
        {
            schema["type"] = json!([kind, "null"]);
        }
    }
}

fn close(_: &Action<'_>, tool: &mut Value) {
    let shut = |schema: &mut Map<String, Value>| {
        if schema.contains_key("properties") && !schema.contains_key("additionalProperties") {
            schema.insert("additionalProperties".into(), false.into());
        }
    };
    properties(&mut tool["inputSchema"], &mut |_, schema| shut(schema));
    tool["inputSchema"].as_object_mut().map(shut);
}

fn formats(_: &Action<'_>, tool: &mut Value) {
    properties(&mut tool["inputSchema"], &mut |_, schema| {
        if schema.get("type").is_some_and(|kind| kind == "integer" || kind == &json!(["integer", "null"])) {
            schema.insert("format".into(), "int64".into());
        }
    });
}

fn titles(action: &Action<'_>, tool: &mut Value) {
    properties(&mut tool["inputSchema"], &mut |name, schema| {
        schema.insert("title".into(), spoken(name).into());
    });
    tool["inputSchema"]["title"] = format!("{} input", action.title).into();
    tool["inputSchema"]["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
}

/// Names and types of the fields alone; what generators copy from an API's document is longer.
fn outputs(action: &Action<'_>, tool: &mut Value) {
    let fields: Map<String, Value> = action
        .returns
        .fields
        .iter()
        .map(|field| (field.name.to_string(), if field.kind == "any" { json!({}) } else { json!({ "type": &*field.kind }) }))
        .collect();
    let item = json!({ "type": "object", "properties": fields });
    tool["outputSchema"] = match action.returns.shape {
        Shape::List => json!({ "type": "object", "properties": { "items": { "type": "array", "items": item } } }),
        _ => item,
    };
}
