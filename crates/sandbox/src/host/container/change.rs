//! What is done to containers: the transitions that Docker allows, and its words for the others.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::State;
use crate::{
    call::Call,
    host::{World, create, daemon, missing},
    identity, list,
    problem::problem,
    reply::Reply,
};

pub(in crate::host) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "list-containers" => return Some(list_all(world, call)),
        "container-status-counts" => return Some(Reply::data(&world.host(call).counts())),
        "create-container" => return Some(create::answer(world, call)),
        "start-all-containers" | "start-all-stopped-containers" => {
            return Some(all(world, call, true));
        }
        "stop-all-containers" => return Some(all(world, call, false)),
        "list-ports" => return Some(ports(world, call)),
        _ if !call.operation.path.contains("/containers/{containerId}") || call.operation.path.contains("/ws/") => {
            return None;
        }
        _ => {}
    }
    let wanted = call.segment("containerId").to_owned();
    let Some(place) = world.host(call).container(&wanted) else {
        let before = if call.operation.writes() {
            format!("Failed to {} container", call.operation.id.split('-').next().unwrap_or("change"))
        } else {
            "Failed to retrieve container".to_owned()
        };
        return missing(call, &before, &format!("No such container: {wanted}"));
    };
    match call.operation.id.as_str() {
        "get-container" => {
            let host = world.host(call);
            Some(Reply::data(&host.containers[place].details(host)))
        }
        "get-container-edit-config" => Some(Reply::data(&world.host(call).containers[place].edit_config())),
        "delete-container" => Some(delete(world, call, place)),
        "commit-container" => {
            let repository = call.text("repository").unwrap_or("committed").to_owned();
            let reference = format!("{repository}:{}", call.text("tag").unwrap_or("latest"));
            let now = world.tick();
            let id = world.host(call).add_image(&reference, now);
            Some(Reply::data(&json!({ "id": id })))
        }
        "redeploy-container" | "edit-container" => Some(recreate(world, call, place)),
        "update-container" => Some(update(world, call, place)),
        _ => act(world, call, place),
    }
}

/// Start, stop and their like: the transitions Docker allows.
fn act(world: &mut World, call: &Call, place: usize) -> Option<Reply> {
    let now = world.tick();
    let container = &mut world.host(call).containers[place];
    let (id, name, state) = (container.id.clone(), container.name.clone(), container.state);
    let refuse = |verb: &str, text: &str| Some(daemon(500, &format!("Failed to {verb} container"), text));
    let said = match call.operation.id.as_str() {
        "start-container" if state == State::Paused => {
            return refuse("start", "cannot start a paused container, try unpause instead");
        }
        "start-container" => {
            if state != State::Running {
                container.start(now);
            }
            "started"
        }
        "stop-container" => {
            container.stop(now, 0);
            "stopped"
        }
        "restart-container" => {
            container.start(now);
            "restarted"
        }
        "kill-container" if !state.runs() => {
            return refuse("kill", &format!("cannot kill container: {name}: container {id} is not running"));
        }
        "kill-container" => {
            container.stop(now, 137);
            "killed"
        }
        "pause-container" if state == State::Paused => {
            return refuse("pause", &format!("container {id} is already paused"));
        }
        "pause-container" if state != State::Running => {
            return refuse("pause", &format!("container {id} is not running"));
        }
        "pause-container" => {
            container.state = State::Paused;
            "paused"
        }
        "unpause-container" if state != State::Paused => {
            return refuse("unpause", &format!("container {id} is not paused"));
        }
        "unpause-container" => {
            container.state = State::Running;
            "unpaused"
        }
        "set-container-auto-update" => {
            let enabled = call.body.get("enabled").and_then(Value::as_bool).unwrap_or(false);
            container.labels.insert("com.getarcaneapp.arcane.updater".to_owned(), enabled.to_string());
            "changed"
        }
        _ => return None,
    };
    Some(world.done(call, &format!("Container {name} {said}"), ("container", &id, &name)))
}

