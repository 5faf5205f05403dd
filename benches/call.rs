//! What a call costs beside the upstream's own time: `container.list` through stdio, and the same requests by a plain HTTP client, on one
//! sandbox and in turns; then what a search costs, and how much memory all of it took.
//!
//! `cargo bench --bench call` measures the program of the bench profile; `CALLSLIP_PROGRAM` names another one, `CALLSLIP_CALLS` says how
//! many calls of each (1000).

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use callslip_sandbox::{Options, Sandbox};
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// How many calls of one kind come after each other before the other kind has its turn.
const TURN: usize = 100;
/// Most that a call may cost of our own processor time, in milliseconds.
const TARGET: f64 = 0.3;

/// What is searched for, in turn.
const QUERIES: [&str; 10] = [
    "restart a container",
    "list images",
    "delete old volumes",
    "who am i",
    "show logs of a service",
    "prune build cache",
    "create a project from compose",
    "scan image for vulnerabilities",
    "docker compose up -d",
    "disk usage",
];

/// The served program.
struct Server {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(sandbox: &Sandbox) -> Self {
        let program = std::env::var("CALLSLIP_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_callslip").to_owned());
        let mut child = Command::new(program)
            .env("ARCANE_URL", sandbox.url())
            .env("ARCANE_API_KEY", sandbox.api_key())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("callslip starts");
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        let mut server = Self { child, stdin, stdout: BufReader::with_capacity(1 << 20, stdout) };
        let client = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } });
        server.ask(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": client }).to_string());
        server
    }

    fn ask(&mut self, line: &str) -> String {
        self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.write_all(b"\n")).expect("a reading program");
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).expect("an answer");
        answer
    }

    fn call(&mut self, line: &str) {
        let answer = self.ask(line);
        assert!(answer.contains("\"result\"") && !answer.contains("\"isError\":true"), "{answer}");
    }

    /// Searches, and prints what one took: the median on the wall, and the processor's time.
    fn search(&mut self, count: usize) {
        let line = |query| {
            let params = json!({ "name": "arcane_find_action", "arguments": { "query": query } });
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
        };
        let lines = QUERIES.map(line);
        for line in &lines {
            self.call(line);
        }
        let before = self.spent();
        let timed = lines.iter().cycle().take(count).map(|line| {
            let started = Instant::now();
            self.ask(line);
            started.elapsed()
        });
        let mut took: Vec<_> = timed.collect();
        took.sort_unstable();
        let spent = self.spent().saturating_sub(before).as_secs_f64() * 1e6 / f64::from(u32::try_from(count.max(1)).unwrap_or(u32::MAX));
        let median = took.get(count / 2).copied().unwrap_or_default().as_secs_f64() * 1e6;
        println!("\n{count} searches over stdio, µs each: p50 {median:.0}, own processor time {spent:.0}");
    }

    /// Most memory it had so far, in kB.
    fn peak(&self) -> String {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown").trim().to_owned()
    }

    /// Processor time so far.
    fn spent(&self) -> Duration {
        spent(&format!("/proc/{}/stat", self.child.id()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// User and system time in a `stat` file of `/proc`, which counts in hundredths of a second.
fn spent(path: &str) -> Duration {
    let stat = std::fs::read_to_string(path).unwrap_or_default();
    // The name of the program, in brackets, may hold spaces; the times are the 14th and 15th field.
    let fields = stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace().skip(11).take(2)).into_iter().flatten();
    Duration::from_millis(fields.filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * 10)
}

/// A client that does nothing but ask, on a thread of its own so that its processor time can be told from the sandbox's.
fn plain(url: &str, key: &str, count: usize) -> (Duration, Duration) {
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let tls = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().expect("protocols");
    let tls = tls.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth();
    let client = reqwest::Client::builder().tls_backend_preconfigured(tls).build().expect("a client");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let ask = async || {
        let request = client.get(format!("{url}/api/environments/0/containers?sort=name&order=asc&limit=25&start=0"));
        let answer = request.header("x-api-key", key).send().await.expect("an answer");
        assert_eq!(answer.status(), 200);
        answer.bytes().await.expect("a body").len()
    };
    // The first one opens the connection.
    runtime.block_on(ask());
    let before = spent("/proc/thread-self/stat");
    let started = Instant::now();
    runtime.block_on(async {
        for _ in 0..count {
            ask().await;
        }
    });
    (started.elapsed(), spent("/proc/thread-self/stat").saturating_sub(before))
}

fn main() {
    let calls: usize = std::env::var("CALLSLIP_CALLS").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let sandbox_runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let sandbox = sandbox_runtime.block_on(Sandbox::start(Options::default())).expect("a sandbox");
    let (url, key) = (sandbox.url(), sandbox.api_key().to_owned());
    let mut server = Server::start(&sandbox);
    let params = json!({ "name": "arcane_execute_action", "arguments": { "action": "container.list" } });
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    // What the first call costs is another figure.
    server.call(&line);
    let mut fresh = Server::start(&sandbox);
    for _ in 0..100 {
        fresh.call(&line);
    }
    println!("peak memory after 100 calls on one connection: {}", fresh.peak());
    fresh.search(10 * calls);
    println!();
    let (mut ours, mut theirs, mut theirs_spent) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let before = server.spent();
    let mut left = calls;
    while left > 0 {
        let turn = left.min(TURN);
        let started = Instant::now();
        for _ in 0..turn {
            server.call(&line);
        }
        ours += started.elapsed();
        let (url, key) = (url.clone(), key.clone());
        let (wall, spent) = std::thread::spawn(move || plain(&url, &key, turn)).join().expect("a client");
        theirs += wall;
        theirs_spent += spent;
        left -= turn;
    }
    let ours_spent = server.spent().saturating_sub(before);
    let each = |time: Duration| time.as_secs_f64() * 1e3 / f64::from(u32::try_from(calls.max(1)).unwrap_or(u32::MAX));
    println!("{calls} calls of container.list, ms each\n");
    println!("| what | wall | own processor time |\n|---|---:|---:|");
    println!("| callslip over stdio | {:.3} | {:.3} |", each(ours), each(ours_spent));
    println!("| plain HTTP client | {:.3} | {:.3} |", each(theirs), each(theirs_spent));
    println!("| beyond the plain client | {:.3} | {:.3} |", each(ours) - each(theirs), each(ours_spent) - each(theirs_spent));
    let over = each(ours_spent) - each(theirs_spent);
    println!(
        "\ntarget: at most {TARGET} ms of own processor time a call beyond the upstream's; {}",
        if over <= TARGET { "held" } else { "MISSED" }
    );
}
