//! Bodies that do not flatten by themselves: what a caller gives in a natural shape, and the request the API wants for it.

use crate::upstream::build;
use callslip::page;
use callslip::request::{Body, Source};
use callslip_catalog::model::Action;
use serde_json::{Map, Value, json};

/// Id, arguments, and the JSON body that must be sent for them.
fn bodies() -> Vec<(&'static str, Value, Value)> {
    let spec = json!({ "Name": "web", "TaskTemplate": { "ContainerSpec": { "Image": "nginx:1.27" } } });
    let nothing = json!({});
    vec![
        // One name in the query and in the body: the body's own is told apart.
        ("image.prune", json!({ "mode": "dangling" }), json!({ "mode": "dangling" })),
        ("image.prune", json!({ "dangling": true }), nothing.clone()),
        ("image.prune", json!({ "danglingBody": true, "until": "24h" }), json!({ "dangling": true, "until": "24h" })),
        // One name in the path and in the body.
        ("swarm_node.bind_agent", json!({ "nodeId": "n1", "memberEnvironmentId": "e7" }), json!({ "environmentId": "e7" })),
        // Nothing to say, and the API wants to hear it.
        ("swarm_node.reconcile_agents", nothing.clone(), nothing.clone()),
        ("updater.run", nothing.clone(), nothing),
        // A list is the whole body.
        (
            "gitops.import",
            json!({ "syncs": [{ "syncName": "a", "gitRepo": "r", "branch": "main", "dockerComposePath": "c.yml", "autoSync": true, "syncInterval": 5 }] }),
            json!([{ "syncName": "a", "gitRepo": "r", "branch": "main", "dockerComposePath": "c.yml", "autoSync": true, "syncInterval": 5 }]),
        ),
        // Docker's own structures go through as they are.
        ("swarm_service.create", json!({ "spec": spec }), json!({ "spec": spec })),
        ("swarm_service.update", json!({ "serviceId": "web", "version": 7, "spec": spec }), json!({ "version": 7, "spec": spec })),
        ("swarm_config.create", json!({ "spec": { "Name": "c", "Data": "eA==" } }), json!({ "spec": { "Name": "c", "Data": "eA==" } })),
        ("swarm_secret.create", json!({ "spec": { "Name": "s", "Data": "eA==" } }), json!({ "spec": { "Name": "s", "Data": "eA==" } })),
        ("swarm.init", json!({ "advertiseAddr": "10.0.0.1" }), json!({ "spec": {}, "advertiseAddr": "10.0.0.1" })),
        ("network.create", json!({ "name": "n" }), json!({ "name": "n", "options": {} })),
        // Whole objects are demanded, a caller gives what it means.
        (
            "template_registry.create",
            json!({ "name": "n", "url": "https://x.test/r.json" }),
            json!({ "name": "n", "url": "https://x.test/r.json", "description": "", "enabled": true }),
        ),
        (
            "template.update",
            json!({ "templateId": "1", "name": "n", "content": "c" }),
            json!({ "name": "n", "content": "c", "description": "", "envContent": "" }),
        ),
    ]
}

#[test]
fn awkward_json_bodies_are_sent_as_the_api_wants_them() {
    for (id, arguments, expected) in bodies() {
        let request = build(id, arguments.clone()).unwrap_or_else(|failure| panic!("{id}: {failure:?}"));
        let Body::Json(body) = request.body else { panic!("{id}: JSON, not {:?}", request.body) };
        assert_eq!(body, expected, "{id} {arguments}");
    }
}

#[test]
fn a_registry_is_sent_whole_whatever_is_given() {
    let properties = |id: &str, arguments: Value| -> Map<String, Value> {
        let Body::Json(Value::Object(body)) = build(id, arguments).expect("a request").body else { panic!("JSON") };
        body
    };
    let created = properties("registry.create", json!({ "url": "ghcr.io" }));
    let updated = properties("registry.update", json!({ "registryId": "1", "token": "new" }));
    assert_eq!(created.len(), 11, "all that the API demands: {created:?}");
    assert_eq!((&created["registryType"], &created["enabled"], &created["insecure"]), (&json!("generic"), &json!(true), &json!(false)));
    assert_eq!(updated.len(), 11, "{updated:?}");
    assert!(updated.iter().all(|(name, value)| value.is_null() == (name != "token")), "null leaves it as it is: {updated:?}");
}

#[test]
fn queries_forms_chunks_and_settings_of_their_own() {
    let pruned = build("image.prune", json!({ "dangling": true })).expect("a request");
    assert_eq!(pruned.query, [("dangling".into(), "true".into())]);
    let bound = build("swarm_node.bind_agent", json!({ "nodeId": "n1", "memberEnvironmentId": "e7" })).expect("a request");
    assert_eq!(bound.path, "/api/environments/0/swarm/nodes/n1/agent/binding");
    let chunk = json!({ "kind": "image", "uploadId": "u1", "index": 0, "content": "aGVsbG8=" });
    let chunk = build("upload.put_chunk", chunk).expect("a request");
    assert_eq!(
        (chunk.path.as_str(), chunk.body),
        ("/api/environments/0/uploads/image/u1/chunks/0", Body::Bytes(Source::Bytes(b"hello".to_vec())))
    );
    let exchanged = build("federated.exchange", json!({ "grant_type": "g", "subject_token": "t" })).expect("a request");
    assert_eq!(exchanged.body, Body::Form(vec![("grant_type".into(), "g".into()), ("subject_token".into(), "t".into())]));
    assert_eq!(build("s3_destination.test", json!({ "s3DestinationId": "1" })).expect("a request").body, Body::None, "as it is stored");
}

#[test]
fn files_of_a_workspace_change_stand_beside_their_manifest() {
    let arguments = json!({
        "volumeName": "data", "fileTreeRevision": "7",
        "fileChanges": [{ "operation": "create_file", "relativePath": "a.txt", "uploadIndex": 0 }],
        "files": [{ "name": "a.txt", "text": "hello" }],
    });
    let Body::Multipart(parts) = build("volume_workspace.update", arguments).expect("a request").body else { panic!("multipart") };
    let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["manifest", "files"]);
    let Source::Bytes(manifest) = &parts[0].source else { panic!("bytes") };
    let manifest: Value = serde_json::from_slice(manifest).expect("JSON");
    assert_eq!((&manifest["fileTreeRevision"], &manifest["fileChanges"][0]["uploadIndex"]), (&json!("7"), &json!(0)));
}

#[test]
fn what_happened_is_asked_for_newest_first() {
    let checked = super::catalog();
    let asked = |action: &Action<'_>| {
        let mut arguments = Map::new();
        page::prepare(&checked.api, action, &mut arguments);
        arguments
    };
    for id in
        ["event.list", "event.list_by_environment", "image.list_builds", "volume_backup.list", "system_backup.list", "swarm.list_tasks"]
    {
        let arguments = asked(super::find(id).expect("an action"));
        assert_eq!(arguments.get("order"), Some(&json!("desc")), "{id}");
        assert!(arguments.contains_key("sort"), "{id}: an order without a column says nothing");
    }
    assert!(!asked(super::find("container.list").expect("an action")).contains_key("order"), "names come as the API sends them");
}
