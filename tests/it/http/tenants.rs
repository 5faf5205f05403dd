//! Credentials: who calls, what they may do, and that nothing crosses from one to another.

use super::served::{Client, Folder, Served, block_on, token, with_key};
use crate::support::{Upstream, error, run};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

/// A tenants file with these workspaces and tokens.
fn tenants(folder: &Folder, workspaces: &str, entries: &[&str]) -> String {
    folder.write("tenants.toml", &format!("{workspaces}\n{}", entries.join("\n")))
}

fn list() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string()
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

#[test]
fn a_callers_own_credential_goes_to_the_upstream() {
    let upstream = Upstream::start();
    upstream.sandbox.add_key("arc_callers_own_key_0123456789", &["*"]);
    let address = vec![("ARCANE_URL".to_owned(), upstream.sandbox.url())];
    for arguments in [&[][..], &["--pass-through"]] {
        let served = Served::start(arguments, &upstream.environment());
        block_on(async {
            served.client(&[("x-api-key", "arc_callers_own_key_0123456789")]).execute("container.list", json!({})).await;
            served.client(&[("authorization", "Bearer session-of-the-caller")]).execute("container.list", json!({})).await;
        });
        let sent = upstream.requests();
        assert_eq!(sent[0].header("x-api-key"), Some("arc_callers_own_key_0123456789"));
        assert_eq!(
            (sent[1].header("authorization"), sent[1].header("x-api-key")),
            (Some("Bearer session-of-the-caller"), None),
            "one credential, the caller's"
        );
        upstream.sandbox.clear();
    }
    let served = Served::start(&["--pass-through"], &upstream.environment());
    block_on(async {
        let (status, answer) = served.client(&[]).try_ask("tools/list", json!({})).await;
        assert_eq!(status, 401, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains("X-API-Key"), "{answer}");
    });
    let (code, _, said) = run(&["--http", "0.0.0.0:1", "--pass-through", "--tenants", "x"], &address);
    assert_eq!(code, 2, "{said}");
    assert!(upstream.requests().is_empty(), "the server's own credential is not used for strangers");
}

#[test]
fn what_one_credential_was_told_another_is_not() {
    let upstream = Upstream::start();
    upstream.sandbox.add_key("arc_of_another", &[]);
    let served = Served::start(&["--pass-through"], &upstream.environment());
    let reference = json!({ "type": "ref/resource", "uri": "arcane://environments/{environmentId}/containers" });
    let params = json!({ "ref": reference, "argument": { "name": "environmentId", "value": "" } });
    block_on(async {
        let seeing = served.client(&[("x-api-key", upstream.sandbox.api_key())]);
        for _ in 0..3 {
            let told = seeing.ask("completion/complete", params.clone()).await;
            assert!(told["completion"]["values"].to_string().contains("\"0\""), "{told}");
        }
        assert_eq!(upstream.requests().len(), 1, "kept for a moment, over requests");
        served.client(&[("x-api-key", "arc_of_another")]).ask("completion/complete", params.clone()).await;
        let sent = upstream.requests();
        let keys: Vec<_> = sent.iter().map(|request| request.header("x-api-key")).collect();
        assert_eq!(keys, [Some(upstream.sandbox.api_key()), Some("arc_of_another")], "but not over credentials");
    });
}

#[test]
fn a_token_is_needed_and_guessing_ends() {
    let upstream = Upstream::start();
    let folder = Folder::new("guess");
    let (good, entry) = token("ci", "main", "full", "");
    let file = tenants(&folder, "[workspaces.main]", &[&entry]);
    let served = Served::start(&["--tenants", &file, "--trusted-proxy", "127.0.0.1"], &with_key(upstream.environment()));
    block_on(async {
        let client = |credential: &str, from: &str| served.client(&[("authorization", credential), ("x-forwarded-for", from)]);
        let (status, headers, _) = served.client(&[]).post(list()).await;
        assert_eq!((status, headers["www-authenticate"].to_str().unwrap()), (401, "Bearer"));
        for number in 0..25 {
            let (status, answer) = client(&bearer(&format!("csl_guess{number}")), "192.0.2.1").try_ask("tools/list", json!({})).await;
            assert_eq!(status, if number < 20 { 401 } else { 429 }, "an address that guesses has to wait: {answer}");
            assert!(!answer.to_string().contains("main") && !answer.to_string().contains("csl_guess"), "{answer}");
        }
        let (status, _, text) = client(&bearer("csl_guess"), "192.0.2.1").post(list()).await;
        assert_eq!(status, 429, "{text}");
        let (status, _) = client(&bearer(&good), "192.0.2.1").try_ask("tools/list", json!({})).await;
        assert_eq!(status, 200, "a right token is not held up by whoever guesses beside it");
        let (status, _) = client(&bearer("csl_guess"), "192.0.2.2").try_ask("tools/list", json!({})).await;
        assert_eq!(status, 401, "other addresses have their own failures");
        assert_eq!(client(&bearer(&good), "192.0.2.3").execute("container.list", json!({})).await["isError"], false);
        let by_key = served.client(&[("x-api-key", &good)]);
        assert_eq!(by_key.execute("container.list", json!({})).await["isError"], false);
    });
    assert!(
        upstream
            .requests()
            .iter()
            .all(|request| request.header("authorization").is_none() && request.header("x-api-key") == Some(upstream.sandbox.api_key()))
    );
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(!text.contains(&good), "the file does not hold the token");
}

