//! The audit as a client of running servers: ours, and real ones from the registries where they are installed (`make servers`).

use crate::{audit, callslip};
use serde_json::Value;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers")
}

/// The figures of a server, if it is installed.
fn figures(installed: &Path, command: &str) -> Option<Value> {
    if !installed.exists() {
        eprintln!("skipped: {} is not installed (`make servers` installs it where its runtime is there)", installed.display());
        return None;
    }
    let (content, json, complaint) = audit(&["--command", command, "--json"]);
    assert!(content, "{command}: {complaint}");
    let mut figures: Value = serde_json::from_str(&json).unwrap();
    let (content, report, complaint) = audit(&["--command", command, "--report"]);
    assert!(content && report.contains("dearest tools"), "{complaint}");
    Some(figures[0].take())
}

#[test]
fn a_served_surface_costs_what_the_catalog_says() {
    let Some(program) = callslip() else { return };
    let (_, embedded, _) = audit(&["--json"]);
    let embedded: Value = serde_json::from_str(&embedded).unwrap();
    for figures in embedded.as_array().unwrap() {
        let surface = figures["surface"].as_str().unwrap();
        let command = format!("'{}' --include account --tool-surface {surface}", program.display());
        let (content, served, complaint) = audit(&["--command", &command, "--json"]);
        assert!(content, "{complaint}");
        let served: Value = serde_json::from_str(&served).unwrap();
        for key in ["tools", "bytes", "o200k", "cl100k", "median", "instructions"] {
            assert_eq!(served[0][key], figures[key], "{key} of {surface}");
        }
    }
}

#[test]
fn real_servers_from_npm_are_measured() {
    let modules = folder().join("node_modules/@modelcontextprotocol");
    let everything = modules.join("server-everything/dist/index.js");
    if let Some(figures) = figures(&everything, &format!("node '{}'", everything.display())) {
        assert!(figures["tools"].as_u64().unwrap() > 5 && figures["instructions"].as_u64().unwrap() > 0, "{figures}");
    }
    let files = modules.join("server-filesystem/dist/index.js");
    if let Some(figures) = figures(&files, &format!("node '{}' '{}'", files.display(), folder().display())) {
        assert!(figures["o200k"].as_u64().unwrap() > 1_000, "{figures}");
    }
}

#[test]
fn a_real_server_from_pypi_is_measured_and_held_to_a_budget() {
    let program = folder().join(".venv/bin/mcp-server-time");
    let command = format!("'{}'", program.display());
    let Some(figures) = figures(&program, &command) else { return };
    let name = figures["surface"].as_str().unwrap();
    let budget = Path::new(env!("CARGO_TARGET_TMPDIR")).join("time.toml");
    for (most, holds) in [(10_000, true), (10, false)] {
        std::fs::write(&budget, format!("[{name}]\ntokens = {most}\n")).unwrap();
        let (content, _, complaint) = audit(&["--command", &command, "--check", "--budget", &budget.display().to_string()]);
        assert_eq!(content, holds, "{complaint}");
    }
}

#[test]
fn a_server_that_is_none_is_said_to_be_none() {
    for command in ["no-such-program", "true", "'unclosed"] {
        let (content, _, complaint) = audit(&["--command", command]);
        assert!(!content && complaint.contains("audit_tokens:"), "{command}: {complaint}");
    }
    let (content, _, complaint) = audit(&["--url", "http://127.0.0.1:9/mcp"]);
    assert!(!content && complaint.contains("cannot be reached"), "{complaint}");
}
