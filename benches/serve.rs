//! Serving many: a bounded load over HTTP on the sandbox as the upstream, with readers that hardly read among the clients, beside the
//! official Python SDK's server on the same upstream.
//!
//! `cargo bench --bench serve` measures the program of the bench profile; `CALLSLIP_PROGRAM` names another one, `CALLSLIP_SECONDS` says
//! how long each server is loaded (30). The peer runs where `make clients` has installed Python's SDK.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use callslip_sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use std::fmt::Write;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Clients that ask as soon as they are answered.
const CLIENTS: usize = 32;
/// Lists that one client asks for in turn.
const LISTS: usize = 400;
/// Clients that take 512 bytes of a list every half second.
const SLOW: usize = 16;

/// A server under load.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn callslip(sandbox: &Sandbox) -> Self {
        let program = std::env::var("CALLSLIP_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_callslip").to_owned());
        let mut child = Command::new(program)
            .args(["--http", "127.0.0.1:0", "--audit-log", "/dev/null"])
            .env("ARCANE_URL", sandbox.url())
            .env("ARCANE_API_KEY", sandbox.api_key())
            .stderr(Stdio::piped())
            .spawn()
            .expect("callslip starts");
        let mut line = String::new();
        let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
        said.read_line(&mut line).expect("a line");
        let address = line.rsplit_once("http://").expect("an address").1.trim().trim_end_matches("/mcp").to_owned();
        Self { child, address }
    }

    fn peer(sandbox: &Sandbox) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = root.join("tests/clients/.venv/bin/python");
        if !python.exists() {
            return None;
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let child = Command::new(python)
            .arg(root.join("benches/peers/python_sdk.py"))
            .arg(port.to_string())
            .env("ARCANE_URL", sandbox.url())
            .env("ARCANE_API_KEY", sandbox.api_key())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let address = format!("127.0.0.1:{port}");
        let started = Instant::now();
        while std::net::TcpStream::connect(&address).is_err() {
            if started.elapsed() > Duration::from_secs(30) {
                return None;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(Self { child, address })
    }

    /// Peak memory so far, in MiB.
    fn peak(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or(0.0) / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a client does in turn: a list, a search, a call that reaches the upstream.
fn work(peer: bool) -> [(&'static str, String); 3] {
    let ask = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let call = |name: &str, arguments: Value| ask("tools/call", json!({ "name": name, "arguments": arguments }));
    let query = json!({ "query": "restart container" });
    if peer {
        [("list", ask("tools/list", json!({}))), ("find", call("find", query)), ("call", call("container_counts", json!({})))]
    } else {
        let counts = json!({ "action": "container.counts" });
        [
            ("list", ask("tools/list", json!({}))),
            ("find", call("arcane_find_action", query)),
            ("call", call("arcane_execute_action", counts)),
        ]
    }
}

fn http() -> reqwest::Client {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("protocols");
    let tls = tls.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth();
    reqwest::Client::builder().tls_backend_preconfigured(tls).build().expect("a client")
}

/// Times of the whole list of `individual` for one client that has the server to itself.
async fn whole_list(address: &str) {
    let http = http();
    let mut took = Vec::new();
    let mut bytes = 0;
    for _ in 0..LISTS {
        let started = Instant::now();
        let request = http.post(format!("http://{address}/mcp?surface=individual"));
        let request = request.header("accept", "application/json, text/event-stream").header("content-type", "application/json");
        let answer = request.body(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).send().await.expect("an answer");
        bytes = answer.bytes().await.expect("a body").len();
        took.push(started.elapsed());
    }
    took.sort_unstable();
    let (p50, p99) = (at(&took, 50), at(&took, 99));
    println!("\nThe list of `individual`, {bytes} bytes, for one client alone: {p50:.2} / {p99:.2}");
}

/// The time that so many per cent stay below, in milliseconds.
fn at(sorted: &[Duration], per_cent: usize) -> f64 {
    sorted.get(sorted.len() * per_cent / 100).copied().unwrap_or_default().as_secs_f64() * 1000.0
}

async fn client(address: String, work: Arc<[(&'static str, String); 3]>, until: Instant, offset: usize) -> [Vec<Duration>; 3] {
    let http = http();
    let mut took: [Vec<Duration>; 3] = Default::default();
    for number in offset.. {
        if Instant::now() >= until {
            break;
        }
        let (_, body) = &work[number % 3];
        let started = Instant::now();
        let request = http.post(format!("http://{address}/mcp")).header("accept", "application/json, text/event-stream");
        let answer = request.header("content-type", "application/json").body(body.clone()).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        let text = answer.bytes().await.expect("a body");
        took[number % 3].push(started.elapsed());
        let wrong = br#""isError":true"#;
        assert!(!text.windows(wrong.len()).any(|window| window == wrong), "{}", String::from_utf8_lossy(&text));
    }
    took
}

/// Asks for the longest list and hardly reads it.
async fn slow(address: String, path: &'static str, until: Instant) {
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let length = list.len();
    let head = "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length:";
    let Ok(mut stream) = TcpStream::connect(&address).await else { return };
    let _ = stream.write_all(format!("POST {path} HTTP/1.1\r\nHost: {address}\r\n{head} {length}\r\n\r\n{list}").as_bytes()).await;
    let mut piece = [0; 512];
    while Instant::now() < until {
        let _ = tokio::time::timeout(Duration::from_millis(100), stream.read(&mut piece)).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

async fn load(name: &str, server: Server, peer: bool, seconds: u64) {
    let work = Arc::new(work(peer));
    let started = Instant::now();
    let until = started + Duration::from_secs(seconds);
    let path = if peer { "/mcp" } else { "/mcp?surface=individual" };
    for _ in 0..SLOW {
        tokio::spawn(slow(server.address.clone(), path, until));
    }
    let clients: Vec<_> =
        (0..CLIENTS).map(|number| tokio::spawn(client(server.address.clone(), Arc::clone(&work), until, number))).collect();
    let mut took: [Vec<Duration>; 3] = Default::default();
    for client in clients {
        for (all, own) in took.iter_mut().zip(client.await.expect("a client")) {
            all.extend(own);
        }
    }
    let elapsed = started.elapsed().as_secs_f64();
    let total: usize = took.iter().map(Vec::len).sum();
    let rate = f64::from(u32::try_from(total).unwrap_or(u32::MAX)) / elapsed;
    let mut line = format!("| {name} | {rate:.0} |");
    for all in &mut took {
        all.sort_unstable();
        let _ = write!(line, " {:.1} / {:.1} |", at(all, 50), at(all, 99));
    }
    println!("{line} {:.1} |", server.peak());
}

fn main() {
    let seconds = std::env::var("CALLSLIP_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(30);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let sandbox = Sandbox::start(Options::default()).await.expect("a sandbox");
        println!("{CLIENTS} clients, {SLOW} slow readers, {seconds} s each; p50 / p99 in ms");
        println!("| server | requests/s | tools/list | find | call | peak MiB |\n|---|---|---|---|---|---|");
        load("callslip", Server::callslip(&sandbox), false, seconds).await;
        match Server::peer(&sandbox) {
            Some(peer) => load("Python SDK, two tools", peer, true, seconds).await,
            None => println!("the Python SDK is not installed (`make clients`); the peer was left out"),
        }
        whole_list(&Server::callslip(&sandbox).address).await;
    });
}
