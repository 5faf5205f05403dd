//! Long calls over the MCP wire, and the smaller duties of HTTP: progress, cancelling, waiting as asked, compressed bodies.

use super::Bench;
use crate::support::{Session, Upstream};
use callslip::error::Code;
use callslip_sandbox::Fault;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn start(session: &mut Session, id: u64, more: &Value) {
    let mut arguments = json!({ "action": "image.pull", "params": { "imageName": "nginx" } });
    arguments.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
    let params = json!({ "name": "arcane_execute_action", "arguments": arguments, "_meta": { "progressToken": "p1" } });
    session.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string());
}

#[test]
fn progress_reaches_the_client_before_the_answer() {
    let upstream = Upstream::start();
    upstream.sandbox.fault(Some("pull-image"), Fault::Trickle { chunk: 90, pause: Duration::from_millis(60) });
    let mut session = Session::start(&[], &upstream.environment());
    start(&mut session, 50, &json!({}));
    let mut news = Vec::new();
    let answer = loop {
        let message = session.receive();
        if message["id"] == 50 {
            break message;
        }
        assert_eq!(
            (&message["method"], &message["params"]["progressToken"]),
            (&json!("notifications/progress"), &json!("p1")),
            "{message}"
        );
        news.push(message["params"].clone());
    };
    assert_eq!(answer["result"]["structuredContent"]["outcome"], "done", "{answer}");
    let done: Vec<_> = news.iter().filter_map(|one| one["progress"].as_f64()).collect();
    assert!(news.len() > 1 && done.is_sorted(), "{news:?}");
    assert!(news[0]["message"].as_str().is_some_and(|line| line.starts_with("activity ") && line.contains("activity.cancel")), "{news:?}");
    assert!(news.iter().any(|one| one["total"] == 100.0), "percent: {news:?}");
    // Without a token there is no news.
    let quiet = session.execute("image.pull", json!({ "imageName": "nginx" }));
    assert_eq!(quiet["structuredContent"]["outcome"], "done");
}

#[test]
fn cancelling_closes_the_connection_and_ends_the_work_when_asked() {
    for cancels in [false, true] {
        let upstream = Upstream::start();
        upstream.sandbox.fault(Some("pull-image"), Fault::Trickle { chunk: 100, pause: Duration::from_millis(300) });
        let mut session = Session::start(&[], &upstream.environment());
        start(&mut session, 60, &json!({ "cancelActivity": cancels }));
        // The first news tells that the work has begun.
        assert_eq!(session.receive()["method"], "notifications/progress");
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 60 } }).to_string());
        let started = Instant::now();
        let settled = || {
            let sent = upstream.requests();
            let aborted = sent.iter().any(|request| request.operation == Some("pull-image") && request.aborted);
            aborted && cancels == sent.iter().any(|request| request.path.ends_with("/cancel"))
        };
        while !settled() && started.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(settled(), "{cancels}: {:?}", upstream.requests());
        // The session goes on.
        upstream.sandbox.clear_faults();
        assert_eq!(session.execute("container.counts", json!({}))["isError"], false);
    }
}

#[tokio::test]
async fn a_server_that_asks_to_wait_is_waited_for_within_reason() {
    let busy = |wait: &str| {
        Fault::Raw(format!("HTTP/1.1 503 Service Unavailable\r\nretry-after: {wait}\r\ncontent-length: 0\r\n\r\n").into_bytes())
    };
    let bench = Bench::start().await;
    bench.sandbox.fault_times(Some("list-containers"), busy("0"), 1);
    bench.send("container.list", json!({})).await.expect("an answer");
    assert_eq!(bench.sandbox.requests().len(), 2);
    // An hour is for the caller to decide, and a change is not sent again whatever the server says.
    for (id, operation, arguments, wait) in [
        ("container.list", "list-containers", json!({}), "3600"),
        ("container.restart", "restart-container", json!({ "containerId": "web" }), "0"),
    ] {
        bench.sandbox.clear();
        bench.sandbox.fault_times(Some(operation), busy(wait), 1);
        let failure = bench.send(id, arguments).await.expect_err(id);
        assert_eq!((failure.code, bench.sandbox.requests().len()), (Code::UpstreamError, 1), "{failure:?}");
    }
}

