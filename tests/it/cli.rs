//! The commands as a person types them.

use crate::support::{Upstream, run};
use serde_json::{Value, json};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn find_needs_no_configuration() {
    let (code, out, complaint) = run(&["find", "restart container"], &[]);
    assert_eq!((code, complaint.as_str()), (0, ""));
    let first = out.lines().nth(1).unwrap();
    assert!(first.contains("container.restart"), "{out}");
    let (code, out, _) = run(&["find", "restart", "container", "--json", "--limit", "2"], &[]);
    let found = parsed(&out);
    assert_eq!((code, found["items"].as_array().unwrap().len()), (0, 2));
    assert_eq!(found["items"][0]["id"], "container.restart");
}

#[test]
fn find_explains_a_score() {
    let (code, out, _) = run(&["find", "restart container", "--limit", "1", "--explain"], &[]);
    assert_eq!(code, 0);
    assert!(out.contains("restart") && out.contains("in the title"), "{out}");
}

#[test]
fn show_gives_one_action_whole() {
    let (code, out, _) = run(&["show", "container.restart", "--json"], &[]);
    let action = parsed(&out);
    assert_eq!(code, 0);
    assert_eq!(action["method"], "POST");
    assert_eq!(action["path"], "/api/environments/{environmentId}/containers/{containerId}/restart");
    assert_eq!(action["operationId"], "restart-container");
    assert_eq!(action["outputSchema"]["type"], "object");
    let (code, _, complaint) = run(&["show", "container.restrat"], &[]);
    assert_eq!(code, 1);
    assert!(complaint.contains("container.restart"), "{complaint}");
}

#[test]
fn call_runs_one_action() {
    let upstream = Upstream::start();
    let environment = upstream.environment();
    let (code, out, _) = run(&["call", "container.restart", "--param", "containerId=web", "--json"], &environment);
    assert_eq!(code, 0, "{out}");
    let (code, _, complaint) =
        run(&["call", "container.delete", "--params", r#"{"containerId":"web"}"#, "--param", "force=true"], &environment);
    assert_eq!(code, 1);
    assert!(complaint.contains("confirm"), "{complaint}");
    let arguments = ["call", "container.delete", "--params", r#"{"containerId":"web"}"#, "--param", "force=true", "--confirm"];
    assert_eq!(run(&arguments, &environment).0, 0);
    let sent = upstream.requests();
    assert_eq!(sent.len(), 2);
    assert_eq!((sent[1].method.as_str(), sent[1].query.as_str()), ("DELETE", "force=true"));
}

#[test]
fn a_value_is_a_text_where_a_text_is_wanted() {
    let upstream = Upstream::start();
    let environment = upstream.environment();
    let (code, out, _) =
        run(&["call", "network.connect", "--param", "networkId=edge", "--param", "containerId=007", "--json"], &environment);
    assert_eq!(code, 1, "there is no such container: {out}");
    let sent: Value = serde_json::from_slice(&upstream.requests()[0].body).unwrap();
    assert_eq!(sent["containerId"], "007");
}

#[test]
fn usage_errors_exit_with_two() {
    for arguments in [
        &["call", "container.list", "--params", "{"][..],
        &["call", "container.list", "--param", "noequals"],
        &["find", "x", "--limit", "0"],
        &["find"],
        &["--tool-surface", "round"],
        &["find", "x", "--include", "nothing"],
        &["find", "x", "--timeout", "0"],
    ] {
        let (code, out, complaint) = run(arguments, &[]);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!complaint.is_empty());
    }
    let wrong = [("ARCANE_MCP_TOOL_SURFACE".to_owned(), "round".to_owned())];
    let (code, _, complaint) = run(&["find", "x"], &wrong);
    assert_eq!(code, 2);
    assert!(complaint.contains("ARCANE_MCP_TOOL_SURFACE") && complaint.contains("individual"), "{complaint}");
}

#[test]
fn tools_prints_the_very_bytes_of_the_list() {
    for surface in ["dynamic", "meta", "individual", "progressive"] {
        let (code, out, _) = run(&["tools", "--json", "--tool-surface", surface], &[]);
        assert_eq!(code, 0);
        let mut session = crate::support::Session::start(&["--tool-surface", surface], &[]);
        session.send(&json!({ "jsonrpc": "2.0", "id": 50, "method": "tools/list" }).to_string());
        let (line, _) = session.receive_raw();
        let list = out.trim_end().strip_prefix("{\"tools\":").unwrap().strip_suffix('}').unwrap();
        assert!(line.contains(&format!("\"tools\":{list}")), "{surface}");
    }
}

#[test]
fn an_option_wins_over_its_variable() {
    let variable = [("ARCANE_MCP_TOOL_SURFACE".to_owned(), "meta".to_owned())];
    let count = |arguments: &[&str]| parsed(&run(arguments, &variable).1)["tools"].as_array().unwrap().len();
    assert_eq!(count(&["tools", "--json", "--tool-surface", "dynamic"]), 2);
    assert!(count(&["tools", "--json"]) > 40);
}

#[test]
fn doctor_names_what_to_mend() {
    let (code, out, _) = run(&["doctor"], &[]);
    assert_eq!(code, 2);
    assert!(out.contains("ARCANE_URL") && out.contains("ARCANE_API_KEY"), "{out}");
    let upstream = Upstream::start();
    let (code, out, _) = run(&["doctor", "--json"], &upstream.environment());
    assert_eq!((code, parsed(&out)["ok"].clone()), (0, json!(true)), "{out}");
    let mut wrong = upstream.environment();
    wrong[1].1 = format!("arc_{}", "0".repeat(64));
    let (code, out, complaint) = run(&["doctor"], &wrong);
    assert_eq!(code, 1);
    assert!(!out.contains("0000000000") && !complaint.contains("0000000000"), "no credential is shown");
}

#[test]
fn the_demo_shows_the_main_job() {
    let (code, out, complaint) = run(&["demo"], &[]);
    assert_eq!((code, complaint.as_str()), (0, ""), "{out}");
    let order = ["2 tools", "container.restart", "isError", "confirm: true", "DELETE"];
    let mut rest = out.as_str();
    for word in order {
        let at = rest.find(word).unwrap_or_else(|| panic!("{word} in order in {out}"));
        rest = &rest[at..];
    }
}

#[test]
fn a_credential_may_come_from_a_file_and_is_never_shown() {
    let upstream = Upstream::start();
    let file = std::env::temp_dir().join(format!("callslip-key-{}", std::process::id()));
    std::fs::write(&file, format!("{}\n", upstream.sandbox.api_key())).unwrap();
    let environment = [("ARCANE_URL".to_owned(), upstream.sandbox.url()), ("ARCANE_API_KEY_FILE".to_owned(), file.display().to_string())];
    let (code, out, complaint) = run(&["call", "container.counts"], &environment);
    std::fs::remove_file(&file).unwrap();
    assert_eq!(code, 0, "{complaint}");
    assert!(!out.contains(upstream.sandbox.api_key()));
}
