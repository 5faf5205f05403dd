//! A server that was started here, over its pipes: one JSON-RPC message a line.

use super::{Road, declined};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

/// Longest wait for an answer; `npx` may have to fetch a package first.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Pipes {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
}

impl Pipes {
    pub fn start(command: &str, environment: &[(String, String)]) -> Result<Self> {
        let words = words(command)?;
        let (program, arguments) = words.split_first().context("the command is empty")?;
        let mut child = Command::new(program)
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name.as_str(), value.as_str())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("`{program}` does not start"))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().context("no pipe to the server")?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, stdin, lines })
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let stdin = self.stdin.as_mut().context("the server's input is closed")?;
        stdin.write_all(format!("{message}\n").as_bytes())?;
        Ok(stdin.flush()?)
    }
}

impl Road for Pipes {
    fn ask(&mut self, id: u64, message: &Value) -> Result<Value> {
        self.write(message)?;
        loop {
            let line = match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => line?,
                Err(RecvTimeoutError::Timeout) => bail!("the server does not answer within {} s", PATIENCE.as_secs()),
                Err(RecvTimeoutError::Disconnected) => bail!("the server has ended"),
            };
            // Some servers greet on stdout before they speak the protocol.
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if let Some(answer) = declined(&message) {
                self.write(&answer)?;
            } else if message["id"] == id {
                return Ok(message);
            }
        }
    }

    fn tell(&mut self, message: &Value) -> Result<()> {
        self.write(message)
    }
}

impl Drop for Pipes {
    fn drop(&mut self) {
        drop(self.stdin.take());
        // A server ends when its input does; one that does not is ended.
        for _ in 0..20 {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(25));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command line in words: blanks part them, single and double quotes keep them together, a backslash keeps the next letter.
fn words(command: &str) -> Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(open), letter) if letter == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (None, letter) if letter.is_whitespace() => words.extend(word.take()),
            (None | Some('"'), '\\') => word.get_or_insert_default().extend(letters.next()),
            (_, letter) => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        bail!("a quote in the command is not closed");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_command_is_parted_as_a_shell_would() {
        assert_eq!(words(r#"npx -y "a b" 'c "d' e\ f ''"#).unwrap(), ["npx", "-y", "a b", "c \"d", "e f", ""]);
        assert!(words("  ").unwrap().is_empty());
        assert!(words("a 'b").is_err());
    }
}
