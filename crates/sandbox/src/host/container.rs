//! Containers: their state machine, and how the API shows them in a list and whole.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Host, World, daemon, missing};
use crate::{call::Call, identity, list, moment::rfc3339, problem::problem, reply::Reply};

/// What a container is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Created,
    Running,
    Paused,
    Exited,
}

impl State {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Exited => "exited",
        }
    }

    /// A paused container counts as running.
    pub const fn runs(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }
}

/// A published or exposed port.
#[derive(Debug, Clone)]
pub(crate) struct Port {
    pub private: u16,
    pub public: Option<u16>,
    pub protocol: String,
}

/// One container.
#[derive(Debug, Clone)]
pub(crate) struct Container {
    pub id: String,
    pub name: String,
    pub image: String,
    pub image_id: String,
    pub command: Vec<String>,
    pub state: State,
    pub exit_code: i64,
    pub created: i64,
    pub started: i64,
    pub finished: Option<i64>,
    pub ports: Vec<Port>,
    /// Volume name (or host path) and the place inside.
    pub mounts: Vec<(String, String)>,
    pub networks: Vec<String>,
    pub labels: BTreeMap<String, String>,
    pub environment: Vec<String>,
    pub restart_policy: String,
    pub memory: i64,
    pub health: Option<&'static str>,
    pub update: bool,
}

impl Container {
    /// The Compose project it belongs to.
    pub fn project(&self) -> Option<&str> {
        self.labels
            .get("com.docker.compose.project")
            .map(String::as_str)
    }

    pub fn service(&self) -> Option<&str> {
        self.labels
            .get("com.docker.compose.service")
            .map(String::as_str)
    }

    pub fn start(&mut self, now: i64) {
        self.state = State::Running;
        self.started = now;
        self.finished = None;
        self.exit_code = 0;
    }

    pub fn stop(&mut self, now: i64, exit_code: i64) {
        if self.state.runs() {
            self.state = State::Exited;
            self.finished = Some(now);
            self.exit_code = exit_code;
        }
    }

    fn ago(now: i64, then: i64) -> String {
        let seconds = (now - then).max(0);
        match seconds {
            0..60 => format!("{seconds} seconds"),
            60..3_600 => format!("{} minutes", seconds / 60),
            3_600..172_800 => format!("{} hours", seconds / 3_600),
            _ => format!("{} days", seconds / 86_400),
        }
    }

    fn status(&self, now: i64) -> String {
        match self.state {
            State::Created => "Created".to_owned(),
            State::Exited => {
                format!(
                    "Exited ({}) {} ago",
                    self.exit_code,
                    Self::ago(now, self.finished.unwrap_or(self.created))
                )
            }
            State::Paused => format!("Up {} (Paused)", Self::ago(now, self.started)),
            State::Running => {
                let health = self
                    .health
                    .map(|health| format!(" ({health})"))
                    .unwrap_or_default();
                format!("Up {}{health}", Self::ago(now, self.started))
            }
        }
    }

    pub fn ports_json(&self) -> Value {
        let ports = self.ports.iter().map(|port| match port.public.filter(|_| self.state.runs()) {
            Some(public) => json!({ "ip": "0.0.0.0", "privatePort": port.private, "publicPort": public, "type": port.protocol }),
            None => json!({ "privatePort": port.private, "type": port.protocol }),
        });
        ports.collect()
    }

    fn mounts_json(&self) -> Value {
        let mounts = self.mounts.iter().map(|(source, destination)| {
            if source.starts_with('/') {
                json!({ "type": "bind", "source": source, "destination": destination, "mode": "rw", "rw": true, "propagation": "rprivate" })
            } else {
                json!({
                    "type": "volume", "name": source, "source": format!("/var/lib/docker/volumes/{source}/_data"),
                    "destination": destination, "driver": "local", "mode": "z", "rw": true
                })
            }
        });
        mounts.collect()
    }

    pub fn address(&self) -> String {
        format!(
            "172.20.0.{}",
            u8::from_str_radix(&self.id[..2], 16).unwrap_or(9).max(2)
        )
    }

