//! Faults that clients of the API meet and that are caught here: refused with what to write before anything is sent, or sent as it must be.

use crate::support::{Session, Upstream, error};
use callslip_sandbox::Fault;
use serde_json::{Value, json};

fn answer(body: &Value) -> Fault {
    Fault::Answer { status: 200, content_type: "application/json".into(), body: body.to_string() }
}

#[test]
fn bodies_in_a_shape_that_the_api_refuses_are_refused_here() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for (action, params, words) in [
        // Variables as an object, ports as a list, as other tools take them.
        ("container.create", json!({ "image": "nginx", "environment": { "A": "b" } }), "environment"),
        ("container.create", json!({ "image": "nginx", "name": "x", "ports": ["80:80"] }), "ports"),
        ("volume.create", json!({ "name": "x", "foo": 1 }), "foo"),
        ("api_key.create", json!({ "name": "x" }), "permissions"),
        ("api_key.create", json!({ "name": "x", "permissions": [] }), "permissions"),
        ("registry.create", json!({ "url": "docker.io", "registryType": "dockerhub" }), "generic"),
        ("image.get", json!({ "imageId": "library/nginx" }), "imageId"),
    ] {
        let refused = session.execute(action, params.clone());
        let problem = error(&refused);
        assert_eq!(problem["code"], "invalid_arguments", "{action} {params}: {refused}");
        assert!(problem["message"].as_str().unwrap().contains(words), "{action} {params}: {refused}");
    }
    assert!(upstream.requests().is_empty(), "nothing was sent");
    let created = json!({
        "image": "nginx:1.27", "name": "shaped", "environment": ["A=b"], "volumes": ["data:/data"],
        "hostConfig": { "portBindings": { "80/tcp": [{ "hostPort": "8080" }] } }
    });
    let result = session.execute("container.create", created);
    assert_eq!(result["isError"], false, "{result}");
    let sent: Value = serde_json::from_slice(&upstream.requests()[0].body).unwrap();
    assert_eq!(sent["hostConfig"]["portBindings"]["80/tcp"][0]["hostPort"], "8080", "{sent}");
    assert_eq!(sent["environment"], json!(["A=b"]), "{sent}");
}

#[test]
fn what_updates_everything_is_confirmed_and_says_so() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let refused = session.execute("updater.run", json!({}));
    assert_eq!(error(&refused)["code"], "confirm_required");
    assert_eq!(error(&refused)["wouldSend"]["body"], json!({}));
    assert!(upstream.requests().is_empty());
    let found = session.call("arcane_find_action", json!({ "query": "updater.run" }));
    let hit = &found["structuredContent"]["items"][0];
    assert!(hit["id"] == "updater.run" && hit["usage"].as_str().unwrap().contains("Without `resourceIds` everything"), "{hit}");
}

#[test]
fn read_only_mode_relies_on_no_server() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--read-only"], &upstream.environment());
    let refused = session
        .call("arcane_execute_action", json!({ "action": "container.restart", "params": { "containerId": "web" }, "confirm": true }));
    assert_eq!(error(&refused)["code"], "removed");
    assert!(upstream.requests().is_empty());
}

#[test]
fn a_build_is_not_kept_back_by_what_the_project_says_of_itself() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let project = session.execute("project.list", json!({}))["structuredContent"]["items"][0].clone();
    let body = json!({ "success": true, "data": { "id": project["id"], "name": "p", "hasBuildDirective": false } });
    upstream.sandbox.fault(Some("get-project"), answer(&body));
    upstream.sandbox.clear();
    let built = session.execute("project.build", json!({ "projectId": project["id"] }));
    assert_eq!(built["isError"], false, "{built}");
    assert!(upstream.requests().iter().any(|request| request.path.ends_with("/build")));
}

#[test]
fn fields_that_are_missing_or_changed_their_type_are_shown_as_they_are() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let rows = json!([
        { "id": "a", "name": "bridge", "driver": "bridge", "created": 1_785_587_400 },
        { "id": "b", "name": "odd", "created": "2026-08-01T12:30:00Z", "driver": ["bridge"] },
        {}
    ]);
    // No block that counts, either.
    upstream.sandbox.fault(Some("list-networks"), answer(&json!({ "success": true, "data": rows })));
    let list = session.call("arcane_execute_action", json!({ "action": "network.list", "fields": ["*"] }));
    assert_eq!((&list["isError"], &list["structuredContent"]["items"]), (&json!(false), &rows));
    let text = list["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("3 item(s)") && text.contains("2026-08-01 12:30:00Z"), "{text}");
    upstream.sandbox.clear_faults();
    upstream.sandbox.fault(Some("list-networks"), answer(&json!({ "success": true, "data": null })));
    let list = session.execute("network.list", json!({}));
    assert_eq!(list["structuredContent"]["items"], json!([]), "{list}");
}

