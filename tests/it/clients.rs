//! The official Python and TypeScript SDKs as real clients. Where node or python3 is missing these tests are skipped and say so;
//! with `CALLSLIP_DEMAND_CLIENTS` set a missing client is a failure.

use crate::support::{PROGRAM, Upstream, command};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the clients are installed.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients")
}

/// Whether a client is installed; says what is missing where it is not.
pub fn installed(program: &Path, installed: &Path, name: &str) -> bool {
    let there = installed.exists() && Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success());
    assert!(there || std::env::var_os("CALLSLIP_DEMAND_CLIENTS").is_none(), "the {name} client is not installed; run `make clients`");
    if !there {
        eprintln!("skipped: the {name} client is not installed (`make clients` installs it where its runtime is there)");
    }
    there
}

fn session(program: &Path, arguments: &[&str]) -> Value {
    let upstream = Upstream::start();
    let mut client = command(&[], &upstream.environment());
    let mut run = Command::new(program);
    run.args(arguments).arg(PROGRAM);
    for (name, value) in client.get_envs() {
        match value {
            Some(value) => run.env(name, value),
            None => run.env_remove(name),
        };
    }
    client.args(arguments);
    let output = run.current_dir(folder()).output().expect("the client runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// What a client saw of list, find, run, refuse, confirm.
pub fn assert_main_job(seen: &Value) {
    assert_eq!(seen["tools"], serde_json::json!(["arcane_find_action", "arcane_execute_action"]));
    assert_eq!(seen["first"], "container.restart");
    assert_ne!(seen["restarted"]["isError"], true, "{seen}");
    assert_eq!(seen["refused"]["structuredContent"]["error"]["code"], "confirm_required");
    assert_ne!(seen["deleted"]["isError"], true, "{seen}");
    assert_eq!(seen["gone"]["structuredContent"]["error"]["code"], "not_found");
    // Both channels reach the program around the client: what `docs/clients.md` says is measured.
    for result in ["restarted", "refused", "deleted", "gone"] {
        let result = &seen[result];
        assert!(result["structuredContent"].is_object() && result["content"][0]["text"].is_string(), "{result}");
    }
}

#[test]
fn the_typescript_client_does_the_main_job() {
    if installed(Path::new("node"), &folder().join("node_modules/@modelcontextprotocol/sdk"), "TypeScript") {
        assert_main_job(&session(Path::new("node"), &["session.mjs"]));
    }
}

#[test]
fn the_python_client_does_the_main_job_in_every_mode() {
    let python = folder().join(".venv/bin/python");
    if installed(&python, &folder().join(".venv/installed"), "Python") {
        for mode in ["auto", "legacy", "2026-07-28"] {
            assert_main_job(&session(&python, &["session.py", mode]));
        }
    }
}
