//! Every action of the catalog, called once with what it requires, against a sandbox that was written from the API's facts and not from
//! the catalog: the request that arrives must be the one the facts ask for.

use crate::support::{Session, Upstream};
use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Place};
use callslip_sandbox::{Sample, operation};
use serde_json::{Map, Value, json};

/// Parts of the four multipart bodies, in our own parameter names.
fn multipart(action: &Action<'_>) -> Map<String, Value> {
    let given = match &*action.id {
        "project.create" => json!({ "name": "blog", "composeContent": "services:\n  blog:\n    image: ghost:5\n" }),
        "profile.upload_avatar" => json!({ "file": "cG5n" }),
        "project_workspace.update" | "volume_workspace.update" => json!({
            "fileTreeRevision": "1",
            "fileChanges": [{ "operation": "create_file", "relativePath": "new.txt", "uploadIndex": 0 }],
            "files": [{ "content": "aGVsbG8=" }]
        }),
        other => panic!("{other} has a multipart body this test does not know"),
    };
    given.as_object().cloned().unwrap_or_default()
}

fn placeholders(path: &str) -> impl Iterator<Item = &str> {
    path.split('{').skip(1).filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
}

/// The sample in the words of the catalog.
pub fn arguments(action: &Action<'_>, sample: &Sample) -> Map<String, Value> {
    let mut given = Map::new();
    for (name, (_, value)) in placeholders(&action.path).zip(&sample.values) {
        if action.param(name).is_some_and(|param| param.required) {
            given.insert(name.to_owned(), value.as_str().into());
        }
    }
    for (wire, value) in &sample.query {
        let param = action.params.iter().find(|param| param.wire == *wire && param.place == Place::Query);
        given.insert(param.unwrap_or_else(|| panic!("{}: query {wire}", action.id)).name.to_string(), value.as_str().into());
    }
    let kind = sample.content_type.as_deref().unwrap_or_default();
    if kind.starts_with("multipart/") {
        given.extend(multipart(action));
    } else if kind == "application/octet-stream" {
        let whole = action.params.iter().find(|param| param.place == Place::Whole).expect("a whole body");
        given.insert(whole.name.to_string(), "Y2h1bms=".into());
    } else if let Some(whole) = action.params.iter().find(|param| param.place == Place::Whole) {
        given.extend(sample.json.clone().map(|json| (whole.name.to_string(), json)));
    } else {
        for (wire, value) in body(sample) {
            let param = action.params.iter().find(|param| param.wire == wire && param.place == Place::Body);
            let param = param.unwrap_or_else(|| panic!("{}: no parameter for body property {wire}", action.id));
            // What the catalog fills in by itself a caller may leave out.
            if param.required {
                given.insert(param.name.to_string(), value);
            }
        }
    }
    given.extend(
        action
            .params
            .iter()
            .filter(|param| param.required && param.place == Place::Header)
            .map(|param| (param.name.to_string(), "x".into())),
    );
    if action.id == "container.exec" {
        given.insert("command".into(), "hostname".into());
    }
    given.extend(demanded(action));
    given
}

/// What the catalog requires and the facts leave optional: the API answers an error without it, or does more than was meant. And a value
/// out of an enum that only the catalog has.
fn demanded(action: &Action<'_>) -> Map<String, Value> {
    let given = match &*action.id {
        "build_workspace.read" | "build_workspace.download" | "build_workspace.delete" => json!({ "path": "/app/Dockerfile" }),
        "build_workspace.mkdir" => json!({ "path": "/new" }),
        "project_workspace.read" | "project_workspace.download" | "volume_workspace.read" | "volume_workspace.download" => {
            json!({ "relativePath": "app.conf" })
        }
        "volume_backup.has_path" => json!({ "path": "/data" }),
        "image.search" => json!({ "term": "nginx" }),
        "image_update.check" => json!({ "imageRef": "nginx:1.27" }),
        "image_update.by_refs" => json!({ "imageRefs": "nginx:1.27" }),
        "project.update_services" => json!({ "services": ["web"] }),
        "mfa.enable" | "mfa.disable" | "mfa.regenerate_codes" => json!({ "stepUpToken": "t" }),
        "auth.change_password" => json!({ "currentPassword": "arcane-sandbox" }),
        "notification.set" => json!({ "provider": "email" }),
        "variable.create" => json!({ "allEnvironments": true }),
        _ => json!({}),
    };
    given.as_object().cloned().unwrap_or_default()
}

