//! The bytes of a list are the same on every road: those that were compiled, which are those that the typed list would be written as.

use crate::http::served::{STATELESS, Served, block_on, stateless};
use crate::support::Session;
use callslip::catalog::Catalog;
use callslip_catalog::project::Surface;
use rmcp::model::{ListToolsResult, Tool};
use serde_json::{Value, json};

/// Revisions that open with `initialize`.
const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

fn client() -> Value {
    json!({ "name": "test", "version": "1" })
}

/// The list as it came over stdio.
fn raw(version: &str, surface: &str) -> String {
    let mut session = Session::silent(&["--tool-surface", surface, "--include", "account"], &[]);
    let mut params = json!({});
    if version == STATELESS {
        params["_meta"] = stateless();
    } else {
        let greeted = session.ask("initialize", json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": client() }));
        assert_eq!(greeted["result"]["protocolVersion"], version, "{greeted}");
        session.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }
    session.send(&json!({ "jsonrpc": "2.0", "id": "list", "method": "tools/list", "params": params }).to_string());
    session.receive_raw().0
}

/// What stands around the tools in a result.
fn around(line: &str, tools: &str) -> Value {
    let place = line.find(tools).unwrap_or_else(|| panic!("the compiled bytes are not in {}", line.chars().take(200).collect::<String>()));
    let rest = [&line[..place], "[]", &line[place + tools.len()..]].concat();
    let mut message: Value = serde_json::from_str(&rest).expect("JSON");
    assert_eq!(message["id"], "list");
    message["result"].take()
}

#[test]
fn a_list_is_the_same_bytes_in_every_revision() {
    let catalog = Catalog::embedded().unwrap();
    for (name, surface) in Surface::NAMES {
        let compiled = std::str::from_utf8(catalog.listed(surface).json).unwrap();
        for version in LEGACY {
            assert_eq!(around(&raw(version, name), compiled), json!({ "tools": [] }), "{name} in {version}");
        }
        let modern = json!({ "resultType": "complete", "ttlMs": 3_600_000, "cacheScope": "public", "tools": [] });
        assert_eq!(around(&raw(STATELESS, name), compiled), modern, "{name} in {STATELESS}");
    }
}

#[test]
fn the_typed_list_is_written_as_the_same_bytes() {
    let catalog = Catalog::embedded().unwrap();
    for (name, surface) in Surface::NAMES {
        let compiled = catalog.listed(surface);
        let mut typed = Vec::new();
        for number in 0..compiled.len() {
            let piece = compiled.tool(number).unwrap();
            let tool: Tool = serde_json::from_slice(piece).unwrap();
            assert_eq!(serde_json::to_vec(&tool).unwrap(), piece, "tool {number} of {name}");
            typed.push(tool);
        }
        let list = serde_json::to_value(ListToolsResult::with_all_items(typed)).unwrap();
        assert_eq!(list["tools"].to_string().as_bytes(), compiled.json, "{name}");
    }
}

#[test]
fn http_carries_the_same_bytes() {
    let catalog = Catalog::embedded().unwrap();
    for (name, surface) in Surface::NAMES {
        let compiled = std::str::from_utf8(catalog.listed(surface).json).unwrap();
        let served = Served::start(&["--tool-surface", name, "--include", "account"], &[]);
        for version in LEGACY.iter().chain([&STATELESS]).filter(|version| **version != "2024-11-05") {
            let params = if *version == STATELESS { json!({ "_meta": stateless() }) } else { json!({}) };
            let request = json!({ "jsonrpc": "2.0", "id": "list", "method": "tools/list", "params": params });
            let client = served.client(&[("MCP-Protocol-Version", version), ("Mcp-Method", "tools/list")]);
            let (status, _, text) = block_on(client.post(request.to_string()));
            assert_eq!(status, 200, "{name} in {version}: {text}");
            let result = around(&text, compiled);
            assert_eq!(result["ttlMs"].is_u64(), *version == STATELESS, "{name} in {version}: {result}");
        }
    }
}
