//! Everything that a network, a proxy or a failing server does, over every kind of answer. Whatever happens, a call ends when its time is
//! over, says what went wrong and what to do, keeps within its memory, leaves nothing running, and a change is never sent twice.

use super::{Bench, call, secure};
use crate::support::{Session, Upstream};
use callslip::catalog::Catalog;
use callslip::error::Code;
use callslip::request;
use callslip::upstream::{Credential, Settings};
use callslip_sandbox::Fault;
use serde_json::{Value, json};
use std::io::Read;
use std::net::SocketAddr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A small catalog with one action a kind, without deadlines of their own.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/upstream/faults");
/// Longest that a call may take, and how much later than that a busy machine may notice.
const LIMIT: Duration = Duration::from_secs(2);
const SLACK: Duration = Duration::from_secs(10);
/// Most memory that answers may cost, in kB.
const MEMORY: u64 = 64 << 10;
/// How often a read is sent at most.
const READS: usize = 3;

/// A kind of answer, by an action that has it.
#[derive(Debug)]
struct Kind {
    name: &'static str,
    action: &'static str,
    operation: &'static str,
    changes: bool,
}

#[rustfmt::skip]
const KINDS: [Kind; 9] = [
    Kind { name: "list", action: "container.list", operation: "list-containers", changes: false },
    Kind { name: "object", action: "container.get", operation: "get-container", changes: false },
    Kind { name: "change", action: "container.restart", operation: "restart-container", changes: true },
    Kind { name: "text", action: "container.download_logs", operation: "download-container-logs", changes: false },
    Kind { name: "binary", action: "image.export", operation: "export-image", changes: false },
    Kind { name: "stream", action: "image.pull", operation: "pull-image", changes: true },
    Kind { name: "socket", action: "container.logs", operation: "ws-container-logs", changes: false },
    Kind { name: "terminal", action: "container.exec", operation: "ws-container-exec", changes: true },
    Kind { name: "empty", action: "webhook.update", operation: "update-webhook", changes: true },
];

fn arguments(kind: &Kind) -> Value {
    match kind.name {
        "list" => json!({}),
        "binary" => json!({ "name": "nginx" }),
        "stream" => json!({ "imageName": "nginx" }),
        "terminal" => json!({ "containerId": "web", "command": "ls" }),
        "empty" => json!({ "webhookId": "w", "enabled": true }),
        _ => json!({ "containerId": "web" }),
    }
}

/// Where it goes wrong.
enum Place {
    /// In the answer of the sandbox.
    Answer(fn(&Kind) -> Fault),
    /// At the address: nothing listens, or something that is no API.
    Address(fn() -> String),
}

/// Something that goes wrong, with the codes it may have for a read and for a change, and the kinds for which an answer is right, since
/// nothing of it is missing or what is missing is said.
struct Row {
    name: &'static str,
    place: Place,
    read: &'static [&'static str],
    change: &'static [&'static str],
    fine: &'static [&'static str],
    /// Megabytes are made and read: on a busy machine the time may be over first.
    heavy: bool,
}

const UNKNOWN: &[&str] = &["outcome_unknown"];
const BROKEN: &[&str] = &["upstream_error"];
const LATE: &[&str] = &["timeout"];
const AWAY: &[&str] = &["unreachable"];

