//! Networks, and the containers attached to them.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Host, World, daemon, missing, usage, volume::texts};
use crate::{call::Call, identity, list, moment::rfc3339, problem::problem, reply::Reply};

/// Networks that Docker makes itself.
const PREDEFINED: [&str; 3] = ["bridge", "host", "none"];

/// One network.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    pub id: String,
    pub name: String,
    pub driver: String,
    pub created: i64,
    pub internal: bool,
    pub subnet: String,
    pub labels: BTreeMap<String, String>,
}

impl Network {
    fn predefined(&self) -> bool {
        PREDEFINED.contains(&self.name.as_str())
    }

    fn summary(&self, host: &Host) -> Value {
        json!({
            "id": self.id, "name": self.name, "driver": self.driver, "scope": "local",
            "created": rfc3339(self.created), "options": {}, "labels": self.labels,
            "inUse": host.attached(&self.name).next().is_some(), "isDefault": self.predefined()
        })
    }

    fn details(&self, host: &Host) -> Value {
        let endpoint = |id: &str| identity::hex(&format!("{id} {}", self.name), 64);
        let mut by_id = Map::new();
        let mut list = Vec::new();
        for container in host.attached(&self.name) {
            let (address, hardware) = (format!("{}/16", container.address()), format!("02:42:ac:14:00:{}", &container.id[..2]));
            by_id.insert(
                container.id.clone(),
                json!({
                    "Name": container.name, "EndpointID": endpoint(&container.id), "MacAddress": hardware,
                    "IPv4Address": address, "IPv6Address": ""
                }),
            );
            list.push(json!({
                "id": container.id, "name": container.name, "endpointId": endpoint(&container.id),
                "ipv4Address": address, "ipv6Address": "", "macAddress": hardware
            }));
        }
        json!({
            "id": self.id, "name": self.name, "driver": self.driver, "scope": "local", "created": rfc3339(self.created),
            "options": {}, "labels": self.labels, "containers": by_id, "containersList": list,
            "ipam": { "driver": "default", "options": {}, "config": [{ "subnet": self.subnet, "gateway": gateway(&self.subnet) }] },
            "enableIPv4": true, "enableIPv6": false, "internal": self.internal, "attachable": false, "ingress": false,
            "configOnly": false, "configFrom": { "Network": "" }
        })
    }
}

fn gateway(subnet: &str) -> String {
    subnet.split_once(".0/").map_or_else(String::new, |(network, _)| format!("{network}.1"))
}

impl Host {
    pub fn network(&self, wanted: &str) -> Option<usize> {
        self.networks
            .iter()
            .position(|network| network.id == wanted || network.name == wanted || (wanted.len() >= 6 && network.id.starts_with(wanted)))
    }

    fn attached(&self, network: &str) -> impl Iterator<Item = &super::Container> {
        self.containers.iter().filter(move |container| container.networks.iter().any(|name| name == network))
    }

    fn network_counts(&self) -> Value {
        let used = self.networks.iter().filter(|network| self.attached(&network.name).next().is_some()).count();
        usage(self.networks.len(), used)
    }

    /// Removes networks that nothing is attached to.
    pub fn prune_networks(&mut self) -> Vec<String> {
        let host = self.clone();
        let (gone, left): (Vec<_>, Vec<_>) = std::mem::take(&mut self.networks)
            .into_iter()
            .partition(|network| !network.predefined() && host.attached(&network.name).next().is_none());
        self.networks = left;
        gone.into_iter().map(|network| network.name).collect()
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "list-networks" => {
            let host = world.host(call);
            let rows = host.networks.iter().map(|network| network.summary(host)).collect();
            let counts = host.network_counts();
            Some(list::reply(call, rows, &[("counts", counts)]))
        }
        "network-counts" => Some(Reply::data(&world.host(call).network_counts())),
        "create-network" => Some(create(world, call)),
        "prune-networks" => {
            let gone = world.host(call).prune_networks();
            let activity = world.note(call, "Networks pruned", ("network", "", ""));
            Some(Reply::data(&json!({ "networksDeleted": gone, "spaceReclaimed": 0, "activityId": activity })))
        }
        "get-network-topology" => Some(topology(world.host(call))),
        "get-network" | "delete-network" | "connect-network-container" | "disconnect-network-container" => one(world, call),
        _ => None,
    }
}

