//! Operations that answer with lines of JSON: the status is always 200, the outcome is the last line.

use std::time::Duration;

use axum::body::Bytes;
use futures_util::{StreamExt, stream};
use serde_json::json;

use crate::{
    call::Call,
    host::World,
    identity, mask,
    moment::{START, rfc3339},
    operation::Kind,
    reply::{Content, Reply},
};

/// The content type of these answers.
pub(crate) const TYPE: &str = "application/x-json-stream";

/// Time between two heartbeats of the endless stream.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A finished stream of these lines.
pub(crate) fn lines(lines: Vec<String>) -> Reply {
    let lines = lines.into_iter().map(|line| (line + "\n").into_bytes()).collect();
    Reply { status: 200, headers: vec![("content-type", TYPE.to_owned())], content: Content::Lines(lines) }
}

/// The stream of an operation that has one; what it announces has happened.
pub(crate) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    if call.operation.kind != Kind::Stream {
        return None;
    }
    let id = call.operation.id.as_str();
    if id == "streamClient" {
        return Some(endless(call));
    }
    let now = world.tick();
    let mut events = Vec::new();
    let (name, failure) = match id {
        "pull-image" => {
            let name = call.text("imageName").unwrap_or_default();
            let reference = match call.text("tag") {
                Some(tag) if !tag.is_empty() => format!("{name}:{tag}"),
                _ if name.contains(':') => name.to_owned(),
                _ => format!("{name}:latest"),
            };
            (reference.clone(), pull(world, call, &reference, &mut events))
        }
        "build-image" => {
            let tags = call.body["tags"].as_array().into_iter().flatten().filter_map(|tag| tag.as_str());
            let tag = tags.into_iter().next().unwrap_or("build:latest").to_owned();
            build(&mut events);
            world.host(call).add_image(&tag, now);
            (tag, None)
        }
        _ => {
            let wanted = call.segment("projectId").to_owned();
            let host = world.host(call);
            match host.project(&wanted) {
                Some(place) => (host.projects[place].name.clone(), project(world, call, place, &mut events)),
                None if call.switches.lenient_ids => {
                    build(&mut events);
                    (wanted, None)
                }
                None => (wanted, Some("Project not found".to_owned())),
            }
        }
    };
    let kind = call.operation.path.split('/').nth(3).unwrap_or_default().trim_end_matches('s');
    let activity = world.note(call, failure.as_deref().unwrap_or("done"), (kind, &name, &name));
    if failure.is_some()
        && let Some(note) = world.host(call).activities.first_mut()
    {
        "failed".clone_into(&mut note.status);
    }
    let mut text = vec![json!({ "type": "activity", "activityId": activity }).to_string()];
    text.extend(events);
    text.push(match failure {
        Some(error) => json!({ "error": error }).to_string(),
        None => json!({ "done": true }).to_string(),
    });
    Some(lines(text))
}

fn pull(world: &mut World, call: &Call, reference: &str, events: &mut Vec<String>) -> Option<String> {
    let (name, tag) = reference.rsplit_once(':').unwrap_or((reference, "latest"));
    if name.contains("missing") || name.contains("does-not-exist") {
        return Some(format!("pull access denied for {name}, repository does not exist or may require 'docker login'"));
    }
    events.push(json!({ "status": format!("Pulling from {name}"), "id": tag }).to_string());
    for layer in 0..2 {
        let id = identity::hex(&format!("{reference} layer {layer}"), 12);
        events.push(json!({ "status": "Pulling fs layer", "progressDetail": {}, "id": id }).to_string());
        for part in 1..=4 {
            let detail = json!({ "current": part * 7_000_000, "total": 28_000_000 });
            events.push(json!({ "status": "Downloading", "progressDetail": detail, "id": id }).to_string());
        }
        events.push(json!({ "status": "Pull complete", "progressDetail": {}, "id": id }).to_string());
    }
    events.push(json!({ "status": format!("Digest: {}", identity::sha256(reference)) }).to_string());
    events.push(json!({ "status": format!("Status: Downloaded newer image for {reference}") }).to_string());
    let now = world.clock;
    world.host(call).add_image(reference, now);
    None
}

