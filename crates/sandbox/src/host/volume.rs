//! Volumes, and the containers that mount them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{Host, World, daemon, missing, usage};
use crate::{call::Call, list, moment::rfc3339, reply::Reply};

/// One volume.
#[derive(Debug, Clone)]
pub(crate) struct Volume {
    pub name: String,
    pub driver: String,
    pub created: i64,
    pub size: i64,
    pub labels: BTreeMap<String, String>,
    pub options: BTreeMap<String, String>,
}

impl Volume {
    fn json(&self, host: &Host) -> Value {
        let users = host.mounting(&self.name);
        json!({
            "id": self.name, "name": self.name, "driver": self.driver, "scope": "local",
            "mountpoint": format!("/var/lib/docker/volumes/{}/_data", self.name),
            "createdAt": rfc3339(self.created), "labels": self.labels, "options": self.options,
            "inUse": !users.is_empty(), "size": self.size, "containers": users,
            "usageData": { "Size": self.size, "RefCount": users.len() }
        })
    }
}

impl Host {
    pub fn volume(&self, wanted: &str) -> Option<usize> {
        self.volumes.iter().position(|volume| volume.name == wanted)
    }

    /// Ids of the containers that mount a volume.
    fn mounting(&self, volume: &str) -> Vec<String> {
        let users = self.containers.iter().filter(|container| container.mounts.iter().any(|(source, _)| source == volume));
        users.map(|container| container.id.clone()).collect()
    }

    pub fn volume_counts(&self) -> Value {
        let used = self.volumes.iter().filter(|volume| !self.mounting(&volume.name).is_empty()).count();
        usage(self.volumes.len(), used)
    }

    /// Removes volumes that nothing mounts.
    pub fn prune_volumes(&mut self) -> (Vec<String>, i64) {
        let host = self.clone();
        let (gone, left): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.volumes).into_iter().partition(|volume| host.mounting(&volume.name).is_empty());
        self.volumes = left;
        let space = gone.iter().map(|volume| volume.size).sum();
        (gone.into_iter().map(|volume| volume.name).collect(), space)
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "list-volumes" => {
            let host = world.host(call);
            let rows = host.volumes.iter().map(|volume| volume.json(host)).collect();
            let counts = host.volume_counts();
            Some(list::reply(call, rows, &[("counts", counts)]))
        }
        "get-volume-usage-counts" => Some(Reply::data(&world.host(call).volume_counts())),
        "get-volume-sizes" => {
            let host = world.host(call);
            let rows = host
                .volumes
                .iter()
                .map(|volume| json!({ "name": volume.name, "size": volume.size, "refCount": host.mounting(&volume.name).len() }));
            let rows: Vec<Value> = rows.collect();
            Some(Reply::data(&if rows.is_empty() { Value::Null } else { Value::Array(rows) }))
        }
        "create-volume" => Some(create(world, call)),
        "prune-volumes" => {
            let (gone, space) = world.host(call).prune_volumes();
            let activity = world.note(call, "Volumes pruned", ("volume", "", ""));
            Some(Reply::data(&json!({ "volumesDeleted": gone, "spaceReclaimed": space, "activityId": activity })))
        }
        "get-volume" | "get-volume-usage" | "remove-volume" | "rename-volume" => one(world, call),
        _ => None,
    }
}

fn one(world: &mut World, call: &Call) -> Option<Reply> {
    let wanted = call.segment("volumeName").to_owned();
    let verb = if call.operation.id == "rename-volume" { "Failed to rename volume" } else { "Failed to remove volume" };
    let host = world.host(call);
    let Some(place) = host.volume(&wanted) else {
        let before = if call.operation.writes() { verb } else { "Volume not found" };
        return missing(call, before, &format!("get {wanted}: no such volume"));
    };
    let users = host.mounting(&wanted);
    match call.operation.id.as_str() {
        "get-volume" => Some(Reply::data(&host.volumes[place].json(host))),
        "get-volume-usage" => Some(Reply::data(&json!({ "inUse": !users.is_empty(), "containers": users }))),
        _ if !users.is_empty() => {
            let text = format!("remove {wanted}: volume is in use - [{}]", users.join(", "));
            Some(daemon(500, verb, &text))
        }
        "rename-volume" => {
            let new = call.text("name").unwrap_or(&wanted).to_owned();
            host.volumes[place].name = new;
            let volume = host.volumes[place].json(host);
            Some(Reply::data(&volume))
        }
        _ => {
            host.volumes.remove(place);
            Some(world.done(call, &format!("Volume {wanted} removed"), ("volume", &wanted, &wanted)))
        }
    }
}

fn create(world: &mut World, call: &Call) -> Reply {
    let name = call.text("name").unwrap_or_default().to_owned();
    let now = world.tick();
    let host = world.host(call);
    // Docker answers the existing volume to whoever creates it again.
    let place = host.volume(&name).unwrap_or_else(|| {
        host.volumes.push(Volume {
            name: name.clone(),
            driver: call.text("driver").filter(|driver| !driver.is_empty()).unwrap_or("local").to_owned(),
            created: now,
            size: 0,
            labels: texts(&call.body["labels"]),
            options: texts(&call.body["driverOpts"]),
        });
        host.volumes.len() - 1
    });
    let mut volume = host.volumes[place].json(host);
    volume["activityId"] = json!(world.note(call, &format!("Volume {name} created"), ("volume", &name, &name)));
    Reply::data(&volume)
}

/// A map of texts from a body.
pub(super) fn texts(value: &Value) -> BTreeMap<String, String> {
    let entries = value.as_object().into_iter().flatten();
    entries.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}
