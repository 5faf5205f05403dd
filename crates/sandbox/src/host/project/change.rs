//! What is done to projects.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Project, services_of};
use crate::{call::Call, host::World, identity, list, problem::problem, reply::Reply};

pub(in crate::host) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "list-projects" => {
            let host = world.host(call);
            let archived = match call.query("archived") {
                Some("all") => None,
                other => Some(matches!(other, Some("true" | "archived" | "only"))),
            };
            let rows = host.projects.iter().filter(|project| archived.is_none_or(|wanted| project.archived.is_some() == wanted));
            let rows = rows.map(|project| project.summary(host)).collect();
            Some(list::reply(call, rows, &[]))
        }
        "get-project-status-counts" => {
            let host = world.host(call);
            let running = host.projects.iter().filter(|project| project.status(host) != "stopped").count();
            let archived = host.projects.iter().filter(|project| project.archived.is_some()).count();
            Some(Reply::data(&json!({
                "runningProjects": running, "stoppedProjects": host.projects.len() - running - archived,
                "totalProjects": host.projects.len() - archived, "archivedProjects": archived
            })))
        }
        "list-project-tags" => {
            let host = world.host(call);
            let tags: BTreeMap<&String, &String> =
                host.projects.iter().flat_map(|project| &project.tags).map(|(name, color)| (name, color)).collect();
            let rows: Vec<Value> = tags.iter().map(|(name, color)| json!({ "name": name, "color": color })).collect();
            Some(Reply::data(&if rows.is_empty() { Value::Null } else { Value::Array(rows) }))
        }
        "create-project" => Some(create(world, call)),
        _ if !call.operation.place().starts_with("/projects/{projectId}") => None,
        _ => {
            let Some(place) = world.host(call).project(call.segment("projectId")) else {
                return (!call.switches.lenient_ids).then(|| problem(404, "Project not found"));
            };
            one(world, call, place)
        }
    }
}

fn one(world: &mut World, call: &Call, place: usize) -> Option<Reply> {
    let now = world.clock;
    let host = world.host(call);
    let (id, name) = (host.projects[place].id.clone(), host.projects[place].name.clone());
    let said = match call.operation.id.as_str() {
        "get-project" | "get-project-runtime" | "get-project-updates" | "get-project-compose" => {
            let mut value = host.projects[place].details(host);
            if call.operation.id == "get-project-compose" {
                value["hasBuildDirective"] = json!(host.projects[place].compose.contains("build:"));
            }
            return Some(Reply::data(&value));
        }
        "update-project" => return Some(update(world, call, place)),
        "update-project-tag" => return Some(tag(world, call, place)),
        "archive-project" if host.projects[place].status(host) != "stopped" => {
            return Some(problem(400, "a running project cannot be archived"));
        }
        "archive-project" => {
            host.projects[place].archived = Some(now);
            "archived"
        }
        "unarchive-project" => {
            host.projects[place].archived = None;
            "unarchived"
        }
        "down-project" => {
            host.down(&name);
            "stopped"
        }
        "destroy-project" => {
            host.down(&name);
            host.projects.remove(place);
            if call.body.get("removeVolumes") == Some(&json!(true)) {
                host.volumes.retain(|volume| volume.labels.get("com.docker.compose.project") != Some(&name));
            }
            "destroyed"
        }
        "restart-project" | "update-project-services" => {
            let only: Vec<&str> = call.query("services").map(|names| names.split(',').collect()).unwrap_or_default();
            for container in host.containers.iter_mut().filter(|container| container.project() == Some(&name)) {
                if only.is_empty() || container.service().is_some_and(|service| only.contains(&service)) {
                    container.start(now);
                }
            }
            "restarted"
        }
        _ => return None,
    };
    Some(world.done(call, &format!("Project {name} {said}"), ("project", &id, &name)))
}

fn create(world: &mut World, call: &Call) -> Reply {
    let project = call.part("project").unwrap_or_default();
    let text = |key: &str| project.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let name = text("name");
    if world.host(call).projects.iter().any(|project| project.name == name) {
        return problem(409, format!("a project named {name} exists"));
    }
    let now = world.tick();
    let id = identity::uuid(&world.fresh("project"));
    let colors = project.get("tagColors").cloned().unwrap_or_default();
    let tags = project.get("tags").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    let made = Project {
        id: id.clone(),
        services: services_of(&text("composeContent")),
        created: now,
        updated: now,
        archived: None,
        tags: tags.map(|tag| (tag.to_owned(), colors[tag].as_str().unwrap_or("gray").to_owned())).collect(),
        compose: text("composeContent"),
        environment: text("envContent"),
        managed: None,
        name: name.clone(),
    };
    let host = world.host(call);
    let mut value = made.summary(host);
    // The answer to a create is shorter than a row.
    if let Some(map) = value.as_object_mut() {
        map.remove("hasBuildDirective");
    }
    host.projects.push(made);
    value["activityId"] = json!(world.note(call, &format!("Project {name} created"), ("project", &id, &name)));
    Reply::data(&value)
}

fn update(world: &mut World, call: &Call, place: usize) -> Reply {
    let now = world.tick();
    let project = &mut world.host(call).projects[place];
    if project.managed.is_some() && (call.text("envContent").is_some() || call.text("composeContent").is_some()) {
        return problem(400, "the files of this project are managed by a Git sync");
    }
    if let Some(compose) = call.text("composeContent") {
        compose.clone_into(&mut project.compose);
        project.services = services_of(compose);
    }
    if let Some(environment) = call.text("envContent") {
        environment.clone_into(&mut project.environment);
    }
    if let Some(name) = call.text("name") {
        name.clone_into(&mut project.name);
    }
    project.updated = now;
    let (id, name) = (project.id.clone(), project.name.clone());
    let activity = world.note(call, &format!("Project {name} updated"), ("project", &id, &name));
    let host = world.host(call);
    let mut value = host.projects[place].details(host);
    value["activityId"] = json!(activity);
    Reply::data(&value)
}

fn tag(world: &mut World, call: &Call, place: usize) -> Reply {
    let project = &mut world.host(call).projects[place];
    let name = call.text("name").unwrap_or_default();
    project.tags.retain(|(known, _)| known != name);
    if call.body.get("attached") == Some(&json!(true)) {
        project.tags.push((name.to_owned(), call.text("color").unwrap_or("gray").to_owned()));
    }
    let tags: Vec<Value> =
        project.tags.iter().map(|(name, color)| json!({ "name": name, "color": color, "sources": ["manual"] })).collect();
    let (id, title) = (project.id.clone(), project.name.clone());
    let activity = world.note(call, &format!("Project {title} tagged"), ("project", &id, &title));
    Reply::data(&json!({ "tags": tags, "activityId": activity }))
}
