//! What the sandbox remembers: environments, and per environment a Docker host. Each kind of thing has its file, with
//! its state, its answers and the texts with which Docker and Arcane refuse.

mod activity;
mod bare;
mod container;
mod create;
mod docker;
mod environment;
mod form;
mod image;
mod network;
mod project;
mod rule;
mod seed;
mod setting;
mod upload;
mod version;
mod volume;
mod workspace;

use std::collections::BTreeMap;

use serde_json::{Value, json};

pub(crate) use self::{
    activity::Activity,
    container::{Container, Port, State},
    environment::{Environment, place},
    image::Image,
    network::Network,
    project::Project,
    seed::{disabled_id, edge_id},
    volume::Volume,
};
use crate::{call::Call, identity, moment::START, options::Seed, problem::problem, reply::Reply};

/// The id of the host that Arcane itself runs on.
pub(crate) const LOCAL: &str = "0";

/// Everything that changes.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub environments: Vec<Environment>,
    pub hosts: BTreeMap<String, Host>,
    uploads: Vec<upload::Upload>,
    settings: BTreeMap<String, String>,
    /// Names of the users that were made.
    users: Vec<String>,
    /// Per environment and owner, how often a workspace was written.
    revisions: BTreeMap<String, u32>,
    /// Seconds since 1970; moves with every change.
    pub clock: i64,
    counter: u32,
}

/// One Docker host.
#[derive(Debug, Clone, Default)]
pub(crate) struct Host {
    pub containers: Vec<Container>,
    pub images: Vec<Image>,
    pub volumes: Vec<Volume>,
    pub networks: Vec<Network>,
    pub projects: Vec<Project>,
    pub activities: Vec<Activity>,
}

impl World {
    pub fn new(seed: Seed) -> Self {
        seed::world(seed)
    }

    fn bare() -> Self {
        Self {
            environments: Vec::new(),
            hosts: BTreeMap::new(),
            uploads: Vec::new(),
            users: Vec::new(),
            settings: setting::defaults(),
            revisions: BTreeMap::new(),
            clock: START,
            counter: 0,
        }
    }

    /// Moves the clock and returns it.
    pub fn tick(&mut self) -> i64 {
        self.clock += 1;
        self.clock
    }

    /// A name for the next new thing, from which its id is made.
    pub fn fresh(&mut self, kind: &str) -> String {
        self.counter += 1;
        format!("{kind} made {}", self.counter)
    }

    /// The host that does the work.
    pub fn host(&mut self, call: &Call) -> &mut Host {
        self.hosts.entry(call.environment.clone()).or_default()
    }

    /// Notes what was done and answers `{message, activityId}`.
    pub fn done(&mut self, call: &Call, message: &str, resource: (&str, &str, &str)) -> Reply {
        let id = self.note(call, message, resource);
        Reply::data(&json!({ "message": message, "activityId": id }))
    }

    /// Notes what was done; the id of the note.
    pub fn note(&mut self, call: &Call, message: &str, (kind, id, name): (&str, &str, &str)) -> String {
        let now = self.tick();
        let activity = identity::uuid(&self.fresh("activity"));
        self.host(call).activities.insert(
            0,
            Activity {
                id: activity.clone(),
                kind: call.operation.id.replace('-', "_"),
                status: "success".to_owned(),
                resource_kind: kind.to_owned(),
                resource_id: id.to_owned(),
                resource_name: name.to_owned(),
                message: message.to_owned(),
                started: now,
                ended: Some(now),
            },
        );
        activity
    }
}

/// The answer from state; `None` for what has none.
pub(crate) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    workspace::answer(world, call)
        .or_else(|| container::answer(world, call))
        .or_else(|| image::answer(world, call))
        .or_else(|| volume::answer(world, call))
        .or_else(|| network::answer(world, call))
        .or_else(|| project::answer(world, call))
        .or_else(|| environment::answer(world, call))
        .or_else(|| activity::answer(world, call))
        .or_else(|| docker::answer(world, call))
        .or_else(|| upload::answer(world, call))
        .or_else(|| version::answer(call))
        .or_else(|| setting::answer(world, call))
        .or_else(|| form::answer(call))
        .or_else(|| rule::answer(call))
        .or_else(|| bare::answer(world, call))
}

/// What Docker says, inside what Arcane says before it.
fn daemon(status: u16, before: &str, text: &str) -> Reply {
    problem(status, format!("{before}: Error response from daemon: {text}"))
}

/// A thing that is not there: `None` where the caller asked for an example instead.
fn missing(call: &Call, before: &str, text: &str) -> Option<Reply> {
    if call.switches.lenient_ids {
        return None;
    }
    // Reading a missing thing is 404; acting on it is 500.
    let status = if call.operation.writes() { 500 } else { 404 };
    Some(daemon(status, before, text))
}

/// How many rows are in use, and how many not.
fn usage(total: usize, used: usize) -> Value {
    json!({ "inuse": used, "unused": total - used, "total": total })
}

/// Compares an `inUse`-like filter that is written as text.
fn kept(call: &Call, name: &str, value: bool) -> bool {
    call.query(name).is_none_or(|wanted| wanted.split(',').any(|wanted| wanted == value.to_string()))
}
