//! Every text by which Arcane, its proxy, its tunnel and Docker tell what is wrong, in the shape and with the status it comes in.

use super::Bench;
use callslip::error::Code;
use callslip_sandbox::Fault;
use serde_json::{Value, json};

fn answer(status: u16, body: &Value) -> Fault {
    Fault::Answer { status, content_type: "application/json".into(), body: body.to_string() }
}

/// As the proxy to a remote environment writes it.
fn proxied(status: u16, text: &str) -> Fault {
    answer(status, &json!({ "success": false, "data": { "error": text } }))
}

/// As the tunnel of an edge agent writes it.
fn tunnelled(status: u16, text: &str) -> Fault {
    answer(status, &json!({ "error": text }))
}

/// What is expected of a call of an action after a fault: its code, and a word of the next steps.
async fn expect(bench: &Bench, id: &str, arguments: Value, fault: Fault, code: Code, step: &str) {
    bench.sandbox.clear();
    bench.sandbox.clear_faults();
    let operation = bench.call(id, json!({})).action.operation.to_string();
    bench.sandbox.fault(Some(&operation), fault.clone());
    let failure = bench.send(id, arguments).await.expect_err(id);
    assert_eq!(failure.code, code, "{id} {fault:?}: {failure:?}");
    assert!(failure.next.iter().any(|next| next.contains(step)), "{id} {fault:?}: {step} in {failure:?}");
    if id == "container.restart" {
        let changes = bench.sandbox.requests().iter().filter(|request| request.method != "GET").count();
        assert_eq!(changes, 1, "a change is never sent twice: {fault:?}");
    }
}

fn web() -> Value {
    json!({ "containerId": "web" })
}

#[tokio::test]
async fn a_daemon_that_does_not_answer_is_known_by_any_of_its_words() {
    let bench = Bench::start().await;
    for inner in [
        "failed to create Docker client",
        "failed to negotiate Docker API version",
        "failed to refresh Docker client",
        "failed to connect to the docker API at unix:///var/run/docker.sock",
        "Cannot connect to the Docker daemon at tcp://host:2375",
        "Is the docker daemon running?",
        "permission denied while trying to connect to the Docker daemon socket",
        "dial unix /var/run/docker.sock: connect: no such file or directory",
        "Docker is not responsive",
        "Failed to connect to Docker",
    ] {
        for status in [404, 500, 502, 503] {
            let fault = || Fault::problem(status, &format!("Failed to retrieve container: {inner}"));
            for (id, arguments) in [("container.get", web()), ("container.restart", web())] {
                expect(&bench, id, arguments, fault(), Code::DockerUnreachable, "`environment.test`").await;
            }
        }
        // Nowhere else: a conflict that quotes such words is a conflict.
        expect(&bench, "container.restart", web(), Fault::problem(409, inner), Code::Conflict, "state").await;
    }
}

#[tokio::test]
async fn the_masks_alone_do_not_hide_what_is_missing() {
    let bench = Bench::start().await;
    for (id, arguments, mask, list) in [
        ("container.get", web(), "Failed to retrieve container: No such container: web", "`container.list`"),
        ("image.get", json!({ "imageId": "sha256:a" }), "Image not found: No such image: sha256:a", "`image.list`"),
        ("network.get", json!({ "networkId": "n" }), "Network not found: network n not found", "`network.list`"),
        ("volume.get", json!({ "volumeName": "v" }), "Volume not found: no such volume", "`volume.list`"),
        ("project.get", json!({ "projectId": "p" }), "Failed to get project details: record not found", "`project.list`"),
    ] {
        for status in [404, 500] {
            expect(&bench, id, arguments.clone(), Fault::problem(status, mask), Code::NotFound, list).await;
        }
    }
}

#[tokio::test]
async fn texts_that_hide_any_cause_are_looked_behind() {
    let bench = Bench::start().await;
    for (id, arguments, text) in [
        ("swarm_stack.get", json!({ "name": "x" }), "Swarm stack not found"),
        ("swarm_stack.get", json!({ "name": "x" }), "Swarm stack source not found"),
        ("swarm_config.get", json!({ "configId": "x" }), "Swarm config not found"),
        ("swarm_secret.get", json!({ "secretId": "x" }), "Swarm secret not found"),
        ("project.get", json!({ "projectId": "x" }), "Project not found"),
        ("container.get", web(), "container not found"),
    ] {
        // Docker is up: the thing is missing, and it was asked once.
        expect(&bench, id, arguments.clone(), Fault::problem(404, text), Code::NotFound, "list").await;
        let asked = bench.sandbox.requests().iter().filter(|request| request.path.ends_with("/system/docker/info")).count();
        assert_eq!(asked, 1, "{id}: {text}");
        bench.sandbox.fault(Some("get-docker-info"), Fault::problem(500, "Failed to connect to Docker"));
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, Code::DockerUnreachable, "{id}: {failure:?}");
    }
}

