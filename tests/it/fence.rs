//! Fences hold wherever an environment is named.

use crate::support::{Session, Upstream, error};
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
    let everywhere = session.execute("variable.sync", json!({}));
    assert_eq!(error(&everywhere)["code"], "removed");
    assert!(upstream.requests().is_empty(), "nothing was sent");
    // The only one there may be is the default.
    session.execute("container.list", json!({}));
    assert_eq!(upstream.requests()[0].path, format!("/api/environments/{edge}/containers"));
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
    assert_eq!(outside["error"]["data"]["error"]["code"], "removed");
    assert!(upstream.requests().is_empty());
    let list = session.ask("resources/read", json!({ "uri": "arcane://environments" }));
    let text = list["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(!text.contains(&upstream.sandbox.edge_environment()), "{text}");
    let reference = json!({ "type": "ref/resource", "uri": "arcane://environments/{environmentId}/containers" });
    let completed = session.ask("completion/complete", json!({ "ref": reference, "argument": { "name": "environmentId", "value": "" } }));
    assert_eq!(completed["result"]["completion"]["values"], json!(["0"]));
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
