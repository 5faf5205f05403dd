//! Cheap must not mean less: every parameter of the API with its type, enum, bounds, default and whether it is required.
//!
//! The digest beside this file says what the `individual` schemas hold; it is committed, so that nothing is lost unseen. Where the facts
//! about the API are at hand, the schemas are compared with those too.

use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Fill, Param, Place};
use callslip_catalog::project::Surface;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What of a schema a caller needs; formats, nullability and closing marks may go.
const KEPT: [&str; 11] =
    ["type", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "uniqueItems", "default"];

/// Operations that are no actions, each with its reason.
const NO_ACTION: [(&[&str], &str); 2] = [
    (
        &[
            "syncContainerRegistries",
            "syncGitRepositories",
            "sync-s3-destinations",
            "pairEnvironment",
            "updateHeartbeat",
            "dispatch-notification",
            "get-swarm-node-identity",
            "getGlobalVariables",
            "updateGlobalVariables",
            "echo-event-ingest",
            "ack-job-run",
        ],
        "spoken between a manager and its agents",
    ),
    (
        &[
            "detachGitOpsSyncProjects",
            "listContainerRegistryRepositories",
            "listContainerRegistryTags",
            "deleteContainerRegistryTag",
            "list-project-references",
        ],
        "in no release that is known",
    ),
];

/// Differences that are meant, by how they begin, each with its reason.
const MEANT: [(&str, &str); 12] = [
    ("auth.change_password: currentPassword is required", "the API refuses the call without it"),
    ("oidc.callback: oidc_state", "a cookie, which the browser holds"),
    ("profile.upload_avatar: file", "a file that is sent must be given"),
    ("project.create: files", "a file is text, base64 or a path here"),
    ("project.create: manifest", "made from the parameters"),
    ("project.create: project", "its properties are parameters"),
    ("project.update_services: services is required", "without it every service is stopped and recreated"),
    ("project_workspace.update: files", "a file is text, base64 or a path here"),
    ("project_workspace.update: manifest", "made from the parameters"),
    ("volume_workspace.update: files", "a file is text, base64 or a path here"),
    ("volume_workspace.update: manifest", "made from the parameters"),
    ("system_backup.list: sort", "the column is chosen here when none is given"),
];

/// The schema of each action's own tool, without descriptions.
fn digest() -> String {
    let catalog = Catalog::embedded().unwrap();
    let tools: Vec<Value> = serde_json::from_slice(catalog.listed(Surface::Individual).json).unwrap();
    let mut text = String::new();
    for (action, tool) in catalog.actions().unwrap().iter().zip(&tools) {
        writeln!(text, "{}{}", action.id, short(&tool["inputSchema"])).unwrap();
    }
    text
}

/// `{containerId!: string, tail: integer 1.. =100}`
fn short(schema: &Value) -> String {
    let required: Vec<_> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let mut text = String::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let mark = if required.contains(&name.as_str()) { "!" } else { "" };
        let comma = if text.is_empty() { "" } else { ", " };
        write!(text, "{comma}{name}{mark}: {}", kind(property)).unwrap();
    }
    format!("{{{text}}}")
}

fn kind(schema: &Value) -> String {
    let mut text = schema["type"].as_str().unwrap_or("?").to_owned();
    for (key, value) in schema.as_object().unwrap() {
        match key.as_str() {
            "type" | "description" | "required" => {}
            "items" => write!(text, " of {}", kind(value)).unwrap(),
            "properties" => text.push_str(&short(schema)),
            "additionalProperties" if value.is_object() => write!(text, " to {}", kind(value)).unwrap(),
            key => write!(text, " {key}={value}").unwrap(),
        }
    }
    text
}

