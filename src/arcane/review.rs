//! Answers with a status of success that are less than a success, or that need a word of explanation.

use crate::call::Call;
use crate::error::{Code, Failure};
use serde_json::Value;

pub(super) fn review(call: &Call, answer: &Value, notes: &mut Vec<String>) -> Option<Failure> {
    let data = answer.get("data").unwrap_or(answer);
    let id = &*call.action.id;
    if id == "auth.login" && data.get("token").and_then(Value::as_str).is_none_or(str::is_empty) {
        return Some(
            Failure::new(Code::Unauthorized, "This account has a second factor, so a password alone gives no session token.")
                .next("Use an API key in `ARCANE_API_KEY`: it needs no sign-in."),
        );
    }
    if id == "webhook.trigger" {
        notes.push(
            "The work was queued, which does not say that it will succeed; `event.list` and `activity.list` show what came of it.".into(),
        );
    }
    if id.starts_with("image_update.") && local_only(data) {
        notes.push(
            "An image that was built on this host has no registry to compare with: its `error` means that it cannot be checked.".into(),
        );
    }
    if id == "vulnerability.scan" {
        notes.push("The scan runs in the background; its result can be read when its activity has ended.".into());
    }
    if call.action.activity && data.get("activityId").and_then(Value::as_str).is_some_and(|activity| !activity.is_empty()) {
        notes.push("`activity.get` with the `activityId` of this answer shows how the work went.".into());
    }
    None
}

fn local_only(data: &Value) -> bool {
    let errors = |value: &Value| value.get("error").and_then(Value::as_str).is_some_and(|text| !text.is_empty());
    errors(data) || data.as_object().is_some_and(|object| object.values().any(errors))
}