#[test]
fn keys_and_tokens_are_made_here_and_shown_once() {
    let (code, key, said) = run(&["token", "key"], &[]);
    let key = key.trim();
    assert!(code == 0 && key.len() >= 32 && said.contains("ARCANE_MCP_SERVER_KEY"), "{said}");
    assert_ne!(key, run(&["token", "key"], &[]).1.trim(), "each is another");
    let (code, _, said) = run(&["token", "new"], &[]);
    assert!(code == 2 && said.contains("ARCANE_MCP_SERVER_KEY"), "{said}");
    let folder = Folder::new("keys");
    let environment = [("ARCANE_MCP_SERVER_KEY_FILE".to_owned(), folder.write("key", key))];
    let (code, shown, said) = run(&["token", "new", "--workspace", "main", "--name", "ci", "--scope", "full"], &environment);
    assert_eq!(code, 0, "{said}");
    let (made, rest) = shown.split_once('\n').unwrap();
    assert!(made.starts_with("csl_") && !rest.contains(made) && !said.contains(made), "{shown}");
    let entry = &rest[rest.find("[[tokens]]").unwrap()..];
    let file = tenants(&folder, "[workspaces.main]\nurl = \"http://127.0.0.1:9\"", &[entry]);
    let served = Served::start(&["--tenants", &file], &environment);
    block_on(async { assert_eq!(served.client(&[("authorization", &bearer(made))]).tools().await.len(), 2) });
    // Under another key no token is known.
    let served = Served::start(&["--tenants", &file], &with_key(Vec::new()));
    block_on(async { assert_eq!(served.client(&[("authorization", &bearer(made))]).post(list()).await.0, 401) });
    let (code, _, said) = run(&["token", "new", "--scope", "all"], &environment);
    assert!(code == 2 && said.contains("--scope"), "{said}");
}

#[test]
fn a_reading_token_reaches_no_write_by_any_road() {
    let upstream = Upstream::start();
    let folder = Folder::new("scopes");
    let (reader, read) = token("reader", "main", "read", "");
    let (writer, write) = token("writer", "main", "write", "toolsets = [\"containers\", \"hosts\"]\nexclude = [\"container.kill\"]");
    let file = tenants(&folder, "[workspaces.main]", &[&read, &write]);
    let served = Served::start(&["--tenants", &file, "--split-read"], &with_key(upstream.environment()));
    let restart = json!({ "containerId": "web" });
    block_on(async {
        let client = served.client(&[("authorization", &bearer(&reader))]);
        let call = |tool: &str, arguments: serde_json::Value| json!({ "name": tool, "arguments": arguments });
        let roads = [
            (
                "surface=dynamic",
                call("arcane_execute_action", json!({ "action": "container.restart", "params": restart, "confirm": true })),
            ),
            ("surface=dynamic", call("arcane_execute_action", json!({ "action": "restart-container", "params": restart }))),
            ("surface=dynamic", call("arcane_read_action", json!({ "action": "container.restart", "params": restart }))),
            ("surface=meta", call("arcane_container", json!({ "action": "restart", "params": restart, "confirm": true }))),
            ("surface=individual", call("arcane_container_restart", restart.clone())),
            ("surface=progressive", call("run_tool", json!({ "name": "arcane_container_restart", "arguments": restart, "confirm": true }))),
            ("surface=progressive", call("read_tool", json!({ "name": "arcane_container_restart", "arguments": restart }))),
            ("toolsets=all&readonly=0", call("arcane_container_restart", restart.clone())),
        ];
        for (query, params) in roads {
            let (_, answer) = client.pinned(query).try_ask("tools/call", params.clone()).await;
            assert!(answer["error"].is_object() || answer["result"]["isError"] == true, "{query} {params}: {answer}");
        }
        let list = client.pinned("surface=individual").ask_stateless("tools/list", json!({})).await;
        assert!(list["tools"].as_array().unwrap().iter().all(|tool| tool["annotations"]["readOnlyHint"] == true));
        assert_eq!(list["cacheScope"], "private");
        assert!(upstream.requests().is_empty(), "nothing was sent");

        let client = served.client(&[("authorization", &bearer(&writer))]);
        assert_eq!(client.execute("container.restart", restart.clone()).await["isError"], false);
        for (action, params) in [
            ("container.delete", json!({ "containerId": "web", "force": true })),
            ("container.kill", json!({ "containerId": "web" })),
            ("volume.list", json!({})),
        ] {
            assert_eq!(error(&client.execute(action, params).await)["code"], "removed", "{action}");
        }
    });
    assert_eq!(upstream.requests().len(), 1);
}

