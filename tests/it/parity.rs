//! The same call gives the same answer on every surface: structured content, text, and the request that arrives upstream.

use crate::support::{Session, Upstream};
use callslip_sandbox::Fault;
use serde_json::{Map, Value, json};
use std::time::Duration;

/// One call, in no surface's words.
struct Case {
    action: &'static str,
    params: Value,
    own: Value,
    fault: Option<(&'static str, Fault)>,
    /// `ok` or the code of the failure.
    expected: &'static str,
}

fn call(action: &'static str, params: Value, expected: &'static str) -> Case {
    Case { action, params, own: json!({}), fault: None, expected }
}

fn own(action: &'static str, params: Value, own: Value, expected: &'static str) -> Case {
    Case { own, ..call(action, params, expected) }
}

fn faulty(action: &'static str, params: Value, operation: &'static str, fault: Fault, expected: &'static str) -> Case {
    Case { fault: Some((operation, fault)), ..call(action, params, expected) }
}

fn status(status: u16, detail: &str) -> Fault {
    Fault::problem(status, detail)
}

/// Every result kind, every error kind, destructive actions with and without `confirm`.
fn cases() -> Vec<Case> {
    let web = || json!({ "containerId": "web" });
    let restart = "restart-container";
    let mut cases = vec![
        // lists: paged by the API, cut here, with filters, with columns
        call("container.list", json!({}), "ok"),
        call("container.list", json!({ "limit": 3, "start": 2, "sort": "name" }), "ok"),
        own("container.list", json!({ "limit": "3" }), json!({ "fields": ["id", "names"] }), "ok"),
        own("image.list", json!({}), json!({ "fields": "id,repoTags" }), "ok"),
        own("volume.list", json!({}), json!({ "fields": ["nonsense"] }), "invalid_arguments"),
        call("volume.list", json!({ "search": "no such thing" }), "ok"),
        call("network.list", json!({}), "ok"),
        call("project.list", json!({ "order": "desc" }), "ok"),
        call("job.list", json!({ "limit": 2 }), "ok"),
        call("settings.get", json!({ "limit": 5, "cursor": "5" }), "ok"),
        call("environment.list", json!({}), "ok"),
        call("event.list", json!({}), "ok"),
        // objects
        call("container.get", web(), "ok"),
        call("container.counts", json!({}), "ok"),
        call("environment.get", json!({ "environmentId": "0" }), "ok"),
        call("version.app", json!({}), "ok"),
        call("system.docker_info", json!({}), "ok"),
        // text, binary, empty
        call("vulnerability.export", json!({}), "ok"),
        call("container.download_logs", web(), "ok"),
        call("app_image.favicon", json!({}), "ok"),
        call("health.head", json!({}), "ok"),
        call("build_workspace.mkdir", json!({ "path": "/new" }), "ok"),
        // writes
        call("container.restart", web(), "ok"),
        call("container.stop", web(), "ok"),
        call("container.start", web(), "ok"),
        // repairs
        call("container.restart", json!({ "id": "web" }), "ok"),
        call("container.restart", json!({ "container_id": "web" }), "ok"),
        call("container.list", json!({ "search": null, "limit": "4" }), "ok"),
        // the gate
        call("container.delete", web(), "confirm_required"),
        own("container.delete", json!({ "containerId": "web", "force": true }), json!({ "confirm": "true" }), "confirm_required"),
        own("container.delete", json!({ "containerId": "web", "force": true }), json!({ "confirm": false }), "confirm_required"),
        own("container.delete", json!({ "containerId": "web", "force": true }), json!({ "confirm": true }), "ok"),
        call("project.down", json!({ "projectId": "shop" }), "confirm_required"),
        call("job.run", json!({ "jobId": "scheduled-prune" }), "confirm_required"),
        call("container.kill", web(), "removed"),
        call("passkey.begin_login", json!({}), "removed"),
        // arguments
        call("container.get", json!({}), "invalid_arguments"),
        call("container.list", json!({ "limit": 0 }), "invalid_arguments"),
        call("container.list", json!({ "limit": 5000, "order": "sideways", "colour": 1 }), "invalid_arguments"),
        call("container.get", json!({ "containerId": "../../0" }), "invalid_arguments"),
        own("container.delete", json!({ "id": "web" }), json!({ "confirm": true }), "invalid_arguments"),
        own("container.list", json!({}), json!({ "fields": 3 }), "invalid_arguments"),
        // what the API says
        call("container.get", json!({ "containerId": "nothing" }), "not_found"),
        faulty("container.restart", web(), restart, status(401, "Unauthorized: invalid API key"), "unauthorized"),
        faulty("container.restart", web(), restart, status(403, "permission denied: containers:restart"), "forbidden"),
        faulty("container.restart", web(), restart, status(409, "conflict"), "conflict"),
        faulty("container.restart", web(), restart, status(422, "validation failed"), "invalid_request"),
        faulty("container.restart", web(), restart, status(429, "slow down"), "rate_limited"),
        faulty("container.restart", web(), restart, status(500, "boom"), "upstream_error"),
        faulty("container.counts", json!({}), "container-status-counts", Fault::Html(200), "upstream_error"),
        faulty("container.counts", json!({}), "container-status-counts", Fault::TruncatedJson, "upstream_error"),
    ];
    // Codes that depend on the API's own texts, and outcomes that are not answers: what they are is tested elsewhere, here that they are alike.
    let docker = "Failed to retrieve container: cannot connect to the Docker daemon at unix:///var/run/docker.sock";
    let any = "any";
    cases.extend([
        call("container.start", json!({ "containerId": "nothing" }), "not_found"),
        faulty("container.get", web(), "get-container", status(404, docker), any),
        faulty("container.list", json!({}), "list-containers", status(502, "Edge agent is not connected"), any),
        faulty("container.restart", web(), restart, Fault::Reset, any),
        faulty("container.restart", web(), restart, Fault::DelayHeaders(Duration::from_secs(4)), any),
        faulty("container.get", web(), "get-container", Fault::DelayHeaders(Duration::from_secs(4)), any),
        call("image.pull", json!({ "imageName": "nginx:1.27" }), any),
        call("container.logs", json!({ "containerId": "redis", "tail": 5 }), any),
        call("environment.test", json!({ "environmentId": "0" }), any),
    ]);
    cases
}

/// The call in the words of a surface.
fn worded(surface: &str, case: &Case) -> (String, Value) {
    let (domain, name) = case.action.split_once('.').unwrap();
    let tool = format!("arcane_{domain}_{name}");
    let beside = |holder: &str, named: Value| {
        let mut arguments = named.as_object().cloned().unwrap_or_default();
        arguments.insert(holder.into(), case.params.clone());
        arguments.extend(case.own.as_object().cloned().unwrap_or_default());
        Value::Object(arguments)
    };
    match surface {
        "dynamic" => ("arcane_execute_action".into(), beside("params", json!({ "action": case.action }))),
        "meta" => (format!("arcane_{domain}"), beside("params", json!({ "action": name }))),
        "progressive" => ("run_tool".into(), beside("arguments", json!({ "name": tool }))),
        _ => {
            let mut arguments: Map<String, Value> = case.params.as_object().cloned().unwrap_or_default();
            arguments.extend(case.own.as_object().cloned().unwrap_or_default());
            (tool, Value::Object(arguments))
        }
    }
}

/// What came of a call: the message without its id, and the requests that arrived.
fn run(surface: &str, case: &Case, session: &mut Session, upstream: &Upstream) -> (Value, Vec<String>) {
    upstream.sandbox.clear();
    upstream.sandbox.clear_faults();
    if let Some((operation, fault)) = &case.fault {
        upstream.sandbox.fault(Some(operation), fault.clone());
    }
    let (tool, arguments) = worded(surface, case);
    let mut message = session.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
    message.as_object_mut().unwrap().remove("id");
    let address = upstream.sandbox.address().to_string();
    let message = serde_json::from_str(&message.to_string().replace(&address, "HOST")).unwrap();
    let sent = upstream.requests().into_iter().map(|request| {
        let text = request.text();
        format!("{} {}?{} {text}", request.method, request.path, request.query)
    });
    (message, sent.collect())
}

#[test]
fn the_same_call_gives_the_same_answer_on_every_surface() {
    let cases = cases();
    assert_eq!(cases.len(), 60);
    let surfaces = ["dynamic", "meta", "individual", "progressive"];
    // Side by side, since some of the calls wait for a timeout.
    let answers: Vec<Vec<(Value, Vec<String>)>> = std::thread::scope(|scope| {
        let running: Vec<_> = surfaces
            .iter()
            .map(|surface| {
                let cases = &cases;
                scope.spawn(move || {
                    let upstream = Upstream::start();
                    let options = ["--tool-surface", surface, "--exclude", "container.kill", "--timeout", "2"];
                    let mut session = Session::start(&options, &upstream.environment());
                    cases.iter().map(|case| run(surface, case, &mut session, &upstream)).collect()
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut wrong = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let (message, sent) = &answers[0][number];
        let result = &message["result"];
        let code = if result["isError"] == true { result["structuredContent"]["error"]["code"].as_str().unwrap_or("?") } else { "ok" };
        if case.expected != "any" && code != case.expected {
            wrong.push(format!("{} {}: {code} instead of {}: {message}", case.action, case.params, case.expected));
        }
        let refused_here = ["removed", "confirm_required", "invalid_arguments"].contains(&code);
        if refused_here && !sent.is_empty() {
            wrong.push(format!("{} {}: refused, but sent {sent:?}", case.action, case.params));
        }
        for (surface, answers) in surfaces.iter().zip(&answers).skip(1) {
            let (other, other_sent) = &answers[number];
            if *surface == "individual" && case.expected == "removed" {
                assert_eq!(other["error"]["code"], -32602, "{}: a removed action is an unknown tool: {other}", case.action);
                continue;
            }
            if other != message {
                wrong.push(format!("{} {} on {surface}:\n  {other}\ninstead of\n  {message}", case.action, case.params));
            }
            if other_sent != sent {
                wrong.push(format!("{} {} on {surface} sent {other_sent:?} instead of {sent:?}", case.action, case.params));
            }
        }
    }
    assert!(wrong.is_empty(), "{} difference(s):\n{}", wrong.len(), wrong.join("\n"));
}
