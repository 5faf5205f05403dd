//! Failures that the server answers without their cause, as it does for a few things that are not there, or are there already.

use serde_json::json;

use super::World;
use crate::{call::Call, problem::problem, reply::Reply};

/// An id that nothing has: everything that is kept in the database is an example here, and answers to any other.
const NOBODY: &str = "nope";
/// A user of the seed. The other one is who every example is about, so that examples can be sent back.
const TAKEN: &str = "grace";

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    if call.operation.id == "get-diagnostics-logs" && call.switches.broken_diagnostics {
        return Some(broken_off());
    }
    if call.switches.lenient_ids {
        return None;
    }
    match call.operation.id.as_str() {
        "createUser" => {
            let name = call.text("username").unwrap_or_default().to_owned();
            if name == TAKEN || world.users.contains(&name) {
                return Some(problem(500, "Failed to create user"));
            }
            world.users.push(name);
            None
        }
        "getGitRepository" if call.segment("id") == NOBODY => Some(problem(500, "Failed to retrieve git repository")),
        "testGitRepository" | "listGitRepositoryBranches" if call.segment("id") == NOBODY => {
            Some(problem(400, "Failed to test git repository connection: repository not found"))
        }
        _ => None,
    }
}

/// The status of success is out already when writing fails.
fn broken_off() -> Reply {
    let whole = json!([{ "time": "2026-03-01T08:00:00Z", "level": "INFO", "message": "listening" }]).to_string();
    let half = whole.trim_end_matches("}]");
    let error = r#"error marshaling response{"message":"Internal Server Error"}"#;
    Reply::bytes(200, "application/json", format!("{half}{error}").into_bytes())
}
