//! Arcane's state as resources, and what reaches every environment at once.

use crate::profile::Live;
use serde_json::{Map, Value};

/// Read through the same gate and road as a call of the action.
pub const LIVE: [Live; 4] = [
    Live { path: "environments", action: "environment.list", title: "Environments", completes: "environmentId" },
    Live {
        path: "environments/{environmentId}/containers",
        action: "container.list",
        title: "Containers of an environment",
        completes: "",
    },
    Live {
        path: "environments/{environmentId}/projects",
        action: "project.list",
        title: "Compose projects of an environment",
        completes: "",
    },
    Live { path: "environments/{environmentId}/images", action: "image.list", title: "Images of an environment", completes: "" },
];

/// Writes that Arcane carries to environments that are not named: all of them, or those that a variable happens to have, or what the
/// manager knows of each, out of a backup.
pub fn everywhere(action: &str, arguments: &Map<String, Value>) -> bool {
    let all = arguments.get("allEnvironments") == Some(&Value::Bool(true));
    match action {
        "variable.create" => all || arguments.get("environmentIds").and_then(Value::as_array).is_none_or(Vec::is_empty),
        "variable.sync"
        | "variable.update"
        | "variable.delete"
        | "system.upgrade_all"
        | "system_backup.restore"
        | "system_backup.restore_files"
        | "swarm_node.reconcile_agents" => true,
        _ => all,
    }
}

/// The live feed tells of all environments in the lines of one log.
pub const MIXED: [&str; 1] = ["stream.snapshot"];

/// Answered by the manager, about other environments than the one in the path.
pub const ACROSS: [&str; 4] = ["swarm.join_candidates", "swarm_node.list", "swarm_node.get", "system.upgrade_all_status"];
