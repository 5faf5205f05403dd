//! Compose projects: their files, and the containers that carry their labels.

mod change;

use serde_json::{Value, json};

pub(super) use self::change::answer;
use super::{Container, Host, State};
use crate::{identity, moment::rfc3339};

/// One project.
#[derive(Debug, Clone)]
pub(crate) struct Project {
    pub id: String,
    pub name: String,
    /// Service name and image.
    pub services: Vec<(String, String)>,
    pub created: i64,
    pub updated: i64,
    pub archived: Option<i64>,
    /// Tag and colour.
    pub tags: Vec<(String, String)>,
    pub compose: String,
    pub environment: String,
    /// The Git sync that owns the files.
    pub managed: Option<String>,
}

impl Project {
    fn status(&self, host: &Host) -> &'static str {
        let running = host.of_project(&self.name).filter(|container| container.state.runs()).count();
        match running {
            0 => "stopped",
            some if some < self.services.len() => "partially running",
            _ => "running",
        }
    }

    fn summary(&self, host: &Host) -> Value {
        let tags: Vec<Value> =
            self.tags.iter().map(|(name, color)| json!({ "name": name, "color": color, "sources": ["manual"] })).collect();
        let mut value = json!({
            "id": self.id, "name": self.name, "dirName": self.name, "path": format!("/app/data/projects/{}", self.name),
            "relativePath": self.name, "status": self.status(host), "serviceCount": self.services.len(),
            "runningCount": host.of_project(&self.name).filter(|container| container.state.runs()).count(),
            "isArchived": self.archived.is_some(), "tags": tags,
            "createdAt": rfc3339(self.created), "updatedAt": rfc3339(self.updated),
            // Always false in lists and details, whatever the file says.
            "hasBuildDirective": false
        });
        if let Some(archived) = self.archived {
            value["archivedAt"] = json!(rfc3339(archived));
        }
        if let Some(sync) = &self.managed {
            value["gitOpsManagedBy"] = json!(sync);
        }
        value
    }

    fn runtime(&self, host: &Host) -> Value {
        let services = self.services.iter().map(|(name, image)| {
            let container = host.of_project(&self.name).find(|container| container.service() == Some(name.as_str()));
            let mut value = json!({
                "name": name, "image": image,
                "status": container.map_or("stopped", |container| container.state.word())
            });
            if let Some(container) = container {
                value["containerId"] = json!(container.id);
                value["containerName"] = json!(container.name);
                value["health"] = json!(container.health.unwrap_or("none"));
                let ports = container.ports.iter();
                value["ports"] =
                    ports.map(|port| json!(format!("{}:{}/{}", port.public.unwrap_or(0), port.private, port.protocol))).collect();
            }
            value
        });
        services.collect()
    }

    fn details(&self, host: &Host) -> Value {
        let mut value = self.summary(host);
        value["composeContent"] = json!(self.compose);
        value["envContent"] = json!(self.environment);
        value["composeFileName"] = json!("compose.yaml");
        value["runtimeServices"] = self.runtime(host);
        value
    }
}

/// Services of a Compose text, by its indentation: enough for the files that tests write.
pub(crate) fn services_of(compose: &str) -> Vec<(String, String)> {
    let mut services: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in compose.lines().filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#')) {
        let indent = line.len() - line.trim_start().len();
        let text = line.trim();
        if indent == 0 {
            inside = text == "services:";
        } else if inside && indent == 2 && text.ends_with(':') {
            services.push((text.trim_end_matches(':').to_owned(), String::new()));
        } else if let (true, Some(image), Some(last)) = (inside, text.strip_prefix("image:"), services.last_mut()) {
            image.trim().trim_matches(['"', '\'']).clone_into(&mut last.1);
        }
    }
    services
}

impl Host {
    pub fn project(&self, wanted: &str) -> Option<usize> {
        self.projects.iter().position(|project| project.id == wanted)
    }

    fn of_project(&self, name: &str) -> impl Iterator<Item = &Container> {
        self.containers.iter().filter(move |container| container.project() == Some(name))
    }

    /// Makes the containers of a project where they are missing, and starts them all.
    pub fn up(&mut self, place: usize, now: i64) {
        let project = self.projects[place].clone();
        for (service, image) in &project.services {
            let found = self
                .containers
                .iter_mut()
                .find(|container| container.project() == Some(&project.name) && container.service() == Some(service));
            if let Some(container) = found {
                if container.state != State::Running {
                    container.start(now);
                }
                continue;
            }
            let image_id = self.add_image(image, now);
            let labels = [("com.docker.compose.project", &project.name), ("com.docker.compose.service", service)];
            let name = format!("{}-{service}-1", project.name);
            let mut container = Container {
                id: identity::hex(&format!("{name} {now}"), 64),
                name,
                image: image.clone(),
                image_id,
                command: Vec::new(),
                state: State::Created,
                exit_code: 0,
                created: now,
                started: now,
                finished: None,
                ports: Vec::new(),
                mounts: Vec::new(),
                networks: vec![format!("{}_default", project.name)],
                labels: labels.map(|(key, value)| (key.to_owned(), value.clone())).into_iter().collect(),
                environment: Vec::new(),
                restart_policy: "unless-stopped".to_owned(),
                memory: 0,
                health: None,
                update: false,
            };
            container.start(now);
            self.containers.push(container);
        }
        self.projects[place].updated = now;
    }

    /// Removes the containers of a project.
    pub fn down(&mut self, name: &str) {
        self.containers.retain(|container| container.project() != Some(name));
    }
}