#[rustfmt::skip]
fn rows() -> Vec<Row> {
    use Place::{Address, Answer};
    vec![
        Row { name: "connection refused", place: Address(nothing), read: AWAY, change: AWAY, fine: &[], heavy: false },
        Row { name: "a connection that nothing answers", place: Address(silence), read: LATE, change: LATE, fine: &[], heavy: false },
        Row { name: "half a TLS handshake", place: Address(half), read: &["timeout", "unreachable"], change: &["timeout", "unreachable"], fine: &[], heavy: false },
        Row { name: "wrong certificate", place: Address(stranger), read: AWAY, change: AWAY, fine: &[], heavy: false },
        Row { name: "reset at once", place: Answer(|_| Fault::Reset), read: BROKEN, change: UNKNOWN, fine: &[], heavy: false },
        Row { name: "reset in the status line", place: Answer(|_| Fault::ResetAfter(9)), read: BROKEN, change: UNKNOWN, fine: &[], heavy: false },
        Row { name: "reset in the headers", place: Answer(|_| Fault::ResetAfter(60)), read: BROKEN, change: UNKNOWN, fine: &[], heavy: false },
        // A log that breaks off says so; an answer without a body is whole by then.
        Row { name: "reset in the body", place: Answer(|kind| Fault::ResetAfter(if kind.name == "change" { 140 } else { 240 })), read: BROKEN, change: UNKNOWN, fine: &["socket", "empty", "binary", "object", "terminal"], heavy: false },
        Row { name: "slow headers", place: Answer(|_| Fault::DelayHeaders(HOUR)), read: LATE, change: LATE, fine: &[], heavy: false },
        // A log may be silent, and an empty answer has no body to wait for.
        Row { name: "slow body", place: Answer(|_| Fault::DelayBody(HOUR)), read: LATE, change: &["timeout", "outcome_unknown"], fine: &["socket", "empty"], heavy: false },
        Row { name: "a byte at a time", place: Answer(|_| Fault::Trickle { chunk: 1, pause: Duration::from_millis(200) }), read: LATE, change: &["timeout", "outcome_unknown"], fine: &["socket", "terminal", "empty"], heavy: false },
        Row { name: "an endless body", place: Answer(|_| Fault::EndlessBody), read: &["timeout", "upstream_error", "invalid_request"], change: &["timeout", "upstream_error", "outcome_unknown"], fine: &["text", "socket", "empty"], heavy: true },
        Row { name: "less than the length says", place: Answer(|_| Fault::WrongLength(10)), read: &["upstream_error", "timeout"], change: &["outcome_unknown", "timeout"], fine: &["socket", "terminal", "empty", "stream"], heavy: false },
        // What is missing from a text or bytes nobody can know.
        Row { name: "more than the length says", place: Answer(|_| Fault::WrongLength(-10)), read: BROKEN, change: &["outcome_unknown", "upstream_error", "stream_failed"], fine: &["text", "binary", "socket", "terminal", "empty"], heavy: false },
        Row { name: "chunks of garbage", place: Answer(|_| raw("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n\0\0")), read: BROKEN, change: &["outcome_unknown", "upstream_error"], fine: &[], heavy: false },
        Row { name: "no HTTP", place: Answer(|_| raw("garbage\r\n\r\n")), read: BROKEN, change: UNKNOWN, fine: &[], heavy: false },
        Row { name: "100-continue and no more", place: Answer(|_| raw("HTTP/1.1 100 Continue\r\n\r\n")), read: BROKEN, change: UNKNOWN, fine: &[], heavy: false },
        Row { name: "100-continue without end", place: Answer(|_| raw(&"HTTP/1.1 100 Continue\r\n\r\n".repeat(2000))), read: BROKEN, change: UNKNOWN, fine: &[], heavy: false },
        Row { name: "100-continue, then a refusal", place: Answer(|_| raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")), read: &["forbidden"], change: &["forbidden"], fine: &[], heavy: false },
        Row { name: "a gzip bomb", place: Answer(|_| Fault::GzipBomb(100 << 20)), read: &["upstream_error", "invalid_request", "timeout"], change: &["upstream_error", "outcome_unknown", "timeout"], fine: &["text", "socket", "terminal", "empty"], heavy: true },
        Row { name: "10,000 rows", place: Answer(many), read: &["invalid_request", "upstream_error"], change: &["outcome_unknown", "upstream_error"], fine: &["list", "object", "change", "text", "stream", "socket", "empty"], heavy: true },
        Row { name: "a line of 16 MiB", place: Answer(line), read: BROKEN, change: &["outcome_unknown", "timeout"], fine: &["list", "object", "change", "text", "binary", "stream", "empty"], heavy: true },
        // The most that is taken apart and shown.
        Row { name: "6,000 rows", place: Answer(|kind| many_rows(kind, 6_000)), read: &["invalid_request"], change: &["outcome_unknown", "upstream_error"], fine: &["list", "object", "change", "text", "stream", "socket", "empty"], heavy: true },
        Row { name: "one value of 11 MiB", place: Answer(long), read: &["invalid_request"], change: UNKNOWN, fine: &["list", "object", "change", "text", "stream", "socket", "terminal", "empty"], heavy: true },
        Row { name: "values without number", place: Answer(zeros), read: BROKEN, change: &["upstream_error", "outcome_unknown"], fine: &["text", "binary", "socket", "terminal", "empty", "stream"], heavy: true },
    ]
}

const HOUR: Duration = Duration::from_secs(3600);

fn raw(text: &str) -> Fault {
    Fault::Raw(text.as_bytes().to_vec())
}

fn nothing() -> String {
    // No port that was free a moment ago: a sandbox beside may have taken it since.
    "http://127.0.0.1:9".into()
}

/// A port whose queue is full and never emptied, so that what knocks gets no answer: as behind a firewall that drops packets.
fn silence() -> String {
    static ADDRESS: OnceLock<SocketAddr> = OnceLock::new();
    let address = ADDRESS.get_or_init(|| {
        // The runtime is left running, as the port must stay.
        let runtime = Box::leak(Box::new(tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime")));
        let _inside = runtime.enter();
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        let listener = Box::leak(Box::new(socket.listen(1).expect("a queue")));
        let address = listener.local_addr().expect("an address");
        let queued = std::iter::from_fn(|| std::net::TcpStream::connect_timeout(&address, Duration::from_millis(300)).ok());
        assert!(queued.take(10).map(Box::new).map(Box::leak).count() < 10, "the queue is never full");
        address
    });
    format!("http://{address}")
}

/// The time for a connection is shorter than that for an answer, and its end says that nothing was sent.
#[tokio::test]
async fn a_connection_that_nothing_answers_ends_in_its_own_time() {
    let mut bench = Bench::start().await;
    bench.settings.url = Some(silence());
    bench.settings.connect_timeout = Duration::from_millis(400);
    let started = Instant::now();
    let failure = bench.send("container.restart", json!({ "containerId": "web" })).await.expect_err("silence");
    assert!(started.elapsed() < SLACK, "{:?}", started.elapsed());
    assert_eq!(failure.code, Code::Unreachable, "{failure:?}");
    assert!(!failure.next.is_empty(), "{failure:?}");
}

fn half() -> String {
    let port = secure::listen(|mut stream| {
        let _ = stream.read(&mut [0; 64]);
        std::thread::sleep(LIMIT + SLACK);
    });
    format!("https://localhost:{port}")
}

fn stranger() -> String {
    format!("https://localhost:{}", secure::serve(false))
}

fn many(kind: &Kind) -> Fault {
    many_rows(kind, 10_000)
}

/// A server that gives the whole list whatever it is asked, and a page of it in the middle.
#[test]
fn ten_thousand_rows_are_shown_in_pages() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    session.execute("container.list", json!({}));
    let before = session.peak();
    upstream.sandbox.fault(Some("list-containers"), many_rows(&KINDS[0], 10_000));
    for (params, head) in [
        (json!({}), "25 item(s) — 10000 total, page 1 of 400\nNext page: `start: 25`"),
        (json!({ "start": 9_500, "limit": 500 }), "500 item(s) — 10000 total, page 20 of 20\n"),
    ] {
        let result = session.execute("container.list", params);
        let text = result["content"][0]["text"].as_str().expect("text");
        assert!(text.starts_with(head), "{}", text.chars().take(400).collect::<String>());
        assert_eq!(result["structuredContent"]["items"][0]["state"], "running");
    }
    let grown = session.peak() - before;
    assert!(grown <= MEMORY, "{} MiB", grown >> 10);
}

/// Rows as a list has them, lines where the answer is made of lines.
fn many_rows(kind: &Kind, count: usize) -> Fault {
    // Made once: a debug build takes seconds for ten thousand.
    let row = json!({
        "id": "0".repeat(64), "names": ["/web"], "image": "registry.example.com/team/web:1.27", "imageId": format!("sha256:{:064}", 1),
        "command": "/docker-entrypoint.sh nginx -g 'daemon off;'", "created": 1_760_000_000,
        "state": "running", "status": "Up 3 hours (healthy)", "ports": [{ "ip": "0.0.0.0", "privatePort": 80, "publicPort": 8080, "type": "tcp" }],
        "labels": { "com.docker.compose.project": "web", "com.docker.compose.service": "web", "maintainer": "somebody" },
        "mounts": [], "networkSettings": { "networks": { "bridge": { "ipAddress": "172.17.0.2", "gateway": "172.17.0.1" } } }
    });
    let rows = vec![row.to_string(); count].join(",");
    let (content_type, body) = match kind.name {
        "stream" | "socket" | "terminal" => return Fault::ManyLines(count),
        "text" => ("text/plain", "a line\n".repeat(count)),
        "binary" => ("application/x-tar", rows),
        "list" => {
            let pagination = json!({ "totalItems": count, "totalPages": 1, "currentPage": 1, "itemsPerPage": count });
            ("application/json", format!("{{\"success\":true,\"data\":[{rows}],\"pagination\":{pagination}}}"))
        }
        _ => ("application/json", format!("{{\"success\":true,\"data\":{{\"rows\":[{rows}]}}}}")),
    };
    Fault::Answer { status: 200, content_type: content_type.into(), body }
}

/// A line that is longer than any that is kept.
fn line(kind: &Kind) -> Fault {
    match kind.name {
        "stream" => Fault::LongLine(16 << 20),
        "socket" | "terminal" => Fault::LongLine(8 << 20),
        _ => Fault::LongLine(0),
    }
}

/// One text as long as an answer may be.
fn long(kind: &Kind) -> Fault {
    let (content_type, body) = match kind.name {
        "stream" | "socket" => return Fault::LongLine(3 << 20),
        "terminal" => return Fault::ManyLines(0),
        "text" => ("text/plain", "x".repeat(11 << 20)),
        "binary" => ("application/x-tar", "x".repeat(11 << 20)),
        "list" => ("application/json", json!({ "success": true, "data": [{ "id": "x".repeat(11 << 20) }] }).to_string()),
        _ => ("application/json", json!({ "success": true, "data": { "text": "x".repeat(11 << 20) } }).to_string()),
    };
    Fault::Answer { status: 200, content_type: content_type.into(), body }
}

/// Valid JSON that is small on the wire and large in memory.
fn zeros(kind: &Kind) -> Fault {
    let content_type = match kind.name {
        "text" => "text/plain",
        "binary" => "application/x-tar",
        "stream" => "application/x-json-stream",
        "socket" | "terminal" => return Fault::InvalidUtf8,
        _ => "application/json",
    };
    let zeros = "0,".repeat(if kind.name == "binary" { 1_000 } else { 5_000_000 });
    Fault::Answer { status: 200, content_type: content_type.into(), body: format!("{{\"data\":[{zeros}0]}}") }
}

/// What a call came to: the code of its failure, or nothing, and whatever it was said with.
struct Outcome {
    code: Option<String>,
    said: String,
    helped: bool,
}

/// Whether an outcome is what the row allows for this kind.
fn judge(row: &Row, kind: &Kind, outcome: &Outcome, spent: Duration) -> Result<(), String> {
    let complain = |what: &str| Err(format!("{} × {}: {what} after {spent:?}: {}", row.name, kind.name, outcome.said));
    if spent > LIMIT + SLACK {
        return complain("too late");
    }
    match &outcome.code {
        None if row.fine.contains(&kind.name) => Ok(()),
        None => complain("an answer"),
        Some(code) => {
            let allowed = if kind.changes { row.change } else { row.read };
            let late = row.heavy && code == "timeout";
            match () {
                () if !late && !allowed.contains(&code.as_str()) => complain(&format!("{code} instead of {allowed:?}")),
                () if !outcome.helped => complain("no next step"),
                () => Ok(()),
            }
        }
    }
}

/// Changes were sent once at most, reads not more often than they may be.
fn count(row: &Row, kind: &Kind, upstream: &Upstream) -> Result<(), String> {
    let sent = upstream.requests().iter().filter(|request| request.operation == Some(kind.operation)).count();
    let most = if kind.changes { 1 } else { READS };
    let least = usize::from(matches!(row.place, Place::Answer(_)) && !row.heavy);
    if (least..=most).contains(&sent) { Ok(()) } else { Err(format!("{} × {}: sent {sent} times", row.name, kind.name)) }
}

fn prepare(row: &Row, kind: &Kind, upstream: &Upstream) -> String {
    upstream.sandbox.clear();
    upstream.sandbox.clear_faults();
    match row.place {
        Place::Answer(fault) => {
            upstream.sandbox.fault(Some(kind.operation), fault(kind));
            upstream.sandbox.url()
        }
        Place::Address(address) => address(),
    }
}

/// The served program: what a client is told, and what it costs.
#[test]
fn a_served_call_ends_with_a_clear_word_within_its_memory() {
    let (heavy, light): (Vec<_>, Vec<_>) = rows().into_iter().partition(|row| row.heavy);
    // Those that mostly wait do it together, those that work two at a time.
    let together = |rows: &[Row]| -> Vec<String> {
        std::thread::scope(|scope| {
            let threads: Vec<_> = rows.iter().map(|row| scope.spawn(move || served(row))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a row")).collect()
        })
    };
    let mut wrong = together(&light);
    wrong.extend(heavy.chunks(2).flat_map(together));
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

fn served(row: &Row) -> Vec<String> {
    let upstream = Upstream::start();
    let url = match row.place {
        Place::Answer(_) => upstream.sandbox.url(),
        Place::Address(address) => address(),
    };
    let environment = [("ARCANE_URL".to_owned(), url), ("ARCANE_API_KEY".to_owned(), upstream.sandbox.api_key().to_owned())];
    let mut session = Session::start(&["--catalog", FOLDER, "--timeout", "2"], &environment);
    // What a first call costs anyway: code that is paged in, a client, a schema.
    session.execute("container.list", json!({}));
    let before = session.peak();
    let mut wrong = Vec::new();
    for kind in &KINDS {
        prepare(row, kind, &upstream);
        let started = Instant::now();
        let result = session.call("arcane_execute_action", json!({ "action": kind.action, "params": arguments(kind), "confirm": true }));
        let spent = started.elapsed();
        let error = &result["structuredContent"]["error"];
        let outcome = Outcome {
            code: error["code"].as_str().map(str::to_owned),
            said: result["content"][0]["text"].as_str().unwrap_or_default().replace('\n', " ").chars().take(240).collect(),
            helped: error["next"].as_array().is_some_and(|next| !next.is_empty()),
        };
        wrong.extend(judge(row, kind, &outcome, spent).err());
        wrong.extend(count(row, kind, &upstream).err());
        let grown = session.peak() - before;
        if grown > MEMORY {
            wrong.push(format!("{} × {}: {} MiB", row.name, kind.name, grown >> 10));
        }
    }
    // It still answers, and ends when it is told to.
    upstream.sandbox.clear_faults();
    if matches!(row.place, Place::Answer(_)) && session.execute("container.list", json!({}))["isError"] == true {
        wrong.push(format!("{}: no answer afterwards", row.name));
    }
    if !session.close().0.success() {
        wrong.push(format!("{}: a bad end", row.name));
    }
    wrong
}

/// The client by itself: when a call is over and its connections are given up, nothing of it runs any more. What it says is judged above,
/// where rows do not share one thread.
#[test]
fn nothing_runs_on_after_a_fault() {
    let rows: Vec<_> = rows().into_iter().filter(|row| !row.heavy || row.name == "an endless body").collect();
    let upstreams: Vec<_> = rows.iter().map(|_| Upstream::start()).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let wrong = runtime.block_on(async {
        let each = rows.iter().zip(&upstreams).map(alone);
        let wrong: Vec<_> = futures_util::future::join_all(each).await.into_iter().flatten().collect();
        let metrics = tokio::runtime::Handle::current().metrics();
        let started = Instant::now();
        while metrics.num_alive_tasks() > 0 && started.elapsed() < SLACK {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(metrics.num_alive_tasks(), 0, "tasks that nobody waits for");
        wrong
    });
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

async fn alone((row, upstream): (&Row, &Upstream)) -> Vec<String> {
    let catalog = Catalog::embedded().expect("a catalog");
    let mut wrong = Vec::new();
    for kind in &KINDS {
        let settings = Settings {
            url: Some(prepare(row, kind, upstream)),
            credentials: vec![Credential::new(&catalog.api().credentials[0], upstream.sandbox.api_key())],
            timeout: LIMIT,
            ..Settings::default()
        };
        let client = callslip::upstream::Upstream::new(settings);
        let mut call = call(&catalog, kind.action, arguments(kind));
        call.action.deadline = 0;
        let request = request::build(catalog.api(), &call.action, &call.arguments).expect("a request");
        let sent = tokio::time::timeout(LIMIT + SLACK, client.send(&catalog, &call, &request, None)).await;
        if sent.is_err() {
            wrong.push(format!("{} × {}: no end", row.name, kind.name));
        }
        wrong.extend(count(row, kind, upstream).err());
    }
    wrong
}
