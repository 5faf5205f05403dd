//! Arcane's own habits: what its texts hide, and what each stands for.

use super::Bench;
use callslip::answer::Content;
use callslip::error::{Code, Failure};
use callslip::upstream::Credential;
use callslip_sandbox::{Fault, Options, Switches};
use serde_json::json;

fn has_step(failure: &Failure, part: &str) {
    assert!(failure.next.iter().any(|step| step.contains(part)), "{part} in {failure:?}");
}

#[tokio::test]
async fn docker_down_is_told_from_not_found() {
    let bench = Bench::start().await;
    bench.sandbox.switch(|switches| switches.docker_down = true);
    for (id, arguments) in [
        ("container.get", json!({ "containerId": "web" })),
        ("container.list", json!({})),
        ("container.restart", json!({ "containerId": "web" })),
        ("image.get", json!({ "imageId": "sha256:abc" })),
        ("system.docker_info", json!({})),
        ("image.pull", json!({ "imageName": "nginx" })),
        ("container.logs", json!({ "containerId": "web" })),
        ("container.exec", json!({ "containerId": "web", "command": "ls" })),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, Code::DockerUnreachable, "{id}: {failure:?}");
        has_step(&failure, "`environment.test`");
        has_step(&failure, "`environment.get`");
    }
    // No body at all, or a text without a cause: Docker itself is asked.
    for id in ["port.list", "swarm_config.list", "network.topology"] {
        let operation = bench.call(id, json!({})).action.operation.to_string();
        bench.sandbox.fault(Some(&operation), Fault::problem(500, "failed to list things"));
        let failure = bench.send(id, json!({})).await.expect_err(id);
        assert_eq!(failure.code, Code::DockerUnreachable, "{id}: {failure:?}");
    }
    let failure = bench.send("system.health", json!({})).await.expect_err("down");
    assert_eq!(failure.code, Code::DockerUnreachable, "{failure:?}");
    // The cause is not in the answer: Docker itself is asked.
    let failure = bench.send("swarm_stack.get", json!({ "name": "x" })).await.expect_err("masked");
    assert_eq!(failure.code, Code::DockerUnreachable, "{failure:?}");
}

#[tokio::test]
async fn a_missing_thing_is_not_found_whatever_its_status() {
    let bench = Bench::start().await;
    for (id, arguments, list) in [
        ("container.get", json!({ "containerId": "nope" }), "`container.list`"),
        ("container.restart", json!({ "containerId": "nope" }), "`container.list`"),
        ("image.delete", json!({ "imageId": "sha256:nope" }), "`image.list`"),
        ("volume.get", json!({ "volumeName": "nope" }), "`volume.list`"),
        ("network.delete", json!({ "networkId": "nope" }), "`network.list`"),
        ("project.get", json!({ "projectId": "nope" }), "`project.list`"),
        ("project_workspace.read", json!({ "projectId": "nope", "relativePath": "a" }), "`project.list`"),
        ("project.up", json!({ "projectId": "nope" }), "`project.list`"),
        ("container.exec", json!({ "containerId": "nope", "command": "ls" }), "`container.list`"),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, Code::NotFound, "{id}: {failure:?}");
        has_step(&failure, list);
    }
}

#[tokio::test]
async fn environments_are_told_apart() {
    let bench = Bench::start().await;
    let at = |id: String| json!({ "environmentId": id });
    let failure = bench.send("container.list", at("no-such".into())).await.expect_err("unknown");
    assert_eq!(failure.code, Code::NotFound, "{failure:?}");
    has_step(&failure, "`environment.list`");
    let failure = bench.send("container.list", at(bench.sandbox.disabled_environment())).await.expect_err("disabled");
    assert!(failure.told().contains("disabled"), "{failure:?}");
    let edge = bench.sandbox.edge_environment();
    let failure = bench.send("container.list", at(edge.clone())).await.expect_err("asleep");
    assert_eq!(failure.code, Code::DockerUnreachable, "{failure:?}");
    assert!(failure.told().contains("not connected"), "{failure:?}");
    let failure = bench.send("environment.test", at(edge.clone())).await.expect_err("offline");
    assert!(failure.told().contains("offline"), "{failure:?}");
    // Beyond an edge agent's list: said before anything is sent.
    bench.sandbox.switch(|switches| switches.edge_awake = true);
    bench.sandbox.clear();
    let failure = bench.send("container.kill", json!({ "environmentId": edge, "containerId": "web" })).await.expect_err("not on the list");
    assert_eq!(failure.code, Code::NotSupported, "{failure:?}");
    assert!(bench.sandbox.requests().iter().all(|request| request.method == "GET"));
}