/// What a build says, line by line: objects of its own.
pub(crate) fn build_log() -> Vec<String> {
    let steps = ["FROM alpine:3.21", "COPY . /app", "RUN make -C /app"];
    let mut lines = vec![json!({ "type": "build", "phase": "begin", "status": "build started" })];
    for (number, step) in steps.iter().enumerate() {
        lines.push(json!({ "type": "build", "status": format!("Step {}/3 : {step}", number + 1) }));
    }
    lines.push(json!({ "type": "build", "status": "Successfully built 0123456789ab" }));
    lines.push(json!({ "type": "build", "phase": "complete", "status": "build complete" }));
    lines.iter().map(ToString::to_string).collect()
}

/// The same in the stream: each line is the text of a log line once more.
fn build(events: &mut Vec<String>) {
    events.extend(build_log().into_iter().map(|line| json!({ "log": line }).to_string()));
}

fn project(world: &mut World, call: &Call, place: usize, events: &mut Vec<String>) -> Option<String> {
    let now = world.clock;
    let host = world.host(call);
    let project = host.projects[place].clone();
    let deploys = matches!(call.operation.id.as_str(), "deploy-project" | "redeploy-project");
    if deploys && project.archived.is_some() {
        return Some("an archived project cannot be deployed".to_owned());
    }
    let phase = if deploys { "deploy" } else { "pull" };
    events.push(json!({ "type": phase, "phase": "begin" }).to_string());
    for (service, image) in &project.services {
        events.push(json!({ "log": format!("{service}: {image}") }).to_string());
        let status = if deploys { "running" } else { "pulled" };
        events.push(json!({ "type": phase, "phase": "service", "service": service, "status": status }).to_string());
        host.add_image(image, now);
    }
    if deploys {
        if call.operation.id == "redeploy-project" {
            host.down(&project.name);
        }
        host.up(place, now);
    }
    events.push(json!({ "type": phase, "phase": "end" }).to_string());
    None
}

/// The live feed of the web application: it never ends by itself, and without channels it has nothing to say.
fn endless(call: &Call) -> Reply {
    let channels = call.query("channels").unwrap_or_default();
    let first: Vec<Bytes> = channels
        .split(',')
        .filter(|channel| !channel.is_empty())
        .map(|channel| Bytes::from(json!({ "channel": channel, "type": "snapshot", "data": {} }).to_string() + "\n"))
        .collect();
    let beats = stream::unfold((), |()| async {
        tokio::time::sleep(HEARTBEAT).await;
        Some((Bytes::from_static(b"{\"type\":\"heartbeat\"}\n"), ()))
    });
    Reply::chunks(TYPE, Box::pin(stream::iter(first).chain(beats)))
}

/// Lines that a container or service wrote, oldest first.
pub(crate) fn log_lines(call: &Call, count: usize) -> Vec<String> {
    let name = call.path.last().map_or("web", |(_, name)| name.as_str());
    let line = |number: usize| {
        let path = ["/", "/cart", "/static/app.css", "/api/items"][number % 4];
        let status = if number % 17 == 16 { 500 } else { 200 };
        format!("10.0.0.{} - GET {path} {status} {}ms", number % 50 + 1, number * 7 % 90 + 3)
    };
    let failed = call.switches.docker_down.then(|| vec![format!("Failed to stream container logs: {}", mask::INNER)]);
    failed.unwrap_or_else(|| (0..count).map(|number| format!("{name} {}", line(number))).collect())
}

/// The time of a log line.
pub(crate) fn log_time(number: usize) -> String {
    rfc3339(START - 600 + i64::try_from(number).unwrap_or(0))
}
