//! Sockets read for a moment.

use super::Bench;
use callslip::answer::{Answer, Content};
use callslip::error::Code;
use callslip_sandbox::Fault;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

fn log(answer: Answer) -> (String, String, Map<String, Value>) {
    let Content::Log { outcome, log, more, .. } = answer.body else { panic!("a log: {:?}", answer.body) };
    (outcome, log, more)
}

#[tokio::test]
async fn logs_end_at_their_tail_or_at_a_pause() {
    let bench = Bench::start().await;
    for arguments in [
        json!({ "containerId": "web", "tail": "10" }),
        json!({ "containerId": "web", "tail": "10", "follow": false }),
        json!({ "containerId": "web", "tail": "10", "format": "json" }),
        json!({ "containerId": "web", "tail": "10", "batched": true, "follow": false }),
    ] {
        let started = Instant::now();
        let (_, text, _) =
            log(bench.send("container.logs", arguments.clone()).await.unwrap_or_else(|failure| panic!("{arguments}: {failure:?}")));
        assert_eq!(text.lines().count(), 10, "{arguments}: {text}");
        assert!(started.elapsed() < Duration::from_secs(1), "{arguments}");
    }
    // More asked for than there is: the server never closes, the pause ends it.
    let started = Instant::now();
    let (_, text, _) =
        log(bench.send("container.logs", json!({ "containerId": "web", "tail": "500", "follow": false })).await.expect("a log"));
    assert_eq!(text.lines().count(), 200);
    assert!(started.elapsed() < Duration::from_secs(4));
    assert_eq!(bench.sandbox.requests()[0].header("x-api-key"), Some(bench.sandbox.api_key()));
    assert_eq!(bench.sandbox.requests()[0].header("origin"), None);
}

#[tokio::test]
async fn projects_and_services_have_logs_too() {
    let bench = Bench::start().await;
    let projects = bench.send("project.list", json!({})).await.expect("projects").body.json().expect("JSON");
    for (id, arguments) in [
        ("project.logs", json!({ "projectId": projects["data"][0]["id"], "tail": "10", "since": "10m" })),
        ("swarm_service.logs", json!({ "serviceId": "x", "tail": "10", "since": "10m" })),
    ] {
        bench.sandbox.clear();
        let (_, text, _) = log(bench.send(id, arguments).await.unwrap_or_else(|failure| panic!("{id}: {failure:?}")));
        assert_eq!(text.lines().count(), 10, "{id}: {text}");
        let query = &bench.sandbox.requests()[0].query;
        assert!(query.contains("tail=10") && query.contains("since=10m"), "{id}: {query}");
    }
}

#[tokio::test]
async fn a_failure_inside_of_a_socket_is_a_failure() {
    let bench = Bench::start().await;
    for (id, arguments, said) in [
        ("container.exec", json!({ "containerId": "backup", "command": "ls" }), "not running"),
        ("container.exec", json!({ "containerId": "no-such", "command": "ls" }), "No such container"),
        ("container.logs", json!({ "containerId": "no-such" }), "No such container"),
        ("container.stats", json!({ "containerId": "no-such" }), "No such container"),
    ] {
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert!(failure.told().contains(said) && !failure.next.is_empty(), "{id}: {failure:?}");
        let expected = if said == "not running" { Code::StreamFailed } else { Code::NotFound };
        assert_eq!(failure.code, expected, "{id}: {failure:?}");
    }
}

#[tokio::test]
async fn samples() {
    let bench = Bench::start().await;
    for (id, arguments, part) in [
        ("container.stats", json!({ "containerId": "web" }), "cpu_stats"),
        ("system.stats", json!({}), "cpuUsage"),
        ("diagnostics.sample", json!({}), ""),
    ] {
        let (outcome, _, more) = log(bench.send(id, arguments).await.unwrap_or_else(|failure| panic!("{id}: {failure:?}")));
        assert_eq!(outcome, "sample");
        assert!(part.is_empty() || !more["sample"][part].is_null(), "{id}: {more:?}");
    }
    let (_, _, more) = log(bench.send("container.stats", json!({ "containerId": "web" })).await.expect("a sample"));
    assert!(!more["sample"]["precpu_stats"]["cpu_usage"].is_null(), "the second sample has something to compare with");
}

#[tokio::test]
async fn a_command_gives_output_and_exit_code() {
    let bench = Bench::start().await;
    let run = async |command: &str| bench.send("container.exec", json!({ "containerId": "web", "command": command })).await;
    let (outcome, text, more) = log(run("ls").await.expect("a command"));
    assert_eq!((outcome.as_str(), more["exitCode"].as_i64()), ("done", Some(0)));
    assert_eq!(text, "bin\netc\nhome\nusr\nvar");
    let (outcome, _, more) = log(run("false").await.expect("a command"));
    assert_eq!((outcome.as_str(), more["exitCode"].as_i64()), ("exit code 1", Some(1)));
    let failure = run(" ").await.expect_err("empty");
    assert_eq!(failure.code, Code::InvalidArguments);
}

#[tokio::test]
async fn an_upgrade_that_is_refused_is_a_refusal() {
    let mut bench = Bench::start().await;
    bench.settings.credentials.clear();
    let failure = bench.send("container.logs", json!({ "containerId": "web" })).await.expect_err("no credential");
    assert_eq!((failure.code, failure.status), (Code::Unauthorized, Some(401)), "{failure:?}");
    bench.settings.url = Some("http://127.0.0.1:9".into());
    let failure = bench.send("container.logs", json!({ "containerId": "web" })).await.expect_err("nothing listens");
    assert_eq!(failure.code, Code::Unreachable);
}

/// The server accepts the socket before it asks the agent, and closes it when there is no way through.
#[tokio::test]
async fn a_socket_that_is_closed_for_a_reason_is_no_empty_log() {
    let bench = Bench::start().await;
    for (id, arguments) in [
        ("container.logs", json!({ "containerId": "web" })),
        ("container.stats", json!({ "containerId": "web" })),
        ("container.exec", json!({ "containerId": "web", "command": "ls" })),
    ] {
        for (code, expected) in [(1014, Code::DockerUnreachable), (1011, Code::UpstreamError)] {
            bench.sandbox.clear_faults();
            bench.sandbox.fault(None, Fault::CloseSocket(code));
            let failure = bench.send(id, arguments.clone()).await.expect_err(id);
            // A terminal that was opened may have done its work.
            let expected = if id == "container.exec" && code == 1011 { Code::OutcomeUnknown } else { expected };
            assert_eq!(failure.code, expected, "{id} {code}: {failure:?}");
            assert!(!failure.next.is_empty(), "{id} {code}: {failure:?}");
        }
    }
    bench.sandbox.clear_faults();
    bench.sandbox.fault(None, Fault::CloseSocket(1000));
    bench.send("container.logs", json!({ "containerId": "web" })).await.expect("an empty log");
}
