//! Makes a container from the body of a create request.

use serde_json::{Value, json};

use super::{Container, Port, State, World, volume::texts};
use crate::{call::Call, identity, moment::rfc3339, problem::problem, reply::Reply};

pub(super) fn answer(world: &mut World, call: &Call) -> Reply {
    let body = &call.body;
    let name = call.text("name").unwrap_or_default().trim_start_matches('/').to_owned();
    let image = call.text("image").unwrap_or_default().to_owned();
    if world.host(call).containers.iter().any(|container| container.name == name) {
        return problem(409, format!("Conflict. The container name \"/{name}\" is already in use"));
    }
    let now = world.tick();
    let id = identity::hex(&world.fresh("container"), 64);
    let host = world.host(call);
    let image_id = host.add_image(&image, now);
    let mode = body.pointer("/hostConfig/networkMode").and_then(Value::as_str).filter(|mode| !mode.is_empty());
    let mut networks = words(&body["networks"]);
    if networks.is_empty() {
        networks.push(mode.unwrap_or("bridge").to_owned());
    }
    let policy = body.pointer("/hostConfig/restartPolicy/name").or_else(|| body.get("restartPolicy"));
    let mut container = Container {
        id: id.clone(),
        name: name.clone(),
        image: image.clone(),
        image_id,
        command: [words(&body["command"]), words(&body["cmd"])].concat(),
        state: State::Created,
        exit_code: 0,
        created: now,
        started: now,
        finished: None,
        ports: ports(body),
        mounts: mounts(body),
        networks,
        labels: texts(&body["labels"]),
        environment: [words(&body["environment"]), words(&body["env"])].concat(),
        restart_policy: policy.and_then(Value::as_str).unwrap_or("no").to_owned(),
        memory: body.pointer("/hostConfig/memory").or_else(|| body.get("memory")).and_then(Value::as_i64).unwrap_or(0),
        health: None,
        update: false,
    };
    container.start(now);
    let status = container.state.word();
    host.containers.push(container);
    world.note(call, &format!("Container {name} created"), ("container", &id, &name));
    Reply::data(&json!({ "id": id, "name": name, "image": image, "status": status, "created": rfc3339(now) }))
}

fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

/// Bindings as the Docker API has them (`{"80/tcp": [{"hostPort": "8080"}]}`) or in short (`{"80/tcp": "8080"}`).
fn ports(body: &Value) -> Vec<Port> {
    let bindings = body.pointer("/hostConfig/portBindings").and_then(Value::as_object).into_iter().flatten();
    let long = bindings.map(|(port, list)| (port, list.pointer("/0/hostPort").and_then(Value::as_str)));
    let short = body["ports"].as_object().into_iter().flatten().map(|(port, public)| (port, public.as_str()));
    long.chain(short)
        .filter_map(|(port, public)| {
            let (private, protocol) = port.split_once('/').unwrap_or((port, "tcp"));
            Some(Port {
                private: private.parse().ok()?,
                public: public.and_then(|public| public.parse().ok()),
                protocol: protocol.to_owned(),
            })
        })
        .collect()
}

fn mounts(body: &Value) -> Vec<(String, String)> {
    let binds = body.pointer("/hostConfig/binds").map(words).unwrap_or_default();
    let volumes = words(&body["volumes"]);
    let pairs = binds.iter().chain(&volumes).filter_map(|bind| {
        let mut pieces = bind.split(':');
        Some((pieces.next()?.to_owned(), pieces.next()?.to_owned()))
    });
    pairs.collect()
}