#[tokio::test]
async fn credentials_are_explained() {
    let mut bench = Bench::start().await;
    let failure = bench.send("mfa.status", json!({})).await.expect_err("session only");
    assert_eq!(failure.code, Code::Unauthorized);
    assert!(failure.told().contains("session token") && bench.sandbox.requests().is_empty(), "{failure:?}");
    has_step(&failure, "`ARCANE_TOKEN`");

    // Both configured: exactly one is sent, the one that the action accepts.
    let token = bench.sandbox.session_token();
    bench.settings.credentials.push(Credential::new(&bench.catalog.api().credentials[1], &token));
    bench.send("mfa.status", json!({})).await.expect("a session");
    bench.send("container.list", json!({})).await.expect("a key");
    let sent = bench.sandbox.requests();
    assert!(sent[0].header("authorization").is_some() && sent[0].header("x-api-key").is_none());
    assert!(sent[1].header("authorization").is_none() && sent[1].header("x-api-key").is_some());

    bench.settings.credentials = vec![Credential::new(&bench.catalog.api().credentials[0], "arc_wrong")];
    let failure = bench.send("container.list", json!({})).await.expect_err("wrong key");
    assert_eq!(failure.code, Code::Unauthorized);
    has_step(&failure, "`ARCANE_API_KEY`");

    bench.sandbox.add_key("arc_reader", &["containers:list"]);
    bench.settings.credentials = vec![Credential::new(&bench.catalog.api().credentials[0], "arc_reader")];
    let failure = bench.send("container.restart", json!({ "containerId": "web" })).await.expect_err("no permission");
    assert_eq!(failure.code, Code::Forbidden);
    assert!(failure.told().contains("`containers:restart`") && failure.told().contains("environment `0`"), "{failure:?}");
}

/// 401, although nothing is wrong with the credential.
#[tokio::test]
async fn a_wrong_password_is_not_a_wrong_credential() {
    let mut bench = Bench::start().await;
    let token = bench.sandbox.session_token();
    bench.settings.credentials = vec![Credential::new(&bench.catalog.api().credentials[1], &token)];
    for (id, arguments) in [
        ("auth.change_password", json!({ "currentPassword": "nope", "newPassword": "Hunter2!hunter2" })),
        ("passkey.password_step_up", json!({ "password": "nope" })),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::InvalidRequest, Some(401)), "{id}: {failure:?}");
        has_step(&failure, "Give the right one");
    }
    for id in ["mfa.enable", "mfa.disable", "mfa.regenerate_codes"] {
        let failure = bench.send(id, json!({})).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::Unauthorized, Some(401)), "{id}: {failure:?}");
        has_step(&failure, "`passkey.password_step_up`");
        bench.send(id, json!({ "stepUpToken": "t" })).await.expect(id);
    }
}

#[tokio::test]
async fn a_session_that_an_update_ended_is_renewed_once() {
    let mut bench = Bench::start().await;
    let token = bench.sandbox.session_token();
    bench.settings.credentials = vec![Credential::new(&bench.catalog.api().credentials[1], &token)];
    bench.sandbox.switch(|switches| switches.version_bumped = true);
    let failure = bench.send("container.list", json!({})).await.expect_err("ended");
    assert_eq!(failure.code, Code::Unauthorized);
    assert!(failure.told().contains("session"), "{failure:?}");
    bench.settings.refresh_token = Some("refresh-token-of-the-session".to_owned().into());
    let fresh = json!({ "success": true, "data": { "token": bench.sandbox.session_token(), "refreshToken": "r", "expiresAt": "2030-01-01T00:00:00Z" } });
    bench
        .sandbox
        .fault(Some("refresh-token"), Fault::Answer { status: 200, content_type: "application/json".into(), body: fresh.to_string() });
    bench.sandbox.clear();
    let _ = bench.send("container.list", json!({})).await;
    let sent: Vec<_> = bench.sandbox.requests().iter().map(|request| request.path.clone()).collect();
    assert_eq!(sent.iter().filter(|path| path.ends_with("/auth/refresh")).count(), 1, "{sent:?}");
    assert_eq!(sent.iter().filter(|path| path.ends_with("/containers")).count(), 2, "{sent:?}");
}

