//! What the server says of its own version: the one that a test chose.

use serde_json::{Value, json};

use crate::{call::Call, example::Example, reply::Reply};

pub(super) fn answer(call: &Call) -> Option<Reply> {
    if !matches!(call.operation.id.as_str(), "getAppVersion" | "getVersion" | "getEnvironmentVersion" | "check-upgrade") {
        return None;
    }
    let shape = call.operation.response.as_ref()?;
    let mut value = Example { operation: call.operation, row: 0 }.value(shape, "");
    if value.get("data").is_some() {
        value["success"] = json!(true);
        fill(&mut value["data"], call);
    } else {
        fill(&mut value, call);
    }
    Some(Reply::json(200, &value))
}

fn fill(value: &mut Value, call: &Call) {
    let have = call.switches.version.as_str();
    let current = if call.operation.id == "getVersion" { call.query("current").unwrap_or(have) } else { have };
    let newest = "2.14.0";
    let facts = json!({
        "currentVersion": current, "displayVersion": current, "currentTag": current, "newestVersion": newest,
        "updateAvailable": current.trim_start_matches('v') != newest, "isSemverVersion": true,
        "goVersion": "go1.25.0", "nodeVersion": "v24.6.0", "svelteKitVersion": "2.37.0",
        "releaseUrl": format!("https://arcane.example.org/releases/v{newest}"), "releaseNotes": ""
    });
    for (name, fact) in facts.as_object().into_iter().flatten() {
        if let Some(known) = value.get_mut(name) {
            *known = fact.clone();
        }
    }
}
