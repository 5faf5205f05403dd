//! Docker that does not answer. Arcane masks it: a container is "not found", a list "failed"; the daemon's own words stand inside.

use super::{environment, holds};
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::{Aside, Refusal};

/// What the Docker client says when there is no daemon to talk to.
const INNER: [&str; 10] = [
    "failed to create docker client",
    "failed to negotiate docker api version",
    "failed to refresh docker client",
    "failed to connect to the docker api at",
    "cannot connect to the docker daemon",
    "is the docker daemon running",
    "permission denied while trying to connect",
    "dial unix",
    "docker is not responsive",
    "failed to connect to docker",
];

/// Where work needs Docker: below these a server error without a cause may well be Docker's.
const NEEDS_DOCKER: [&str; 10] =
    ["containers", "images", "image-updates", "networks", "volumes", "ports", "swarm", "system", "updater", "dashboard"];

/// Texts that stand for any cause at all.
const HIDING: [&str; 6] = [
    "swarm stack not found",
    "swarm stack source not found",
    "swarm config not found",
    "swarm secret not found",
    "project not found",
    "container not found",
];

pub(super) fn explain(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    // A check without a body: the status is all there is.
    if call.action.id == "system.health" && refusal.status == 503 {
        return Some(down(call));
    }
    if !matches!(refusal.status, 404 | 500 | 502 | 503) {
        return None;
    }
    let told = INNER.iter().any(|phrase| holds(refusal.detail, phrase) || refusal.problems.iter().any(|problem| holds(problem, phrase)));
    told.then(|| down(call))
}

fn down(call: &Call) -> Failure {
    let environment = environment(call);
    let message = format!("Docker does not answer on environment `{environment}`, so `{}` could not be done.", call.action.id);
    Failure::new(Code::DockerUnreachable, message)
        .next(format!("`environment.test` with environmentId `{environment}` and `environment.get` show whether the host is reached."))
        .next("`system.docker_info` answers as soon as Docker is back; start Docker on that host, or ask whoever runs it.")
}

/// Where to look before a thing is called missing, or a host unwell.
pub(super) fn doubt(call: &Call, refusal: &Refusal<'_>) -> Option<Aside> {
    let hidden = refusal.status == 404 && HIDING.iter().any(|phrase| refusal.detail.trim().eq_ignore_ascii_case(phrase));
    // A text without a colon names what failed and not why.
    let area = call.action.path.strip_prefix("/environments/{environmentId}/").and_then(|rest| rest.split('/').next());
    let silent = refusal.status == 500 && area.is_some_and(|area| NEEDS_DOCKER.contains(&area)) && !refusal.detail.contains(": ");
    let hidden = hidden || silent;
    let unwell = call.action.id == "system.health" && refusal.status == 500;
    if !(hidden || unwell) || !call.action.path.contains("{environmentId}") {
        return None;
    }
    let path = format!("/environments/{}/system/docker/info", environment(call));
    Some(Aside { path, post: None })
}
