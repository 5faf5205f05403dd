//! Quotas: what counts, how often, and what a caller hears when it is used up.

use super::served::{Folder, Served, block_on, token, with_key};
use crate::support::{Upstream, error};
use callslip_sandbox::Fault;
use callslip_sandbox::library::Library;
use serde_json::json;

#[test]
fn what_counts_and_what_does_not() {
    let upstream = Upstream::start();
    let folder = Folder::new("counts");
    let (held, entry) = token("ci", "main", "full", "");
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\ncalls_an_hour = 4\n{entry}"));
    let served = Served::start(&["--tenants", &file], &with_key(upstream.environment()));
    block_on(async {
        let client = served.client(&[("authorization", &format!("Bearer {held}"))]);
        for _ in 0..5 {
            client.tools().await;
            client.ask("tools/call", json!({ "name": "arcane_find_action", "arguments": { "query": "logs" } })).await;
            let described = json!({ "name": "arcane_container", "arguments": { "action": "describe", "params": { "action": "restart" } } });
            assert_eq!(client.pinned("surface=meta").ask("tools/call", described).await["isError"], false);
            let described = json!({ "name": "describe_tool", "arguments": { "name": "using-arcane" } });
            assert_eq!(client.pinned("surface=progressive").ask("tools/call", described).await["isError"], false);
            client.ask("prompts/get", json!({ "name": "using-arcane" })).await;
            client.ask("resources/read", json!({ "uri": "arcane://guides/using-arcane" })).await;
            client.execute("container.get", json!({ "wrong": 1 })).await;
            client.execute("no.such", json!({})).await;
            let delete = json!({ "name": "arcane_execute_action", "arguments": { "action": "container.delete", "params": { "containerId": "web" } } });
            assert_eq!(error(&client.ask("tools/call", delete).await)["code"], "confirm_required");
        }
        assert!(upstream.requests().is_empty(), "all of that is free");
        upstream.sandbox.fault_times(None, Fault::problem(503, "busy"), 2);
        assert_eq!(client.execute("container.list", json!({})).await["isError"], false, "retried");
        assert_eq!(upstream.requests().len(), 3, "three requests, one call");
        client.execute("container.get", json!({ "containerId": "nowhere" })).await;
        client.pinned("surface=individual").ask("tools/call", json!({ "name": "arcane_image_list", "arguments": {} })).await;
        client.pinned("surface=meta").ask("tools/call", json!({ "name": "arcane_volume", "arguments": { "action": "list" } })).await;
        upstream.sandbox.clear();
        let refused = client.execute("container.list", json!({})).await;
        let problem = error(&refused);
        assert_eq!(problem["code"], "quota");
        let seconds = problem["retryAfterSeconds"].as_u64().unwrap();
        assert!((3000..=3600).contains(&seconds), "{problem}");
        assert!(problem["message"].as_str().unwrap().contains("min"), "it says when: {problem}");
        assert!(upstream.requests().is_empty());
        client.tools().await;
    });
    let text = block_on(async { super::served::http(None).get(served.at("/metrics")).send().await.unwrap().text().await.unwrap() });
    assert!(text.contains("callslip_quota_rejections_total{tenant=\"main\",reason=\"calls\"} 1"), "{text}");
}

#[test]
fn a_workspace_has_its_places_for_calls_that_run() {
    let upstream = Upstream::start();
    let folder = Folder::new("places");
    let ((one, one_entry), (two, two_entry)) = (token("one", "small", "full", ""), token("two", "small", "full", ""));
    let (free, free_entry) = token("free", "free", "full", "");
    let workspaces = "[workspaces.small]\ncalls_at_once = 2\ncalls_an_hour = 3\n[workspaces.free]\n";
    let file = folder.write("tenants.toml", &format!("{workspaces}{one_entry}{two_entry}{free_entry}"));
    let served = Served::start(&["--tenants", &file], &with_key(upstream.environment()));
    let client = |token: &str| served.client(&[("authorization", &format!("Bearer {token}"))]);
    upstream.sandbox.fault_times(Some("list-containers"), Fault::DelayHeaders(std::time::Duration::from_secs(2)), 2);
    block_on(async {
        let running: Vec<_> = [&one, &two]
            .map(|token| {
                let client = client(token);
                tokio::spawn(async move { client.execute("container.list", json!({})).await })
            })
            .into_iter()
            .collect();
        while upstream.requests().len() < 2 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        let refused = client(&one).execute("image.list", json!({})).await;
        let problem = error(&refused);
        assert_eq!(problem["code"], "rate_limited", "{refused}");
        assert!(problem["message"].as_str().unwrap().contains("2 call(s) running at a time"), "{problem}");
        assert_eq!(client(&free).execute("image.list", json!({})).await["isError"], false, "other workspaces go on");
        assert_eq!(client(&one).tools().await.len(), 2, "and what is free");
        for call in running {
            assert_eq!(call.await.unwrap()["isError"], false);
        }
        assert_eq!(client(&one).execute("image.list", json!({})).await["isError"], false, "the refused one was not counted");
        assert_eq!(error(&client(&one).execute("image.list", json!({})).await)["code"], "quota");
    });
    let figures = block_on(async { super::served::http(None).get(served.at("/metrics")).send().await.unwrap().text().await.unwrap() });
    assert!(figures.contains("callslip_quota_rejections_total{tenant=\"small\",reason=\"at_once\"} 1"), "{figures}");
    let file = folder.write("tenants.toml", &format!("[workspaces.small]\ncalls_at_once = 0\n{one_entry}"));
    let (code, _, said) = crate::support::run(&["--http", "127.0.0.1:0", "--tenants", &file], &with_key(upstream.environment()));
    assert!(code != 0 && said.contains("calls_at_once"), "{said}");
}

