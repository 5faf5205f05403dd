//! The official SDKs and the conformance suite, over HTTP. Skipped and said so where they are not installed, as over stdio.

use super::served::{Folder, Served, token, with_key};
use crate::clients::{assert_main_job, folder, installed};
use crate::support::Upstream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Node as the clients' folder brings it: the suite needs a newer one than many machines have.
fn node() -> PathBuf {
    folder().join("node_modules/node/bin/node")
}

fn run(program: &Path, arguments: &[&str]) -> Output {
    Command::new(program).args(arguments).current_dir(folder()).output().expect("the client runs")
}

/// The main job by one client, at a server that lets everyone in and at one that wants a token.
fn main_job(program: &Path, arguments: &[&str]) {
    for with_token in [false, true] {
        let upstream = Upstream::start();
        let files = Folder::new(&format!("client-{}-{with_token}", arguments.join("-")));
        let (held, entry) = token("agent", "main", "full", "");
        let file = files.write("tenants.toml", &format!("[workspaces.main]\n{entry}"));
        let options = ["--tenants", &file];
        let served = Served::start(if with_token { &options } else { &[] }, &with_key(upstream.environment()));
        let mut given = [arguments, &[&served.url]].concat();
        given.extend(with_token.then_some(&*held));
        let output = run(program, &given);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{given:?}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
        assert_main_job(&serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")));
    }
}

#[test]
fn the_typescript_clients_do_the_main_job() {
    if installed(&node(), &folder().join("node_modules/@modelcontextprotocol/client"), "TypeScript") {
        main_job(&node(), &["session.mjs"]);
        main_job(&node(), &["session_v2.mjs", "legacy"]);
        main_job(&node(), &["session_v2.mjs", "auto"]);
    }
}

#[test]
fn the_python_client_does_the_main_job_in_every_mode() {
    let python = folder().join(".venv/bin/python");
    if installed(&python, &folder().join(".venv/installed"), "Python") {
        for mode in ["auto", "legacy", "2026-07-28"] {
            main_job(&python, &["session.py", mode]);
        }
    }
}

/// What fails is listed by check in `tests/clients/conformance-….yml`: fixtures that only a server made for the suite has. Any other
/// failure, and any listed check that begins to pass, fails this test.
#[test]
fn the_conformance_suite_passes() {
    let suite = folder().join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    if !installed(&node(), &suite, "conformance suite") {
        return;
    }
    let upstream = Upstream::start();
    let served = Served::start(&[], &upstream.environment());
    let results = Folder::new("conformance");
    for revision in ["2025-11-25", "2026-07-28"] {
        let (suite, baseline) = (suite.display().to_string(), format!("conformance-{revision}.yml"));
        let output = results.path(revision).display().to_string();
        let arguments =
            [&suite, "server", "--url", &served.url, "--requirements", revision, "--expected-failures", &baseline, "-o", &output];
        let output = run(&node(), &arguments);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{revision}: {text}\n{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains("SUMMARY"), "{text}");
    }
}
