//! One `catalog/<domain>.toml` → its domain and actions. Rules that need only one action are checked here, the rest in [`super::check`].

use super::api::Root;
use super::param;
use super::reader::{Placed, Table};
use super::returns;
use crate::model::{Action, Auth, BodyType, Condition, Domain, Fill, Kind, Method, Param, Place, Returns, Since, Text};
use serde_json::Value;

/// An action with the places its checks point at.
pub struct Stated<'r> {
    /// The action.
    pub action: Action<'static>,
    /// Its table, for problems.
    pub table: Table<'r>,
    /// Places of the aliases.
    pub aliases: Vec<Placed>,
    /// Places of the related ids as written.
    pub related: Vec<Placed>,
}

const KEYS: [&str; 24] = [
    "title",
    "description",
    "usage",
    "kind",
    "idempotent",
    "destructive_when",
    "request",
    "operation",
    "permission",
    "admin",
    "auth",
    "since",
    "edge",
    "secrets",
    "activity",
    "deadline",
    "default",
    "aliases",
    "words",
    "related",
    "body_type",
    "returns",
    "params",
    "body",
];

/// Reads a domain file. `name` is its file name without the ending.
pub fn read<'r>(root: &Table<'r>, name: &str, api: &Root) -> (Domain<'static>, Vec<Stated<'r>>) {
    let title = root.need_text("title", "give the domain a name for people").into();
    let wanted = root.need_text("toolset", "name the toolset it belongs to");
    let toolset = api.api.toolsets.iter().position(|toolset| toolset.name == wanted);
    if toolset.is_none() && !wanted.is_empty() {
        let known: Vec<_> = api.api.toolsets.iter().map(|toolset| &*toolset.name).collect();
        root.problem_at(root.place("toolset"), format!("toolset {wanted:?} is not in catalog.toml; known are {}", known.join(", ")));
    }
    let mut actions = Vec::new();
    let left_out = toolset.and_then(|number| api.api.toolsets.get(number)).is_some_and(|toolset| !toolset.default);
    for (key, table) in root.named_tables(|key| format!("action `{name}.{key}`")) {
        actions.push(action(name, &key.text, table, left_out, api));
    }
    root.finish(&["title", "toolset"]);
    let toolset = u16::try_from(toolset.unwrap_or_default()).unwrap_or_default();
    (Domain { name: name.to_owned().into(), title, toolset, first: 0, count: 0 }, actions)
}

fn action<'r>(domain: &str, name: &str, table: Table<'r>, left_out: bool, api: &Root) -> Stated<'r> {
    let text = |key: &str| -> Text<'static> { table.text(key).map(|placed| placed.text).unwrap_or_default().into() };
    let (method, path) = request(&table);
    let kind = table.need_choice("kind", &Kind::NAMES, "say read, write, paid or destructive; it has no default");
    let idempotent = table.need_flag("idempotent", "say whether the same call twice leaves the same state; it has no default");
    let returns = returns::read(&table, domain, api);
    let params = params(&table, &path, &returns, api);
    let aliases = table.texts("aliases");
    let related = table.texts("related");
    let secrets = table.texts("secrets");
    for word in &secrets {
        if !["params", "result"].contains(&word.text.as_str()) {
            table.problem_at(word.at, "`secrets` lists \"params\", \"result\" or both");
        }
    }
    let mut body = table
        .choice(
            "body_type",
            &[("json", BodyType::Json), ("form", BodyType::Form), ("multipart", BodyType::Multipart), ("bytes", BodyType::Bytes)],
        )
        .unwrap_or(BodyType::Json);
    // A body is sent because [body] stands there, also when it holds nothing: some APIs refuse a request without `{}`.
    let filled = params.iter().any(|param| !matches!(param.place, Place::Path | Place::Query | Place::Header));
    if !filled && (body != BodyType::Json || !table.has("body")) {
        if body != BodyType::Json {
            table.problem_at(table.place("body_type"), "`body_type` is given, but there is no [body]");
        }
        body = BodyType::None;
    }
    let exception = table.flag("default");
    if exception.is_some() && !(left_out && exception == Some(true)) {
        let why = if left_out { "its toolset is left out already" } else { "its toolset is offered anyway" };
        table.problem_at(table.place("default"), format!("`default` of {} says nothing: {why}; remove it", table.what()));
    }
    let action = Action {
        id: format!("{domain}.{name}").into(),
        domain: 0,
        title: table.need_text("title", "give it two to five words, the verb first").into(),
        description: table.need_text("description", "say in a sentence what it does, to what").into(),
        usage: text("usage"),
        kind: kind.unwrap_or(Kind::Destructive),
        idempotent,
        destructive_when: destructive_when(&table),
        method,
        path: path.into(),
        operation: table.need_text("operation", "give the operationId of the API's document").into(),
        permission: text("permission"),
        admin: table.flag("admin").unwrap_or_default(),
        auth: table
            .choice("auth", &[("any", Auth::Any), ("session", Auth::Session), ("key", Auth::Key), ("none", Auth::None)])
            .unwrap_or(Auth::Any),
        since: since(&table),
        edge: table.flag("edge").unwrap_or(true),
        secret_params: secrets.iter().any(|word| word.text == "params"),
        secret_result: secrets.iter().any(|word| word.text == "result"),
        activity: table.flag("activity").unwrap_or_default(),
        left_out: left_out && exception.is_none(),
        deadline: table.number("deadline").and_then(|seconds| u32::try_from(seconds).ok()).unwrap_or_default(),
        aliases: aliases.iter().map(|placed| placed.text.clone().into()).collect(),
        words: table.texts("words").into_iter().map(|placed| placed.text.into()).collect(),
        related: related.iter().map(|placed| qualified(domain, &placed.text)).collect(),
        body,
        params,
        returns,
    };
    table.finish(&KEYS);
    Stated { action, table, aliases, related }
}