#[test]
fn a_workspace_has_its_own_address_key_environment_and_fences() {
    let (own, theirs) = (Upstream::start(), Upstream::start());
    theirs.sandbox.add_key("arc_of_theirs", &["containers:list", "environments:list"]);
    let edge = theirs.sandbox.edge_environment();
    let folder = Folder::new("workspace");
    let (keyed, keyed_entry) = token("keyed", "keyed", "full", "");
    let (bare, bare_entry) = token("bare", "bare", "full", "");
    let text = format!(
        "[workspaces.keyed]\nurl = \"{url}\"\nkey_env = \"KEY_OF_THEIRS\"\nenvironment = \"{edge}\"\nenvironments = [\"{edge}\", \"0\"]\n\
         read_only_environments = [\"0\"]\n[workspaces.bare]\nurl = \"{url}\"\n{keyed_entry}{bare_entry}",
        url = theirs.sandbox.url()
    );
    let file = folder.write("tenants.toml", &text);
    let mut environment = with_key(own.environment());
    environment.push(("KEY_OF_THEIRS".into(), "arc_of_theirs".into()));
    let served = Served::start(&["--tenants", &file], &environment);
    block_on(async {
        let client = served.client(&[("authorization", &bearer(&keyed))]);
        client.execute("container.list", json!({})).await;
        let sent = theirs.requests();
        assert!(sent[0].path.contains(&edge), "its own default: {}", sent[0].path);
        assert_eq!(sent[0].header("x-api-key"), Some("arc_of_theirs"));
        let local = client.execute("container.list", json!({ "environmentId": "0" })).await;
        assert_eq!(local["isError"], false, "{local}");
        theirs.sandbox.clear();
        for params in [json!({ "environmentId": "0", "containerId": "web" }), json!({ "environmentId": "e9", "containerId": "web" })] {
            let refused = client.execute("container.restart", params).await;
            assert_eq!(error(&refused)["code"], "removed", "{refused}");
        }
        assert!(theirs.requests().is_empty(), "nothing was sent");
        let list = client.execute("environment.list", json!({})).await.to_string();
        assert!(list.contains(&edge) && !list.contains(&theirs.sandbox.disabled_environment()), "{list}");
        // No key of its own: the server's is for the server's address alone.
        theirs.sandbox.clear();
        let refused = served.client(&[("authorization", &bearer(&bare))]).execute("container.list", json!({})).await;
        assert_eq!(refused["isError"], true);
        assert!(theirs.requests().iter().all(|request| request.header("x-api-key").is_none() && request.header("authorization").is_none()));
    });
    assert!(own.requests().is_empty());
}

#[test]
fn a_changed_file_is_read_again_and_a_broken_one_is_not() {
    let folder = Folder::new("reload");
    let (first, first_entry) = token("first", "main", "read", "");
    let (second, second_entry) = token("second", "main", "read", "");
    let file = tenants(&folder, "[workspaces.main]\nurl = \"http://127.0.0.1:9\"", &[&first_entry]);
    let served = Served::start(&["--tenants", &file], &with_key(Vec::new()));
    let status = |token: &str| {
        let client = served.client(&[("authorization", &bearer(token))]);
        block_on(async move { client.try_ask("tools/list", json!({})).await.0 })
    };
    assert_eq!((status(&first), status(&second)), (200, 401));
    tenants(&folder, "[workspaces.main]\nurl = \"http://127.0.0.1:9\"", &[&second_entry]);
    served.signal("HUP");
    served.hear("was read again");
    assert_eq!((status(&first), status(&second)), (401, 200));
    // What runs meanwhile goes on with what it began with.
    let upstream = Upstream::start();
    upstream.sandbox.fault(None, callslip_sandbox::Fault::DelayHeaders(std::time::Duration::from_millis(800)));
    let place = format!(
        "[workspaces.main]\nurl = \"{}\"\nkey_file = \"{}\"",
        upstream.sandbox.url(),
        folder.write("key", upstream.sandbox.api_key())
    );
    tenants(&folder, &place, &[&second_entry]);
    let busy = Served::start(&["--tenants", &file], &with_key(Vec::new()));
    block_on(async {
        let client = busy.client(&[("authorization", &bearer(&second))]);
        let running = tokio::spawn(async move { client.execute("container.list", json!({})).await });
        while upstream.requests().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        tenants(&folder, "[workspaces.main]\nurl = \"http://127.0.0.1:9\"", &[&first_entry]);
        busy.signal("HUP");
        busy.hear("was read again");
        assert_eq!(running.await.unwrap()["isError"], false);
    });
    tenants(&folder, "[workspaces.main]\nurl = \"http://127.0.0.1:9\"", &[&second_entry]);
    tenants(&folder, "[workspaces.main]\ncalls_a_minute = 3", &[&second_entry]);
    served.signal("HUP");
    served.hear("the tenants in force stay");
    assert_eq!(status(&second), 200);
}

