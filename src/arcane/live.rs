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

/// Writes that reach environments which are not named: Arcane carries them to all, or to those that a variable or a webhook happens to
/// have, or restores what the manager knows of each out of a backup; or they give a right that holds everywhere.
pub fn everywhere(action: &str, arguments: &Map<String, Value>) -> bool {
    let all = arguments.get("allEnvironments") == Some(&Value::Bool(true));
    match action {
        "variable.create" => all || arguments.get("environmentIds").and_then(Value::as_array).is_none_or(Vec::is_empty),
        "variable.sync"
        | "variable.update"
        | "variable.delete"
        | "environment.create"
        | "webhook.trigger"
        | "system.upgrade_all"
        | "system_backup.restore"
        | "system_backup.restore_files"
        | "system_backup.run_volumes"
        | "system_backup.update_volume_policies"
        | "swarm_node.reconcile_agents"
        // A role counts wherever it was given, a personal key wherever its owner may.
        | "role.update"
        | "api_key.create_mine" => true,
        "api_key.create" => all_within(arguments, "permissions"),
        "api_key.update" => arguments.contains_key("permissions") && all_within(arguments, "permissions"),
        "role.set_user_assignments" => all_within(arguments, "assignments"),
        "federated.create" | "federated.update" | "oidc.create_role_mapping" | "oidc.update_role_mapping" => !names_one(arguments),
        _ => all,
    }
}

/// Whether one of the grants in a list is for all environments.
fn all_within(arguments: &Map<String, Value>, list: &str) -> bool {
    let grants = arguments.get(list).and_then(Value::as_array);
    grants.into_iter().flatten().any(|grant| !grant.as_object().is_some_and(names_one))
}

fn names_one(grant: &Map<String, Value>) -> bool {
    grant.get("environmentId").and_then(Value::as_str).is_some_and(|id| !id.trim().is_empty())
}

/// The live feed tells of all environments in the lines of one log.
pub const MIXED: [&str; 1] = ["stream.snapshot"];

/// Answered by the manager, about other environments than the one in the path.
pub const ACROSS: [&str; 4] = ["swarm.join_candidates", "swarm_node.list", "swarm_node.get", "system.upgrade_all_status"];