/// An action named in its own domain stands without the domain.
pub fn qualified(domain: &str, name: &str) -> Text<'static> {
    if name.is_empty() || name.contains('.') { name.to_owned().into() } else { format!("{domain}.{name}").into() }
}

fn request(table: &Table<'_>) -> (Method, String) {
    let request = table.need_text("request", "write method and path, such as \"GET /things/{thingId}\"");
    let (method, path) = request.split_once(' ').unwrap_or((&request, ""));
    let known = Method::NAMES.iter().find(|(name, _)| *name == method).map(|(_, method)| *method);
    if !request.is_empty() && (known.is_none() || !path.starts_with('/')) {
        table.problem_at(table.place("request"), format!("request {request:?} is not a method and a path beginning with /"));
    }
    (known.unwrap_or(Method::Get), path.to_owned())
}

/// The names between braces in a path.
pub fn placeholders(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

fn params(table: &Table<'_>, path: &str, returns: &Returns<'static>, api: &Root) -> Vec<Param<'static>> {
    let mut params: Vec<(Param<'static>, usize)> = Vec::new();
    for (key, place) in [("params", &Place::Query), ("body", &Place::Body)] {
        if let Some(inner) = table.table(key, format!("[{key}] of {}", table.what())) {
            params.extend(param::read_all(&inner, place));
        }
    }
    for (param, at) in &mut params {
        if placeholders(path).any(|name| name == param.name) {
            if param.place != Place::Query {
                table.problem_at(*at, format!("`{}` is a placeholder of the path; state it in [params]", param.name));
            }
            param.place = Place::Path;
            param.required = true;
        }
    }
    for name in placeholders(path) {
        if params.iter().any(|(param, _)| param.name == name) {
            continue;
        }
        match api.shared.iter().find(|param| param.name == name) {
            Some(param) => params.push((param.clone(), table.at)),
            None => table.problem(format!("the path of {} holds {{{name}}}, but no parameter states it; add it to [params]", table.what())),
        }
    }
    let paging = returns.paging.and_then(|number| api.paging_params.get(usize::from(number)));
    for param in paging.into_iter().flatten() {
        if !params.iter().any(|(known, _)| known.name == param.name) {
            params.push((param.clone(), table.at));
        }
    }
    ordered(table, returns, &mut params);
    let mut names = std::collections::BTreeSet::new();
    for (param, at) in &params {
        if !names.insert(param.name.clone()) {
            table.problem_at(
                *at,
                format!("parameter `{}` is stated twice, in [params] and in [body]; rename one and give its `wire` name", param.name),
            );
        }
    }
    let mut params: Vec<_> = params.into_iter().map(|(param, _)| param).collect();
    params.sort_by_key(|param| (param.shared, !param.required));
    params
}

/// A list that states its `order` tells it as the default of that parameter, so that a caller sees what comes when it says nothing.
fn ordered(table: &Table<'_>, returns: &Returns<'static>, params: &mut [(Param<'static>, usize)]) {
    if returns.order.is_empty() {
        return;
    }
    let Some((param, _)) = params.iter_mut().find(|(param, _)| param.name == "order") else {
        table.problem(format!("{} states `returns.order`, but has no parameter `order`", table.what()));
        return;
    };
    let mut schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("default".into(), Value::from(&*returns.order));
    }
    param.schema = schema.to_string().into();
}

fn destructive_when(table: &Table<'_>) -> Vec<Condition<'static>> {
    let Some(inner) = table.table("destructive_when", "destructive_when") else { return Vec::new() };
    inner
        .values()
        .into_iter()
        .map(|(param, value)| {
            let values = match value {
                Value::Array(values) => values,
                value => vec![value],
            };
            Condition { param: param.text.into(), values: values.iter().map(|value| value.to_string().into()).collect() }
        })
        .collect()
}

fn since(table: &Table<'_>) -> Since<'static> {
    match table.value("since") {
        None => Since::Unknown,
        Some(Value::String(version)) => Since::In(version.into()),
        Some(value) => match (value["after"].as_str(), value["by"].as_str()) {
            (Some(version), None) => Since::After(version.to_owned().into()),
            (None, Some(version)) => Since::By(version.to_owned().into()),
            _ => {
                table.problem_at(table.place("since"), "`since` is a version, { after = \"version\" } or { by = \"version\" }");
                Since::Unknown
            }
        },
    }
}

/// Whether a value is sent even when the caller gives none.
pub fn is_filled(param: &Param<'_>) -> bool {
    param.fill != Fill::Nothing
}