#[test]
fn every_mistake_in_the_file_is_named() {
    let folder = Folder::new("mistakes");
    let (_, entry) = token("ci", "main", "read", "");
    let text = format!(
        "[workspaces.bare]\nkey_env = \"NOT_SET\"\n[workspaces.\"two words\"]\nurl = \"http://a\"\n{entry}\n{}\n{}",
        entry.replace("\"main\"", "\"elsewhere\""),
        "[[tokens]]\nname = \"x\"\nworkspace = \"bare\"\nscope = \"read\"\ndigest = \"00\"\n",
    );
    let file = folder.write("tenants.toml", &text);
    let (code, _, said) = run(&["--http", "127.0.0.1:0", "--tenants", &file], &with_key(Vec::new()));
    assert_ne!(code, 0);
    for word in ["NOT_SET", "two words", "no workspace `main`", "no workspace `elsewhere`", "`digest`"] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

/// Two tenants with an upstream each; whatever they ask in whatever order at whatever time, each reaches their own alone.
#[test]
fn no_request_crosses_tenants() {
    let (left, right) = (Upstream::start(), Upstream::start());
    let folder = Folder::new("crossing");
    let key = |name: &str, upstream: &Upstream| folder.write(name, upstream.sandbox.api_key());
    let workspaces = format!(
        "[workspaces.left]\nurl = \"{}\"\nkey_file = \"{}\"\n[workspaces.right]\nurl = \"{}\"\nkey_file = \"{}\"\n",
        left.sandbox.url(),
        key("left.key", &left),
        right.sandbox.url(),
        key("right.key", &right),
    );
    let ((left_token, left_entry), (right_token, right_entry)) = (token("l", "left", "full", ""), token("r", "right", "full", ""));
    let file = tenants(&folder, &workspaces, &[&left_entry, &right_entry]);
    let served = Served::start(&["--tenants", &file], &with_key(Vec::new()));
    let (one, two) =
        (served.client(&[("authorization", &bearer(&left_token))]), served.client(&[("authorization", &bearer(&right_token))]));
    let mut runner = TestRunner::new(Config { cases: 12, failure_persistence: None, ..Config::default() });
    let calls = prop::collection::vec((any::<bool>(), "[a-z]{3,8}", any::<bool>()), 1..24);
    runner
        .run(&calls, |calls| {
            left.sandbox.clear();
            right.sandbox.clear();
            block_on(async {
                let running: Vec<_> = calls
                    .iter()
                    .map(|(first, name, pinned)| {
                        let client: &Client = if *first { &one } else { &two };
                        let client = if *pinned { client.pinned("surface=dynamic&readonly=1") } else { client.clone() };
                        let id = format!("{}-{name}", if *first { "left" } else { "right" });
                        tokio::spawn(async move { client.execute("container.get", json!({ "containerId": id })).await })
                    })
                    .collect();
                for run in running {
                    run.await.unwrap();
                }
            });
            for (upstream, own) in [(&left, "left-"), (&right, "right-")] {
                // The version of a server is asked for as well; what it is asked with is looked at too.
                for request in upstream.requests() {
                    let named = request.path.contains("/containers/");
                    prop_assert!(named || request.path == "/api/app-version");
                    prop_assert!(!named || request.path.contains(own), "{} reached the one of {own}", request.path);
                    prop_assert!(request.header("x-api-key").is_none_or(|key| key == upstream.sandbox.api_key()));
                    prop_assert!(request.header("authorization").is_none());
                }
            }
            let sent = left.requests().into_iter().chain(right.requests()).filter(|request| request.path.contains("/containers/")).count();
            prop_assert_eq!(sent, calls.len());
            Ok(())
        })
        .unwrap();
}
