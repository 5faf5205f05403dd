//! Input that is wrong: every case a clear answer, nothing sent, the process alive.

use crate::support::{Session, Upstream, error};
use callslip_sandbox::Fault;
use serde_json::{Value, json};

#[test]
fn unknown_actions_get_the_nearest_ids() {
    let mut session = Session::start(&[], &[]);
    for (slip, meant) in [
        ("container.restrat", "container.restart"),
        ("contaner.restart", "container.restart"),
        ("container_restart", "container.restart"),
        ("containers.list", "container.list"),
        ("image.lst", "image.list"),
        ("imge.list", "image.list"),
        ("volume_backup.creat", "volume_backup.create"),
        ("projct.up", "project.up"),
    ] {
        let result = session.execute(slip, json!({}));
        let error = error(&result);
        assert_eq!(error["code"], "unknown_action", "{slip}");
        assert!(error["next"][0].as_str().unwrap().contains(&format!("`{meant}`")), "{slip}: {error}");
    }
}

#[test]
fn bad_arguments_are_all_named_and_nothing_is_sent() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    let cases = [
        ("container.restart", json!({}), vec!["containerId"]),
        ("container.restart", json!({ "containerId": "web", "signal": "TERM" }), vec!["signal"]),
        ("container.list", json!({ "limit": "many", "order": "sideways", "colour": 1 }), vec!["limit", "order", "colour"]),
        ("container.list", json!({ "start": -1 }), vec!["start"]),
        ("container.restart", json!({ "containerId": { "name": "web" } }), vec!["containerId"]),
        ("container.restart", json!({ "containerId": "web", "confirm": true }), vec!["confirm"]),
    ];
    for (action, params, named) in cases {
        let result = session.execute(action, params.clone());
        let error = error(&result);
        assert_eq!(error["code"], "invalid_arguments", "{action} {params}: {error}");
        for name in named {
            assert!(error["message"].as_str().unwrap().contains(name), "{name} in {error}");
        }
        assert!(error["accepted"].as_array().is_some_and(|accepted| !accepted.is_empty()), "{error}");
    }
    assert!(upstream.requests().is_empty());
}

#[test]
fn arguments_of_our_own_tools_are_checked_too() {
    let mut session = Session::start(&[], &[]);
    for (tool, arguments) in [
        ("arcane_find_action", json!({})),
        ("arcane_find_action", json!({ "query": "" })),
        ("arcane_find_action", json!({ "query": 5 })),
        ("arcane_find_action", json!({ "query": "x".repeat(257) })),
        ("arcane_find_action", json!({ "query": "x", "limit": 0 })),
        ("arcane_find_action", json!({ "query": "x", "limit": 51 })),
        ("arcane_find_action", json!({ "query": "x", "limits": 5 })),
        ("arcane_execute_action", json!({})),
        ("arcane_execute_action", json!({ "action": 7 })),
        ("arcane_execute_action", json!({ "action": "container.list", "params": [1] })),
        ("arcane_execute_action", json!({ "action": "container.list", "params": "{" })),
        ("arcane_execute_action", json!({ "action": "container.restart", "containerId": "web" })),
        ("arcane_execute_action", json!({ "action": "container.list", "fields": 3 })),
    ] {
        let result = session.call(tool, arguments.clone());
        assert_eq!(error(&result)["code"], "invalid_arguments", "{tool} {arguments}");
    }
    let bound = session.call("arcane_find_action", json!({ "query": "x", "limit": 51 }));
    assert!(error(&bound)["message"].as_str().unwrap().contains("50"));
}

#[test]
fn a_search_takes_its_bounds() {
    let mut session = Session::start(&[], &[]);
    let longest = "restart container ".repeat(20)[..256].to_owned();
    for (arguments, hits) in [
        (json!({ "query": "container", "limit": 1 }), 1),
        (json!({ "query": "container", "limit": 50 }), 50),
        (json!({ "query": "container", "limit": "3" }), 3),
        (json!({ "query": longest }), 10),
    ] {
        let result = session.call("arcane_find_action", arguments.clone());
        let items = result["structuredContent"]["items"].as_array().unwrap();
        assert!(items.len() <= hits && (items.len() == hits || hits == 50), "{arguments}: {}", items.len());
    }
}

#[test]
fn an_unknown_tool_is_a_protocol_error() {
    let mut session = Session::start(&[], &[]);
    let answer = session.ask("tools/call", json!({ "name": "arcane_container_restart", "arguments": {} }));
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
}

