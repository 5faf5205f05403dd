//! Where a real Arcane differs from what is written of it: the sandbox does as the real one, and this is what a caller is told.

use super::Bench;
use callslip::answer::Content;
use callslip::error::{Code, Failure};
use callslip_sandbox::{Fault, Options, Switches};
use serde_json::{Value, json};

fn has_step(failure: &Failure, part: &str) {
    assert!(failure.next.iter().any(|step| step.contains(part)), "{part} in {failure:?}");
}

#[tokio::test]
async fn docker_is_named_where_the_server_names_no_cause() {
    let bench = Bench::start().await;
    bench.sandbox.switch(|switches| switches.docker_down = true);
    for (id, arguments) in [
        ("swarm_config.list", json!({})),
        ("swarm_config.get", json!({ "configId": "x" })),
        ("swarm_secret.list", json!({})),
        ("swarm_secret.get", json!({ "secretId": "x" })),
        ("swarm_stack.get", json!({ "name": "x" })),
        ("swarm_stack.get_source", json!({ "name": "x" })),
        ("swarm_stack.list_services", json!({ "name": "x" })),
        ("swarm.join_tokens", json!({})),
        ("swarm.unlock_key", json!({})),
        ("port.list", json!({})),
        ("network.topology", json!({})),
        ("system.docker_info", json!({})),
        ("system.health", json!({})),
        ("volume_workspace.list", json!({ "volumeName": "x" })),
        ("container.stats", json!({ "containerId": "web" })),
        ("container.logs", json!({ "containerId": "web", "follow": true })),
        ("project.logs", json!({ "projectId": "x" })),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, Code::DockerUnreachable, "{id}: {failure:?}");
        has_step(&failure, "`environment.test`");
    }
    // A change is refused without a cause too; it is not sent again to find out.
    bench.sandbox.clear();
    let failure = bench.send("swarm_config.delete", json!({ "configId": "x" })).await.expect_err("down");
    assert_eq!(failure.code, Code::DockerUnreachable, "{failure:?}");
    assert_eq!(bench.sandbox.requests().iter().filter(|request| request.method == "DELETE").count(), 1);
}

#[tokio::test]
async fn the_health_check_of_2_8_0_always_fails() {
    let switches = Switches { version: "2.8.0".into(), ..Switches::default() };
    let bench = Bench::with(Options { switches, ..Options::default() }).await;
    let answer = bench.send("system.health", json!({})).await.expect("Docker answers");
    assert!(answer.notes[0].contains("Docker was asked instead"), "{:?}", answer.notes);
    bench.sandbox.switch(|switches| switches.docker_down = true);
    let failure = bench.send("system.health", json!({})).await.expect_err("down");
    assert_eq!(failure.code, Code::DockerUnreachable, "{failure:?}");
}

#[tokio::test]
async fn a_bare_500_leads_to_the_list_that_settles_it() {
    let bench = Bench::start().await;
    // The files of a project: the project itself is asked for.
    for (id, arguments) in [
        ("project_workspace.list", json!({ "projectId": "nope" })),
        ("project_workspace.read", json!({ "projectId": "nope", "relativePath": "a" })),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::NotFound, Some(500)), "{id}: {failure:?}");
        has_step(&failure, "`project.list`");
    }
    let cases: [(&str, Value, &str, &str); 3] = [
        ("volume_workspace.list", json!({ "volumeName": "nope" }), "internal error", "`volume.list`"),
        ("git_repository.get", json!({ "repositoryId": "nope" }), "Failed to retrieve git repository", "`git_repository.list`"),
        ("user.create", json!({ "username": "grace", "password": "Hunter2!hunter2" }), "Failed to create user", "log of the server"),
    ];
    for (id, arguments, said, step) in cases {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::UpstreamError, Some(500)), "{id}: {failure:?}");
        assert!(failure.told().contains(said), "{id}: {failure:?}");
        has_step(&failure, step);
    }
    for id in ["git_repository.test", "git_repository.list_branches"] {
        let failure = bench.send(id, json!({ "repositoryId": "nope" })).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::NotFound, Some(400)), "{id}: {failure:?}");
        has_step(&failure, "`git_repository.list`");
    }
}

/// Rules that stand in no schema: the sentence of the server is all that a caller has, and nothing has happened.
#[tokio::test]
async fn rules_beyond_the_schemas_are_told_in_the_words_of_the_server() {
    let bench = Bench::start().await;
    for password in ["hunter2!hunter2", "HUNTER2!HUNTER2", "Hunter!!hunter!!", "Hunter2hunter2", "Hunter2!hu"] {
        for (id, arguments) in [
            ("user.create", json!({ "username": "ann", "password": password })),
            ("user.update", json!({ "userId": "u1", "password": password })),
            ("auth.change_password", json!({ "currentPassword": "arcane-sandbox", "newPassword": password })),
        ] {
            let failure = bench.send(id, arguments).await.expect_err(id);
            assert_eq!((failure.code, failure.status), (Code::InvalidRequest, Some(400)), "{id}: {failure:?}");
            assert!(failure.told().contains("12 characters") && !failure.told().contains(password), "{id}: {failure:?}");
        }
    }
    for (id, arguments) in [
        ("variable.create", json!({ "key": "K", "value": "v" })),
        ("variable.create", json!({ "key": "K", "value": "v", "environmentIds": [" "], "allEnvironments": false })),
        ("variable.update", json!({ "variableId": "v1", "environmentIds": [] })),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!((failure.code, failure.status), (Code::InvalidRequest, Some(400)), "{id}: {failure:?}");
        assert!(failure.told().contains("at least one environment"), "{id}: {failure:?}");
    }
    for (id, arguments) in [
        ("user.create", json!({ "username": "ann", "password": "Hunter2!hunter2" })),
        ("variable.create", json!({ "key": "K", "value": "v", "environmentIds": ["0"] })),
        ("variable.update", json!({ "variableId": "v1", "value": "w" })),
    ] {
        bench.send(id, arguments).await.expect(id);
    }
}