    fn networks_json(&self, host: &Host) -> Value {
        let networks: Map<String, Value> = self
            .networks
            .iter()
            .map(|name| {
                let id = host.networks.iter().find(|network| network.name == *name).map_or("", |network| network.id.as_str());
                let endpoint = json!({
                    "networkId": id, "endpointId": identity::hex(&format!("{} {name}", self.id), 64),
                    "gateway": "172.20.0.1", "ipAddress": self.address(), "ipPrefixLen": 16,
                    "macAddress": format!("02:42:ac:14:00:{}", &self.id[..2]), "aliases": [self.name]
                });
                (name.clone(), endpoint)
            })
            .collect();
        json!({ "networks": networks })
    }

    fn host_config(&self) -> Value {
        json!({
            "networkMode": self.networks.first().map_or("bridge", String::as_str),
            "restartPolicy": self.restart_policy, "privileged": false, "autoRemove": false,
            "nanoCpus": 0, "memory": self.memory
        })
    }

    fn update_info(&self, now: i64) -> Value {
        json!({
            "hasUpdate": self.update, "updateType": if self.update { "digest" } else { "none" },
            "currentVersion": self.image.rsplit(':').next(), "latestVersion": self.image.rsplit(':').next(),
            "currentDigest": identity::sha256(&self.image),
            "latestDigest": identity::sha256(&if self.update { format!("{} new", self.image) } else { self.image.clone() }),
            "checkTime": rfc3339(now - 3_600), "responseTimeMs": 184, "error": ""
        })
    }

    fn summary(&self, host: &Host, now: i64) -> Value {
        json!({
            "id": self.id, "names": [format!("/{}", self.name)], "image": self.image, "imageId": self.image_id,
            "command": self.command.join(" "), "created": self.created, "ports": self.ports_json(),
            "labels": self.labels, "state": self.state.word(), "status": self.status(now),
            "hostConfig": self.host_config(), "networkSettings": self.networks_json(host),
            "mounts": self.mounts_json(), "updateInfo": self.update_info(now)
        })
    }

    pub fn details(&self, host: &Host) -> Value {
        let mut state = json!({
            "status": self.state.word(), "running": self.state.runs(), "exitCode": self.exit_code,
            "startedAt": rfc3339(self.started)
        });
        state["finishedAt"] = json!(
            self.finished
                .map_or_else(|| "0001-01-01T00:00:00Z".to_owned(), rfc3339)
        );
        if let Some(health) = self.health.filter(|_| self.state == State::Running) {
            state["health"] = json!({ "status": health, "failingStreak": 0, "log": [] });
        }
        let mut details = json!({
            "id": self.id, "name": self.name, "image": self.image, "imageId": self.image_id,
            "created": rfc3339(self.created), "state": state,
            "config": { "env": self.environment, "cmd": self.command, "entrypoint": [], "workingDir": "/", "user": "" },
            "hostConfig": self.host_config(), "networkSettings": self.networks_json(host),
            "ports": self.ports_json(), "mounts": self.mounts_json(), "labels": self.labels
        });
        if let (Some(project), Some(service)) = (self.project(), self.service()) {
            details["composeInfo"] = json!({
                "projectName": project, "serviceName": service,
                "workingDir": format!("/app/data/projects/{project}"),
                "configFiles": format!("/app/data/projects/{project}/compose.yaml")
            });
        }
        details
    }

    fn edit_config(&self) -> Value {
        json!({
            "id": self.id, "name": self.name, "image": self.image, "command": self.command, "entrypoint": null,
            "workingDir": "/", "user": "", "environment": self.environment, "labels": self.labels,
            "hostConfig": {
                "binds": self.mounts.iter().map(|(source, target)| format!("{source}:{target}")).collect::<Vec<_>>(),
                "restartPolicy": { "name": self.restart_policy, "maximumRetryCount": 0 },
                "networkMode": self.networks.first(), "privileged": false, "memory": self.memory
            },
            "isCompose": self.project().is_some(), "composeProject": self.project().unwrap_or_default(),
            "editDisabled": false, "running": self.state.runs()
        })
    }
}

