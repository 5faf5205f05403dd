//! The host that a sandbox starts with: a small team's, with a shop, monitoring, a wiki and a media server that is
//! switched off; one agent asleep, one switched off.

mod rows;

use std::collections::BTreeMap;

use self::rows::{ACTIVITIES, CONTAINERS, IMAGES, NETWORKS, PROJECTS, Row, VOLUMES};

use super::{Activity, Container, Environment, Host, Image, LOCAL, Network, Port, Project, State, Volume, World, upload::Upload};
use crate::{identity, moment::START, options::Seed};

const DAY: i64 = 86_400;

/// Id of the agent that sleeps until `edge_awake`.
pub(crate) fn edge_id() -> String {
    identity::uuid("environment edge")
}

/// Id of the environment that is switched off.
pub(crate) fn disabled_id() -> String {
    identity::uuid("environment disabled")
}

pub(super) fn world(seed: Seed) -> World {
    let mut world = World::bare();
    let environment = |id: String, name: &str, url: &str, enabled, edge| Environment {
        id,
        name: name.to_owned(),
        url: url.to_owned(),
        enabled,
        edge,
        created: START - 200 * DAY,
    };
    world.environments.push(environment(LOCAL.to_owned(), "Local Docker", "http://localhost:3552", true, false));
    if seed != Seed::Empty {
        world.environments.push(environment(edge_id(), "garage-pi", "edge://garage-pi", true, true));
        world.environments.push(environment(disabled_id(), "old-nas", "http://192.0.2.20:3553", false, false));
    }
    let host = if seed == Seed::Empty { Host { networks: networks(3), ..Host::default() } } else { small() };
    world.hosts.insert(LOCAL.to_owned(), host);
    if seed != Seed::Empty {
        world.hosts.insert(edge_id(), edge());
    }
    if seed != Seed::Empty {
        world.uploads = Upload::examples();
    }
    if let Seed::Rows(rows) = seed {
        fill(&mut world, rows);
    }
    world
}

fn small() -> Host {
    let mut host = Host {
        images: IMAGES.iter().enumerate().map(|(number, (reference, size, update))| image(number, reference, *size, *update)).collect(),
        volumes: VOLUMES.iter().enumerate().map(|(number, (name, size))| volume(number, name, *size)).collect(),
        networks: networks(NETWORKS.len()),
        ..Host::default()
    };
    host.containers = CONTAINERS.iter().enumerate().map(|(number, row)| container(&host, number, row)).collect();
    host.projects = PROJECTS.iter().enumerate().map(|(number, row)| project(number, row)).collect();
    host.activities = ACTIVITIES.iter().enumerate().map(|(number, row)| activity(number, row)).collect();
    host
}

/// What the agent in the garage runs.
fn edge() -> Host {
    let mut host = Host { networks: networks(3), images: vec![image(0, "eclipse-mosquitto:2", 21, false)], ..Host::default() };
    host.containers = vec![container(&host, 20, &("mosquitto", "eclipse-mosquitto:2", None, &[(1883, 1883)], None, &["bridge"]))];
    host
}

fn at(number: usize, step: i64) -> i64 {
    START - step * (i64::try_from(number).unwrap_or(0) + 1)
}

fn image(number: usize, reference: &str, size: i64, update: bool) -> Image {
    let tags = if reference.is_empty() { Vec::new() } else { vec![reference.to_owned()] };
    Image { id: identity::sha256(&format!("image {reference}")), tags, created: at(number, 9 * DAY), size: size * 1_000_000, update }
}

fn volume(number: usize, name: &str, size: i64) -> Volume {
    let project = PROJECTS.iter().find(|(project, ..)| name.starts_with(project)).map(|(project, ..)| *project);
    let label = |project: &str| ("com.docker.compose.project".to_owned(), project.to_owned());
    Volume {
        name: name.to_owned(),
        driver: "local".to_owned(),
        created: at(number, 21 * DAY),
        size: size * 1_000_000,
        labels: project.map(label).into_iter().collect(),
        options: BTreeMap::new(),
    }
}

fn networks(count: usize) -> Vec<Network> {
    let rows = NETWORKS.iter().take(count).enumerate();
    rows.map(|(number, (name, subnet))| Network {
        id: identity::hex(&format!("network {name}"), 64),
        name: (*name).to_owned(),
        driver: if matches!(*name, "host" | "none") { (*name).to_owned() } else { "bridge".to_owned() },
        created: at(number, 30 * DAY),
        internal: false,
        subnet: (*subnet).to_owned(),
        labels: BTreeMap::new(),
    })
    .collect()
}