#[tokio::test]
async fn an_action_newer_than_the_server_says_so() {
    let switches = Switches { version: "2.7.0".into(), ..Switches::default() };
    let bench = Bench::with(Options { switches, ..Options::default() }).await;
    let failure = bench.send("volume_workspace.list", json!({ "volumeName": "data" })).await.expect_err("moved");
    assert_eq!(failure.code, Code::TooOld, "{failure:?}");
    has_step(&failure, "/browse");
    bench.sandbox.switch(|switches| switches.version = "2.8.1".into());
    let failure = bench.send("container.generate_compose", json!({ "containerIds": ["web"] })).await.expect_err("newer");
    assert_eq!(failure.code, Code::TooOld, "{failure:?}");
    assert!(failure.told().contains("2.8.1") && failure.told().contains("at the latest since 2.14.0"), "{failure:?}");
}

#[tokio::test]
async fn a_health_check_that_always_fails_is_asked_another_way() {
    let bench = Bench::start().await;
    bench.sandbox.fault(Some("docker-health"), Fault::Answer { status: 500, content_type: String::new(), body: String::new() });
    bench.sandbox.fault(Some("head-docker-health"), Fault::Answer { status: 500, content_type: String::new(), body: String::new() });
    let action = bench.call("system.health", json!({})).action;
    bench.sandbox.fault(Some(&action.operation), Fault::Answer { status: 500, content_type: String::new(), body: String::new() });
    let answer = bench.send("system.health", json!({})).await.expect("Docker answers");
    assert_eq!(answer.body, Content::Empty);
    assert!(answer.notes[0].contains("Docker"), "{:?}", answer.notes);
}

#[tokio::test]
async fn success_that_is_less_than_success() {
    let bench = Bench::start().await;
    bench.sandbox.fault(
        Some("echo-webhook-trigger"),
        Fault::Answer { status: 202, content_type: "application/json".into(), body: json!({ "success": true }).to_string() },
    );
    let answer = bench.send("webhook.trigger", json!({ "token": "abcdef0123456789" })).await.expect("accepted");
    assert_eq!(answer.status, 202);
    assert!(answer.notes.iter().any(|note| note.contains("queued")), "{:?}", answer.notes);
    let mfa = json!({ "success": true, "data": { "status": "mfa_required", "challenge": "x" } });
    bench.sandbox.fault(Some("login"), Fault::Answer { status: 200, content_type: "application/json".into(), body: mfa.to_string() });
    let failure = bench.send("auth.login", json!({ "username": "a", "password": "b" })).await.expect_err("a second factor");
    has_step(&failure, "API key");
    let part = json!({ "success": true, "data": { "success": false, "failed": ["a"], "errors": ["a: no"] } });
    bench.sandbox.fault(
        Some("start-all-containers"),
        Fault::Answer { status: 200, content_type: "application/json".into(), body: part.to_string() },
    );
    let failure = bench.send("system.start_all", json!({})).await.expect_err("half of it failed");
    assert_eq!(failure.more["result"]["failed"][0], "a", "{failure:?}");
}

#[tokio::test]
async fn rate_limits_say_how_long() {
    let bench = Bench::start().await;
    bench.sandbox.switch(|switches| switches.rate_limited = true);
    let failure = bench.send("container.list", json!({})).await.expect_err("limited");
    assert_eq!((failure.code, failure.status), (Code::RateLimited, Some(429)));
    has_step(&failure, "60 s");
    assert_eq!(bench.sandbox.requests().len(), 1);
}

#[tokio::test]
async fn files_that_git_manages_are_not_written() {
    let bench = Bench::start().await;
    let managed = json!({ "success": true, "data": { "id": "p1", "name": "web", "gitOpsManagedBy": "sync-1" } });
    bench
        .sandbox
        .fault(Some("get-project"), Fault::Answer { status: 200, content_type: "application/json".into(), body: managed.to_string() });
    let failure = bench.send("project.update", json!({ "projectId": "p1", "envContent": "A=b" })).await.expect_err("managed");
    assert_eq!(failure.code, Code::Conflict, "{failure:?}");
    has_step(&failure, "repository");
    assert!(bench.sandbox.requests().iter().all(|request| request.method == "GET"));
}

