//! What a caller gives as a secret is shown nowhere again: not in the dry look of a refusal, not in the question to a person, not where
//! the upstream echoes it in a failure.

use crate::coverage::arguments;
use crate::support::{Session, Upstream, error};
use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Param};
use callslip_sandbox::{Fault, operation};
use serde_json::{Map, Value, json};

/// Stands for every secret here.
const SECRET: &str = "correct-horse-battery-staple";

/// Every action that takes a secret text, with the secret wherever it takes one.
fn taking() -> Vec<(Action<'static>, Map<String, Value>)> {
    let actions = Catalog::embedded().and_then(|catalog| catalog.actions()).expect("the catalog");
    let mut taking = Vec::new();
    for action in actions {
        let text = |param: &&Param<'_>| param.secret && param.schema.contains("\"type\":\"string\"") && !param.schema.contains("\"array\"");
        let secret: Vec<String> = action.params.iter().filter(text).map(|param| param.name.to_string()).collect();
        if secret.is_empty() {
            continue;
        }
        let mut given = arguments(&action, &operation(&action.operation).expect("known to the sandbox").sample());
        given.extend(secret.into_iter().map(|name| (name, SECRET.into())));
        taking.push((action, given));
    }
    taking
}

fn session(upstream: &Upstream, options: &[&str]) -> Session {
    let mut environment = upstream.environment();
    environment.push(("ARCANE_TOKEN".into(), upstream.sandbox.session_token()));
    Session::start(&[&["--include", "account"], options].concat(), &environment)
}

#[test]
fn an_echoed_secret_is_taken_out_of_every_failure() {
    let upstream = Upstream::start();
    let mut session = session(&upstream, &[]);
    let taking = taking();
    assert!(taking.len() > 20, "{} actions take a secret", taking.len());
    let mut echoed = 0;
    for (action, given) in taking {
        upstream.sandbox.clear_faults();
        upstream.sandbox.fault(Some(&action.operation), Fault::problem(422, &format!("`{SECRET}` is too weak")));
        let call = json!({ "action": &*action.id, "params": given, "confirm": true });
        let result = session.call("arcane_execute_action", call);
        assert_eq!(result["isError"], true, "{}: {result}", action.id);
        assert!(!result.to_string().contains(SECRET), "{}: {result}", action.id);
        echoed += usize::from(
            error(&result)["message"]
                .as_str()
                .is_some_and(|message| message.contains("*** is too weak") || message.contains("***' is too weak")),
        );
    }
    assert!(echoed > 20, "{echoed} were echoed");
}

#[test]
fn the_dry_look_masks_what_is_secret_and_is_not_called_the_servers_word() {
    let upstream = Upstream::start();
    let mut model = session(&upstream, &[]);
    let mut human = session(&upstream, &["--confirm", "human"]);
    let destructive: Vec<_> = taking().into_iter().filter(|(action, given)| action.destroys(given)).collect();
    assert!(destructive.len() >= 5, "{} destructive actions take a secret", destructive.len());
    for (action, given) in destructive {
        for session in [&mut model, &mut human] {
            let result = session.execute(&action.id, given.clone().into());
            let refusal = error(&result);
            assert_eq!(refusal["code"], "confirm_required", "{}: {result}", action.id);
            assert!(refusal["wouldSend"].to_string().contains("***"), "{}: {refusal}", action.id);
            assert!(refusal["untrusted"].is_null(), "{refusal}");
            assert!(!result.to_string().contains(SECRET), "{}: {result}", action.id);
            let text = result["content"][0]["text"].as_str().unwrap();
            assert!(text.contains("\nWould send (secrets masked):\n\n```json\n{\"method\""), "{text}");
            assert!(!text.contains("From the server"), "{text}");
        }
    }
    // Variables are given as `NAME=value`.
    let edit = json!({ "containerId": "web", "environment": [format!("DB_PASSWORD={SECRET}"), "COLOR=red"] });
    let result = model.execute("container.edit", edit);
    assert_eq!(error(&result)["code"], "confirm_required");
    let text = result.to_string();
    assert!(text.contains("COLOR=red") && text.contains("DB_PASSWORD=***") && !text.contains(SECRET), "{text}");
    assert!(upstream.requests().iter().all(|request| request.method == "GET"), "nothing was sent");
}

#[test]
fn the_question_to_a_person_masks_what_is_secret() {
    let upstream = Upstream::start();
    let mut session = Session::silent(&[], &upstream.environment());
    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": { "name": "t", "version": "1" } });
    session.ask("initialize", hello);
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string());
    let params = json!({ "backupId": "b1", "recoveryKey": SECRET });
    let call = json!({ "name": "arcane_execute_action", "arguments": { "action": "system_backup.restore", "params": params } });
    session.send(&json!({ "jsonrpc": "2.0", "id": 900, "method": "tools/call", "params": call }).to_string());
    let question = session.receive();
    assert_eq!(question["method"], "elicitation/create", "{question}");
    assert!(question["params"]["message"].as_str().unwrap().contains("***") && !question.to_string().contains(SECRET), "{question}");
    session.send(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } }).to_string());
    assert!(!session.receive().to_string().contains(SECRET));
}
