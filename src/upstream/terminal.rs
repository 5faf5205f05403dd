//! One command in a terminal. A terminal has no exit code and gives back what is typed into it, so two markers are typed along: one before
//! the output, one after it with the code. What is echoed never looks like a marker, since there the number is still a `$?`.

use super::Run;
use super::socket::{Heard, NO_WAY, Socket, hear, say};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use crate::request::{Body, Source};
use crate::untrusted;
use serde_json::Map;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Longest line: terminals cut what is longer.
const LONGEST_LINE: usize = 3800;
/// Most output that is kept; more ends the command.
const MOST_OUTPUT: usize = 2 << 20;

/// What is typed, and how its output is told from the echo.
pub(super) struct Command {
    typed: String,
    begin: String,
    end: String,
}

impl Command {
    /// The command in the body of the request.
    pub fn new(body: &Body) -> Result<Self, Failure> {
        let refuse = |problem: &str, step: &str| {
            Err(Failure::new(Code::InvalidArguments, format!("The command {problem}; nothing was sent.")).next(step))
        };
        let text = match body {
            Body::Bytes(Source::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
            _ => String::new(),
        };
        let text = text.replace("\r\n", "\n");
        let text = text.trim_end();
        if text.trim().is_empty() {
            return refuse("is empty", "Give the command to run, such as `ls /`.");
        }
        if text.chars().any(|letter| letter.is_control() && letter != '\n' && letter != '\t') {
            return refuse("has control characters, which a terminal takes for keys", "Leave them out, or write them with `printf`.");
        }
        if text.lines().any(|line| line.len() > LONGEST_LINE) {
            return refuse("has a line that is too long for a terminal", "Split it into several lines, or put it in a file first.");
        }
        let word = format!("{:016x}", RandomState::new().build_hasher().finish());
        let (begin, end) = (format!("BEGIN{word}:"), format!("END{word}:"));
        // A subshell keeps an `exit` in the command from ending the terminal before the code is known.
        let leaves = text.split(|letter: char| !letter.is_alphanumeric()).any(|part| matches!(part, "exit" | "exec"));
        let one_line = !text.contains(['\n', '#']) && !text.ends_with(['&', '\\', ';']) && !text.contains("<<");
        let typed = match (one_line, leaves) {
            (true, false) => format!("stty -echo; echo {begin}$?; {text}; echo {end}$?; exit\n"),
            (true, true) => format!("stty -echo; echo {begin}$?; ({text}); echo {end}$?; exit\n"),
            (false, false) => format!("stty -echo; PS1=; PS2=; echo {begin}$?\n{text}\necho {end}$?; exit\n"),
            (false, true) => format!("stty -echo; PS1=; PS2=; echo {begin}$?\n(\n{text}\n)\necho {end}$?; exit\n"),
        };
        Ok(Self { typed, begin, end })
    }

    /// Output and exit code, as far as they are there.
    fn read(&self, said: &str) -> (String, Option<i64>) {
        let after = marker(said, &self.begin).map_or(0, |(_, after, _)| after);
        let rest = &said[after..];
        let (output, code) = match marker(rest, &self.end) {
            Some((start, _, code)) => (&rest[..start], Some(code)),
            None => (rest, None),
        };
        // The end of the line of the first marker is not output.
        let output = output.strip_prefix("\r\n").or_else(|| output.strip_prefix('\n')).unwrap_or(output);
        (untrusted::log(output).trim_end().to_owned(), code)
    }
}

/// Where a marker with its number begins and ends, and the number.
fn marker(text: &str, marker: &str) -> Option<(usize, usize, i64)> {
    text.match_indices(marker).find_map(|(start, _)| {
        let digits = &text[start + marker.len()..];
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        Some((start, start + marker.len() + length, digits[..length].parse().ok()?))
    })
}

impl Run<'_> {
    /// Types the command, reads until the marker after it, and gives output and exit code.
    pub(super) async fn run_command(&self, socket: &mut Socket, command: &Command) -> Result<Answer, Failure> {
        if !say(socket, &command.typed, self.deadline).await {
            return Err(self.command_lost(String::new(), "the terminal closed before the command was typed"));
        }
        let mut bytes = Vec::new();
        loop {
            match hear(socket, self.deadline).await {
                Heard::Text(text) => {
                    // Only failures come as text frames; output is binary.
                    if let Some(failure) = self.profile.socket_failure(&text) {
                        return Err(self.socket_failed(&failure));
                    }
                    bytes.extend_from_slice(text.as_bytes());
                }
                Heard::Bytes(more) => bytes.extend_from_slice(&more),
                Heard::Pause => {
                    return Err(self.command_lost(self.output(command, &bytes).0, "the command did not end in time and was left alone"));
                }
                Heard::Gone(code @ NO_WAY, reason) if bytes.is_empty() => return Err(self.socket_gone(code, &reason)),
                Heard::Closed | Heard::Broken | Heard::Gone(..) => break,
            }
            // The marker is looked for in the last bytes alone: output may be long.
            let recent = bytes.len().saturating_sub(8 << 10);
            if marker(&String::from_utf8_lossy(&bytes[recent..]), &command.end).is_some() {
                break;
            }
            if bytes.len() > MOST_OUTPUT {
                return Err(self.command_lost(self.output(command, &bytes).0, "the command wrote more than can be kept"));
            }
        }
        let (output, code) = self.output(command, &bytes);
        let Some(code) = code else { return Err(self.command_lost(output, "the terminal closed before the exit code was known")) };
        let mut more = Map::new();
        more.insert("exitCode".into(), code.into());
        let outcome = if code == 0 { "done".to_owned() } else { format!("exit code {code}") };
        Ok(Answer { status: 101, body: Content::Log { outcome, activity: None, log: output, more }, notes: Vec::new() })
    }