#[tokio::test]
async fn texts_that_only_arcane_writes() {
    let bench = Bench::start().await;
    let proxy = |status: u16, text: &str| Fault::Answer {
        status,
        content_type: "application/json".into(),
        body: json!({ "success": false, "data": { "error": text } }).to_string(),
    };
    let web = json!({ "containerId": "web" });
    let cases = [
        ("oidc.config", json!({}), Fault::problem(500, "failed to get OIDC config"), Code::NotFound, "`oidc.status`"),
        (
            "container.restart",
            web.clone(),
            proxy(502, "Proxy request failed: read: connection reset by peer"),
            Code::OutcomeUnknown,
            "`environment.test`",
        ),
        (
            "container.restart",
            web.clone(),
            Fault::Answer {
                status: 504,
                content_type: "application/json".into(),
                body: json!({ "error": "request timed out" }).to_string(),
            },
            Code::OutcomeUnknown,
            "`environment.test`",
        ),
        ("container.restart", web.clone(), Fault::problem(502, "unsupported edge command"), Code::NotSupported, "`environment.get`"),
        ("swarm_node.list", json!({}), Fault::problem(409, "Swarm mode is not enabled"), Code::Conflict, "`swarm.status`"),
        ("swarm_node.list", json!({}), Fault::problem(403, "Swarm manager access required"), Code::Conflict, "`environment.list`"),
        (
            "role.create",
            json!({ "name": "r", "description": "", "permissions": [] }),
            Fault::problem(403, "permission denied: global admin required"),
            Code::Forbidden,
            "administrator",
        ),
        (
            "container.restart",
            web.clone(),
            Fault::problem(500, "Failed to restart container: Error response from daemon: No such container: web"),
            Code::NotFound,
            "`container.list`",
        ),
        (
            "volume_workspace.update",
            json!({ "volumeName": "v", "fileTreeRevision": "1", "fileChanges": [] }),
            Fault::problem(409, "the file tree changed"),
            Code::Conflict,
            "`fileTreeRevision`",
        ),
        ("container.list", json!({}), Fault::problem(400, "Environment is disabled"), Code::Conflict, "`environment.update`"),
    ];
    for (id, arguments, fault, code, step) in cases {
        bench.sandbox.clear();
        bench.sandbox.clear_faults();
        let operation = bench.call(id, json!({})).action.operation.to_string();
        bench.sandbox.fault(Some(&operation), fault.clone());
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, code, "{fault:?}: {failure:?}");
        has_step(&failure, step);
        if id == "container.restart" {
            assert_eq!(bench.sandbox.requests().len(), 1, "a change is never sent twice: {fault:?}");
        }
    }
    // An image that was built here has no registry to ask: a word, not a failure.
    let local = json!({ "success": true, "data": { "error": "no registry", "hasUpdate": false } });
    let action = bench.call("image_update.check", json!({})).action;
    bench.sandbox.clear_faults();
    bench
        .sandbox
        .fault(Some(&action.operation), Fault::Answer { status: 200, content_type: "application/json".into(), body: local.to_string() });
    let mut arguments = serde_json::Map::new();
    for param in action.params.iter().filter(|param| param.required) {
        arguments.insert(param.name.to_string(), "arcane.local/x".into());
    }
    let answer = bench.send("image_update.check", arguments.into()).await.expect("an answer");
    assert!(answer.notes.iter().any(|note| note.contains("cannot be checked")), "{:?}", answer.notes);
}

#[tokio::test]
async fn a_wrong_password_is_not_a_wrong_key() {
    let bench = Bench::start().await;
    bench.sandbox.fault(Some("login"), Fault::problem(401, "Invalid username or password"));
    let failure = bench.send("auth.login", json!({ "username": "a", "password": "b" })).await.expect_err("refused");
    assert_eq!(failure.code, Code::Unauthorized);
    assert!(!failure.next.iter().any(|step| step.contains("ARCANE_API_KEY")), "{failure:?}");
}
