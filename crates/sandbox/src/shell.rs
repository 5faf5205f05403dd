//! The shell behind a terminal: enough of one to echo what is typed, run a handful of commands and know the exit code,
//! which a client reads through a marker.

/// A session.
#[derive(Debug, Default)]
pub(crate) struct Shell {
    pending: String,
    code: i32,
    quiet: bool,
}

/// What came of some input.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    pub text: String,
    pub ended: bool,
}

impl Shell {
    pub const PROMPT: &'static str = "/ # ";

    /// Takes what was typed; a terminal gives it back as it comes.
    pub fn feed(&mut self, typed: &str) -> Output {
        let mut output = Output::default();
        for letter in typed.chars() {
            if letter != '\n' && letter != '\r' {
                self.pending.push(letter);
                if !self.quiet {
                    output.text.push(letter);
                }
                continue;
            }
            if !self.quiet {
                output.text.push_str("\r\n");
            }
            let line = std::mem::take(&mut self.pending);
            output.ended = self.line(&line, &mut output.text);
            if output.ended {
                return output;
            }
            output.text.push_str(Self::PROMPT);
        }
        output
    }

    /// Runs one line; true when the shell ends.
    fn line(&mut self, line: &str, output: &mut String) -> bool {
        for command in line.split(';').map(str::trim).filter(|command| !command.is_empty()) {
            let command = command.replace("$?", &self.code.to_string());
            let (program, arguments) = command.split_once(' ').unwrap_or((command.as_str(), ""));
            let mut say = |text: &str| {
                output.push_str(&text.replace('\n', "\r\n"));
                output.push_str("\r\n");
            };
            self.code = match program {
                "exit" => {
                    self.code = arguments.trim().parse().unwrap_or(self.code);
                    return true;
                }
                "echo" => {
                    say(&arguments.trim().replace(['"', '\''], ""));
                    0
                }
                "printf" => {
                    say(arguments.trim().replace(['"', '\''], "").trim_end_matches("\\n"));
                    0
                }
                "ls" => {
                    say("bin\netc\nhome\nusr\nvar");
                    0
                }
                "cat" if arguments.contains("/etc/os-release") => {
                    say("NAME=\"Alpine Linux\"\nID=alpine\nVERSION_ID=3.21.3");
                    0
                }
                "cat" => {
                    say(&format!("cat: can't open '{}': No such file or directory", arguments.trim()));
                    1
                }
                "hostname" => {
                    say("web");
                    0
                }
                "id" => {
                    say("uid=0(root) gid=0(root)");
                    0
                }
                "stty" => {
                    self.quiet = arguments.contains("-echo");
                    0
                }
                "true" | "cd" | "export" => 0,
                "false" => 1,
                _ => {
                    say(&format!("/bin/sh: {program}: not found"));
                    127
                }
            };
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_carries_the_exit_code() {
        let mut shell = Shell::default();
        let output = shell.feed("false; echo END$?; exit\n");
        assert_eq!(output, Output { text: "false; echo END$?; exit\r\nEND1\r\n".to_owned(), ended: true });
    }
}