#[test]
fn nothing_is_lost_from_the_schemas() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/parameters.txt");
    let text = digest();
    if std::env::var("CALLSLIP_SNAPSHOTS").is_ok_and(|mode| mode == "write") {
        std::fs::write(&file, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let changed = text.lines().zip(kept.lines()).find(|(now, then)| now != then);
    assert!(text == kept, "the parameters differ from parameters.txt; first change: {changed:#?}. If it is meant, run `make snapshots`.");
}

/// Where the facts about the API lie, when they are there.
fn facts() -> Option<Vec<Value>> {
    let folder =
        std::env::var_os("CALLSLIP_FACTS").map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/arcane"), PathBuf::from);
    let read = |name: &str| -> Option<Value> { serde_json::from_str(&std::fs::read_to_string(folder.join(name)).ok()?).ok() };
    let mut facts = read("facts.json")?.as_array()?.clone();
    facts.extend(read("facts_next.json")?["operations"].as_array()?.clone());
    Some(facts)
}

#[test]
fn schemas_hold_what_the_facts_say() {
    let Some(facts) = facts() else {
        eprintln!("skipped: the facts about the API are not here (CALLSLIP_FACTS names their folder)");
        return;
    };
    let catalog = Catalog::embedded().unwrap();
    let actions: BTreeMap<_, _> = catalog.actions().unwrap().into_iter().map(|action| (action.operation.to_string(), action)).collect();
    let mut differences = Vec::new();
    for fact in &facts {
        let operation = fact["operationId"].as_str().unwrap();
        match actions.get(operation) {
            None if NO_ACTION.iter().any(|(operations, _)| operations.contains(&operation)) => {}
            None => differences.push(format!("{operation}: no action")),
            Some(action) => compare(action, fact, &mut differences),
        }
    }
    differences.retain(|difference| !MEANT.iter().any(|(begins, _)| difference.starts_with(begins)));
    assert!(differences.is_empty(), "{} difference(s):\n{}", differences.len(), differences.join("\n"));
}

fn compare(action: &Action<'_>, fact: &Value, differences: &mut Vec<String>) {
    for param in fact["params"].as_array().into_iter().flatten().filter(|param| param["in"] != "header") {
        let name = param["name"].as_str().unwrap();
        let found = outside_the_body(action, fact, name).or_else(|| outside_the_body(action, fact, param["suggested_name"].as_str()?));
        let Some(ours) = found else {
            differences.push(format!("{}: {name} is missing", action.id));
            continue;
        };
        let defaulted = matches!(ours.fill, Fill::Option { .. });
        if param["required"] == true && !ours.required && !defaulted {
            differences.push(format!("{}: {name} is required", action.id));
        }
        let mut fact = param.clone();
        // Pages have a size of ours.
        if action.returns.paging.is_some() && ours.name == "limit" {
            fact["default"] = Value::Null;
        }
        // What happened is shown newest first, by the order sent and told here.
        if ours.name == "order" && !action.returns.order.is_empty() {
            fact["default"] = Value::Null;
        }
        same(&format!("{}: {name}", action.id), &schema(ours), &fact, differences);
    }
    let body = &fact["body"]["schema"];
    if let Some(whole) = action.params.iter().find(|param| param.place == Place::Whole) {
        return same(&format!("{}: body", action.id), &schema(whole), body, differences);
    }
    let required = names(&body["required"]);
    for (name, property) in body["properties"].as_object().into_iter().flatten() {
        let Some(ours) = action.params.iter().find(|param| param.wire == *name && in_body(param)) else {
            differences.push(format!("{}: {name} is missing", action.id));
            continue;
        };
        if required.contains(name) != (ours.required || ours.fill != Fill::Nothing) {
            differences.push(format!("{}: {name} is required: {}", action.id, required.contains(name)));
        }
        same(&format!("{}: {name}", action.id), &schema(ours), property, differences);
    }
}

fn schema(param: &Param<'_>) -> Value {
    serde_json::from_str(&param.schema).unwrap()
}

fn in_body(param: &Param<'_>) -> bool {
    !matches!(param.place, Place::Path | Place::Query | Place::Header)
}

/// By its name, its name on the wire, or its place in the path.
fn outside_the_body<'a>(action: &'a Action<'a>, fact: &Value, name: &str) -> Option<&'a Param<'a>> {
    let found = action.params.iter().find(|param| (param.wire == name || param.name == name) && !in_body(param));
    found.or_else(|| {
        let place = placeholders(fact["path"].as_str()?).iter().position(|placeholder| *placeholder == name)?;
        action.param(placeholders(&action.path).get(place)?)
    })
}

fn names(list: &Value) -> Vec<String> {
    let mut names: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    names.sort();
    names
}

fn placeholders(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}

/// What the API says must stand in our schema. Where it says nothing ours may say more.
fn same(place: &str, ours: &Value, fact: &Value, differences: &mut Vec<String>) {
    for key in KEPT {
        let (our, theirs) = (&ours[key], &fact[key]);
        if !theirs.is_null() && our != theirs {
            differences.push(format!("{place}: {key} is {our}, the API says {theirs}"));
        }
    }
    for inner in ["items", "additionalProperties"] {
        if fact[inner].is_object() {
            same(&format!("{place}.{inner}"), &ours[inner], &fact[inner], differences);
        }
    }
    let empty = Map::new();
    let theirs = fact["properties"].as_object().unwrap_or(&empty);
    if !theirs.is_empty() && names(&ours["required"]) != names(&fact["required"]) {
        differences.push(format!("{place}: required {:?}, the API says {:?}", names(&ours["required"]), names(&fact["required"])));
    }
    for (name, property) in theirs {
        match ours["properties"].get(name) {
            None => differences.push(format!("{place}.{name} is missing")),
            Some(ours) => same(&format!("{place}.{name}"), ours, property, differences),
        }
    }
}
