//! How a served process begins and ends.

use crate::support::{Session, Upstream};
use serde_json::json;
use std::time::{Duration, Instant};

/// Time the contract gives a server to leave after its input has ended, with room for a busy machine.
const LEAVING: Duration = Duration::from_millis(200);

#[test]
fn a_closed_input_ends_the_process() {
    let mut session = Session::start(&[], &[]);
    let (status, took) = session.close();
    assert!(status.success());
    assert!(took < 5 * LEAVING, "took {took:?}");
}

#[test]
fn a_client_that_says_nothing_is_no_failure() {
    let (status, _) = Session::silent(&[], &[]).close();
    assert!(status.success());
}

#[test]
fn complete_lines_are_answered_after_the_input_has_closed() {
    let mut session = Session::start(&[], &[]);
    for id in 100..120 {
        let find = json!({ "name": "arcane_find_action", "arguments": { "query": "list volumes" } });
        session.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": find }).to_string());
    }
    let (status, _) = session.close();
    assert!(status.success());
    let answered: Vec<_> = session.rest().iter().filter_map(|message| message["id"].as_u64()).collect();
    assert_eq!(answered.len(), 20, "{answered:?}");
}

#[test]
fn upstream_calls_are_dropped_when_the_input_closes() {
    let upstream = Upstream::start();
    upstream.sandbox.fault(Some("list-containers"), callslip_sandbox::Fault::DelayHeaders(Duration::from_secs(30)));
    let mut session = Session::start(&[], &upstream.environment());
    let call = json!({ "name": "arcane_execute_action", "arguments": { "action": "container.list" } });
    session.send(&json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": call }).to_string());
    let started = Instant::now();
    while upstream.requests().is_empty() && started.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let (status, took) = session.close();
    assert!(status.success());
    assert!(took < 5 * LEAVING, "took {took:?}");
}
