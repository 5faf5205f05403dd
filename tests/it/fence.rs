//! Fences hold wherever an environment is named.

use crate::support::{Session, Upstream, error};
use callslip_sandbox::Fault;
use serde_json::json;

#[test]
fn other_environments_cannot_be_named() {
    let upstream = Upstream::start();
    let edge = upstream.sandbox.edge_environment();
    let mut session = Session::start(&["--environments", &edge], &upstream.environment());
    for (action, params) in [
        ("container.list", json!({ "environmentId": "0" })),
        ("container.restart", json!({ "environmentId": "0", "containerId": "web" })),
        ("environment.get", json!({ "environmentId": "0" })),
        ("event.list_by_environment", json!({ "environmentId": "0" })),
        ("api_key.create", json!({ "name": "k", "permissions": [{ "permission": "containers:list", "environmentId": "0" }] })),
    ] {
        let refused = session.execute(action, params);
        assert_eq!(error(&refused)["code"], "removed", "{action}: {refused}");
        assert!(error(&refused)["next"].to_string().contains(&edge), "{refused}");
    }
    for (action, params) in [
        ("variable.sync", json!({})),
        ("variable.update", json!({ "variableId": "v", "value": "x" })),
        ("variable.create", json!({ "key": "K", "value": "x" })),
        ("variable.create", json!({ "key": "K", "value": "x", "environmentIds": [edge], "allEnvironments": true })),
        ("system.upgrade_all", json!({})),
        ("system_backup.restore", json!({ "backupId": "b", "recoveryKey": "k" })),
        ("swarm_node.reconcile_agents", json!({})),
        ("stream.snapshot", json!({})),
    ] {
        let refused = session.call("arcane_execute_action", json!({ "action": action, "params": params, "confirm": true }));
        assert_eq!(error(&refused)["code"], "removed", "{action}: {refused}");
        assert!(error(&refused)["message"].as_str().unwrap().contains("every environment"), "{refused}");
    }
    assert!(upstream.requests().is_empty(), "nothing was sent");
    // The only one there may be is the default.
    session.execute("container.list", json!({}));
    assert_eq!(upstream.requests()[0].path, format!("/api/environments/{edge}/containers"));
}

#[test]
fn what_reaches_environments_it_does_not_name_is_refused() {
    let upstream = Upstream::start();
    let edge = upstream.sandbox.edge_environment();
    let mut environment = upstream.environment();
    environment.push(("ARCANE_TOKEN".into(), upstream.sandbox.session_token()));
    let fences = [["--environments", &*edge], ["--read-only-environments", "0"]];
    for fence in fences {
        let mut session = Session::start(&[&["--include", "account"], &fence[..]].concat(), &environment);
        for (action, params) in [
            ("webhook.trigger", json!({ "token": "t" })),
            ("environment.create", json!({ "apiUrl": "http://10.0.0.5:3553" })),
            ("system_backup.run_volumes", json!({})),
            ("system_backup.update_volume_policies", json!({ "policies": [] })),
            ("role.update", json!({ "roleId": "r", "name": "n", "permissions": ["containers:list"] })),
            ("role.set_user_assignments", json!({ "userId": "u", "assignments": [{ "roleId": "r" }] })),
            ("api_key.create", json!({ "name": "k", "permissions": [{ "permission": "containers:list" }] })),
            ("api_key.update", json!({ "apiKeyId": "k", "permissions": [{ "permission": "containers:list", "environmentId": "" }] })),
            ("api_key.create_mine", json!({ "name": "k" })),
            ("oidc.create_role_mapping", json!({ "claimValue": "admins", "roleId": "r" })),
            (
                "federated.create",
                json!({ "name": "n", "issuerUrl": "https://i.example", "audiences": ["a"], "roleId": "r", "subjectMatch": "s" }),
            ),
        ] {
            let refused = session.call("arcane_execute_action", json!({ "action": action, "params": params, "confirm": true }));
            assert_eq!(error(&refused)["code"], "removed", "{action}: {refused}");
        }
        assert!(upstream.requests().is_empty(), "nothing was sent");
        let named = json!({ "name": "k", "permissions": [{ "permission": "containers:list", "environmentId": edge }] });
        assert_eq!(session.execute("api_key.create", named)["isError"], false, "a grant for one that is free");
        upstream.sandbox.clear();
    }
}

#[test]
fn the_default_is_fenced_too() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--environments", "a,b"], &upstream.environment());
    let refused = session.execute("container.list", json!({}));
    assert_eq!(error(&refused)["code"], "removed");
    assert!(error(&refused)["next"].to_string().contains("`a`, `b`"), "{refused}");
    assert!(upstream.requests().is_empty());
}

#[test]
fn resources_and_completions_stay_inside() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--environments", "0"], &upstream.environment());
    let outside = session
        .ask("resources/read", json!({ "uri": format!("arcane://environments/{}/containers", upstream.sandbox.edge_environment()) }));
    assert_eq!((&outside["error"]["data"]["error"]["code"], &outside["error"]["code"]), (&json!("removed"), &json!(-32602)));
    assert!(upstream.requests().is_empty());
    let list = session.ask("resources/read", json!({ "uri": "arcane://environments" }));
    let text = list["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(!text.contains(&upstream.sandbox.edge_environment()), "{text}");
    let reference = json!({ "type": "ref/resource", "uri": "arcane://environments/{environmentId}/containers" });
    let completed = session.ask("completion/complete", json!({ "ref": reference, "argument": { "name": "environmentId", "value": "" } }));
    assert_eq!(completed["result"]["completion"]["values"], json!(["0"]));
}