#[test]
fn paid_actions_cost_credits() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let library = runtime.block_on(Library::start()).unwrap();
    let folder = Folder::new("credits");
    let ((rich, rich_entry), (poor, poor_entry)) = (token("rich", "rich", "full", ""), token("poor", "poor", "full", ""));
    let file = folder.write("tenants.toml", &format!("[workspaces.rich]\ncredits = 1\n[workspaces.poor]\n{rich_entry}{poor_entry}"));
    let environment = [
        ("LIBRARY_URL".to_owned(), library.url()),
        ("LIBRARY_TOKEN".to_owned(), library.token().to_owned()),
        ("LIBRARY_MCP_SERVER_KEY".to_owned(), super::served::SERVER_KEY.to_owned()),
    ];
    let catalog = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/library");
    let served = Served::start(&["--tenants", &file, "--catalog", catalog], &environment);
    block_on(async {
        let call = async |token: &str, action: &str, params: serde_json::Value| {
            let arguments = json!({ "action": action, "params": params, "confirm": true });
            served
                .client(&[("authorization", &format!("Bearer {token}"))])
                .ask("tools/call", json!({ "name": "library_execute_action", "arguments": arguments }))
                .await
        };
        let summary = json!({ "bookId": "bk_001", "length": "short" });
        assert_ne!(call(&rich, "account.summarize", summary.clone()).await["isError"], true);
        for token in [&rich, &poor] {
            let refused = call(token, "account.summarize", summary.clone()).await;
            assert_eq!((&error(&refused)["code"], &error(&refused)["status"]), (&json!("quota"), &json!(402)));
        }
        assert_ne!(call(&poor, "account.get", json!({})).await["isError"], true, "what costs nothing goes on");
    });
    assert_eq!(library.requests().iter().filter(|request| request.method == "POST").count(), 1);
}

#[test]
fn a_lost_store_refuses_or_lets_through_as_told_and_says_so() {
    let upstream = Upstream::start();
    let folder = Folder::new("lost");
    let (held, entry) = token("ci", "main", "full", "");
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\ncalls_an_hour = 100\n{entry}"));
    for (what, refused) in [("refuse", true), ("allow", false)] {
        upstream.sandbox.clear();
        let served = Served::start(
            &["--tenants", &file, "--quota-store", "redis://:secret-word@127.0.0.1:9", "--quota-lost", what],
            &with_key(upstream.environment()),
        );
        block_on(async {
            let client = served.client(&[("authorization", &format!("Bearer {held}"))]);
            let result = client.execute("container.list", json!({})).await;
            assert_eq!(result["isError"], refused, "{result}");
            if refused {
                assert_eq!(error(&result)["code"], "quota");
                assert!(!result.to_string().contains("127.0.0.1:9"));
            }
        });
        let line = served.hear("the quota store does not answer");
        assert!(!line.contains("secret-word"), "{line}");
        assert_eq!(upstream.requests().is_empty(), refused);
    }
}

/// What stands in the way of a call only where many are served is said alike on every surface too.
#[test]
fn a_refusal_for_its_quota_is_the_same_on_every_surface() {
    let upstream = Upstream::start();
    let folder = Folder::new("alike");
    let (held, entry) = token("ci", "main", "full", "");
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\ncalls_an_hour = 1\n{entry}"));
    let served = Served::start(&["--tenants", &file], &with_key(upstream.environment()));
    block_on(async {
        let client = served.client(&[("authorization", &format!("Bearer {held}"))]);
        client.execute("container.counts", json!({})).await;
        let calls = [
            ("dynamic", json!({ "name": "arcane_execute_action", "arguments": { "action": "container.counts" } })),
            ("meta", json!({ "name": "arcane_container", "arguments": { "action": "counts" } })),
            ("individual", json!({ "name": "arcane_container_counts", "arguments": {} })),
            ("progressive", json!({ "name": "read_tool", "arguments": { "name": "arcane_container_counts" } })),
        ];
        let mut answers = Vec::new();
        for (surface, call) in calls {
            let mut result = client.pinned(&format!("surface={surface}")).ask("tools/call", call).await;
            assert_eq!(error(&result)["code"], "quota", "{surface}: {result}");
            // The seconds run on between two of them.
            result["structuredContent"]["error"]["retryAfterSeconds"].take();
            result["content"].take();
            answers.push(result);
        }
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
    });
    assert_eq!(upstream.requests().len(), 1);
}
