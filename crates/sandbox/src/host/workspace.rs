//! File workspaces of projects and volumes: a write must name the revision it was made from, or it is refused as stale.

use serde_json::{Value, json};

use super::World;
use crate::{call::Call, example::Example, problem::problem, reply::Reply};

/// The revision of a workspace that nobody has written to.
const FIRST: u32 = 1;

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    if call.operation.place().contains("}/workspace") && !call.switches.lenient_ids && !is_there(world, call) {
        // Not "not found", and no cause.
        return Some(problem(500, "internal error"));
    }
    if call.operation.id == "get-project-workspace-file"
        && let Some("compose.yaml" | "compose.yml" | "docker-compose.yaml" | "docker-compose.yml" | ".env") = call.query("relativePath")
    {
        return Some(problem(403, "project configuration is not part of the workspace"));
    }
    let write = match call.operation.id.as_str() {
        "get-project-workspace" | "get-volume-workspace" => false,
        "update-project-workspace" | "update-volume-workspace" => true,
        _ => return None,
    };
    let owner = call.path.last().map_or("", |(_, owner)| owner);
    let key = format!("{} {owner}", call.environment);
    let revision = world.revisions.entry(key).or_insert(FIRST);
    if write {
        let manifest = call.part("manifest").unwrap_or_default();
        if manifest["fileTreeRevision"].as_str() != Some(revision.to_string().as_str()) {
            return Some(problem(409, "the files have changed since they were read; read them again"));
        }
        *revision += 1;
    }
    let revision = revision.to_string();
    let shape = call.operation.response.as_ref()?;
    let mut value = Example { operation: call.operation, row: 0 }.value(shape, "");
    value["success"] = json!(true);
    if let Some(known) = value.pointer_mut("/data/fileTreeRevision") {
        *known = Value::String(revision);
    }
    if write {
        let activity = world.note(call, "Files changed", ("workspace", owner, owner));
        if let Some(known) = value.pointer_mut("/data/activityId") {
            *known = Value::String(activity);
        }
    }
    Some(Reply::json(200, &value))
}

/// Whether the project or volume of the workspace exists.
fn is_there(world: &mut World, call: &Call) -> bool {
    let host = world.host(call);
    match (call.segment("projectId"), call.segment("volumeName")) {
        ("", name) => host.volumes.iter().any(|volume| volume.name == name),
        (id, _) => host.project(id).is_some(),
    }
}