fn list_all(world: &mut World, call: &Call) -> Reply {
    let now = world.clock;
    let host = world.host(call);
    let counts = host.counts();
    let rows: Vec<Value> = host
        .containers
        .iter()
        .filter(|container| match call.query("updates") {
            Some("has_update") => container.update,
            Some("up_to_date") => !container.update,
            _ => true,
        })
        .filter(|container| match call.query("standalone") {
            Some("true") => container.project().is_none(),
            Some("false") => container.project().is_some(),
            _ => true,
        })
        .map(|container| container.summary(host, now))
        .collect();
    let mut extras = vec![("counts", counts)];
    if call.query("groupBy") == Some("project") {
        let mut groups: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for row in &rows {
            let project = row["labels"].get("com.docker.compose.project").and_then(Value::as_str);
            groups.entry(project.unwrap_or("No Project")).or_default().push(row);
        }
        let groups: Vec<Value> = groups.iter().map(|(name, items)| json!({ "groupName": name, "items": items })).collect();
        extras.push(("groups", Value::Array(groups)));
    }
    list::reply(call, rows, &extras)
}

fn ports(world: &mut World, call: &Call) -> Reply {
    let host = world.host(call);
    let mut rows = Vec::new();
    for container in &host.containers {
        for port in &container.ports {
            let public = port.public.filter(|_| container.state.runs());
            let mut row = json!({
                "id": identity::hex(&format!("{} {}", container.id, port.private), 12),
                "containerId": container.id, "containerName": container.name,
                "containerPort": port.private, "protocol": port.protocol, "isPublished": public.is_some()
            });
            if let Some(public) = public {
                row["hostIp"] = json!("0.0.0.0");
                row["hostPort"] = json!(public);
            }
            rows.push(row);
        }
    }
    list::reply(call, rows, &[])
}

fn delete(world: &mut World, call: &Call, place: usize) -> Reply {
    let host = world.host(call);
    let container = &host.containers[place];
    if container.state.runs() && !call.flag("force") {
        let text = format!(
            "cannot remove container \"/{}\": container is {}: stop the container before removing or force remove",
            container.name,
            container.state.word()
        );
        return daemon(500, "Failed to delete container", &text);
    }
    let container = host.containers.remove(place);
    let text = format!("Container {} deleted", container.name);
    world.done(call, &text, ("container", &container.id, &container.name))
}

fn recreate(world: &mut World, call: &Call, place: usize) -> Reply {
    let now = world.tick();
    let id = identity::hex(&world.fresh("container"), 64);
    let host = world.host(call);
    if let Some(name) = call.text("name") {
        if host.containers.iter().enumerate().any(|(other, container)| other != place && container.name == name) {
            return problem(409, format!("container name {name} is already in use"));
        }
        name.clone_into(&mut host.containers[place].name);
    }
    if let Some(image) = call.text("image").map(str::to_owned) {
        host.containers[place].image_id = host.add_image(&image, now);
        host.containers[place].image = image;
    }
    let container = &mut host.containers[place];
    container.id = id;
    container.created = now;
    container.update = false;
    container.start(now);
    let (id, name) = (container.id.clone(), container.name.clone());
    let activity = world.note(call, &format!("Container {name} recreated"), ("container", &id, &name));
    let host = world.host(call);
    let mut details = host.containers[place].details(host);
    details["activityId"] = json!(activity);
    Reply::data(&details)
}

fn update(world: &mut World, call: &Call, place: usize) -> Reply {
    let now = world.tick();
    let host = world.host(call);
    let container = &mut host.containers[place];
    let had = std::mem::take(&mut container.update);
    if had {
        container.start(now);
    }
    let (id, name, image) = (container.id.clone(), container.name.clone(), container.image.clone());
    let activity = world.note(call, &format!("Container {name} updated"), ("container", &id, &name));
    let reply = Reply::data(&json!({
        "checked": 1, "updated": usize::from(had), "skipped": usize::from(!had), "failed": 0, "success": true,
        "restarted": usize::from(had), "duration": "2.4s", "activityId": activity,
        "items": [{
            "resourceId": id, "resourceName": name, "resourceType": "container",
            "status": if had { "updated" } else { "up_to_date" }, "updateAvailable": had, "updateApplied": had,
            "oldImages": { "main": image }, "newImages": { "main": image }
        }]
    }));
    // Newer servers can be told not to wait.
    if call.flag("async") { Reply { status: 202, ..reply } } else { reply }
}

fn all(world: &mut World, call: &Call, start: bool) -> Reply {
    let now = world.tick();
    let mut changed = Vec::new();
    for container in &mut world.host(call).containers {
        if container.state.runs() != start {
            changed.push(container.id.clone());
            if start {
                container.start(now);
            } else {
                container.stop(now, 0);
            }
        }
    }
    let activity = world.note(call, if start { "Containers started" } else { "Containers stopped" }, ("container", "", ""));
    let key = if start { "started" } else { "stopped" };
    Reply::data(&json!({ key: changed, "success": true, "activityId": activity }))
}