#[test]
fn a_missing_address_names_the_variable_and_the_check() {
    let mut session = Session::start(&[], &[]);
    let result = session.execute("container.list", json!({}));
    let error = error(&result);
    assert_eq!(error["code"], "unreachable");
    let all = error.to_string();
    assert!(all.contains("ARCANE_URL") && all.contains("callslip doctor"), "{all}");
}

#[test]
fn an_unreachable_upstream_is_named() {
    let environment = [("ARCANE_URL".to_owned(), "http://127.0.0.1:9".to_owned()), ("ARCANE_API_KEY".to_owned(), "arc_secret".to_owned())];
    let mut session = Session::start(&[], &environment);
    let result = session.execute("container.restart", json!({ "containerId": "web" }));
    assert_eq!(error(&result)["code"], "unreachable");
    assert!(!result.to_string().contains("arc_secret"));
}

#[test]
fn statuses_of_the_upstream_become_codes() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for (status, code) in [
        (401, "unauthorized"),
        (403, "forbidden"),
        (404, "not_found"),
        (409, "conflict"),
        (422, "invalid_request"),
        (429, "rate_limited"),
        (500, "upstream_error"),
    ] {
        let body = json!({ "title": "t", "status": status, "detail": "the reason" }).to_string();
        upstream.sandbox.clear_faults();
        upstream.sandbox.fault(Some("restart-container"), Fault::Answer { status, content_type: "application/problem+json".into(), body });
        let result = session.execute("container.restart", json!({ "containerId": "web" }));
        let error = error(&result);
        assert_eq!((error["code"].as_str(), error["status"].as_u64()), (Some(code), Some(status.into())), "{error}");
        assert!(error["message"].as_str().unwrap().contains("the reason"), "{error}");
    }
}

#[test]
fn answers_that_are_no_answers_are_failures() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for fault in [Fault::Html(200), Fault::TruncatedJson, Fault::EmptyBody] {
        let shown = format!("{fault:?}");
        upstream.sandbox.clear_faults();
        upstream.sandbox.fault(Some("container-status-counts"), fault);
        let result = session.execute("container.counts", json!({}));
        assert_eq!(error(&result)["code"], "upstream_error", "{shown}: {result}");
    }
}

#[test]
fn garbage_is_answered_and_survived() {
    let mut session = Session::start(&[], &[]);
    let cases: [(&[u8], i64, Value); 8] = [
        (b"hello\n", -32700, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\n", -32700, Value::Null),
        (b"\xff\xfe\x00\n", -32700, Value::Null),
        (b"[]\n", -32600, Value::Null),
        (b"42\n", -32600, Value::Null),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5}\n", -32600, json!(5)),
        (b"{\"jsonrpc\":\"1.0\",\"id\":6,\"method\":\"ping\"}\n", -32600, json!(6)),
        (b"{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":7}\n", -32600, json!(8)),
    ];
    for (bytes, code, id) in cases {
        session.send_bytes(bytes);
        let answer = session.receive();
        assert_eq!((answer["error"]["code"].as_i64(), &answer["id"]), (Some(code), &id), "{}: {answer}", String::from_utf8_lossy(bytes));
    }
    session.send("");
    session.send("   ");
    session.send(r#"{"jsonrpc":"2.0","method":"notifications/unheard_of"}"#);
    let unknown = session.ask("no/such/method", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    assert!(session.ask("ping", json!({}))["result"].is_object());
}

#[test]
fn garbage_before_the_greeting_does_not_end_the_process() {
    let mut session = Session::silent(&[], &[]);
    session.send("hello");
    assert_eq!(session.receive()["error"]["code"], -32700);
    session.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    session.send(r#"{"jsonrpc":"2.0","id":9,"method":"tools/list"}"#);
    assert!(session.receive()["error"].is_object());
    let greeted = session
        .ask("initialize", json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }));
    assert_eq!(greeted["result"]["protocolVersion"], "2025-06-18");
}

#[test]
fn a_line_over_the_bound_is_refused_without_ending_the_process() {
    let mut session = Session::start(&[], &[]);
    let long = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{}\"}}", "x".repeat(17 * 1024 * 1024));
    session.send(&long);
    assert_eq!(session.receive()["error"]["code"], -32600);
    assert!(session.ask("ping", json!({}))["result"].is_object());
}

