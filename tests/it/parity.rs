//! The same call gives the same answer on every surface: structured content, text, and the request that arrives upstream.

use crate::support::{Session, Upstream};
use callslip_sandbox::Fault;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

/// One call, in no surface's words.
struct Case {
    action: &'static str,
    params: Value,
    own: Value,
    fault: Option<(&'static str, Fault)>,
    /// Another version of the server; empty: none at all.
    server: Option<&'static str>,
    /// `ok` or the code of the failure.
    expected: &'static str,
}

fn call(action: &'static str, params: Value, expected: &'static str) -> Case {
    Case { action, params, own: json!({}), fault: None, server: None, expected }
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
    // Codes that depend on the API's own texts, and outcomes that are not answers.
    let docker = "Failed to retrieve container: cannot connect to the Docker daemon at unix:///var/run/docker.sock";
    let pull = || json!({ "imageName": "nginx:1.27" });
    cases.extend([
        call("container.start", json!({ "containerId": "nothing" }), "not_found"),
        faulty("container.get", web(), "get-container", status(404, docker), "docker_unreachable"),
        faulty("container.list", json!({}), "list-containers", status(502, "Edge agent is not connected"), "docker_unreachable"),
        faulty("container.restart", web(), restart, Fault::Reset, "outcome_unknown"),
        faulty("container.restart", web(), restart, Fault::DelayHeaders(Duration::from_secs(4)), "timeout"),
        faulty("container.get", web(), "get-container", Fault::DelayHeaders(Duration::from_secs(4)), "timeout"),
        faulty("container.get", web(), "get-container", Fault::Reset, "upstream_error"),
        faulty("container.restart", web(), restart, status(501, "not implemented"), "not_supported"),
        call("image.pull", pull(), "ok"),
        faulty("image.pull", pull(), "pull-image", Fault::ErrorLine("disk full".into()), "stream_failed"),
        faulty("image.pull", pull(), "pull-image", Fault::CutStream, "outcome_unknown"),
        call("container.logs", json!({ "containerId": "redis", "tail": 5 }), "ok"),
        call("environment.test", json!({ "environmentId": "0" }), "ok"),
        own("network.prune", json!({}), json!({ "confirm": true }), "ok"),
        Case { server: Some("2.8.1"), ..call("container.generate_compose", json!({ "containerIds": ["web"] }), "too_old") },
        Case { server: Some(""), ..call("container.counts", json!({}), "unreachable") },
        call("container.restrat", web(), "unknown_action"),
    ]);
    cases
}

/// Every code of a failure but those that a caller cannot cause here: `quota` has a test of its own, `internal` is a mistake of ours.
const CODES: [&str; 18] = [
    "unknown_action",
    "removed",
    "invalid_arguments",
    "confirm_required",
    "unauthorized",
    "forbidden",
    "not_found",
    "conflict",
    "invalid_request",
    "rate_limited",
    "unreachable",
    "docker_unreachable",
    "timeout",
    "upstream_error",
    "stream_failed",
    "outcome_unknown",
    "too_old",
    "not_supported",
];

/// The kinds of results, as the structured channel tells them apart.
fn kind(structured: &Value) -> &'static str {
    let has = |name: &str| !structured[name].is_null();
    match () {
        () if has("error") => "failure",
        () if has("items") => "list",
        () if has("outcome") && has("activityId") => "stream",
        () if has("outcome") => "socket",
        () if has("base64") => "binary",
        () if structured["done"] == true => "empty",
        () if has("text") => "text",
        () => "object",
    }
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
    upstream.sandbox.switch(|switches| case.server.unwrap_or("2.14.0").clone_into(&mut switches.version));
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
    assert!(cases.len() >= 60);
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
                    let mut lost = Session::start(&options, &[("ARCANE_URL".into(), "http://127.0.0.1:9".into())]);
                    let mut run =
                        |case: &Case| run(surface, case, if case.server == Some("") { &mut lost } else { &mut session }, &upstream);
                    cases.iter().map(&mut run).collect()
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut wrong = Vec::new();
    let (mut codes, mut kinds) = (BTreeSet::new(), BTreeSet::new());
    for (number, case) in cases.iter().enumerate() {
        let (message, sent) = &answers[0][number];
        let result = &message["result"];
        let code = if result["isError"] == true { result["structuredContent"]["error"]["code"].as_str().unwrap_or("?") } else { "ok" };
        codes.insert(code);
        kinds.insert(kind(&result["structuredContent"]));
        if code != case.expected {
            wrong.push(format!("{} {}: {code} instead of {}: {message}", case.action, case.params, case.expected));
        }
        let refused_here = ["unknown_action", "removed", "confirm_required", "invalid_arguments"].contains(&code);
        if refused_here && !sent.is_empty() {
            wrong.push(format!("{} {}: refused, but sent {sent:?}", case.action, case.params));
        }
        for (surface, answers) in surfaces.iter().zip(&answers).skip(1) {
            let (other, other_sent) = &answers[number];
            if *surface == "individual" && ["removed", "unknown_action"].contains(&case.expected) {
                assert_eq!(other["error"]["code"], -32602, "{}: such an action is an unknown tool: {other}", case.action);
                continue;
            }
            if case.expected == "unknown_action" {
                // The answer repeats the name, which each surface writes in its own way; what is proposed is the same.
                let next = |message: &Value| message["result"]["structuredContent"]["error"]["next"].clone();
                assert!(next(other) == next(message) && next(other).to_string().contains("`container.restart`"), "{other}");
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
    let missing: Vec<_> = CODES.iter().filter(|code| !codes.contains(*code)).collect();
    assert!(missing.is_empty(), "no call fails with {missing:?}");
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["binary", "empty", "failure", "list", "object", "socket", "stream", "text"]);
}
