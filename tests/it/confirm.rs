//! Whose word a destructive call needs, and how a person is asked for it.

use crate::support::{Session, Upstream, error};
use serde_json::{Value, json};

fn delete() -> Value {
    json!({ "name": "arcane_execute_action", "arguments": { "action": "container.delete", "params": { "containerId": "redis", "force": true } } })
}

fn destroying(upstream: &Upstream) -> usize {
    upstream.requests().iter().filter(|request| request.method == "DELETE").count()
}

/// A session of a legacy client that declared elicitation.
fn asking(arguments: &[&str], upstream: &Upstream, capability: &Value) -> Session {
    let mut session = Session::silent(arguments, &upstream.environment());
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": { "elicitation": capability }, "clientInfo": { "name": "test", "version": "1" }
    });
    session.ask("initialize", hello);
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    session
}

/// Calls, answers the question that comes, and gives question and result.
fn answered(session: &mut Session, params: &Value, answer: &Value) -> (Value, Value) {
    session.send(&json!({ "jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": params }).to_string());
    let question = session.receive();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    session.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": answer }).to_string());
    let result = session.receive();
    assert_eq!(result["id"], 900);
    (question["params"].clone(), result["result"].clone())
}

#[test]
fn a_client_that_can_ask_is_asked_once() {
    let upstream = Upstream::start();
    for capability in [json!({}), json!({ "form": {} })] {
        let mut session = asking(&[], &upstream, &capability);
        for (answer, word) in [(json!({ "action": "decline" }), "declined"), (json!({ "action": "cancel" }), "closed")] {
            let (question, result) = answered(&mut session, &delete(), &answer);
            let message = question["message"].as_str().unwrap();
            for part in ["container.delete", "redis", "DELETE", "/api/environments/0/containers/"] {
                assert!(message.contains(part), "{part} in {message}");
            }
            assert_eq!(question["requestedSchema"]["type"], "object");
            assert_eq!(error(&result)["code"], "confirm_required");
            assert!(error(&result)["message"].as_str().unwrap().contains(word), "{result}");
            assert_eq!(destroying(&upstream), 0);
        }
    }
    let mut session = asking(&[], &upstream, &json!({}));
    for no in [json!(false), json!("false"), json!(0)] {
        let (_, result) = answered(&mut session, &delete(), &json!({ "action": "accept", "content": { "confirm": no } }));
        assert_eq!(error(&result)["code"], "confirm_required", "{no}");
    }
    let mut asked_by_model = delete();
    asked_by_model["arguments"]["confirm"] = json!("true");
    let wrong = session.ask("tools/call", asked_by_model);
    assert_eq!(
        wrong["result"]["structuredContent"]["error"]["code"], "confirm_required",
        "what is given wrongly is not asked about: {wrong}"
    );
    let (_, result) = answered(&mut session, &delete(), &json!({ "action": "accept", "content": {} }));
    assert_eq!((result["isError"].as_bool(), destroying(&upstream)), (Some(false), 1), "{result}");
    let read = session.ask("tools/call", json!({ "name": "arcane_execute_action", "arguments": { "action": "container.counts" } }));
    assert_eq!(read["result"]["isError"], false, "reads are not asked about");
}

#[test]
fn a_client_that_cannot_ask_never_waits() {
    let upstream = Upstream::start();
    for capability in [json!({ "url": {} }), Value::Null] {
        let mut session = asking(&[], &upstream, &capability);
        let refused = session.ask("tools/call", delete());
        let refusal = error(&refused["result"]);
        assert_eq!((refusal["code"].as_str(), refusal["wouldSend"]["method"].as_str()), (Some("confirm_required"), Some("DELETE")));
    }
    assert!(upstream.requests().is_empty());
}

