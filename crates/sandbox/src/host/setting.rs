//! Settings: texts whatever they mean, secret ones of which read back as a row of crosses.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::World;
use crate::{
    call::Call,
    operation::{operation, resolve},
    reply::Reply,
    shape::ShapeKind,
};

/// What stands in the place of a secret.
const MASK: &str = "XXXXXXXXXX";
/// Settings that a server gives to everybody.
const PUBLIC: [&str; 4] = ["authLocalEnabled", "enableGravatar", "oidcEnabled", "oidcProviderName"];

/// All settings with the values they have before anybody changes them.
pub(super) fn defaults() -> BTreeMap<String, String> {
    let body = operation("update-settings").and_then(|update| update.body.as_ref());
    let Some(ShapeKind::Object(fields)) = body.map(|body| &resolve(&body.shape).kind) else {
        return BTreeMap::new();
    };
    fields.fields.iter().map(|field| (field.name.clone(), default(&field.name))).collect()
}

fn default(name: &str) -> String {
    let lower = name.to_lowercase();
    let ends = |words: &[&str]| words.iter().any(|word| lower.ends_with(word));
    let text = if secret(name) {
        "kept-secret"
    } else if ends(&["enabled", "autoupdate", "mergeaccounts", "gravatar", "autoinjectenv"]) {
        "true"
    } else if ends(&["interval"]) {
        "0 0 */6 * * *"
    } else if ends(&["timeout", "window", "days", "files", "activities", "mb", "size", "entries", "restarts", "sec"]) {
        "60"
    } else if ends(&["directory"]) {
        "/app/data/projects"
    } else if ends(&["prunevolumemode"]) {
        "none"
    } else if ends(&["mode"]) {
        "dangling"
    } else {
        ""
    };
    text.to_owned()
}

fn secret(name: &str) -> bool {
    ["Secret", "Token", "Password"].iter().any(|word| name.ends_with(word))
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "get-settings" => Some(Reply::json(200, &rows(world, |_| true))),
        "get-public-settings" => Some(Reply::json(200, &rows(world, |name| PUBLIC.contains(&name)))),
        "update-settings" => {
            for (name, value) in call.body.as_object().into_iter().flatten() {
                if let Some(text) = value.as_str() {
                    world.settings.insert(name.clone(), text.to_owned());
                }
            }
            world.tick();
            let mut changed = rows(world, |_| true);
            for row in changed.as_array_mut().into_iter().flatten() {
                row["isPublic"] = json!(row["key"].as_str().is_some_and(|name| PUBLIC.contains(&name)));
            }
            Some(Reply::data(&changed))
        }
        _ => None,
    }
}

fn rows(world: &World, wanted: impl Fn(&str) -> bool) -> Value {
    let settings = world.settings.iter().filter(|(name, _)| wanted(name));
    let rows = settings.map(|(name, value)| {
        let kind = if value == "true" || value == "false" { "boolean" } else { "string" };
        let shown = if secret(name) && !value.is_empty() { MASK } else { value };
        json!({ "key": name, "type": kind, "value": shown })
    });
    rows.collect()
}