/// CRC-32 as gzip wants it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 })
    })
}

/// The body as each coding stores it uncompressed.
fn coded(body: &[u8]) -> [(&'static str, Vec<u8>); 3] {
    let size = u8::try_from(body.len()).expect("a short body");
    let length = u32::from(size);
    let gzip =
        [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff, 1, size, 0, !size, 0xff][..], body, &checksum(body).to_le_bytes(), &length.to_le_bytes()];
    let brotli = [&((length - 1) << 4 | 1 << 20).to_le_bytes()[..3], body, &[3]];
    let zstd = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, size][..], &(length << 3 | 1).to_le_bytes()[..3], body];
    [("gzip", gzip.concat()), ("br", brotli.concat()), ("zstd", zstd.concat())]
}

#[tokio::test]
async fn compressed_answers_are_unpacked() {
    let bench = Bench::start().await;
    let body = br#"{"success":true,"data":{"id":"packed"}}"#;
    for (coding, bytes) in coded(body) {
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: {coding}\r\ncontent-length: {}\r\n\r\n",
            bytes.len()
        );
        bench.sandbox.clear_faults();
        bench.sandbox.fault(Some("get-container"), Fault::Raw([head.as_bytes(), &bytes].concat()));
        let answer =
            bench.send("container.get", json!({ "containerId": "web" })).await.unwrap_or_else(|failure| panic!("{coding}: {failure:?}"));
        let answer = answer.body.json().expect("JSON");
        assert_eq!(answer["data"]["id"], "packed", "{coding}");
        let asked = bench.sandbox.requests();
        assert!(asked[0].header("accept-encoding").is_some_and(|codings| codings.contains(coding)), "{:?}", asked[0]);
    }
}

#[tokio::test]
async fn connections_are_used_again() {
    let bench = Bench::start().await;
    let upstream = callslip::upstream::Upstream::new(bench.settings.clone());
    for _ in 0..5 {
        let call = bench.call("container.list", json!({}));
        let request = callslip::request::build(bench.catalog.api(), &call.action, &call.arguments).expect("a request");
        upstream.send(&bench.catalog, &call, &request, None).await.expect("an answer");
    }
    assert_eq!(bench.sandbox.open_connections(), 1);
}

#[tokio::test]
async fn slow_actions_have_their_own_deadline() {
    let mut bench = Bench::start().await;
    bench.settings.timeout = Duration::from_millis(100);
    bench.sandbox.fault(Some("restart-container"), Fault::DelayHeaders(Duration::from_millis(600)));
    let mut call = bench.call("container.restart", json!({ "containerId": "web" }));
    assert_eq!(bench.send_call(&call).await.expect_err("late").code, Code::Timeout);
    call.action.deadline = 30;
    let answer = bench.send_call(&call).await.expect("an answer");
    // And what goes on under an id says how to follow it.
    assert!(answer.notes.iter().any(|note| note.contains("`activity.get` with activityId")), "{:?}", answer.notes);
    let known = bench.catalog.number("image.pull").and_then(|number| bench.catalog.action(number).ok());
    assert!(known.is_some_and(|action| action.deadline >= 600), "the catalog gives slow work its time");
}

#[tokio::test]
async fn the_version_is_read_when_it_matters_and_once() {
    let bench = Bench::start().await;
    bench.sandbox.switch(|switches| switches.version = "2.8.1".into());
    let upstream = callslip::upstream::Upstream::new(bench.settings.clone());
    let send = async |id: &str, arguments: Value| {
        let call = bench.call(id, arguments);
        let request = callslip::request::build(bench.catalog.api(), &call.action, &call.arguments).expect("a request");
        upstream.send(&bench.catalog, &call, &request, None).await
    };
    let asked = || bench.sandbox.requests().iter().filter(|request| request.path.ends_with("/app-version")).count();
    send("container.list", json!({})).await.expect("a list");
    assert_eq!(asked(), 0, "nobody needed it");
    for _ in 0..2 {
        let failure = send("container.generate_compose", json!({ "containerIds": ["web"] })).await.expect_err("newer");
        assert_eq!(failure.code, Code::TooOld, "{failure:?}");
    }
    assert_eq!(asked(), 1);
}
