//! The rules over all actions together, and those that tie an action to its surfaces.

use super::action::{Stated, is_filled};
use super::api::Root;
use super::reader::nearest;
use crate::lexicon::{CommandTarget, Lexicon};
use crate::model::{Action, BodyType, Domain, Method, Param, Place, RESERVED, Shape, ValueType};
use crate::names;
use crate::schema::input_schema;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Longest tool name that every client takes with its own prefix (see the surfaces' rules in `ARCHITECTURE.md`).
const LONGEST_NAME: usize = 46;
/// Longest description of one action's tool.
const LONGEST_DESCRIPTION: usize = 1_000;

/// Checks every rule; problems go where each action's table sends them.
pub fn run(root: &Root, domains: &[Domain<'static>], stated: &[Stated<'_>], catalog: &super::reader::Table<'_>) {
    commands(root, stated, catalog);
    unique(stated);
    related(stated);
    for (number, toolset) in root.api.toolsets.iter().enumerate() {
        if !domains.iter().any(|domain| usize::from(domain.toolset) == number) {
            let at = root.toolset_places.get(number).map_or(0, |placed| placed.at);
            catalog.problem_at(at, format!("toolset `{}` has no domain; name it in a domain file or remove it", toolset.name));
        }
    }
    let mut tools: BTreeMap<String, String> = BTreeMap::new();
    for one in stated {
        action(one);
        for name in names::accepted(&root.api.name, &one.action) {
            let owner = tools.entry(name.clone()).or_insert_with(|| one.action.id.to_string());
            if *owner != one.action.id {
                one.table.problem(format!("`{}` is also called `{name}`, as `{owner}` is; rename one", one.action.id));
            }
        }
        legal_name(one, &one.action.tool_name(&root.api.name));
        legal_name(one, &format!("{}_{}", root.api.name, one.action.domain_name()));
    }
}

/// Command lines lead to actions that exist, or to absent entries that do.
fn commands(root: &Root, stated: &[Stated<'_>], catalog: &super::reader::Table<'_>) {
    let at = catalog.place("search");
    for (line, target) in &root.search.commands {
        if let CommandTarget::Action(id) = target
            && !stated.iter().any(|one| one.action.id == *id)
        {
            let hint =
                nearest(id, stated.iter().map(|one| &*one.action.id)).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            catalog.problem_at(at, format!("command {line:?} leads to `{id}`, which does not exist{hint}"));
        }
    }
    for line in root.search.teach(&root.api.absent, &mut Lexicon::general()) {
        catalog.problem_at(at, format!("command {line:?} names an absent entry that no [[absent]] asks for"));
    }
}

fn legal_name(one: &Stated<'_>, name: &str) {
    let legal = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if !legal {
        one.table.problem(format!("tool name `{name}` is not legal; use lower-case letters, digits and _"));
    }
    if name.len() > LONGEST_NAME {
        one.table.problem(format!("tool name `{name}` has {} characters; clients take {LONGEST_NAME}, shorten it", name.len()));
    }
}

/// Ids are unique by construction of TOML; operations, requests and aliases are not.
fn unique(stated: &[Stated<'_>]) {
    let mut operations: BTreeMap<&str, &str> = BTreeMap::new();
    let mut requests: BTreeMap<String, &str> = BTreeMap::new();
    let mut aliases: BTreeMap<String, &str> = BTreeMap::new();
    for one in stated {
        let (action, table) = (&one.action, &one.table);
        if !action.operation.is_empty() {
            let owner = operations.entry(&action.operation).or_insert(&action.id);
            if *owner != action.id {
                table.problem_at(table.place("operation"), format!("operation `{}` belongs to `{owner}` already", action.operation));
            }
        }
        let shape = format!("{} {}", action.method.name(), without_names(&action.path));
        let owner = requests.entry(shape).or_insert(&action.id);
        if *owner != action.id {
            table.problem_at(table.place("request"), format!("`{owner}` already makes this request"));
        }
        for alias in &one.aliases {
            let owner = aliases.entry(alias.text.to_lowercase()).or_insert(&action.id);
            if *owner != action.id {
                table.problem_at(alias.at, format!("alias {:?} belongs to `{owner}` already; an alias names one action", alias.text));
            } else if one.aliases.iter().filter(|other| other.text.to_lowercase() == alias.text.to_lowercase()).count() > 1 {
                table.problem_at(alias.at, format!("alias {:?} stands twice", alias.text));
            }
        }
    }
}

/// Two paths that differ in placeholder names only are the same request.
fn without_names(path: &str) -> String {
    let mut inside = false;
    path.chars()
        .filter(|character| {
            let keep = !inside || *character == '}';
            inside = (inside || *character == '{') && *character != '}';
            keep
        })
        .collect()
}

fn related(stated: &[Stated<'_>]) {
    let ids: BTreeSet<&str> = stated.iter().map(|one| &*one.action.id).collect();
    let known = |id: &str| ids.contains(id);
    for one in stated {
        for (id, written) in one.action.related.iter().zip(&one.related) {
            if !known(id) {
                let hint = nearest(id, ids.iter().copied()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                one.table.problem_at(written.at, format!("related action {:?} does not exist{hint}", written.text));
            } else if *id == one.action.id {
                one.table.problem_at(written.at, "an action is not related to itself; remove it");
            }
        }
        let item = &one.action.returns.item;
        if !item.is_empty() && !known(item) {
            one.table.problem(format!("`item` of {} names `{item}`, which does not exist", one.table.what()));
        }
    }
}

fn action(one: &Stated<'_>) {
    let (action, table) = (&one.action, &one.table);
    let whole = action.params.iter().filter(|param| param.place == Place::Whole).count();
    let body = action.params.iter().filter(|param| param.place == Place::Body).count();
    if whole > 1 || (whole == 1 && body > 0) {
        table.problem(format!("{} has a `whole` body parameter beside others; only one value can be the body", table.what()));
    }
    // On a socket the body parameters are what is written to it.
    let bodyless = matches!(action.method, Method::Get | Method::Head) && action.returns.shape != Shape::Socket;
    if bodyless && action.body != BodyType::None {
        table.problem(format!("{} has a body, but {} requests carry none", table.what(), action.method.name()));
    }
    let length = action.description.chars().count() + action.usage.chars().count() + 1;
    if length > LONGEST_DESCRIPTION {
        table.problem(format!("description and usage of {} have {length} characters; {LONGEST_DESCRIPTION} are the most", table.what()));
    }
    if action.returns.shape == Shape::Binary && action.returns.content_type.is_empty() {
        table.problem(format!("{} answers with bytes; give their content type as `returns.type`", table.what()));
    }
    for param in &action.params {
        parameter(one, param);
    }
    for condition in &action.destructive_when {
        let Some(param) = action.param(&condition.param) else {
            table.problem_at(
                table.place("destructive_when"),
                format!("destructive_when names `{}`, which is not a parameter", condition.param),
            );
            continue;
        };
        if let Some(wrong) = condition.values.iter().find(|value| !fits(param.kind, value)) {
            table.problem_at(
                table.place("destructive_when"),
                format!("destructive_when: {wrong} is not a {} as `{}` is", param.kind.name(), param.name),
            );
        }
    }
    schema(one, action);
}

fn fits(kind: ValueType, value: &str) -> bool {
    match kind {
        ValueType::Boolean => matches!(value, "true" | "false"),
        ValueType::String => value.starts_with('"'),
        ValueType::Integer | ValueType::Number => value.parse::<f64>().is_ok(),
        ValueType::Object | ValueType::Array => false,
    }
}

fn parameter(one: &Stated<'_>, param: &Param<'static>) {
    let table = &one.table;
    let name = &param.name;
    if RESERVED.contains(&&**name) {
        table.problem(format!("parameter `{name}` of {} is a reserved word; rename it and give its `wire` name", table.what()));
    }
    let legal = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte)) && name.len() <= 64;
    if name.is_empty() || !legal {
        table.problem(format!("parameter name {name:?} is not legal; use letters, digits, `_`, `.` and `-`, at most 64"));
    }
    let schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
    if param.kind == ValueType::Array && schema.get("items").is_none() {
        table.problem(format!("array parameter `{name}` of {} has no `items`", table.what()));
    }
    if param.place == Place::Path && !matches!(param.kind, ValueType::String | ValueType::Integer) {
        table.problem(format!("path parameter `{name}` of {} must be a string or an integer", table.what()));
    }
    if param.required && is_filled(param) {
        table.problem(format!("parameter `{name}` of {} is required and has a `fill`; it needs only one", table.what()));
    }
    nested_types(one, name, &schema);
}

/// Clients refuse type lists, arrays without items and untyped values; nested schemas obey the same rules as parameters.
fn nested_types(one: &Stated<'_>, path: &str, schema: &Value) {
    let Some(map) = schema.as_object() else { return };
    let known = map.get("type").and_then(Value::as_str).is_some_and(|kind| ValueType::NAMES.iter().any(|(name, _)| *name == kind));
    if !known {
        one.table.problem(format!("`{path}` of {} needs one scalar `type`", one.table.what()));
    }
    if map.get("type").is_some_and(|kind| kind == "array") && !map.contains_key("items") {
        one.table.problem(format!("array `{path}` of {} has no `items`", one.table.what()));
    }
    for (key, inner) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
        nested_types(one, &format!("{path}.{key}"), inner);
    }
    for key in ["items", "additionalProperties"] {
        if let Some(inner @ Value::Object(_)) = map.get(key) {
            nested_types(one, &format!("{path}.{key}"), inner);
        }
    }
}

fn schema(one: &Stated<'_>, action: &Action<'static>) {
    let text = input_schema(action, false);
    let schema: Value = serde_json::from_str(&text).unwrap_or_default();
    if let Err(problem) = jsonschema::draft202012::meta::validate(&schema) {
        one.table.problem(format!(
            "the parameters of {} are not valid JSON Schema 2020-12: {problem} at {}",
            one.table.what(),
            problem.instance_path()
        ));
        return;
    }
    for param in &action.params {
        let schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
        let Some(default) = schema.get("default") else { continue };
        let fits = jsonschema::validator_for(&schema).is_ok_and(|validator| validator.is_valid(default));
        if !fits {
            one.table.problem(format!("the default of `{}` of {} does not fit its own schema", param.name, one.table.what()));
        }
    }
}