    fn output(&self, command: &Command, bytes: &[u8]) -> (String, Option<i64>) {
        let (output, code) = command.read(&String::from_utf8_lossy(bytes));
        let mut log = super::log::Log::default();
        log.push(&self.scrub(output));
        (log.finish().0, code)
    }

    fn command_lost(&self, output: String, why: &str) -> Failure {
        let mut failure = Failure::new(Code::OutcomeUnknown, format!("`{}`: {why}; it may have had its effect.", self.action().id))
            .next("Look at the state of what it works on before you run it again; a quote left open keeps a shell waiting.");
        if !output.is_empty() {
            failure.more.insert("log".into(), output.into());
        }
        failure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Result<Command, Failure> {
        Command::new(&Body::Bytes(Source::Bytes(text.as_bytes().to_vec())))
    }

    #[test]
    fn output_stands_between_the_markers() {
        let command = command("ls /").expect("a command");
        let echo = command.typed.replace('\n', "\r\n");
        let said = format!("/ # {echo}{}0\r\nbin\r\netc\r\n{}7\r\n", command.begin, command.end);
        assert_eq!(command.read(&said), ("bin\netc".to_owned(), Some(7)));
        assert_eq!(command.read(&format!("{echo}{}0\r\nbin", command.begin)), ("bin".to_owned(), None));
        // Output without a line end at its end.
        assert_eq!(command.read(&format!("{}0\r\nbin{}0\r\n", command.begin, command.end)), ("bin".to_owned(), Some(0)));
    }

    #[test]
    fn what_a_terminal_would_misread_is_refused() {
        for bad in ["", " \n", "a\u{3}b", &"x".repeat(5000)] {
            assert_eq!(command(bad).err().map(|failure| failure.code), Some(Code::InvalidArguments), "{bad:?}");
        }
        assert!(command("exit 3").expect("a command").typed.contains("(exit 3)"));
        assert!(command("a # b").expect("a command").typed.contains("a # b\n"));
    }
}