impl Host {
    /// The place of the container with this id, unique beginning of an id, or name.
    pub fn container(&self, wanted: &str) -> Option<usize> {
        let exact = |container: &Container| container.id == wanted || container.name == wanted;
        if let Some(place) = self.containers.iter().position(exact) {
            return Some(place);
        }
        let mut starting = self
            .containers
            .iter()
            .enumerate()
            .filter(|(_, container)| container.id.starts_with(wanted));
        let (place, _) = starting.next().filter(|_| wanted.len() >= 3)?;
        starting.next().is_none().then_some(place)
    }

    pub fn counts(&self) -> Value {
        let running = self
            .containers
            .iter()
            .filter(|container| container.state.runs())
            .count();
        json!({
            "runningContainers": running, "stoppedContainers": self.containers.len() - running,
            "totalContainers": self.containers.len()
        })
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "list-containers" => return Some(list_all(world, call)),
        "container-status-counts" => return Some(Reply::data(&world.host(call).counts())),
        "create-container" => return Some(super::create::answer(world, call)),
        "start-all-containers" | "start-all-stopped-containers" => {
            return Some(all(world, call, true));
        }
        "stop-all-containers" => return Some(all(world, call, false)),
        "list-ports" => return Some(ports(world, call)),
        _ if !call.operation.path.contains("/containers/{containerId}")
            || call.operation.path.contains("/ws/") =>
        {
            return None;
        }
        _ => {}
    }
    let wanted = call.segment("containerId").to_owned();
    let Some(place) = world.host(call).container(&wanted) else {
        let before = if call.operation.writes() {
            format!(
                "Failed to {} container",
                call.operation.id.split('-').next().unwrap_or("change")
            )
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
        "get-container-edit-config" => Some(Reply::data(
            &world.host(call).containers[place].edit_config(),
        )),
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
    let (id, name, state) = (
        container.id.clone(),
        container.name.clone(),
        container.state,
    );
    let refuse =
        |verb: &str, text: &str| Some(daemon(500, &format!("Failed to {verb} container"), text));
    let said = match call.operation.id.as_str() {
        "start-container" if state == State::Paused => {
            return refuse(
                "start",
                "cannot start a paused container, try unpause instead",
            );
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
            return refuse(
                "kill",
                &format!("cannot kill container: {name}: container {id} is not running"),
            );
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
            let enabled = call
                .body
                .get("enabled")
                .and_then(Value::as_bool)
                .unwrap_or(false);
            container.labels.insert(
                "com.getarcaneapp.arcane.updater".to_owned(),
                enabled.to_string(),
            );
            "changed"
        }
        _ => return None,
    };
    Some(world.done(
        call,
        &format!("Container {name} {said}"),
        ("container", &id, &name),
    ))
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
            let project = row["labels"]
                .get("com.docker.compose.project")
                .and_then(Value::as_str);
            groups
                .entry(project.unwrap_or("No Project"))
                .or_default()
                .push(row);
        }
        let groups: Vec<Value> = groups
            .iter()
            .map(|(name, items)| json!({ "groupName": name, "items": items }))
            .collect();
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
        if host
            .containers
            .iter()
            .enumerate()
            .any(|(other, container)| other != place && container.name == name)
        {
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
    let activity = world.note(
        call,
        &format!("Container {name} recreated"),
        ("container", &id, &name),
    );
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
    let (id, name, image) = (
        container.id.clone(),
        container.name.clone(),
        container.image.clone(),
    );
    let activity = world.note(
        call,
        &format!("Container {name} updated"),
        ("container", &id, &name),
    );
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
    if call.flag("async") {
        Reply {
            status: 202,
            ..reply
        }
    } else {
        reply
    }
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
    let activity = world.note(
        call,
        if start {
            "Containers started"
        } else {
            "Containers stopped"
        },
        ("container", "", ""),
    );
    let key = if start { "started" } else { "stopped" };
    Reply::data(&json!({ key: changed, "success": true, "activityId": activity }))
}
