//! A program that speaks MCP on stdio, and the times its answers took. Shared by the benches that spawn.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// What a client says first.
pub const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
/// Asks for the tools.
pub const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;

/// A running program; ended when dropped.
pub struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Process {
    /// Starts a program with pipes.
    pub fn spawn(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Self { child, stdin, stdout: BufReader::with_capacity(1 << 20, stdout) }
    }

    /// Sends a message that is not answered.
    pub fn tell(&mut self, line: &str) {
        self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.write_all(b"\n")).expect("a reading program");
    }

    /// Sends a request and reads the line of its answer.
    pub fn ask(&mut self, line: &str) -> Vec<u8> {
        self.tell(line);
        let mut answer = Vec::new();
        self.stdout.read_until(b'\n', &mut answer).expect("an answer");
        assert!(answer.last() == Some(&b'\n'), "the program ended early");
        answer
    }

    /// Peak memory so far, in kB.
    pub fn peak(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.trim().trim_end_matches(" kB").parse().ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Times of one thing, over and over.
#[derive(Default)]
pub struct Series(pub Vec<Duration>);

impl Series {
    /// In milliseconds.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a few hundred samples")]
        let place = ((sorted.len() - 1) as f64 * share).round() as usize;
        sorted[place].as_secs_f64() * 1e3
    }
}
