//! Things that are missing although the status says that the server failed, and refusals whose cure only Arcane has.

use super::{environment, holds, plain};
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::{Aside, Refusal};
use serde_json::Value;

/// What Docker and the database say of a thing that is not there.
const ABSENT: [&str; 7] =
    ["no such container", "no such image", "no such volume", "no such network", "no such service", "no such exec", "record not found"];

/// The files of a project that is not there are an "internal error"; the project itself is asked for.
pub(super) fn doubt(call: &Call, refusal: &Refusal<'_>) -> Option<Aside> {
    let silent = refusal.status == 500 && refusal.detail.trim().eq_ignore_ascii_case("internal error");
    let id = call.arguments.get("projectId").and_then(Value::as_str).map(plain)?;
    let files = silent && call.action.id.starts_with("project_workspace.");
    files.then(|| Aside { path: format!("/environments/{}/projects/{id}", environment(call)), post: None })
}

pub(super) fn explain(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    let id = &*call.action.id;
    let detail = refusal.detail;
    let lower = detail.to_ascii_lowercase();
    let absent = ABSENT.iter().any(|phrase| lower.contains(phrase)) || (lower.contains("network ") && lower.contains(" not found"));
    if matches!(refusal.status, 400 | 500) && (absent || lower.trim_end_matches('.').ends_with(" not found")) {
        let domain = call.action.domain_name();
        let own = format!("{domain}.list");
        let related = call.action.related.iter().find(|other| other.ends_with(".list"));
        let list =
            if related.is_some_and(|other| *other != own) && id == own { related.map_or(own.clone(), ToString::to_string) } else { own };
        return Some(
            Failure::new(Code::NotFound, format!("`{id}` found nothing by that id."))
                .next(format!("`{list}` lists what there is, with valid ids.")),
        );
    }
    match (id, refusal.status) {
        ("oidc.config", 500) => Some(
            Failure::new(Code::NotFound, "Single sign-on is not configured, so it has no configuration to show.")
                .next("`oidc.status` says whether it is switched on."),
        ),
        (_, 404) if id.starts_with("project_workspace.") && lower.contains("project not found") => Some(
            Failure::new(Code::NotFound, format!("`{id}` found no such project."))
                .next("`project.list` lists what there is, with valid ids."),
        ),
        (_, 403) if id.starts_with("project_workspace.") && lower.contains("not part of the workspace") => Some(
            Failure::new(Code::InvalidRequest, "The Compose file and its `.env` are not among the files of the workspace.")
                .next("`project.compose` shows them as `composeContent` and `envContent`; `project.update` changes them."),
        ),
        // A file or a folder: the list of the files helps, not that of what they belong to.
        (_, 404 | 500)
            if call.action.domain_name().ends_with("_workspace") && (refusal.status == 404 || lower.contains("no such file")) =>
        {
            Some(
                Failure::new(Code::NotFound, format!("`{id}` found nothing at that place."))
                    .next(format!("`{}.list` lists the files that there are, with their paths.", call.action.domain_name())),
            )
        }
        (_, 404) if id.starts_with("vulnerability.") && id != "vulnerability.scan" => Some(
            Failure::new(Code::NotFound, "There is no scan result: the image was never scanned, or is not there.")
                .next("`image.list` shows the images with their ids; `vulnerability.scan` scans one, then ask again."),
        ),
        (_, 409) if id.ends_with("workspace.update") => {
            let list = id.replace(".update", ".list");
            Some(
                Failure::new(Code::Conflict, "The files have changed since they were read.")
                    .next(format!("Read them again with `{list}`, take its `fileTreeRevision`, and send the changes once more.")),
            )
        }
        (_, 429) if holds(detail, "concurrent stats") => Some(
            Failure::new(Code::RateLimited, "Five statistics connections are open from this address already.")
                .next("Close pages of the web application that show live statistics, or try again shortly."),
        ),
        (_, 404) if call.action.path.ends_with("/logs") && holds(detail, "endpoint not found") => Some(
            Failure::new(Code::NotSupported, "This server has no such route for logs.").next("`container.logs` reads them over a socket."),
        ),
        _ => None,
    }
}
