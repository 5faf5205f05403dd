//! What Arcane says when Docker does not answer: mostly that the thing was not found, and at some places no cause at all.

use serde_json::json;

use crate::{call::Call, operation::Kind, problem::problem, reply::Reply};

/// The daemon's own words, which stand inside.
pub(crate) const INNER: &str = "failed to create Docker client: failed to connect to the docker API at \
    unix:///var/run/docker.sock; check if the path is correct and if the daemon is running: dial unix \
    /var/run/docker.sock: connect: no such file or directory";

/// Beginning of a path below the environment, singular, what a failed read of one is called.
const PLACES: [(&str, &str, &str); 5] = [
    ("/containers", "container", "Failed to retrieve container"),
    ("/images", "image", "Image not found"),
    ("/networks", "network", "Network not found"),
    ("/volumes", "volume", "Volume not found"),
    ("/projects", "project", "Failed to get project details"),
];

/// The masked answer of an operation that needs Docker; `None` for one that does not.
pub(crate) fn answer(call: &Call) -> Option<Reply> {
    let place = call.operation.place();
    if !call.operation.in_environment() || call.operation.manager {
        return None;
    }
    if call.operation.kind == Kind::Stream {
        let error = json!({ "error": format!("Failed: {INNER}") });
        return Some(crate::stream::lines(vec![error.to_string()]));
    }
    if let Some(rest) = place.strip_prefix("/swarm") {
        return Some(swarm(call, rest));
    }
    match place {
        "/system/docker/info" => {
            return Some(problem(500, format!("Failed to connect to Docker: {INNER}")));
        }
        // Until 2.8.0 it failed whether Docker was there or not.
        "/system/health" => return Some(Reply::empty(if call.switches.version == "2.8.0" { 500 } else { 503 })),
        _ if place.starts_with("/system/containers") || place == "/system/prune" => {
            return Some(problem(500, format!("Failed to connect to Docker: {INNER}")));
        }
        "/ports" => return Some(problem(500, "failed to list ports")),
        "/networks/topology" => return Some(problem(500, "failed to build network topology")),
        // Read through a container that Docker would have to start.
        _ if place.starts_with("/volumes/{volumeName}/workspace") => return Some(problem(500, "internal error")),
        // Kept in the database or in files.
        _ if place.contains("/builds") || place.contains("/workspace") || place.contains("backup") => {
            return None;
        }
        _ if place.contains("/vulnerabilities") || place.contains("/ws/") => return None,
        _ => {}
    }
    let (_, singular, read) = PLACES.iter().find(|(start, ..)| place.starts_with(start))?;
    let one = place.contains('{');
    let text = if !call.operation.writes() && one {
        return Some(problem(404, format!("{read}: {INNER}")));
    } else if call.operation.writes() {
        let verb = call.operation.id.split('-').next().unwrap_or("change");
        format!("Failed to {verb} {singular}: {INNER}")
    } else {
        format!("Failed to list {singular}s: {INNER}")
    };
    Some(problem(500, text))
}

/// Where the cause is gone.
const SILENT: [(&str, &str, &str); 11] = [
    ("GET", "/configs", "Failed to list swarm configs"),
    ("GET", "/configs/{configId}", "Failed to inspect swarm config"),
    ("DELETE", "/configs/{configId}", "Failed to remove swarm config"),
    ("GET", "/secrets", "Failed to list swarm secrets"),
    ("GET", "/secrets/{secretId}", "Failed to inspect swarm secret"),
    ("DELETE", "/secrets/{secretId}", "Failed to remove swarm secret"),
    ("GET", "/stacks/{name}", "Failed to inspect swarm stack"),
    ("GET", "/stacks/{name}/services", "Failed to list swarm stack services"),
    ("GET", "/stacks/{name}/tasks", "Failed to list swarm stack tasks"),
    ("GET", "/join-tokens", "Failed to get swarm join tokens"),
    ("GET", "/unlock-key", "Failed to get swarm unlock key"),
];

/// Swarm answers often name the thing alone: the cause is gone.
fn swarm(call: &Call, rest: &str) -> Reply {
    let method = call.operation.method.as_str();
    if (method, rest) == ("GET", "/stacks/{name}/source") {
        return problem(404, "Swarm stack source not found");
    }
    match SILENT.iter().find(|(verb, place, _)| (*verb, *place) == (method, rest)) {
        Some((.., text)) => problem(500, *text),
        None => problem(500, format!("Failed to connect to Docker: {INNER}")),
    }
}