#[test]
fn masks_and_placeholders_are_never_written() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for (action, params) in [
        ("registry.create", json!({ "url": "r.example.org", "username": "u", "token": "***" })),
        ("registry.create", json!({ "url": "r.example.org", "username": "u", "token": "<token>" })),
        ("container.create", json!({ "image": "nginx", "name": "n", "environment": ["A=XXXXXXXXXX"] })),
        ("project.update", json!({ "projectId": "p", "envContent": "B=XXXXXXXXXX\nC=1" })),
        ("settings.update", json!({ "trivyServerToken": " XXXXXXXXXX " })),
    ] {
        let refused = session.call("arcane_execute_action", json!({ "action": action, "params": params, "confirm": true }));
        let told = error(&refused)["message"].as_str().unwrap();
        assert!(error(&refused)["code"] == "invalid_arguments" && (told.contains("mask") || told.contains("placeholder")), "{refused}");
    }
    assert!(upstream.requests().is_empty(), "nothing was sent");
    // A longer run of the letter is no mask.
    session.execute("container.create", json!({ "image": "nginx", "name": "n", "environment": ["A=XXXXXXXXXXXX", "B=aXXXXXXXXXX"] }));
    assert_eq!(upstream.requests().len(), 1);
}

#[test]
fn null_stands_for_nothing_in_our_own_words_too() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for name in ["limit", "cursor"] {
        let result = session.execute("job.list", json!({ name: null }));
        assert_eq!(result["isError"], false, "{result}");
        assert!(result["structuredContent"]["notes"].to_string().contains(&format!("`{name}` was null")), "{result}");
    }
}

#[test]
fn every_kind_of_problem_is_told_at_once() {
    let mut session = Session::start(&[], &[]);
    let arguments =
        json!({ "action": "container.get", "params": { "containerId": "", "zzz": 1 }, "fields": ["nope"], "saveTo": 3, "colour": 1 });
    let refused = session.call("arcane_execute_action", arguments);
    for name in ["`zzz`", "`containerId`", "`nope`", "`saveTo`", "`colour`"] {
        assert!(error(&refused)["message"].as_str().unwrap().contains(name), "{name}: {refused}");
    }
    for part in ["accepted", "required", "fields"] {
        assert!(error(&refused)[part].is_array(), "{part}: {refused}");
    }
    let arguments = json!({ "action": "container.list", "params": { "order": "sideways", "limit": 0 }, "colour": 1 });
    let refused = session.call("arcane_execute_action", arguments);
    for name in ["`order`", "`limit`", "`colour`"] {
        assert!(error(&refused)["message"].as_str().unwrap().contains(name), "{name}: {refused}");
    }
    let refused = session.execute("container.get", json!({ "containerId": "" }));
    assert!(error(&refused)["accepted"].is_array() && error(&refused)["required"] == json!(["containerId"]), "{refused}");
}

#[test]
fn arguments_that_are_no_object_are_answered_so_that_a_model_can_mend_them() {
    let upstream = Upstream::start();
    let mut session = Session::start(&[], &upstream.environment());
    for (arguments, found) in
        [(json!([]), "an array"), (json!(5), "an integer"), (json!("nonsense"), "a string"), (json!("[1]"), "a string")]
    {
        let result = session.call("arcane_execute_action", arguments);
        assert_eq!(error(&result)["code"], "invalid_arguments", "{result}");
        assert!(error(&result)["message"].as_str().unwrap().contains(found), "{result}");
    }
    let result = session.call("arcane_execute_action", json!("{\"action\":\"container.counts\"}"));
    assert_eq!(result["isError"], false, "{result}");
    assert!(result["structuredContent"]["notes"].to_string().contains("JSON string"), "{result}");
    let found = session.call("arcane_find_action", json!("{\"query\":\"container.list\"}"));
    assert_eq!(found["structuredContent"]["items"][0]["id"], "container.list", "{found}");
    let text = json!({ "action": "container.delete", "params": { "containerId": "web" }, "confirm": true }).to_string();
    let refused = session.call("arcane_execute_action", json!(text));
    assert_eq!(error(&refused)["code"], "invalid_arguments", "a destructive call is never repaired: {refused}");
    let unknown = session.ask("no/such", json!({}));
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let nameless = session.ask("tools/call", json!({ "arguments": [] }));
    assert!(nameless["error"]["code"].is_i64(), "{nameless}");
    let mut meta = Session::start(&["--tool-surface", "meta"], &[]);
    let refused = meta.call("arcane_container", json!({ "action": 5 }));
    assert!(error(&refused)["message"].as_str().unwrap().contains("must be a text"), "{refused}");
}
