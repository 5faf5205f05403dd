//! A callslip process with a client's end of its pipes, and a sandbox to talk to.

use callslip_sandbox::{Options, Recorded, Sandbox};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

/// Longest wait for an answer; a test that waits longer has failed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Path of the program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_callslip");

/// A sandbox with the runtime it lives on.
pub struct Upstream {
    pub sandbox: Sandbox,
    _runtime: tokio::runtime::Runtime,
}

impl Upstream {
    pub fn start() -> Self {
        Self::with(Options::default())
    }

    pub fn with(options: Options) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let sandbox = runtime.block_on(Sandbox::start(options)).expect("a sandbox");
        Self { sandbox, _runtime: runtime }
    }

    /// The environment that points callslip here.
    pub fn environment(&self) -> Vec<(String, String)> {
        vec![("ARCANE_URL".into(), self.sandbox.url()), ("ARCANE_API_KEY".into(), self.sandbox.api_key().into())]
    }

    pub fn requests(&self) -> Vec<Recorded> {
        self.sandbox.requests()
    }
}

/// A command with nothing of the tester's own environment that could steer it.
pub fn command(arguments: &[&str], environment: &[(String, String)]) -> Command {
    let mut command = Command::new(PROGRAM);
    let steers = |name: &str| name.starts_with("ARCANE_") || name.starts_with("CALLSLIP_") || name.to_ascii_uppercase().ends_with("_PROXY");
    for (name, _) in std::env::vars().filter(|(name, _)| steers(name)) {
        command.env_remove(name);
    }
    command.args(arguments).envs(environment.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    command
}

/// Runs a command to its end: exit code, stdout, stderr.
pub fn run(arguments: &[&str], environment: &[(String, String)]) -> (i32, String, String) {
    let output = command(arguments, environment).stdin(Stdio::null()).output().expect("callslip runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// A served session over pipes.
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    asked: u64,
}

#[expect(clippy::needless_pass_by_value, reason = "a test writes its JSON in place")]
impl Session {
    /// Starts a server and introduces a client.
    pub fn start(arguments: &[&str], environment: &[(String, String)]) -> Self {
        let mut session = Self::silent(arguments, environment);
        let answer = session.ask(
            "initialize",
            json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } }),
        );
        assert!(answer["result"]["serverInfo"]["name"].is_string(), "{answer}");
        session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
        session
    }

    /// A server that has not been spoken to.
    pub fn silent(arguments: &[&str], environment: &[(String, String)]) -> Self {
        let mut child = command(arguments, environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("callslip starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("a pipe");
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, lines, asked: 0 }
    }

    /// Writes a line as it is.
    pub fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).and_then(|()| stdin.flush()).expect("a reading server");
    }

    /// Writes bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("a reading server");
    }

    /// The next line, which must be JSON-RPC.
    pub fn receive(&mut self) -> Value {
        self.receive_raw().1
    }

    /// The next line, as text and parsed.
    pub fn receive_raw(&mut self) -> (String, Value) {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer in time");
        let value: Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("stdout carries JSON-RPC only: {error}: {line}"));
        assert_eq!(value["jsonrpc"], "2.0", "{line}");
        (line, value)
    }

    /// Every line that is left after the server has ended.
    pub fn rest(&mut self) -> Vec<Value> {
        std::iter::from_fn(|| self.lines.recv_timeout(PATIENCE).ok())
            .map(|line| serde_json::from_str(&line).expect("stdout carries JSON-RPC only"))
            .collect()
    }

    /// Sends a request and gives the message that answers it.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string());
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Calls a tool and gives its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut message = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(message["error"].is_null(), "{tool}: {message}");
        message["result"].take()
    }

    /// Runs an action through the default surface.
    pub fn execute(&mut self, action: &str, params: Value) -> Value {
        self.call("arcane_execute_action", json!({ "action": action, "params": params }))
    }

    /// Peak memory so far, in kB.
    pub fn peak(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a running server");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// Closes the server's input; its exit and how long that took.
    pub fn close(&mut self) -> (ExitStatus, Duration) {
        let started = Instant::now();
        drop(self.stdin.take());
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return (status, started.elapsed());
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("the server did not end");
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The error of a failed result.
pub fn error(result: &Value) -> &Value {
    assert_eq!(result["isError"], true, "a failure: {result}");
    let error = &result["structuredContent"]["error"];
    assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "a message: {result}");
    assert!(error["next"].as_array().is_some_and(|next| !next.is_empty()), "a next step: {result}");
    // In Markdown some characters carry a backslash, and an address stands in backticks.
    let plain = |value: &Value| value.as_str().unwrap_or_default().replace(['\\', '`'], "");
    assert!(plain(&result["content"][0]["text"]).contains(&plain(&error["message"])), "both channels say it: {result}");
    error
}