fn container(host: &Host, number: usize, (name, reference, compose, ports, mount, networks): &Row) -> Container {
    let found = host.image(reference).map(|place| &host.images[place]);
    let stopped = matches!(*name, "jellyfin" | "backup");
    let mut labels = BTreeMap::new();
    if let Some((project, service)) = compose {
        labels.insert("com.docker.compose.project".to_owned(), (*project).to_owned());
        labels.insert("com.docker.compose.service".to_owned(), (*service).to_owned());
    }
    let program = reference.rsplit('/').next().and_then(|name| name.split(':').next()).unwrap_or_default();
    Container {
        id: identity::hex(&format!("container {name}"), 64),
        name: (*name).to_owned(),
        image: (*reference).to_owned(),
        image_id: found.map(|image| image.id.clone()).unwrap_or_default(),
        command: vec![format!("/usr/bin/{program}")],
        state: match *name {
            _ if stopped => State::Exited,
            "staging" => State::Paused,
            _ => State::Running,
        },
        exit_code: i64::from(*name == "backup"),
        created: at(number, 3 * DAY),
        started: at(number, 7_200),
        finished: stopped.then(|| at(number, 3_600)),
        ports: ports
            .iter()
            .map(|(private, public)| Port { private: *private, public: (*public > 0).then_some(*public), protocol: "tcp".to_owned() })
            .collect(),
        mounts: mount.iter().map(|(volume, place)| ((*volume).to_owned(), (*place).to_owned())).collect(),
        networks: networks.iter().map(|network| (*network).to_owned()).collect(),
        labels,
        environment: vec!["TZ=Europe/Berlin".to_owned(), "PATH=/usr/local/bin:/usr/bin:/bin".to_owned()],
        restart_policy: "unless-stopped".to_owned(),
        memory: 536_870_912,
        health: (!stopped && ports.len() == 1).then_some("healthy"),
        update: found.is_some_and(|image| image.update),
    }
}

fn project(number: usize, (name, tag, color): &(&str, &str, &str)) -> Project {
    let members = CONTAINERS.iter().filter_map(|(_, image, compose, ..)| {
        let (project, service) = (*compose)?;
        (project == *name).then(|| (service.to_owned(), (*image).to_owned()))
    });
    let services: Vec<(String, String)> = members.collect();
    let mut compose = "services:\n".to_owned();
    for (service, image) in &services {
        compose.extend(["  ", service, ":\n    image: ", image, "\n"]);
    }
    Project {
        id: identity::uuid(&format!("project {name}")),
        name: (*name).to_owned(),
        services,
        created: at(number, 40 * DAY),
        updated: at(number, 2 * DAY),
        archived: None,
        tags: vec![((*tag).to_owned(), (*color).to_owned())],
        compose,
        environment: "TZ=Europe/Berlin\n".to_owned(),
        managed: (*name == "wiki").then(|| identity::uuid("gitops wiki")),
    }
}

fn activity(number: usize, (kind, status, name, message): &(&str, &str, &str, &str)) -> Activity {
    let started = at(number, 1_800);
    Activity {
        id: identity::uuid(&format!("activity {number}")),
        kind: (*kind).to_owned(),
        status: (*status).to_owned(),
        resource_kind: kind.split('_').next().unwrap_or_default().to_owned(),
        resource_id: identity::uuid(&format!("resource {name}")),
        resource_name: (*name).to_owned(),
        message: (*message).to_owned(),
        started,
        ended: (*status != "running").then_some(started + 12),
    }
}

/// Repeats rows under new names until each list has as many as asked for.
fn fill(world: &mut World, rows: usize) {
    let host = world.hosts.entry(LOCAL.to_owned()).or_default();
    for number in host.containers.len()..rows {
        let mut container = host.containers[number % CONTAINERS.len()].clone();
        container.name = format!("{}-{number}", container.name);
        container.id = identity::hex(&format!("container {}", container.name), 64);
        if container.ports.is_empty() {
            container.ports.push(Port { private: 9_000, public: None, protocol: "tcp".to_owned() });
        }
        host.containers.push(container);
    }
    for number in host.images.len()..rows {
        host.images.push(image(number, &format!("registry.example.org/team/service-{number}:1.{number}"), 80 + 3, false));
    }
    for number in host.volumes.len()..rows {
        host.volumes.push(volume(number, &format!("data-{number}"), 5));
    }
    for number in host.networks.len()..rows {
        let mut network = host.networks[8].clone();
        network.name = format!("lab-{number}");
        network.id = identity::hex(&format!("network {}", network.name), 64);
        host.networks.push(network);
    }
    for number in host.projects.len()..rows {
        let mut project = host.projects[number % PROJECTS.len()].clone();
        project.name = format!("{}-{number}", project.name);
        project.id = identity::uuid(&format!("project {}", project.name));
        host.projects.push(project);
    }
    for number in host.activities.len()..rows {
        host.activities.push(activity(number, &ACTIVITIES[1 + number % 3]));
    }
    for number in world.environments.len()..rows {
        let mut environment = world.environments[2].clone();
        environment.name = format!("site-{number}");
        environment.id = identity::uuid(&format!("environment {number}"));
        world.environments.push(environment);
    }
}
