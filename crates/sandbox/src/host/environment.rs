//! Environments: the local host, and agents that may be asleep, disabled or not there at all.

use serde_json::{Value, json};

use super::{LOCAL, World};
use crate::{
    call::Call,
    identity, list,
    moment::rfc3339,
    operation::Operation,
    options::Switches,
    problem::{Flaw, details, problem, proxy},
    reply::Reply,
};

/// One environment.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    pub id: String,
    pub name: String,
    pub url: String,
    pub enabled: bool,
    /// Reached through a tunnel that the agent opens.
    pub edge: bool,
    pub created: i64,
}

/// What stands in the way of forwarding a call.
enum Reach {
    Online,
    Disabled,
    Asleep,
    Unreachable,
}

impl Environment {
    fn reach(&self, switches: &Switches) -> Reach {
        if self.id == LOCAL {
            Reach::Online
        } else if !self.enabled {
            Reach::Disabled
        } else if !self.edge {
            Reach::Unreachable
        } else if switches.edge_awake {
            Reach::Online
        } else {
            Reach::Asleep
        }
    }

    fn json(&self, switches: &Switches) -> Value {
        let online = matches!(self.reach(switches), Reach::Online);
        let mut value = json!({
            "id": self.id, "name": self.name, "apiUrl": self.url, "enabled": self.enabled, "isEdge": self.edge,
            "status": if online { "online" } else { "offline" }, "lastSeen": rfc3339(self.created + 86_400)
        });
        if self.edge {
            value["connected"] = json!(online);
            value["edgeTransport"] = json!("websocket");
            value["edgeSecurityMode"] = json!("token");
        }
        value
    }
}

/// Whether a call can be carried out where its path says: the environment that does the work, or the proxy's answer.
pub(crate) fn place(world: &World, operation: &Operation, id: &str, switches: &Switches) -> Result<String, Box<Reply>> {
    let found = world.environments.iter().find(|environment| environment.id == id);
    if operation.manager || id == LOCAL {
        return match found {
            Some(_) => Ok(id.to_owned()),
            None => Err(Box::new(problem(404, "Environment not found"))),
        };
    }
    let Some(environment) = found else {
        return Err(Box::new(proxy(404, "Environment not found")));
    };
    match environment.reach(switches) {
        Reach::Online if !operation.edge => Err(Box::new(crate::problem::tunnel(502, "unsupported edge command"))),
        Reach::Online => Ok(id.to_owned()),
        Reach::Disabled => Err(Box::new(proxy(400, "Environment is disabled"))),
        Reach::Asleep => Err(Box::new(proxy(502, "Edge agent is not connected"))),
        Reach::Unreachable => {
            let host = environment.url.trim_start_matches("http://").trim_start_matches("https://");
            Err(Box::new(proxy(502, format!("Proxy request failed: dial tcp {host}: connect: connection refused"))))
        }
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "listEnvironments" => {
            let rows = world.environments.iter().map(|environment| environment.json(&call.switches)).collect();
            Some(list::reply(call, rows, &[]))
        }
        "createEnvironment" => Some(create(world, call)),
        "getEnvironment" | "updateEnvironment" | "deleteEnvironment" | "testConnection" | "getEnvironmentVersion" => {
            let wanted = call.segment("id");
            let Some(number) = world.environments.iter().position(|environment| environment.id == wanted) else {
                return (!call.switches.lenient_ids).then(|| problem(404, "Environment not found"));
            };
            one(world, call, number)
        }
        _ => None,
    }
}

fn one(world: &mut World, call: &Call, number: usize) -> Option<Reply> {
    let environment = &mut world.environments[number];
    match call.operation.id.as_str() {
        "getEnvironment" => Some(Reply::data(&environment.json(&call.switches))),
        "updateEnvironment" => {
            if let Some(name) = call.text("name") {
                name.clone_into(&mut environment.name);
            }
            if let Some(url) = call.text("apiUrl") {
                url.clone_into(&mut environment.url);
            }
            if let Some(enabled) = call.body.get("enabled").and_then(Value::as_bool) {
                environment.enabled = enabled;
            }
            let mut value = environment.json(&call.switches);
            if call.body.get("regenerateApiKey") == Some(&json!(true)) {
                value["apiKey"] = json!(format!("arc_{}", identity::hex(&world.fresh("key"), 64)));
            }
            world.tick();
            Some(Reply::data(&value))
        }
        "deleteEnvironment" => {
            if environment.id == LOCAL {
                return Some(problem(400, "the local environment cannot be deleted"));
            }
            let gone = world.environments.remove(number);
            world.hosts.remove(&gone.id);
            Some(world.done(call, &format!("Environment {} deleted", gone.name), ("environment", &gone.id, &gone.name)))
        }
        "testConnection" => Some(match environment.reach(&call.switches) {
            Reach::Online => Reply::data(&json!({ "status": "online", "message": "the agent answers" })),
            Reach::Disabled => problem(400, "Environment is disabled"),
            Reach::Asleep => offline("connection failed: Edge agent is not connected"),
            Reach::Unreachable => offline("connection failed: dial tcp: connect: connection refused"),
        }),
        _ => match environment.reach(&call.switches) {
            Reach::Online => None,
            _ => Some(problem(503, "Edge agent is not connected")),
        },
    }
}

/// The result of a failed test is dressed as a server error.
fn offline(cause: &str) -> Reply {
    let flaw = Flaw { message: cause.to_owned(), location: String::new(), value: Value::Null };
    details(500, "unexpected error occurred", &[flaw])
}

fn create(world: &mut World, call: &Call) -> Reply {
    let now = world.tick();
    let id = identity::uuid(&world.fresh("environment"));
    let url = call.text("apiUrl").unwrap_or_default().to_owned();
    let flag = |name: &str, otherwise: bool| call.body.get(name).and_then(Value::as_bool).unwrap_or(otherwise);
    let environment = Environment {
        name: call.text("name").filter(|name| !name.is_empty()).unwrap_or(&url).to_owned(),
        id,
        url,
        enabled: flag("enabled", true),
        edge: flag("isEdge", false),
        created: now,
    };
    let mut value = environment.json(&call.switches);
    if flag("useApiKey", false) || environment.edge {
        value["apiKey"] = json!(format!("arc_{}", identity::hex(&environment.id, 64)));
    }
    world.environments.push(environment);
    Reply::data(&value)
}
