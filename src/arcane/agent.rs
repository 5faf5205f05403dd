//! Environments behind an agent: asleep, cut off, or with a shorter list of commands than the server's own host.

use super::{environment, holds};
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::{Aside, Refusal};
use callslip_catalog::model::Kind;
use serde_json::Value;

/// The agent, or the way to it, is gone.
const GONE: [&str; 6] = [
    "edge agent is not connected",
    "proxy request failed",
    "failed to proxy request",
    "failed to create proxy request",
    "request timed out",
    UNREACHED,
];

/// Signs that nothing reached the agent.
const NEVER_SENT: [&str; 6] = ["not connected", "failed to create", "connection refused", "no such host", "no route to host", UNREACHED];

/// A socket that was accepted before its agent was asked for.
const UNREACHED: &str = "websocket closed by a gateway";

pub(super) fn explain(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    let environment = environment(call);
    if call.action.id == "environment.test" && refusal.status == 500 {
        return Some(
            Failure::new(Code::DockerUnreachable, format!("Environment `{environment}` is offline."))
                .next("Check that its agent runs and that the address in `environment.get` is right, then test again."),
        );
    }
    if matches!(refusal.status, 404 | 500 | 502) && holds(refusal.detail, "unsupported edge command") {
        let message = format!("The agent of environment `{environment}` does not take `{}`.", call.action.id);
        return Some(
            Failure::new(Code::NotSupported, message)
                .next("Do it on the host itself, or update the agent: `environment.get` shows its version."),
        );
    }
    if !matches!(refusal.status, 500 | 502..=504) || !GONE.iter().any(|phrase| holds(refusal.detail, phrase)) {
        return None;
    }
    let late = holds(refusal.detail, "request timed out");
    let what = match (late, holds(refusal.detail, "not connected")) {
        (true, _) => "did not answer in time",
        (false, true) => "is not connected",
        (false, false) => "could not be reached, or was lost on the way",
    };
    let reads = call.action.kind == Kind::Read;
    // Only what never reached the agent is known not to have been done.
    let unsent = NEVER_SENT.iter().any(|phrase| holds(refusal.detail, phrase));
    let so = match (reads, unsent) {
        (true, _) => "so nothing can be read through it by",
        (false, true) => "so it has not done",
        (false, false) => "so it is not known to have done",
    };
    let message = format!("The agent of environment `{environment}` {what}, {so} `{}`.", call.action.id);
    let failure = if !reads && !unsent {
        let mut failure = Failure::new(Code::OutcomeUnknown, message).next("Look at the result before you try again.");
        let looks = call.action.related.iter().filter(|id| id.ends_with(".get") || id.ends_with(".list"));
        failure.next.extend(looks.take(1).map(|id| format!("`{id}` shows the present state.")));
        failure
    } else {
        Failure::new(Code::DockerUnreachable, message)
    };
    Some(
        failure
            .next(format!(
                "`environment.test` with environmentId `{environment}` and `environment.get` show whether and when it was last seen."
            ))
            .next("An agent that polls wakes up within its interval: try again in a minute, or start it on its host."),
    )
}

/// Only an edge agent has a list of commands, and only the server knows which environments have one.
pub(super) fn ask_first(call: &Call) -> Option<Aside> {
    let remote = environment(call) != "0" && call.action.path.contains("/environments/{environmentId}/");
    (remote && !call.action.edge).then(|| Aside { path: format!("/environments/{}", environment(call)), post: None })
}

pub(super) fn rule_out(call: &Call, answer: &Value) -> Option<Failure> {
    if answer.pointer("/data/isEdge") != Some(&Value::Bool(true)) {
        return None;
    }
    let environment = environment(call);
    let message = format!(
        "Environment `{environment}` is reached through an edge agent, which does not take `{}`; nothing was sent.",
        call.action.id
    );
    Some(
        Failure::new(Code::NotSupported, message)
            .next("Do it on the host itself or through an environment that is reached directly: `environment.list` shows which those are."),
    )
}