#[test]
fn in_human_mode_no_word_of_the_model_counts() {
    let upstream = Upstream::start();
    let mut confirmed = delete();
    confirmed["arguments"]["confirm"] = json!(true);
    let mut session = Session::start(&["--confirm", "human"], &upstream.environment());
    let refused = session.ask("tools/call", confirmed.clone());
    let refusal = error(&refused["result"]);
    assert_eq!(refusal["code"], "confirm_required");
    let line = refusal["command"].as_str().unwrap();
    assert!(
        line.starts_with("callslip call container.delete --params '{") && line.ends_with("--confirm") && line.contains("redis"),
        "{line}"
    );
    assert!(refusal["next"].to_string().contains("callslip call container.delete"));
    assert_eq!(refusal["wouldSend"]["method"], "DELETE");
    let mut session = asking(&["serve", "--confirm", "human"], &upstream, &json!({}));
    let (_, result) = answered(&mut session, &confirmed, &json!({ "action": "decline" }));
    assert_eq!(error(&result)["code"], "confirm_required");
    assert_eq!(destroying(&upstream), 0);
    let (_, result) = answered(&mut session, &confirmed, &json!({ "action": "accept" }));
    assert_eq!((result["isError"].as_bool(), destroying(&upstream)), (Some(false), 1), "{result}");
}

#[test]
fn the_line_of_a_refusal_runs() {
    let upstream = Upstream::start();
    let mut environment = upstream.environment();
    environment.push(("ARCANE_MCP_CONFIRM".into(), "human".into()));
    let mut session = Session::start(&[], &environment);
    let refused = session.ask("tools/call", delete());
    let line = error(&refused["result"])["command"].as_str().unwrap().replacen("callslip", crate::support::PROGRAM, 1);
    let mut shell = std::process::Command::new("sh");
    shell.arg("-c").arg(&line).envs(environment.iter().map(|(name, value)| (name, value)));
    let output = shell.output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(destroying(&upstream), 1);
}

/// A call on the revision without requests of the server's.
fn modern(session: &mut Session, mut params: Value, capabilities: &Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" }
    });
    session.ask("tools/call", params)["result"].clone()
}

fn again(params: &Value, question: &Value, action: &str) -> Value {
    let mut params = params.clone();
    params["requestState"] = question["requestState"].clone();
    params["inputResponses"] = json!({ "confirm": { "action": action } });
    params
}

#[test]
fn in_rounds_the_question_comes_back_signed() {
    let upstream = Upstream::start();
    let mut session = Session::silent(&[], &upstream.environment());
    let can = json!({ "elicitation": { "form": {} } });
    let refused = modern(&mut session, delete(), &json!({}));
    assert_eq!(error(&refused)["code"], "confirm_required", "a client that cannot ask gets the dry look");

    let question = modern(&mut session, delete(), &can);
    assert_eq!(question["resultType"], "input_required", "{question}");
    let asked = &question["inputRequests"]["confirm"];
    assert_eq!(asked["method"], "elicitation/create");
    assert!(asked["params"]["message"].as_str().unwrap().contains("redis"), "{asked}");
    assert_eq!(destroying(&upstream), 0);

    let declined = modern(&mut session, again(&delete(), &question, "decline"), &can);
    assert_eq!(error(&declined)["code"], "confirm_required");
    let twice = modern(&mut session, again(&delete(), &question, "accept"), &can);
    assert!(error(&twice)["message"].as_str().unwrap().contains("used already"), "a no cannot be made a yes: {twice}");

    let question = modern(&mut session, delete(), &can);
    let mut other = again(&delete(), &question, "accept");
    other["arguments"]["params"]["containerId"] = json!("web-db");
    assert!(error(&modern(&mut session, other, &can))["message"].as_str().unwrap().contains("another call"));
    let mut other = again(&delete(), &question, "accept");
    other["arguments"]["action"] = json!("container.redeploy");
    other["arguments"]["params"] = json!({ "containerId": "redis" });
    assert!(error(&modern(&mut session, other, &can))["message"].as_str().unwrap().contains("another call"), "nor for another action");
    let mut forged = again(&delete(), &question, "accept");
    forged["requestState"] = json!("rs1.AAAA.BBBB");
    assert_eq!(error(&modern(&mut session, forged, &can))["code"], "confirm_required");
    let mut stateless = again(&delete(), &question, "accept");
    stateless.as_object_mut().unwrap().remove("requestState");
    assert_eq!(modern(&mut session, stateless, &can)["resultType"], "input_required", "an answer without a question is none");
    assert_eq!(destroying(&upstream), 0);

    let done = modern(&mut session, again(&delete(), &question, "accept"), &can);
    assert_eq!((done["isError"].as_bool(), destroying(&upstream)), (Some(false), 1), "{done}");
    let replayed = modern(&mut session, again(&delete(), &question, "accept"), &can);
    assert_eq!(error(&replayed)["code"], "confirm_required");
    assert_eq!(destroying(&upstream), 1);
}

