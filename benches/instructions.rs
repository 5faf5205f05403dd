//! What a start, a list, a search and a call cost in instructions, held to what was recorded. Counts do not depend on how busy the
//! machine is, so that this may fail a build where a timing may not.
//!
//! `cargo bench --bench instructions` compares with `benches/instructions.json` and fails beyond its slack; with `-- --write` it records.
//! Counts come from valgrind's callgrind; without it the bench says so and passes, unless `CALLSLIP_DEMAND_VALGRIND` is set.
//! `CALLSLIP_PROGRAM` names another program than that of the bench profile.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use callslip_sandbox::{Options, Sandbox};
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// How far above the recorded count a count may be, in percent: compilers and libraries move it too.
const SLACK: u64 = 20;
/// How often a request is repeated, so that one of them can be told from the start.
const TIMES: u64 = 20;

const QUERIES: [&str; 10] = [
    "restart the web container",
    "which containers use most memory",
    "docker compose up -d",
    "free disk space",
    "back up a volume before an update",
    "rotate the api key",
    "list images with vulnerabilities",
    "tail the logs of a service",
    "add a new host",
    "who changed the settings yesterday",
];

fn main() -> ExitCode {
    if !has_valgrind() {
        let demanded = std::env::var_os("CALLSLIP_DEMAND_VALGRIND").is_some();
        println!("valgrind is not here: instructions are not counted");
        return if demanded { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    }
    let counted = count();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.json");
    if std::env::args().any(|argument| argument == "--write") {
        let text = serde_json::to_string_pretty(&Value::Object(counted)).expect("numbers") + "\n";
        std::fs::write(&path, text).expect("written");
        println!("{} is written", path.display());
        return ExitCode::SUCCESS;
    }
    let recorded =
        std::fs::read_to_string(&path).expect("benches/instructions.json; `cargo bench --bench instructions -- --write` makes it");
    let recorded: Map<String, Value> = serde_json::from_str(&recorded).expect("names and numbers");
    if compare(&counted, &recorded) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(counted: &Map<String, Value>, recorded: &Map<String, Value>) -> bool {
    let mut holds = true;
    println!("| what | recorded | now | |\n|---|---:|---:|---|");
    for (what, now) in counted {
        let now = now.as_u64().unwrap_or(u64::MAX);
        let Some(then) = recorded.get(what).and_then(Value::as_u64) else {
            println!("| {what} | – | {now} | not recorded |");
            holds = false;
            continue;
        };
        let verdict = if now > then + then * SLACK / 100 {
            holds = false;
            "more than allowed"
        } else if now + now * SLACK / 100 < then {
            "much less: record it"
        } else {
            ""
        };
        println!("| {what} | {then} | {now} | {verdict} |");
    }
    holds
}

/// The count of everything that is measured.
fn count() -> Map<String, Value> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    let sandbox = runtime.block_on(Sandbox::start(Options::default())).expect("the sandbox");
    let individual = ["--tool-surface", "individual"];
    let start = run(&sandbox, &[], &[]);
    let list = request("tools/list", &json!({}));
    let listed = run(&sandbox, &individual, std::slice::from_ref(&list));
    let listed_again = run(&sandbox, &individual, &vec![list; as_count(TIMES + 1)]);
    let queries = QUERIES.iter().cycle().take(as_count(TIMES));
    let finds: Vec<_> = queries.map(|query| tool("arcane_find_action", &json!({ "query": query }))).collect();
    let found = run(&sandbox, &[], &finds);
    let call = tool("arcane_execute_action", &json!({ "action": "container.list" }));
    let called = run(&sandbox, &[], std::slice::from_ref(&call));
    let called_again = run(&sandbox, &[], &vec![call; as_count(TIMES + 1)]);
    let mut counted = Map::new();
    let mut add = |what: &str, count: u64| counted.insert(what.to_owned(), json!(count));
    add("start, initialize, end", start);
    add("start, initialize, individual list, end", listed);
    add("each later list", listed_again.saturating_sub(listed) / TIMES);
    add("each find", found.saturating_sub(start) / TIMES);
    add("first call", called.saturating_sub(start));
    add("each later call", called_again.saturating_sub(called) / TIMES);
    counted
}

fn as_count(times: u64) -> usize {
    usize::try_from(times).unwrap_or(usize::MAX)
}

fn request(method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

fn tool(name: &str, arguments: &Value) -> Value {
    request("tools/call", &json!({ "name": name, "arguments": arguments }))
}

/// Instructions of one process that answers these requests, one after the other.
fn run(sandbox: &Sandbox, arguments: &[&str], requests: &[Value]) -> u64 {
    let program = std::env::var_os("CALLSLIP_PROGRAM").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_callslip")), PathBuf::from);
    let mut child = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments)
        .env_clear()
        .env("ARCANE_URL", sandbox.url())
        .env("ARCANE_API_KEY", sandbox.api_key())
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("valgrind starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let stdout = child.stdout.take().expect("a pipe");
    hold_a_whole_list(&stdout);
    let mut stdout = BufReader::new(stdout);
    let initialize = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "bench", "version": "1" } });
    let opening = request("initialize", &initialize);
    for (id, request) in std::iter::once(&opening).chain(requests).enumerate() {
        let mut request = request.clone();
        request["id"] = json!(id);
        writeln!(stdin, "{request}").expect("a reading program");
        let mut answer = String::new();
        stdout.read_line(&mut answer).expect("an answer");
        assert!(answer.contains("\"result\"") && !answer.contains("\"isError\":true"), "{request}: {answer}");
    }
    drop(stdin);
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("an end").success(), "{said}");
    let line = said.lines().find_map(|line| line.split_once("Collected : ")).expect("a count").1;
    line.trim().parse().expect("a number")
}

/// A pipe that takes a list at once: in a smaller one it depends on how busy the machine is how often the program has to wait for room.
#[cfg(target_os = "linux")]
fn hold_a_whole_list(pipe: &impl std::os::fd::AsFd) {
    rustix::pipe::fcntl_setpipe_size(pipe, 1 << 20).expect("what every user may ask for");
}

#[cfg(not(target_os = "linux"))]
fn hold_a_whole_list<T>(_: &T) {}

fn has_valgrind() -> bool {
    Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
