//! What `progressive` adds: paging, browsing, pins; and the reading twin of `dynamic`.

use crate::support::{Session, Upstream, error, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PROGRESSIVE: [&str; 2] = ["--tool-surface", "progressive"];

fn names(session: &mut Session) -> Vec<String> {
    let list = session.ask("tools/list", json!({}));
    list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn pages(session: &mut Session, mut arguments: Value) -> Vec<String> {
    let mut found = Vec::new();
    loop {
        let page = session.call("search_tools", arguments.clone());
        let items = page["structuredContent"]["items"].as_array().unwrap();
        found.extend(items.iter().map(|item| item["id"].as_str().unwrap().to_owned()));
        let next = &page["structuredContent"]["next"]["offset"];
        assert_eq!(page["content"][0]["text"].as_str().unwrap().contains("on with `offset:"), !next.is_null());
        if next.is_null() {
            return found;
        }
        arguments["offset"] = next.clone();
    }
}

#[test]
fn browsing_the_toolsets_reaches_every_action_once() {
    let mut session = Session::start(&PROGRESSIVE, &[]);
    let list = session.ask("tools/list", json!({}));
    let toolsets = list["result"]["tools"][0]["inputSchema"]["properties"]["toolset"]["enum"].as_array().unwrap().clone();
    let mut all = Vec::new();
    for toolset in toolsets {
        all.extend(pages(&mut session, json!({ "toolset": toolset, "limit": 50 })));
    }
    let once: BTreeSet<_> = all.iter().collect();
    assert_eq!(once.len(), all.len());
    let mut individual = Session::start(&["--tool-surface", "individual"], &[]);
    assert_eq!(once, names(&mut individual).iter().collect::<BTreeSet<_>>(), "the names are those of `individual`");
}

#[test]
fn a_search_goes_on_where_it_stopped() {
    let mut session = Session::start(&PROGRESSIVE, &[]);
    let by_threes = pages(&mut session, json!({ "query": "container", "limit": 3 }));
    let by_tens = pages(&mut session, json!({ "query": "container", "limit": 10 }));
    assert!(by_threes.len() > 10, "{by_threes:?}");
    assert_eq!(by_threes, by_tens);
    let within = pages(&mut session, json!({ "query": "list", "toolset": "images", "limit": 50 }));
    assert!(within.iter().all(|name| !name.starts_with("arcane_container_")), "{within:?}");
    let nothing = session.call("search_tools", json!({}));
    assert!(error(&nothing)["next"].to_string().contains("containers"), "{nothing}");
}

#[test]
fn pins_announce_and_do_not_restrict() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[&PROGRESSIVE[..], &["--toolsets", "containers,nonsense"]].concat(), &upstream.environment());
    let announced = names(&mut session);
    assert_eq!(announced[..4], ["search_tools", "describe_tool", "read_tool", "run_tool"]);
    assert!(announced.contains(&"arcane_container_restart".to_owned()) && !announced.contains(&"arcane_image_list".to_owned()));
    let native = session.call("arcane_container_restart", json!({ "containerId": "web" }));
    assert_eq!(native["isError"], false, "{native}");
    assert_eq!(session.call("read_tool", json!({ "name": "arcane_image_list" }))["isError"], false);
    let hidden = session.ask("tools/call", json!({ "name": "arcane_image_list", "arguments": {} }));
    assert_eq!(hidden["error"]["code"], -32602, "what is not announced is run by run_tool");
    let (_, _, complaint) = run(&["tools", "--tool-surface", "progressive", "--toolsets", "nonsense"], &[]);
    assert!(complaint.contains("nonsense"), "{complaint}");
}

#[test]
fn only_toolsets_restricts() {
    let mut session = Session::start(&[&PROGRESSIVE[..], &["--toolsets", "containers", "--only-toolsets"]].concat(), &[]);
    let refused = session.call("run_tool", json!({ "name": "arcane_image_list" }));
    assert_eq!(error(&refused)["code"], "removed");
    assert!(error(&refused)["message"].as_str().unwrap().contains("pinned toolsets"), "{refused}");
    let found = pages(&mut session, json!({ "query": "image list", "limit": 50 }));
    assert!(!found.iter().any(|name| name.starts_with("arcane_image_")), "{found:?}");
    assert_eq!(run(&["tools", "--only-toolsets"], &[]).0, 2);
}

#[test]
fn reading_tools_run_nothing_else() {
    let upstream = Upstream::start();
    let mut progressive = Session::start(&PROGRESSIVE, &upstream.environment());
    let refused = progressive.call("read_tool", json!({ "name": "arcane_container_restart", "arguments": { "containerId": "web" } }));
    assert_eq!(error(&refused)["code"], "invalid_arguments");
    assert!(upstream.requests().is_empty());

    let mut split = Session::start(&["--split-read"], &upstream.environment());
    assert_eq!(names(&mut split), ["arcane_find_action", "arcane_read_action", "arcane_execute_action"]);
    let list = split.ask("tools/list", json!({}));
    assert_eq!(list["result"]["tools"][1]["annotations"]["readOnlyHint"], true);
    let refused = split.call("arcane_read_action", json!({ "action": "container.restart", "params": { "containerId": "web" } }));
    assert_eq!(error(&refused)["code"], "invalid_arguments");
    let with_word = json!({ "action": "container.delete", "params": { "containerId": "web" }, "confirm": true });
    assert_eq!(error(&split.call("arcane_read_action", with_word))["code"], "invalid_arguments");
    assert!(upstream.requests().is_empty());
    assert_eq!(split.call("arcane_read_action", json!({ "action": "container.counts" }))["isError"], false);
    let mut plain = Session::start(&[], &[]);
    assert_eq!(plain.ask("tools/call", json!({ "name": "arcane_read_action", "arguments": {} }))["error"]["code"], -32602);
}

#[test]
fn a_list_too_long_for_the_client_is_warned_of() {
    use std::io::Write;
    let mut command = crate::support::command(&["--tool-surface", "individual"], &[]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "cursor-vscode", "version": "1" } } });
    let lines = format!(
        "{hello}\n{}\n{}\n",
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" })
    );
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("Cursor takes about 40 tools"), "{complaint}");
}
