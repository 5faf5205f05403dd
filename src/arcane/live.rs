//! Arcane's state as resources, and what reaches every environment at once.

use crate::profile::Live;

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

/// Writes that Arcane carries to all its environments.
pub const EVERYWHERE: [&str; 1] = ["variable.sync"];