#[test]
fn a_signed_question_serves_one_credential() {
    let upstream = Upstream::start();
    upstream.sandbox.add_role_key("arc_other", "role_admin");
    let can = json!({ "elicitation": {} });
    let key = ("ARCANE_MCP_STATE_KEY".to_owned(), "0123456789abcdef0123456789abcdef".to_owned());
    let mine = [upstream.environment(), vec![key.clone()]].concat();
    let theirs = vec![mine[0].clone(), ("ARCANE_API_KEY".to_owned(), "arc_other".to_owned()), key];
    let mut session = Session::silent(&[], &mine);
    let question = modern(&mut session, delete(), &can);
    let stolen = modern(&mut Session::silent(&[], &theirs), again(&delete(), &question, "accept"), &can);
    assert_eq!(error(&stolen)["code"], "confirm_required");
    assert_eq!(destroying(&upstream), 0);
    let replica = modern(&mut Session::silent(&[], &mine), again(&delete(), &question, "accept"), &can);
    assert_eq!(replica["isError"], false, "another replica with the same key accepts it: {replica}");
}

#[test]
fn the_line_for_a_person_cannot_send_a_mask() {
    let upstream = Upstream::start();
    let mut session = Session::start(&["--confirm", "human"], &upstream.environment());
    for (action, params, name) in [
        ("system_backup.restore", json!({ "backupId": "b", "recoveryKey": "abc" }), "recoveryKey"),
        ("webhook.trigger", json!({ "token": "whk_secret" }), "token"),
        ("container.edit", json!({ "containerId": "w", "environment": ["DB_PASSWORD=pw", "A=b"] }), "DB_PASSWORD"),
    ] {
        let refused = session.execute(action, params.clone());
        let refusal = error(&refused);
        let line = refusal["command"].as_str().unwrap();
        assert!(line.contains(&format!("<{name}>")) && !line.contains("***"), "{line}");
        assert!(refusal["next"][0].as_str().unwrap().contains(&format!("`<{name}>`")), "{refusal}");
        for secret in ["abc\"", "whk_secret", "=pw"] {
            assert!(!refused.to_string().contains(secret), "{refused}");
        }
        let line = line.replacen("callslip", crate::support::PROGRAM, 1);
        let mut shell = std::process::Command::new("sh");
        shell.arg("-c").arg(&line).envs(upstream.environment());
        let output = shell.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("placeholder"), "{line}: {said}");
    }
    assert!(upstream.requests().is_empty(), "nothing was sent");
}

#[test]
fn a_question_shows_every_field_however_long_another_is() {
    let upstream = Upstream::start();
    let mut session = asking(&["serve", "--confirm", "human"], &upstream, &json!({}));
    let params = json!({
        "containerId": "w", "command": ["echo", "harmless ".repeat(400)], "environment": vec!["A=harmless"; 300],
        "hostConfig": { "privileged": true, "binds": ["/:/host"] }
    });
    let call = json!({ "name": "arcane_execute_action", "arguments": { "action": "container.edit", "params": params } });
    let (question, _) = answered(&mut session, &call, &json!({ "action": "decline" }));
    let message = question["message"].as_str().unwrap();
    for part in ["\"privileged\":true", "/:/host", "\"command\"", "\"environment\"", "more characters", "more\""] {
        assert!(message.contains(part), "{part} in {message}");
    }
    assert!(message.len() < 3_000, "{message}");
}
