//! Containers: what they are, and how the API shows them in a list and whole.

mod change;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

pub(super) use self::change::answer;
use super::Host;
use crate::{identity, moment::rfc3339};

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
        self.labels.get("com.docker.compose.project").map(String::as_str)
    }

    pub fn service(&self) -> Option<&str> {
        self.labels.get("com.docker.compose.service").map(String::as_str)
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
                format!("Exited ({}) {} ago", self.exit_code, Self::ago(now, self.finished.unwrap_or(self.created)))
            }
            State::Paused => format!("Up {} (Paused)", Self::ago(now, self.started)),
            State::Running => {
                let health = self.health.map(|health| format!(" ({health})")).unwrap_or_default();
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
        format!("172.20.0.{}", u8::from_str_radix(&self.id[..2], 16).unwrap_or(9).max(2))
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

    pub fn summary(&self, host: &Host, now: i64) -> Value {
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
        state["finishedAt"] = json!(self.finished.map_or_else(|| "0001-01-01T00:00:00Z".to_owned(), rfc3339));
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
        let mut starting = self.containers.iter().enumerate().filter(|(_, container)| container.id.starts_with(wanted));
        let (place, _) = starting.next().filter(|_| wanted.len() >= 3)?;
        starting.next().is_none().then_some(place)
    }

    pub fn counts(&self) -> Value {
        let running = self.containers.iter().filter(|container| container.state.runs()).count();
        json!({
            "runningContainers": running, "stoppedContainers": self.containers.len() - running,
            "totalContainers": self.containers.len()
        })
    }
}
