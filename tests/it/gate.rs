//! The one gate: filters and confirmation.

use crate::support::{Session, Upstream, error, run};
use serde_json::{Value, json};

#[test]
fn only_the_literal_true_at_the_top_confirms() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for confirm in [Value::Null, json!(false), json!("true"), json!(1), json!([true])] {
        let arguments = json!({ "action": "volume.delete", "params": { "volumeName": "web-data" }, "confirm": confirm });
        let result = session.call("arcane_execute_action", arguments);
        assert_eq!(error(&result)["code"], "confirm_required", "{confirm}");
    }
    let inside = json!({ "action": "volume.delete", "params": { "volumeName": "web-data", "confirm": true } });
    let result = session.call("arcane_execute_action", inside);
    assert_eq!(error(&result)["code"], "invalid_arguments");
    assert!(error(&result).to_string().contains("beside"), "{result}");
    assert!(upstream.requests().is_empty(), "nothing was sent");
}

#[test]
fn read_only_mode_keeps_reads_and_says_why_the_rest_is_gone() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--read-only"], &upstream.environment());
    let refused = session.execute("container.restart", json!({ "containerId": "web" }));
    assert_eq!(error(&refused)["code"], "removed");
    assert!(error(&refused)["message"].as_str().unwrap().contains("read-only mode"));
    assert!(upstream.requests().is_empty());
    assert_eq!(session.execute("container.counts", json!({}))["isError"], false);
    let found = session.call("arcane_find_action", json!({ "query": "restart container", "limit": 50 }));
    assert!(found["structuredContent"]["items"].as_array().unwrap().iter().all(|hit| hit["mutating"] == false));
    let list = session.ask("tools/list", json!({}));
    assert!(list["result"]["tools"].as_array().unwrap().iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
}

#[test]
fn exclusions_hold_on_every_road() {
    let mut session = Session::start(&["--exclude", "swarm.*,container.kill"], &[]);
    for (name, pattern) in [("swarm.init", "swarm.*"), ("container.kill", "container.kill"), ("arcane_container_kill", "container.kill")] {
        let refused = session.execute(name, json!({}));
        assert_eq!(error(&refused)["code"], "removed", "{name}");
        assert!(error(&refused)["message"].as_str().unwrap().contains(&format!("excluded by {pattern}")), "{refused}");
    }
    let found = session.call("arcane_find_action", json!({ "query": "kill container", "limit": 50 }));
    assert!(!found.to_string().contains("container.kill"), "not even as a related action");
}

#[test]
fn the_account_toolset_is_left_out_with_its_reason() {
    let mut session = Session::start(&[], &[]);
    let refused = session.execute("passkey.begin_login", json!({}));
    assert_eq!(error(&refused)["code"], "removed");
    assert!(error(&refused)["message"].as_str().unwrap().contains("--include account"), "{refused}");
    let mut included = Session::start(&["--include", "account"], &[]);
    let result = included.execute("passkey.begin_login", json!({}));
    assert_eq!(error(&result)["code"], "unreachable", "offered, only without an address");
}

#[test]
fn a_removed_action_has_no_tool_of_its_own() {
    let mut session = Session::start(&["--tool-surface", "individual", "--exclude", "container.kill"], &[]);
    let answer = session.ask("tools/call", json!({ "name": "arcane_container_kill", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602);
    let list = session.ask("tools/list", json!({}));
    let names = list["result"]["tools"].to_string();
    assert!(!names.contains("\"arcane_container_kill\"") && names.contains("\"arcane_container_restart\""));
    assert!(!names.contains("\"arcane_passkey_begin_login\""));
}

#[test]
fn names_in_options_that_match_nothing_are_said() {
    let (code, _, complaint) = run(&["find", "restart", "--exclude", "contaner.*"], &[]);
    assert_eq!(code, 0);
    assert!(complaint.contains("contaner.*"), "{complaint}");
}

#[test]
fn a_search_for_a_removed_action_says_why_it_is_gone() {
    let (options, reason) = (["--exclude", "container.kill,swarm.*"], "excluded by");
    let mut session = Session::start(&options, &[]);
    for name in ["container.kill", "arcane_container_kill", "swarm.join", " Container.Kill "] {
        let found = session.call("arcane_find_action", json!({ "query": name }));
        let shown = &found["structuredContent"];
        assert!(shown["advice"].as_str().is_some_and(|advice| advice.contains(reason)), "{name}: {shown}");
        assert_eq!(shown["confidence"], "none", "{name}");
        assert!(found["content"][0]["text"].as_str().unwrap().contains(reason), "{found}");
    }
    let (_, stdout, stderr) = run(&[&["find", "container.kill"][..], &options].concat(), &[]);
    assert!(format!("{stdout}{stderr}").contains(reason), "{stdout} {stderr}");
    let mut session = Session::start(&["--tool-surface", "progressive", "--toolsets", "containers", "--only-toolsets"], &[]);
    let refused = session.call("search_tools", json!({ "toolset": "images" }));
    assert_eq!(error(&refused)["code"], "removed", "{refused}");
    assert!(error(&refused)["next"].to_string().contains("containers") && !error(&refused)["next"].to_string().contains("images"));
    let list = session.ask("tools/list", json!({}));
    let search = &list["result"]["tools"][0]["inputSchema"]["properties"]["toolset"]["enum"];
    assert_eq!(search, &json!(["containers"]), "{list}");
}

#[test]
fn no_text_leads_to_a_removed_action() {
    let excluded = "container.redeploy,container.edit,event.*,activity.*";
    let upstream = Upstream::start();
    let mut session = Session::start(&["--exclude", excluded], &upstream.environment());
    let found = session.call("arcane_find_action", json!({ "query": "container.restart", "limit": 1 }));
    let described = session.execute("describe", json!({ "action": "container.restart" }));
    let mut individual = Session::start(&["--tool-surface", "individual", "--exclude", excluded], &[]);
    let list = individual.ask("tools/list", json!({}));
    let tools = list["result"]["tools"].as_array().unwrap();
    let restart = tools.iter().find(|tool| tool["name"] == "arcane_container_restart").unwrap();
    for shown in [&found, &described, restart] {
        let text = shown.to_string();
        assert!(text.contains("`redeploy` (not offered here)"), "{text}");
        for name in ["`redeploy`", "`edit`"] {
            assert_eq!(text.matches(name).count(), text.matches(&format!("{name} (not offered here)")).count(), "{text}");
        }
    }
    upstream.sandbox.fault(
        Some("restart-container"),
        callslip_sandbox::Fault::Answer {
            status: 200,
            content_type: "application/json".into(),
            body: json!({ "success": true, "data": { "activityId": "q" } }).to_string(),
        },
    );
    let restarted = session.execute("container.restart", json!({ "containerId": "web" }));
    assert!(restarted["isError"] == false && !restarted.to_string().contains("activity.get"), "{restarted}");
}
