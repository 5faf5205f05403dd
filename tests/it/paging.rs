//! Every list of the catalog, walked page by page as its own `paging` says, against a sandbox of many rows and against an empty one.

use crate::coverage::arguments;
use crate::support::{Session, Upstream};
use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Auth, Kind, Shape};
use callslip_sandbox::{Options, Seed, operation};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// More pages than any walk here may need: a walk that goes on has lost its way.
const MOST_PAGES: usize = 40;

fn lists() -> Vec<Action<'static>> {
    let mut actions = Catalog::embedded().and_then(|catalog| catalog.actions()).expect("the catalog");
    // A session-only list answers a key with a refusal, which is another test's matter.
    actions.retain(|action| action.kind == Kind::Read && action.returns.shape == Shape::List && action.auth != Auth::Session);
    actions
}

fn required(action: &Action<'_>) -> Map<String, Value> {
    arguments(action, &operation(&action.operation).expect("known to the sandbox").sample())
}

/// Walks a list to its end: all rows, and the total it claimed.
fn walk(session: &mut Session, action: &Action<'_>, limit: u64) -> Result<(Vec<Value>, Option<u64>), String> {
    let mut params = required(action);
    params.insert("limit".into(), limit.into());
    let (mut rows, mut total) = (Vec::new(), None);
    for _ in 0..MOST_PAGES {
        let result = session.execute(&action.id, params.clone().into());
        if result["isError"] == true {
            return Err(format!("failed: {}", result["content"][0]["text"]));
        }
        let structured = &result["structuredContent"];
        let items = structured["items"].as_array().ok_or("no items")?;
        if items.len() as u64 > limit {
            return Err(format!("{} rows on a page of {limit}", items.len()));
        }
        rows.extend(items.iter().cloned());
        let paging = &structured["paging"];
        total = paging["total"].as_u64().or(total);
        if paging["has_more"] != true {
            return Ok((rows, total));
        }
        params.extend(paging["next"].as_object().cloned().ok_or("no way on")?);
    }
    Err(format!("no end after {MOST_PAGES} pages and {} rows", rows.len()))
}

#[test]
fn every_list_can_be_walked_to_its_end() {
    let upstream = Upstream::with(Options { seed: Seed::Rows(120), ..Options::default() });
    let mut session = Session::start(&["--include", "account"], &upstream.environment());
    let mut wrong = Vec::new();
    for action in lists() {
        match walk(&mut session, &action, 50) {
            Err(problem) => wrong.push(format!("{}: {problem}", action.id)),
            Ok((rows, total)) => {
                if total.is_some_and(|total| total != rows.len() as u64) {
                    wrong.push(format!("{}: {} rows of {total:?}", action.id, rows.len()));
                }
                let ids: BTreeSet<&str> = rows.iter().filter_map(|row| row["id"].as_str()).collect();
                if rows.iter().all(|row| row["id"].is_string()) && ids.len() != rows.len() {
                    wrong.push(format!("{}: {} different ids in {} rows", action.id, ids.len(), rows.len()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_server_that_clamps_is_walked_by_the_rows_received() {
    let upstream = Upstream::with(Options { seed: Seed::Rows(350), ..Options::default() });
    let mut session = Session::start(&[], &upstream.environment());
    let events = lists().into_iter().find(|action| action.id == "event.list").expect("event.list");
    let (rows, total) = walk(&mut session, &events, 500).expect("a walk");
    assert_eq!(Some(rows.len() as u64), total);
    // A database list gives a hundred rows whatever is asked.
    assert!(upstream.requests().len() >= 4);
}

#[test]
fn every_empty_list_is_a_list() {
    let upstream = Upstream::with(Options { seed: Seed::Empty, ..Options::default() });
    let mut session = Session::start(&["--include", "account"], &upstream.environment());
    let mut empty = 0;
    for action in lists() {
        let result = session.execute(&action.id, required(&action).into());
        // What a list belongs to may be gone from an empty host.
        if result["isError"] == true {
            continue;
        }
        assert!(result["structuredContent"]["items"].is_array(), "{}: {result}", action.id);
        empty += usize::from(result["structuredContent"]["items"] == json!([]));
        let refused = session
            .call("arcane_execute_action", json!({ "action": &*action.id, "params": required(&action), "fields": ["no such column"] }));
        assert!(refused["isError"] == true || action.returns.fields.is_empty(), "{}: {refused}", action.id);
    }
    assert!(empty > 20, "{empty} empty lists");
}
