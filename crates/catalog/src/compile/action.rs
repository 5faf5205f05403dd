//! One `catalog/<domain>.toml` → its domain and actions. Rules that need only one action are checked here, the rest in [`super::check`].

use super::api::Root;
use super::param;
use super::reader::{Placed, Table};
use crate::model::{
    Action, Auth, BodyType, Condition, Domain, Field, Fill, Kind, Method, Param, Place, Returns, Shape, Since, Text,
};
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

const KEYS: [&str; 23] = [
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
    for (key, table) in root.named_tables(|key| format!("action `{name}.{key}`")) {
        actions.push(action(name, &key.text, table, api));
    }
    root.finish(&["title", "toolset"]);
    let toolset = u16::try_from(toolset.unwrap_or_default()).unwrap_or_default();
    (Domain { name: name.to_owned().into(), title, toolset, first: 0, count: 0 }, actions)
}

fn action<'r>(domain: &str, name: &str, table: Table<'r>, api: &Root) -> Stated<'r> {
    let text = |key: &str| -> Text<'static> { table.text(key).map(|placed| placed.text).unwrap_or_default().into() };
    let (method, path) = request(&table);
    let kind = table.need_choice("kind", &Kind::NAMES, "say read, write, paid or destructive; it has no default");
    let idempotent = table.need_flag("idempotent", "say whether the same call twice leaves the same state; it has no default");
    let returns = returns(&table, domain, api);
    let params = params(&table, &path, returns.paging, api);
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
            &[
                ("json", BodyType::Json),
                ("form", BodyType::Form),
                ("multipart", BodyType::Multipart),
                ("bytes", BodyType::Bytes),
            ],
        )
        .unwrap_or(BodyType::Json);
    if !params.iter().any(|param| !matches!(param.place, Place::Path | Place::Query | Place::Header)) {
        if table.has("body_type") && body != BodyType::Json {
            table.problem_at(table.place("body_type"), "`body_type` is given, but there is no [body]");
        }
        body = BodyType::None;
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
fn qualified(domain: &str, name: &str) -> Text<'static> {
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

fn params(table: &Table<'_>, path: &str, paging: Option<u16>, api: &Root) -> Vec<Param<'static>> {
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
    let paging = paging.and_then(|number| api.paging_params.get(usize::from(number)));
    for param in paging.into_iter().flatten() {
        if !params.iter().any(|(known, _)| known.name == param.name) {
            params.push((param.clone(), table.at));
        }
    }
    let mut names = std::collections::BTreeSet::new();
    for (param, at) in &params {
        if !names.insert(param.name.clone()) {
            table.problem_at(*at, format!("parameter `{}` is stated twice, in [params] and in [body]; rename one and give its `wire` name", param.name));
        }
    }
    let mut params: Vec<_> = params.into_iter().map(|(param, _)| param).collect();
    params.sort_by_key(|param| (param.shared, !param.required));
    params
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

fn returns(table: &Table<'_>, domain: &str, api: &Root) -> Returns<'static> {
    let mut returns = Returns {
        shape: Shape::Object,
        fields: Vec::new(),
        columns: Vec::new(),
        item: Text::default(),
        items: Text::default(),
        paging: None,
        sort: Text::default(),
        bare: false,
        content_type: Text::default(),
    };
    let Some(inner) = table.table("returns", format!("`returns` of {}", table.what())) else {
        table.problem(format!("{} has no `returns`; state the shape of its result", table.what()));
        return returns;
    };
    let text = |key: &str| inner.text(key).map(|placed| placed.text).unwrap_or_default();
    returns.shape = inner.need_choice("kind", &Shape::NAMES, "say what shape the result has").unwrap_or(Shape::Object);
    returns.fields = fields(&inner);
    returns.columns = inner.texts("columns").into_iter().map(|column| column.text.into()).collect();
    returns.item = qualified(domain, &text("item"));
    returns.items = text("items").into();
    returns.sort = text("sort").into();
    returns.bare = inner.flag("bare").unwrap_or_default();
    returns.content_type = text("type").into();
    if let Some(style) = inner.text("paging") {
        let number = api.api.paging.iter().position(|paging| paging.name == style.text);
        if number.is_none() {
            inner.problem_at(style.at, format!("paging style {:?} is not in catalog.toml", style.text));
        }
        returns.paging = number.and_then(|number| u16::try_from(number).ok());
    }
    inner.finish(&["kind", "fields", "columns", "item", "items", "paging", "sort", "bare", "type"]);
    for column in &returns.columns {
        if !returns.fields.iter().any(|field| field.name == *column) {
            inner.problem(format!("column `{column}` is not among the fields of {}", table.what()));
        }
    }
    if returns.shape == Shape::List && returns.columns.is_empty() && !returns.fields.is_empty() {
        inner.problem(format!("{} is a list without `columns`; name the fields that identify an item", table.what()));
    }
    returns
}

fn fields(returns: &Table<'_>) -> Vec<Field<'static>> {
    const KINDS: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "any"];
    let Some(table) = returns.table("fields", "fields") else { return Vec::new() };
    let mut fields = Vec::new();
    for (name, kind) in table.values() {
        let kind = kind.as_str().unwrap_or_default().to_owned();
        if !KINDS.contains(&kind.as_str()) {
            table.problem_at(name.at, format!("field `{}` has no known type; choose one of {}", name.text, KINDS.join(", ")));
        }
        fields.push(Field { name: name.text.into(), kind: kind.into() });
    }
    fields
}

/// Whether a value is sent even when the caller gives none.
pub fn is_filled(param: &Param<'_>) -> bool {
    param.fill != Fill::Nothing
}
