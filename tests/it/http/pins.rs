//! Pins: a request shows itself less, never more, and the same request always the same.

use super::served::{Client, Served, block_on};
use crate::support::{Upstream, error, run};
use serde_json::{Value, json};

async fn raw_list(client: &Client) -> String {
    client.post(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string()).await.2
}

#[test]
fn toolsets_are_announced_beside_the_four() {
    let served = Served::start(&[], &[]);
    block_on(async {
        let client = served.client(&[]);
        let four = client.pinned("surface=progressive").tools().await;
        assert_eq!(four, ["search_tools", "describe_tool", "read_tool", "run_tool"]);
        let pinned = client.pinned("toolsets=containers").tools().await;
        assert_eq!(pinned[..4], four);
        assert!(pinned.contains(&"arcane_container_restart".to_owned()) && !pinned.iter().any(|name| name.starts_with("arcane_volume_")));
        let all = client.pinned("toolsets=all&surface=progressive").tools().await;
        let told: Value = serde_json::from_str(&run(&["tools", "--json", "--tool-surface", "individual"], &[]).1).unwrap();
        assert_eq!(all.len(), 4 + told["tools"].as_array().unwrap().len());
        assert_eq!(client.pinned("toolsets=nonsense,alsono").tools().await, four, "unknown ones are ignored");
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let told = client.pinned("toolsets=nonsense").ask("initialize", hello).await["instructions"].to_string();
        assert!(told.contains("nonsense"), "{told}");
    });
    served.hear("nonsense");
}

#[test]
fn headers_say_the_same_as_the_address() {
    let served = Served::start(&[], &[]);
    block_on(async {
        for (query, headers) in [
            ("toolsets=images,containers&only=1", &[("x-callslip-toolsets", "images,containers"), ("x-callslip-only", "1")][..]),
            ("surface=meta&readonly=1", &[("x-callslip-surface", "meta"), ("x-callslip-readonly", "1")]),
        ] {
            let by_address = served.client(&[]).pinned(query).ask_stateless("tools/list", json!({})).await;
            let by_header = served.client(headers).ask_stateless("tools/list", json!({})).await;
            assert_eq!(by_address["tools"], by_header["tools"]);
            assert_eq!((&by_address["cacheScope"], &by_header["cacheScope"]), (&json!("public"), &json!("private")));
        }
        // What a header narrows is private wherever it shows: lists, the catalog, guides that name what is not offered, the skill.
        for (method, params) in [
            ("tools/list", json!({})),
            ("resources/list", json!({})),
            ("resources/templates/list", json!({})),
            ("prompts/list", json!({})),
            ("resources/read", json!({ "uri": "arcane://tools" })),
            ("resources/read", json!({ "uri": "arcane://guides/using-arcane" })),
            ("skills/list", json!({})),
            ("skills/get", json!({ "uri": "skill://using-arcane/SKILL.md" })),
        ] {
            let open = served.client(&[]).pinned("readonly=1").ask_stateless(method, params.clone()).await;
            let narrowed = served.client(&[("x-callslip-readonly", "1")]).ask_stateless(method, params.clone()).await;
            assert_eq!((&open["cacheScope"], &narrowed["cacheScope"]), (&json!("public"), &json!("private")), "{method} {params}");
        }
        let (status, _) = served.client(&[]).pinned("read_only=1").try_ask("tools/list", json!({})).await;
        assert_eq!(status, 400, "a mistyped pin is not passed over");
    });
}

#[test]
fn only_restricts_search_and_calls_too() {
    let upstream = Upstream::start();
    let served = Served::start(&[], &upstream.environment());
    block_on(async {
        let client = served.client(&[]).pinned("surface=dynamic&toolsets=images&only=1");
        let found = client.ask("tools/call", json!({ "name": "arcane_find_action", "arguments": { "query": "restart container" } })).await;
        assert!(!found.to_string().contains("container.restart"));
        let refused = client.execute("container.list", json!({})).await;
        assert_eq!(error(&refused)["code"], "removed");
        let done = client.execute("image.list", json!({})).await;
        assert_eq!(done["isError"], false, "{done}");
    });
    assert_eq!(upstream.requests().len(), 1);
}

#[test]
fn a_pin_never_widens() {
    let upstream = Upstream::start();
    let served = Served::start(
        &["--read-only", "--exclude", "image.*", "--toolsets", "containers,images", "--only-toolsets"],
        &upstream.environment(),
    );
    block_on(async {
        for query in
            ["readonly=0", "toolsets=all", "toolsets=all&only=0", "surface=individual", "toolsets=storage,images&only=1&surface=dynamic"]
        {
            let client = served.client(&[]).pinned(query);
            let listed = client.tools().await;
            assert!(
                !listed.iter().any(|name| name.contains("restart") || name.contains("volume") || name.contains("arcane_image")),
                "{query}: {listed:?}"
            );
        }
        let client = served.client(&[]).pinned("surface=dynamic&toolsets=all&readonly=0");
        for (action, params) in
            [("container.restart", json!({ "containerId": "web" })), ("image.list", json!({})), ("volume.list", json!({}))]
        {
            assert_eq!(error(&client.execute(action, params).await)["code"], "removed", "{action}");
        }
    });
    assert!(upstream.requests().is_empty());
}

#[test]
fn the_same_request_has_the_same_bytes_on_any_server() {
    let (one, two) = (Served::start(&[], &[]), Served::start(&[], &[]));
    block_on(async {
        for query in ["", "toolsets=storage,containers", "surface=individual&readonly=1", "surface=meta"] {
            let (first, second) = (one.client(&[]).pinned(query), two.client(&[]).pinned(query));
            let bytes = raw_list(&first).await;
            assert_eq!(bytes, raw_list(&first).await);
            assert_eq!(bytes, raw_list(&second).await, "{query}");
        }
    });
}
