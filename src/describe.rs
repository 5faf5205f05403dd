//! One action whole: for `describe`, `callslip show` and the resource `<name>://tools/{id}`.

use crate::app::App;
use crate::error::Failure;
use crate::guides::Guide;
use crate::outcome::Outcome;
use crate::{lookup, page, policy, render, resources};
use callslip_catalog::model::{Action, Auth, Kind, Shape, Since};
use callslip_catalog::schema::input_schema;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// The answer to a request for one action.
pub fn answer(app: &App, name: &str) -> Outcome {
    if let Some(guide) = app.catalog.guides().get(name).filter(|_| app.catalog.number(name).is_none()) {
        return guide_answer(app, guide);
    }
    match whole(app, name) {
        Ok((action, structured)) => Outcome { text: text(app, &action), structured: structured.into(), is_error: false },
        Err(failure) => render::failure(&failure),
    }
}

/// A guide as an answer: the same text in both channels.
pub fn guide_answer(app: &App, guide: &Guide) -> Outcome {
    let text = resources::read_guide(app, guide);
    let structured = json!({ "guide": guide.name, "title": guide.title, "description": guide.description, "text": text });
    Outcome { structured: structured.into(), text, is_error: false }
}

/// The action of that name and all that is known of it.
pub fn whole(app: &App, name: &str) -> Result<(Action<'static>, Value), Failure> {
    let (number, action) = lookup::action(app, name)?;
    policy::allow(app, number, &action)?;
    let value = value(app, &action);
    Ok((action, value))
}

/// All that is known of an action.
pub fn value(app: &App, action: &Action<'_>) -> Value {
    let api = app.api();
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let required: Vec<_> = action.params.iter().filter(|param| param.required).map(|param| &*param.name).collect();
    let mut value = Map::new();
    let mut put = |key: &str, entry: Value| {
        if !matches!(&entry, Value::Null) && entry != "" {
            value.insert(key.to_owned(), entry);
        }
    };
    put("id", (&*action.id).into());
    put("tool", action.tool_name(&api.name).into());
    put("title", (&*action.title).into());
    put("description", (&*action.description).into());
    put("usage", (&*action.usage).into());
    put("kind", action.kind.name().into());
    put("mutating", (action.kind != Kind::Read).into());
    put("destructive", action.may_destroy().into());
    put("idempotent", action.idempotent.into());
    if !action.destructive_when.is_empty() {
        let when: Map<String, Value> = action
            .destructive_when
            .iter()
            .map(|condition| (condition.param.to_string(), condition.values.iter().map(|value| parse(value)).collect()))
            .collect();
        put("destructiveWhen", when.into());
    }
    put("method", action.method.name().into());
    put("path", format!("{}{}", api.base_path, action.path).into());
    put("operationId", (&*action.operation).into());
    put("permission", (&*action.permission).into());
    put("credential", credential(action.auth).into());
    put("since", since(&action.since).into());
    put("required", required.into());
    put("inputSchema", parse(&input_schema(action, true)));
    // Words of ours for a list that the API gives whole: no parameter of the action, but taken.
    let own = page::own_params(action);
    if !own.is_empty() {
        put("paging", own.into());
    }
    put("outputSchema", output_schema(action));
    put("related", action.related.iter().filter(|id| app.offers(id)).map(|id| Value::from(&**id)).collect());
    value.into()
}

fn credential(auth: Auth) -> &'static str {
    match auth {
        Auth::Any => "",
        Auth::Session => "session token only",
        Auth::Key => "API key only",
        Auth::None => "none needed",
    }
}

/// First version that has an action, in words: no more than is known.
pub fn since(since: &Since<'_>) -> String {
    match since {
        Since::Unknown => String::new(),
        Since::In(version) => version.to_string(),
        Since::After(version) => format!("newer than {version}"),
        Since::By(version) => format!("at the latest since {version}"),
    }
}

/// The shape of `structuredContent`.
fn output_schema(action: &Action<'_>) -> Value {
    let fields = || -> Value {
        let fields = action.returns.fields.iter().map(|field| {
            let schema = match &*field.kind {
                "any" => json!({}),
                "array" => json!({ "type": "array", "items": {} }),
                kind => json!({ "type": kind }),
            };
            (field.name.to_string(), schema)
        });
        fields.collect::<Map<_, _>>().into()
    };
    match action.returns.shape {
        Shape::List => json!({ "type": "object", "properties": {
            "items": { "type": "array", "items": { "type": "object", "properties": fields() } }, "paging": { "type": "object" } }, "required": ["items"] }),
        Shape::Object => json!({ "type": "object", "properties": fields() }),
        Shape::Text => json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] }),
        Shape::Binary => json!({ "type": "object", "properties": {
            "size": { "type": "integer" }, "type": { "type": "string" }, "base64": { "type": "string" }, "path": { "type": "string" } }, "required": ["size", "type"] }),
        Shape::Stream | Shape::Socket => json!({ "type": "object", "properties": {
            "outcome": { "type": "string" }, "activityId": { "type": "string" }, "log": { "type": "string" } }, "required": ["outcome"] }),
        Shape::Empty => json!({ "type": "object", "properties": { "done": { "type": "boolean" } }, "required": ["done"] }),
    }
}

fn text(app: &App, action: &Action<'_>) -> String {
    let mut text = format!("**{}**: {}. {}", action.id, action.title, action.description);
    if !action.usage.is_empty() {
        let _ = write!(text, " {}", action.usage);
    }
    let kind = if action.may_destroy() && action.kind != Kind::Destructive { "destructive for some values" } else { action.kind.name() };
    let _ = write!(text, "\n\n- kind: {kind}{}", if action.idempotent { ", idempotent" } else { "" });
    let _ = write!(text, "\n- request: {} {}{}", action.method.name(), app.api().base_path, action.path);
    for (label, value) in [
        ("permission", action.permission.to_string()),
        ("credential", credential(action.auth).to_owned()),
        ("since", since(&action.since)),
        ("related", action.related.iter().filter(|id| app.offers(id)).map(|id| &**id).collect::<Vec<_>>().join(", ")),
        ("also takes", page::own_params(action).join("; ")),
    ] {
        if !value.is_empty() {
            let _ = write!(text, "\n- {label}: {value}");
        }
    }
    let _ = write!(text, "\n- result: {}", action.returns.shape.name());
    let _ = write!(text, "\n\nschema: {}", input_schema(action, true));
    text
}