#[tokio::test]
async fn whatever_stands_between_is_told_by_its_own_words() {
    let bench = Bench::start().await;
    let (asleep, late) = (Code::DockerUnreachable, Code::OutcomeUnknown);
    let get = "`environment.get`";
    let cases = [
        (proxied(401, "Authentication required to access remote environments"), Code::Unauthorized, "ARCANE_API_KEY"),
        (proxied(404, "Environment not found"), Code::NotFound, "`environment.list`"),
        (proxied(400, "Environment is disabled"), Code::Conflict, "`environment.update`"),
        (proxied(403, "You don't have permission to perform this action on this environment"), Code::Forbidden, "permission"),
        (proxied(502, "Edge agent is not connected"), asleep, get),
        (proxied(502, "Proxy request failed: read tcp: connection reset by peer"), late, get),
        (proxied(500, "Failed to create proxy request"), asleep, get),
        (tunnelled(504, "request timed out"), late, get),
        (tunnelled(502, "failed to proxy request through tunnel"), late, get),
        (tunnelled(502, "unsupported edge command"), Code::NotSupported, get),
        (tunnelled(500, "failed to read request body"), Code::UpstreamError, "arguments"),
        (answer(400, &json!({ "success": false, "error": "bad name" })), Code::InvalidRequest, ""),
        (answer(429, &json!({ "error": "rate limit exceeded" })), Code::RateLimited, "Wait a minute"),
        (answer(429, &json!({ "error": "Too many concurrent stats connections from this IP" })), Code::RateLimited, "statistics"),
        (
            answer(403, &json!({ "code": "FORBIDDEN", "message": "permission denied: containers:restart" })),
            Code::Forbidden,
            "`containers:restart`",
        ),
        (answer(400, &json!({ "error": "invalid_grant", "error_description": "the grant has ended" })), Code::InvalidRequest, ""),
        (Fault::Html(502), late, "doctor"),
        (Fault::Html(401), Code::UpstreamError, "doctor"),
        (answer(409, &json!({ "detail": "Swarm mode is not enabled" })), Code::Conflict, "`swarm.status`"),
        (answer(409, &json!({ "detail": "the last administrator cannot be removed" })), Code::Conflict, "state"),
        (answer(413, &json!({ "detail": "request body too large" })), Code::InvalidRequest, "less"),
        (answer(408, &json!({ "detail": "request timeout" })), Code::Timeout, "less"),
    ];
    for (fault, code, step) in cases {
        expect(&bench, "container.restart", web(), fault, code, step).await;
    }
    let empty = |status| Fault::Answer { status, content_type: String::new(), body: String::new() };
    for (status, code) in
        [(400, Code::InvalidRequest), (403, Code::Forbidden), (409, Code::Conflict), (502, late), (503, Code::UpstreamError)]
    {
        expect(&bench, "container.restart", web(), empty(status), code, "").await;
    }
}

#[tokio::test]
async fn each_field_that_a_validation_refuses_is_named() {
    let bench = Bench::start().await;
    let body = json!({ "title": "Unprocessable Entity", "status": 422, "detail": "validation failed", "errors": [
        { "message": "unexpected property", "location": "body.foo", "value": { "foo": 1 } },
        { "message": "expected string", "location": "body.name", "value": 7 }
    ] });
    bench.sandbox.fault(
        Some("create-volume"),
        Fault::Answer { status: 422, content_type: "application/problem+json".into(), body: body.to_string() },
    );
    let failure = bench.send("volume.create", json!({ "name": "x" })).await.expect_err("refused");
    assert_eq!(failure.code, Code::InvalidRequest);
    assert!(
        failure.told().contains("body.foo: unexpected property") && failure.told().contains("body.name: expected string"),
        "{failure:?}"
    );
}

#[tokio::test]
async fn an_environment_that_cannot_be_reached_is_offline_with_its_reason() {
    let bench = Bench::start().await;
    for reason in ["connection failed: dial tcp 10.0.0.9:3553: connect: connection refused", "unexpected status code: 502"] {
        let body = json!({ "detail": "unexpected error occurred", "errors": [{ "message": reason }] });
        bench.sandbox.clear_faults();
        bench.sandbox.fault(Some("testConnection"), answer(500, &body));
        let failure = bench.send("environment.test", json!({ "environmentId": "0" })).await.expect_err("offline");
        assert!(failure.told().contains("offline") && failure.told().contains(reason), "{failure:?}");
    }
    // Being reached says nothing about Docker there.
    bench.sandbox.clear_faults();
    let answer = bench.send("environment.test", json!({ "environmentId": "0" })).await.expect("online");
    let said = format!("{:?} {}", answer.notes, bench.call("environment.test", json!({})).action.usage);
    assert!(said.contains("Docker") || said.contains("docker_info"), "{said}");
}