#[tokio::test]
async fn json_that_breaks_off_shows_its_end() {
    let bench = Bench::start().await;
    bench.sandbox.switch(|switches| switches.broken_diagnostics = true);
    let failure = bench.send("diagnostics.logs", json!({})).await.expect_err("broken");
    assert_eq!((failure.code, failure.status), (Code::UpstreamError, Some(200)), "{failure:?}");
    assert!(failure.told().contains("JSON that is broken") && failure.told().contains("error marshaling response"), "{failure:?}");
}

#[tokio::test]
async fn a_newer_route_that_an_older_one_catches_is_told_by_the_version() {
    let switches = Switches { version: "2.8.1".into(), ..Switches::default() };
    let bench = Bench::with(Options { switches, ..Options::default() }).await;
    let failure = bench.send("image_patch.list", json!({})).await.expect_err("newer");
    assert_eq!(bench.sandbox.requests()[0].operation, Some("get-image"), "{failure:?}");
    assert_eq!(failure.code, Code::TooOld, "{failure:?}");
    // What stands before an agent calls a route that it does not know forbidden.
    bench.sandbox.switch(|switches| switches.edge_awake = true);
    let remote = json!({ "environmentId": bench.sandbox.edge_environment(), "containerId": "web" });
    let failure = bench.send("container.processes", remote).await.expect_err("newer");
    assert_eq!((failure.code, failure.status), (Code::TooOld, Some(403)), "{failure:?}");
}

/// Text as base64, lines that are JSON once more, counters in place of figures.
#[tokio::test]
async fn answers_are_given_the_form_that_they_mean() {
    let bench = Bench::start().await;
    let read = bench.send("build_workspace.read", json!({ "path": "/app/Dockerfile" })).await.expect("a file");
    assert_eq!(read.body.json().expect("JSON")["data"]["content"], "FROM alpine:3.21\nCOPY . /app\n");
    let build = bench.send("image.get_build", json!({ "buildId": "b1" })).await.expect("a build");
    let build = build.body.json().expect("JSON");
    let output = build["data"]["output"].as_str().expect("a log");
    assert!(output.starts_with("build started\nStep 1/3 : FROM alpine:3.21\n") && !output.contains('{'), "{output}");
    let stream = bench.send("image.build", json!({ "contextDir": "/builds/app", "tags": ["a:1"] })).await.expect("built");
    let Content::Log { log, .. } = stream.body else { panic!("a log") };
    assert_eq!(log.trim_end(), output);
    let stats = bench.send("container.stats", json!({ "containerId": "web" })).await.expect("a sample");
    let Content::Log { more, .. } = stats.body else { panic!("a sample") };
    assert_eq!(more.keys().collect::<Vec<_>>(), ["usage", "sample"]);
    assert!(more["usage"]["memoryBytes"].is_u64() && more["usage"]["cpuPercent"].is_f64(), "{more:?}");
    let service = bench.send("swarm_service.logs", json!({ "serviceId": "s1", "tail": "2" })).await.expect("lines");
    let Content::Log { log, .. } = service.body else { panic!("a log") };
    assert!(log.lines().count() == 2 && log.lines().all(|line| line.starts_with("wkn9v9tg0lc1: ")), "{log}");
}

/// Without channels the feed says nothing at all.
#[tokio::test]
async fn the_live_feed_is_asked_for_everything() {
    let bench = Bench::start().await;
    let feed = bench.send("stream.snapshot", json!({})).await.expect("a feed");
    let Content::Log { outcome, log, .. } = feed.body else { panic!("a log") };
    assert_eq!((&*outcome, log.lines().count()), ("snapshot", 3), "{log}");
}

#[tokio::test]
async fn the_compose_file_is_no_file_of_the_workspace() {
    let bench = Bench::start().await;
    let projects = bench.send("project.list", json!({})).await.expect("projects").body.json().expect("JSON");
    let arguments = json!({ "projectId": projects["data"][0]["id"], "relativePath": ".env" });
    let failure = bench.send("project_workspace.read", arguments).await.expect_err("another action");
    assert_eq!((failure.code, failure.status), (Code::InvalidRequest, Some(403)), "{failure:?}");
    has_step(&failure, "`project.compose`");
    for (id, status, said, list) in [
        ("build_workspace.read", 500, "failed to open file: lstat '/app': no such file or directory", "`build_workspace.list`"),
        ("volume_workspace.read", 404, "file not found", "`volume_workspace.list`"),
    ] {
        bench.sandbox.clear_faults();
        bench.sandbox.fault(None, Fault::problem(status, said));
        let arguments = if id.starts_with('b') { json!({ "path": "/app" }) } else { json!({ "volumeName": "data", "relativePath": "a" }) };
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!(failure.code, Code::NotFound, "{failure:?}");
        has_step(&failure, list);
    }
}
