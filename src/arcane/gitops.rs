//! Projects that Git manages: Arcane refuses changes of their files, or takes them and puts the old ones back at the next sync.

use super::{environment, plain};
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::Aside;
use serde_json::Value;

/// What Git manages of a project.
const MANAGED: [&str; 2] = ["envContent", "composeContent"];

pub(super) fn ask_first(call: &Call) -> Option<Aside> {
    let touched = call.action.id == "project.update" && MANAGED.iter().any(|name| call.arguments.contains_key(*name));
    let project = call.arguments.get("projectId").and_then(Value::as_str).map(plain)?;
    touched.then(|| Aside { path: format!("/environments/{}/projects/{project}", environment(call)), post: None })
}

pub(super) fn rule_out(call: &Call, answer: &Value) -> Option<Failure> {
    if call.action.id != "project.update" {
        return None;
    }
    answer.pointer("/data/gitOpsManagedBy").and_then(Value::as_str).filter(|id| !id.is_empty())?;
    Some(
        Failure::new(
            Code::Conflict,
            "This project comes from Git, which would put its own compose and environment files back; nothing was sent.",
        )
        .next("Change the files in the repository and let `gitops.sync` fetch them, or give the project up with `gitops.delete` first."),
    )
}