#[test]
fn what_is_queued_is_not_called_done() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let queued = Fault::Answer { status: 202, content_type: "application/json".into(), body: json!({ "success": true }).to_string() };
    upstream.sandbox.fault(Some("echo-webhook-trigger"), queued);
    let call = json!({ "action": "webhook.trigger", "params": { "token": "abcdef0123456789" }, "confirm": true });
    let result = session.call("arcane_execute_action", call);
    assert_eq!(result["isError"], false, "{result}");
    for channel in [result["content"][0]["text"].to_string(), result["structuredContent"]["notes"].to_string()] {
        assert!(channel.contains("queued") || channel.contains("not said that it is done"), "{result}");
    }
}

#[test]
fn a_page_of_a_proxy_is_no_word_of_the_api() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for status in [400, 401, 403, 404, 500, 502, 503] {
        upstream.sandbox.clear_faults();
        upstream.sandbox.fault(None, Fault::Html(status));
        let result = session.execute("container.get", json!({ "containerId": "web" }));
        assert_eq!(error(&result)["code"], "upstream_error", "{status}: {result}");
        assert!(error(&result)["message"].as_str().unwrap().contains("HTML"), "{status}: {result}");
        assert!(error(&result)["next"].to_string().contains("ARCANE_URL"), "{status}: {result}");
    }
    upstream.sandbox.clear_faults();
    upstream.sandbox.fault(None, Fault::Html(504));
    let result = session.execute("container.restart", json!({ "containerId": "web" }));
    assert_eq!(error(&result)["code"], "outcome_unknown", "{result}");
}

#[test]
fn a_change_that_was_lost_on_the_way_is_looked_at_first() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for (status, said, code) in [
        (502, "Proxy request failed: read tcp: connection reset by peer", "outcome_unknown"),
        (502, "Proxy request failed: dial tcp: connection refused", "docker_unreachable"),
        (502, "edge agent is not connected", "docker_unreachable"),
        (504, "gateway timeout", "outcome_unknown"),
    ] {
        upstream.sandbox.clear_faults();
        upstream.sandbox.fault(None, Fault::problem(status, said));
        let result = session.execute("container.restart", json!({ "containerId": "web" }));
        assert_eq!(error(&result)["code"], code, "{said}: {result}");
        let first = error(&result)["next"][0].as_str().unwrap();
        assert_eq!(first.starts_with("Look"), code == "outcome_unknown", "{result}");
    }
}

#[test]
fn work_that_is_not_waited_for_says_how_to_follow_it() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let mut update = |more: Value| {
        let mut params = json!({ "containerId": "web" });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        session.call("arcane_execute_action", json!({ "action": "updater.update_container", "params": params, "confirm": true }))
    };
    let waited = update(json!({}));
    assert!(upstream.requests()[0].query.is_empty(), "what nobody asks for is not sent");
    assert!(!waited["content"][0]["text"].as_str().unwrap().contains("has not said that it is done"), "{waited}");
    let begun = update(json!({ "async": true }));
    assert_eq!(upstream.requests()[1].query, "async=true");
    assert_eq!(begun["isError"], false, "{begun}");
    let activity = begun["structuredContent"]["activityId"].as_str().expect("an activity");
    for channel in [begun["content"][0]["text"].to_string(), begun["structuredContent"]["notes"].to_string()] {
        assert!(channel.contains("has not said that it is done"), "{channel}");
        assert!(channel.contains("`activity.get` with the `activityId` of this answer"), "{channel}");
    }
    let followed = session.execute("activity.get", json!({ "activityId": activity }));
    assert_eq!(followed["structuredContent"]["activity"]["id"], activity, "{followed}");
}

#[test]
fn masked_values_are_not_written_back() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let masked = session.execute("settings.update", json!({ "oidcClientSecret": "XXXXXXXXXX", "pollingEnabled": "true" }));
    assert_eq!(masked["isError"], false, "{masked}");
    assert!(masked["structuredContent"]["notes"].to_string().contains("`oidcClientSecret` held the mask"), "{masked}");
    let sent: Value = serde_json::from_slice(&upstream.requests()[0].body).unwrap();
    assert_eq!(sent, json!({ "pollingEnabled": "true" }));
}

/// `docs/faults.md` names the test of each fault.
#[test]
fn every_fault_that_is_written_of_has_its_test() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let page = std::fs::read_to_string(format!("{root}docs/faults.md")).unwrap();
    let named: Vec<_> = page.split('`').filter_map(|part| part.split_once("::")).collect();
    assert!(
        named.len() > 40 && page.lines().filter(|line| line.starts_with("| ")).all(|line| line.contains("::") || line.contains("| test |"))
    );
    for (file, test) in named {
        let places = ["tests/it", "tests/it/upstream"].map(|folder| format!("{root}{folder}/{file}.rs"));
        let there = places.iter().filter_map(|place| std::fs::read_to_string(place).ok()).any(|text| text.contains(&format!("fn {test}(")));
        assert!(there, "{file}::{test}");
    }
}