#[test]
fn other_environments_are_not_listed() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--environments", "0"], &upstream.environment());
    let list = session.execute("environment.list", json!({}));
    let ids: Vec<_> = list["structuredContent"]["items"].as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, [json!("0")]);
    let notes = list["structuredContent"]["notes"].to_string();
    assert!(notes.contains("outside what this server may touch are left out"), "{list}");
    let whole = list.to_string();
    assert!(!whole.contains(&upstream.sandbox.edge_environment()) && !whole.contains(&upstream.sandbox.disabled_environment()), "{whole}");
    // Whatever lists rows of several environments, at any depth: what a stranger's row says does not come through.
    let row = |id: &str| json!({ "id": id, "name": format!("row-of-{id}"), "environmentId": id, "environmentName": format!("host-{id}") });
    let answers = [
        ("event.list", json!({}), json!({ "success": true, "data": [row("0"), row("prod")], "pagination": { "totalItems": 2 } })),
        ("federated.list", json!({}), json!({ "success": true, "data": [row("0"), row("prod")], "pagination": { "totalItems": 2 } })),
        ("variable.sync_status", json!({}), json!({ "success": true, "data": [row("0"), row("prod")] })),
        ("swarm.join_candidates", json!({}), json!({ "success": true, "data": [row("0"), row("prod")] })),
        (
            "system.upgrade_all_status",
            json!({}),
            json!({ "success": true, "data": { "state": "row-of-0", "results": [row("0"), row("prod")], "current": row("prod") } }),
        ),
        (
            "api_key.get",
            json!({ "apiKeyId": "k" }),
            json!({ "success": true, "data": { "id": "k", "name": "row-of-0", "permissions": [row("0"), row("prod")] } }),
        ),
    ];
    for (action, params, body) in answers {
        let operation = callslip::catalog::Catalog::embedded().unwrap();
        let operation = operation.action(operation.number(action).unwrap()).unwrap().operation.to_string();
        upstream.sandbox.clear_faults();
        let answer = Fault::Answer { status: 200, content_type: "application/json".into(), body: body.to_string() };
        upstream.sandbox.fault(Some(&operation), answer);
        let shown = session.call("arcane_execute_action", json!({ "action": action, "params": params, "fields": ["*"] }));
        let text = shown.to_string();
        assert!(shown["isError"] == false && text.contains("row-of-0"), "{action}: {text}");
        assert!(!text.contains("prod"), "{action}: {text}");
        assert!(text.contains("are left out"), "{action}: {text}");
    }
    let outside = json!({ "success": true, "data": row("prod") });
    let answer = Fault::Answer { status: 200, content_type: "application/json".into(), body: outside.to_string() };
    upstream.sandbox.fault(Some("get-federated-credential"), answer);
    let refused = session.execute("federated.get", json!({ "credentialId": "c" }));
    assert_eq!(error(&refused)["code"], "removed", "{refused}");
    assert!(!refused.to_string().contains("prod"), "{refused}");
    // Without a fence nothing is left out.
    let mut open = Session::start(&[], &upstream.environment());
    assert!(open.execute("environment.list", json!({})).to_string().contains(&upstream.sandbox.edge_environment()));
}

#[test]
fn an_agent_that_calls_its_host_local_is_heard() {
    let upstream = Upstream::start();
    let edge = upstream.sandbox.edge_environment();
    upstream.sandbox.switch(|switches| switches.edge_awake = true);
    let mut session = Session::start(&["--environments", &edge], &upstream.environment());
    let body = json!({ "success": true, "data": [{ "id": "s", "name": "sync", "environmentId": "0" }] });
    let answer = Fault::Answer { status: 200, content_type: "application/json".into(), body: body.to_string() };
    upstream.sandbox.fault(Some("listGitOpsSyncs"), answer);
    let shown = session.execute("gitops.list", json!({}));
    assert_eq!(shown["structuredContent"]["items"][0]["id"], "s", "{shown}");
}

#[test]
fn fenced_environments_are_read_only() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--read-only-environments", "0"], &upstream.environment());
    assert_eq!(session.execute("container.list", json!({}))["isError"], false);
    upstream.sandbox.clear();
    for params in [json!({ "containerId": "web" }), json!({ "containerId": "web", "environmentId": "0" })] {
        let refused = session.execute("container.restart", params);
        assert_eq!(error(&refused)["code"], "removed", "{refused}");
    }
    assert!(upstream.requests().is_empty());
    let edge = upstream.sandbox.edge_environment();
    session.execute("container.restart", json!({ "containerId": "web", "environmentId": edge }));
    assert_eq!(upstream.requests().len(), 1, "other environments are free");
}

#[test]
fn the_instructions_tell_of_a_fence_however_long_it_is() {
    let ids: Vec<String> = (0..100).map(|number| format!("0123456789abcdef-{number}")).collect();
    let unknown: Vec<String> = (0..600).map(|number| format!("nonsense{number}")).collect();
    for surface in ["dynamic", "meta", "individual", "progressive"] {
        let (ids, unknown) = (ids.join(","), unknown.join(","));
        let options = ["--tool-surface", surface, "--environments", &ids, "--read-only-environments", &ids, "--toolsets", &unknown];
        let mut session = Session::silent(&options, &[]);
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let answer = session.ask("initialize", hello);
        let text = answer["result"]["instructions"].as_str().unwrap();
        for line in ["Only these environments may be named: 0123", "Only reading actions run in: 0123", "ignored: nonsense0"] {
            let found = text.lines().find(|found| found.contains(line)).unwrap_or_else(|| panic!("{surface}: {line} in {text}"));
            assert!(found.ends_with(" more."), "{found}");
        }
        assert!(text.len() <= 2048, "{}", text.len());
    }
}
