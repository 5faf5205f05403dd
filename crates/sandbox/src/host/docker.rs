//! The daemon itself: what it says of itself, and the prune of everything.

use serde_json::{Value, json};

use super::{Host, State, World};
use crate::{call::Call, example::Example, problem::problem, reply::Reply};

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "get-docker-info" => {
            let shape = call.operation.response.as_ref()?;
            let mut value = Example { operation: call.operation, row: 0 }.value(shape, "");
            fill(&mut value, world.host(call));
            Some(Reply::json(200, &value))
        }
        // 2.8.0 answers this even when Docker is well.
        "system-health" if call.switches.version == "2.8.0" => Some(Reply::empty(500)),
        "system-health" => Some(Reply::empty(200)),
        "get-dashboard" => Some(dashboard(world, call)),
        "prune-all" => Some(prune(world, call)),
        "get-swarm-status" => Some(Reply::data(&json!({ "enabled": !call.switches.swarm_off }))),
        "get-oidc-config" if call.switches.version == "2.8.0" => Some(problem(500, "OIDC is not configured")),
        _ => None,
    }
}

fn fill(value: &mut Value, host: &Host) {
    let count = |state: &[State]| host.containers.iter().filter(|container| state.contains(&container.state)).count();
    let facts = json!({
        "Containers": host.containers.len(), "ContainersRunning": count(&[State::Running]),
        "ContainersPaused": count(&[State::Paused]), "ContainersStopped": count(&[State::Exited, State::Created]),
        "Images": host.images.len(), "Name": "dock-1", "ServerVersion": "28.3.2", "OperatingSystem": "Debian GNU/Linux 13",
        "OSType": "linux", "Architecture": "x86_64", "NCPU": 4, "MemTotal": 16_627_187_712_i64, "Driver": "overlay2",
        "DockerRootDir": "/var/lib/docker", "KernelVersion": "6.12.41", "CgroupDriver": "systemd", "CgroupVersion": "2",
        "DefaultRuntime": "runc", "IndexServerAddress": "https://index.docker.io/v1/"
    });
    for (name, fact) in facts.as_object().into_iter().flatten() {
        if let Some(known) = value.get_mut(name) {
            *known = fact.clone();
        }
    }
}

/// The web application's first page: the first rows of what the lists have.
fn dashboard(world: &mut World, call: &Call) -> Reply {
    let now = world.clock;
    let host = world.host(call);
    let page = |rows: Vec<Value>| {
        let page = crate::list::page(call, rows);
        json!({ "data": page.rows, "pagination": page.pagination })
    };
    let updates = host.images.iter().filter(|image| image.update).count();
    let mut containers = page(host.containers.iter().map(|one| one.summary(host, now)).collect());
    containers["counts"] = host.counts();
    Reply::data(&json!({
        "containers": containers, "images": page(host.images.iter().map(|one| one.summary(host, now)).collect()),
        "imageUsageCounts": host.image_counts(), "volumeUsageCounts": host.volume_counts(), "settings": {},
        "actionItems": { "items": [{ "kind": "image_updates", "count": updates, "severity": "warning" }] }
    }))
}

/// Removes what the body names: each kind has a mode, `none` leaves it alone.
fn prune(world: &mut World, call: &Call) -> Reply {
    let mode = |kind: &str| call.body.pointer(&format!("/{kind}/mode")).and_then(Value::as_str).filter(|mode| *mode != "none");
    let host = world.host(call);
    let mut answer = json!({ "success": true, "spaceReclaimed": 0 });
    let mut space = 0;
    if mode("containers").is_some() {
        let gone: Vec<String> = host.containers.iter().filter(|one| !one.state.runs()).map(|one| one.id.clone()).collect();
        host.containers.retain(|container| container.state.runs());
        answer["containersPruned"] = json!(gone);
        answer["containerSpaceReclaimed"] = json!(gone.len() * 120_000);
        space += i64::try_from(gone.len()).unwrap_or(0) * 120_000;
    }
    if let Some(mode) = mode("images") {
        let (gone, size) = host.prune_images(mode != "all");
        answer["imagesDeleted"] = json!(gone);
        answer["imageSpaceReclaimed"] = json!(size);
        space += size;
    }
    if mode("networks").is_some() {
        answer["networksDeleted"] = json!(host.prune_networks());
    }
    if mode("volumes").is_some() {
        let (gone, size) = host.prune_volumes();
        answer["volumesDeleted"] = json!(gone);
        answer["volumeSpaceReclaimed"] = json!(size);
        space += size;
    }
    if mode("buildCache").is_some() {
        answer["buildCacheSpaceReclaimed"] = json!(48_000_000);
        space += 48_000_000;
    }
    answer["spaceReclaimed"] = json!(space);
    answer["activityId"] = json!(world.note(call, "System pruned", ("system", "", "")));
    Reply::data(&answer)
}
