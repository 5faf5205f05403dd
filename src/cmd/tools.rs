//! `callslip tools`: the tool definitions of the chosen surface, as a client gets them.

use super::DONE;
use crate::app::App;
use crate::terminal;
use anyhow::Result;
use serde_json::Value;
use std::fmt::Write;

pub fn run(app: &App, json: bool) -> Result<u8> {
    let list = app.tool_list()?;
    if json {
        terminal::bytes(&[&b"{\"tools\":"[..], &list, b"}\n"].concat());
        return Ok(DONE);
    }
    let tools: Vec<Value> = serde_json::from_slice(&list)?;
    let mut text = format!("{} tool(s), {} bytes, surface {}\n", tools.len(), list.len(), app.config.surface.name());
    for tool in &tools {
        let hint = |name: &str| tool["annotations"][name] == true;
        let kind = match (hint("readOnlyHint"), hint("destructiveHint")) {
            (true, _) => "reads",
            (false, true) => "may destroy",
            (false, false) => "changes",
        };
        let _ = write!(
            text,
            "\n{} ({kind})\n  {}\n",
            tool["name"].as_str().unwrap_or_default(),
            tool["description"].as_str().unwrap_or_default()
        );
    }
    terminal::print(&text);
    Ok(DONE)
}