fn one(world: &mut World, call: &Call) -> Option<Reply> {
    let wanted = call.segment("networkId").to_owned();
    let host = world.host(call);
    let verb = call.operation.id.split('-').next().unwrap_or("get");
    let before = if verb == "get" { "Network not found".to_owned() } else { format!("Failed to {verb} network") };
    let Some(place) = host.network(&wanted) else {
        return missing(call, &before, &format!("network {wanted} not found"));
    };
    let (id, name) = (host.networks[place].id.clone(), host.networks[place].name.clone());
    match verb {
        "get" => Some(Reply::data(&host.networks[place].details(host))),
        "delete" => {
            if host.networks[place].predefined() {
                return Some(daemon(500, &before, &format!("{name} is a pre-defined network and cannot be removed")));
            }
            if let Some(user) = host.attached(&name).next() {
                let text = format!("error while removing network: network {name} has active endpoints (name:\"{}\")", user.name);
                return Some(daemon(500, &before, &text));
            }
            host.networks.remove(place);
            Some(world.done(call, &format!("Network {name} removed"), ("network", &id, &name)))
        }
        _ => {
            let wanted = call.text("containerId").unwrap_or_default();
            let Some(container) = host.container(wanted) else {
                return missing(call, &before, &format!("No such container: {wanted}"));
            };
            let networks = &mut host.containers[container].networks;
            let attached = networks.contains(&name);
            if verb == "connect" {
                if attached {
                    return Some(daemon(500, &before, &format!("endpoint with name {wanted} already exists in network {name}")));
                }
                networks.push(name.clone());
            } else {
                if !attached {
                    return Some(daemon(500, &before, &format!("container {wanted} is not connected to network {name}")));
                }
                networks.retain(|network| *network != name);
            }
            Some(world.done(call, &format!("Network {name}: {verb}ed"), ("network", &id, &name)))
        }
    }
}

fn create(world: &mut World, call: &Call) -> Reply {
    let name = call.text("name").unwrap_or_default().to_owned();
    if world.host(call).network(&name).is_some() {
        return problem(409, format!("network with name {name} already exists"));
    }
    let now = world.tick();
    let id = identity::hex(&world.fresh("network"), 64);
    let options = &call.body["options"];
    let subnet = options.pointer("/ipam/config/0/subnet").and_then(Value::as_str).unwrap_or("172.30.0.0/16");
    world.host(call).networks.push(Network {
        id: id.clone(),
        name: name.clone(),
        driver: options["driver"].as_str().filter(|driver| !driver.is_empty()).unwrap_or("bridge").to_owned(),
        created: now,
        internal: options["internal"].as_bool().unwrap_or(false),
        subnet: subnet.to_owned(),
        labels: texts(&options["labels"]),
    });
    let activity = world.note(call, &format!("Network {name} created"), ("network", &id, &name));
    Reply::data(&json!({ "id": id, "activityId": activity }))
}

fn topology(host: &Host) -> Reply {
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for network in &host.networks {
        nodes.push(json!({
            "id": network.id, "name": network.name, "type": "network",
            "metadata": { "driver": network.driver, "scope": "local", "isDefault": network.predefined() }
        }));
        for container in host.attached(&network.name) {
            edges.push(json!({
                "id": format!("{}-{}", &network.id[..12], &container.id[..12]), "source": container.id,
                "target": network.id, "ipv4Address": container.address()
            }));
        }
    }
    for container in &host.containers {
        nodes.push(json!({
            "id": container.id, "name": container.name, "type": "container",
            "metadata": { "image": container.image, "status": container.state.word() }
        }));
    }
    Reply::data(&json!({ "nodes": nodes, "edges": edges }))
}