fn body(sample: &Sample) -> Map<String, Value> {
    if let Some(json) = &sample.json {
        return json.as_object().cloned().unwrap_or_default();
    }
    let text = String::from_utf8_lossy(&sample.body).into_owned();
    let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.to_owned(), value.replace('+', " ").into())).collect()
}

#[test]
fn every_action_sends_the_request_the_facts_ask_for() {
    let upstream = Upstream::start();
    let mut environment = upstream.environment();
    environment.push(("ARCANE_TOKEN".into(), upstream.sandbox.session_token()));
    let mut session = Session::start(&["--include", "account"], &environment);
    let mut wrong = Vec::new();
    for action in Catalog::embedded().unwrap().actions().unwrap() {
        upstream.sandbox.reset();
        if let Err(problem) = check(&action, &upstream, &mut session) {
            wrong.push(format!("{}: {problem}", action.id));
        }
    }
    assert!(wrong.is_empty(), "{} of 416:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(action: &Action<'_>, upstream: &Upstream, session: &mut Session) -> Result<(), String> {
    let facts = operation(&action.operation).ok_or("the sandbox does not know the operation")?;
    let sample = facts.sample();
    let mut given = arguments(action, &sample);
    prepare(action, session, &mut given);
    upstream.sandbox.clear();
    let arguments = json!({ "action": &*action.id, "params": given, "confirm": true });
    let result = session.call("arcane_execute_action", arguments.clone());
    let sent = upstream.requests();
    let request = sent
        .iter()
        .find(|request| request.operation == Some(&*facts.id))
        .ok_or_else(|| format!("the request did not arrive; {arguments} gave {result}"))?;
    // An upload session has the id that its creation gave.
    let upload = arguments["params"]["uploadId"].as_str().unwrap_or_default();
    let path = sample
        .values
        .iter()
        .filter(|(name, _)| *name == "uploadId")
        .fold(format!("/api{}", sample.path), |path, (_, id)| path.replace(id, upload));
    if (request.method.as_str(), request.path.as_str()) != (sample.method, path.as_str()) {
        return Err(format!("{} {} instead of {} {path}", request.method, request.path, sample.method));
    }
    for (name, _) in &sample.query {
        if !request.query.split('&').any(|pair| pair.split('=').next() == Some(name)) {
            return Err(format!("query {:?} has no {name}", request.query));
        }
    }
    if let Some(expected) = &sample.json {
        let arrived: Value = serde_json::from_slice(&request.body).map_err(|error| format!("body: {error}"))?;
        let missing = expected.as_object().into_iter().flatten().find(|(name, _)| arrived.get(*name).is_none());
        if let Some((name, _)) = missing {
            return Err(format!("body {arrived} has no {name}"));
        }
        if expected.is_array() && &arrived != expected {
            return Err(format!("body {arrived} instead of {expected}"));
        }
    }
    if request.status >= 400 {
        return Err(format!("answered {}: {}", request.status, result["content"][0]["text"]));
    }
    if result["isError"] == true {
        return Err(format!("failed: {}", result["content"][0]["text"]));
    }
    Ok(())
}

/// What must be there first.
fn prepare(action: &Action<'_>, session: &mut Session, given: &mut Map<String, Value>) {
    let kind = match &*action.id {
        "upload.put_chunk" | "upload.get" | "upload.delete" | "image.upload" => "image",
        "volume_backup.upload" => "volume-backup",
        "build_workspace.upload" => "build-workspace",
        _ => return,
    };
    let created = session.execute("upload.create", json!({ "kind": kind, "filename": "x.tar", "size": 5 }));
    let id = &created["structuredContent"]["id"];
    assert!(id.is_string(), "{created}");
    given.insert("uploadId".into(), id.clone());
    if &*action.id != "upload.put_chunk" {
        session.execute("upload.put_chunk", json!({ "kind": kind, "uploadId": id, "index": 0, "content": "Y2h1bms=" }));
    }
}
