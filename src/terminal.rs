//! The one place that owns stdout outside the MCP transport: what a command prints for a person or a program.

use serde_json::Value;
use std::io::{self, Write};

/// Prints text, ended by one newline. A reader that went away is no error.
pub fn print(text: &str) {
    bytes(format!("{}\n", text.trim_end_matches('\n')).as_bytes());
}

/// Prints JSON, indented.
pub fn json(value: &Value) {
    print(&serde_json::to_string_pretty(value).unwrap_or_default());
}

/// Writes bytes as they are.
pub fn bytes(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Columns of the terminal, when a person is looking.
pub fn width() -> Option<u16> {
    terminal_size::terminal_size().map(|(width, _)| width.0)
}
