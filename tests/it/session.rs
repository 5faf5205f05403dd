//! The main job on the wire: list, find, run, refuse, confirm.

use crate::support::{Session, Upstream, error, run};
use callslip_sandbox::Fault;
use serde_json::json;

#[test]
fn the_main_job() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let list = session.ask("tools/list", json!({}));
    let names: Vec<_> = list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["arcane_find_action", "arcane_execute_action"]);

    let found = session.call("arcane_find_action", json!({ "query": "restart container" }));
    let items = found["structuredContent"]["items"].as_array().unwrap();
    assert_eq!(items[0]["id"], "container.restart");
    assert_eq!(items[0]["required"], json!(["containerId"]));
    assert_eq!(items[0]["inputSchema"]["properties"]["containerId"]["type"], "string");
    assert_eq!(items[0]["schemaUri"], "arcane://tools/container.restart");
    assert_eq!(items[0]["destructive"], false);
    assert!(items[4]["inputSchema"].is_object() && items[5]["params"].is_array() && items[5]["inputSchema"].is_null());
    assert_eq!(found["structuredContent"]["confidence"], "high");
    assert!(upstream.requests().is_empty(), "finding sends nothing");

    let restarted = session.execute("container.restart", json!({ "containerId": "web" }));
    assert_eq!(restarted["isError"], false, "{restarted}");
    let sent = upstream.requests();
    assert_eq!((sent[0].method.as_str(), sent[0].path.as_str()), ("POST", "/api/environments/0/containers/web/restart"));

    let delete = json!({ "action": "container.delete", "params": { "containerId": "web", "force": true } });
    let refused = session.call("arcane_execute_action", delete.clone());
    let refusal = error(&refused);
    assert_eq!(refusal["code"], "confirm_required");
    assert_eq!(refusal["wouldSend"]["method"], "DELETE");
    assert_eq!(upstream.requests().len(), 1, "nothing was sent");

    let mut confirmed = delete;
    confirmed["confirm"] = json!(true);
    let deleted = session.call("arcane_execute_action", confirmed);
    assert_eq!(deleted["isError"], false, "{deleted}");
    let gone = session.execute("container.get", json!({ "containerId": "web" }));
    assert_eq!(error(&gone)["code"], "not_found");
    assert!(error(&gone)["next"].to_string().contains("container.list"));
}

#[test]
fn a_stopped_container_is_stopped() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let stopped = session.execute("container.stop", json!({ "containerId": "web" }));
    assert_eq!(stopped["isError"], false, "{stopped}");
    let list = session.execute("container.list", json!({ "limit": 500 }));
    let items = list["structuredContent"]["items"].as_array().unwrap();
    let web = items.iter().find(|item| item.to_string().contains("\"/web\"") || item.to_string().contains("\"web\"")).unwrap();
    assert_eq!(web["state"], "exited", "{web}");
}

#[test]
fn every_name_of_an_action_runs_it() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for name in ["container.counts", "arcane_container_counts", "arcane_container.counts", "container-status-counts"] {
        let result = session.execute(name, json!({}));
        assert_eq!(result["isError"], false, "{name}: {result}");
    }
    assert!(upstream.requests().iter().all(|request| request.path == "/api/environments/0/containers/counts"));
    assert_eq!(upstream.requests().len(), 4);
}

#[test]
fn both_channels_hold_the_same_rows() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let list = session.execute("volume.list", json!({}));
    let text = list["content"][0]["text"].as_str().unwrap();
    for item in list["structuredContent"]["items"].as_array().unwrap() {
        let name = item["name"].as_str().unwrap();
        assert!(text.replace('\\', "").contains(name), "{name} in {text}");
    }
}

#[test]
fn text_results_leave_the_structured_channel_empty() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--results", "text"], &upstream.environment());
    let result = session.execute("container.counts", json!({}));
    assert!(result["structuredContent"].is_null());
    assert!(!result["content"][0]["text"].as_str().unwrap().is_empty());
}

#[test]
fn the_text_of_an_answer_ends_where_the_option_says() {
    let upstream = Upstream::start();
    let rows: Vec<_> = (0..200).map(|number| json!({ "id": format!("volume-{number}"), "name": "n".repeat(100) })).collect();
    let body = json!({ "success": true, "data": rows }).to_string();
    let fault = Fault::Answer { status: 200, content_type: "application/json".into(), body };
    upstream.sandbox.fault(Some("list-volumes"), fault.clone());
    let length = |session: &mut Session| {
        let result = session.execute("volume.list", json!({ "limit": 200 }));
        assert_eq!(result["structuredContent"]["items"].as_array().unwrap().len(), 200, "the other channel is whole");
        result["content"][0]["text"].as_str().unwrap().chars().count()
    };
    let usual = length(&mut Session::start(&[], &upstream.environment()));
    let mut short = Session::start(&["--max-text", "5000"], &upstream.environment());
    let shortened = length(&mut short);
    assert!(shortened <= 5_000 && usual > 5_000, "{shortened} and {usual}");
    upstream.sandbox.fault(Some("list-volumes"), Fault::problem(500, &"long ".repeat(2_000)));
    let failed = short.execute("volume.list", json!({}));
    assert!(failed["content"][0]["text"].as_str().unwrap().chars().count() <= 5_000);
    let variable = [("ARCANE_MCP_MAX_TEXT".to_owned(), "100".to_owned())];
    let (code, _, said) = run(&["tools"], &variable);
    assert!(code == 2 && said.contains("4000"), "{code}: {said}");
}

#[test]
fn the_configured_environment_is_meant_when_none_is_given() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--environment", "0"], &upstream.environment());
    session.execute("image.counts", json!({}));
    session.execute("image.counts", json!({ "environmentId": "0" }));
    let paths: Vec<_> = upstream.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/api/environments/0/images/counts"; 2]);
    let missing = session.execute("environment.get", json!({}));
    assert_eq!(error(&missing)["code"], "invalid_arguments", "an environment that is the target is never defaulted");
}

#[test]
fn a_discovering_client_is_answered() {
    let mut session = Session::silent(&[], &[]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" }
    });
    let discovered = session.ask("server/discover", json!({ "_meta": meta }));
    assert!(discovered["result"]["supportedVersions"].to_string().contains("2026-07-28"), "{discovered}");
    let list = session.ask("tools/list", json!({ "_meta": meta }));
    assert_eq!(list["result"]["resultType"], "complete", "{list}");
    assert!(list["result"]["ttlMs"].is_u64());
    assert_eq!(list["result"]["cacheScope"], "public");
    assert_eq!(list["result"]["tools"].as_array().unwrap().len(), 2);
    let found =
        session.ask("tools/call", json!({ "_meta": meta, "name": "arcane_find_action", "arguments": { "query": "restart container" } }));
    assert_eq!(found["result"]["structuredContent"]["items"][0]["id"], "container.restart");
}
