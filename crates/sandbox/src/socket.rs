//! The WebSocket routes: logs, statistics, terminal, diagnostics.

use std::{borrow::Cow, time::Duration};

use axum::extract::ws::{CloseFrame, Message, WebSocket};
use serde_json::{Value, json};

use crate::{
    call::Call,
    example::Example,
    fault::Fault,
    host::World,
    mask,
    moment::{START, rfc3339},
    operation::operation,
    shell::Shell,
    stream::{log_lines, log_time},
};

/// Lines that a log holds.
const LINES: usize = 200;
/// Lines in a batched message.
const BATCH: usize = 50;
/// Time between new log lines and between container statistics. Docker takes a second; tests need not.
const PACE: Duration = Duration::from_millis(200);

/// What a socket was opened on, decided before the upgrade.
pub(crate) struct Opened {
    call: Call,
    /// Why it fails in its first message.
    failure: Option<String>,
}

/// Looks up what the socket is about.
pub(crate) fn open(world: &mut World, call: Call) -> Opened {
    let down = call.switches.docker_down.then(|| mask::INNER.to_owned());
    let id = call.operation.id.as_str();
    let about = call.segment("containerId").to_owned();
    let host = world.host(&call);
    let absent = (!about.is_empty() && host.container(&about).is_none() && !call.switches.lenient_ids)
        .then(|| format!("Error response from daemon: No such container: {about}"));
    let still = host.container(&about).is_some_and(|place| !host.containers[place].state.runs());
    let still = (still && id == "ws-container-exec").then(|| format!("Error response from daemon: container {about} is not running"));
    let failure = down.or(absent).or(still).map(|text| match id {
        "ws-container-exec" => format!("Error creating exec: {text}"),
        "ws-container-stats" => format!("Failed to stream container stats: {text}"),
        _ => format!("Failed to stream container logs: {text}"),
    });
    Opened { failure: failure.filter(|_| !id.starts_with("ws-diagnostics") && id != "ws-system-stats"), call }
}

/// Talks as a fault has it: what spoils a body elsewhere spoils the frames here.
pub(crate) async fn spoilt(mut socket: WebSocket, opened: Opened, fault: Fault) {
    let text = |size: usize| Message::Text("x".repeat(size).into());
    match fault {
        Fault::DelayBody(time) => {
            if pause(&mut socket, time).await {
                serve(socket, opened).await;
            }
        }
        Fault::CloseSocket(code) => {
            let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: "".into() }))).await;
        }
        Fault::EndlessBody => while socket.send(text(4_096)).await.is_ok() {},
        Fault::LongLine(size) => {
            let _ = socket.send(text(size)).await;
        }
        Fault::ManyLines(count) => {
            for number in 0..count {
                if socket.send(Message::Text(format!("line {number}").into())).await.is_err() {
                    return;
                }
            }
            let _ = socket.send(Message::Close(None)).await;
        }
        Fault::InvalidUtf8 => {
            let _ = socket.send(Message::Binary(vec![b'a', 0xff, 0xfe].into())).await;
        }
        _ => serve(socket, opened).await,
    }
}

/// Talks until the client goes or, in a terminal, the shell ends.
pub(crate) async fn serve(mut socket: WebSocket, opened: Opened) {
    if let Some(failure) = opened.failure {
        let id = opened.call.operation.id.as_str();
        // Statistics tell it as JSON. Where a log failed, nobody closes: the client has to notice that nothing more comes.
        let told = if id == "ws-container-stats" { json!({ "error": failure }).to_string() } else { failure };
        let sent = socket.send(Message::Text(told.into())).await.is_ok();
        if id.ends_with("-logs") {
            while sent && pause(&mut socket, Duration::from_secs(60)).await {}
        } else {
            let _ = socket.send(Message::Close(None)).await;
        }
        return;
    }
    let call = opened.call;
    match call.operation.id.as_str() {
        "ws-container-exec" => terminal(&mut socket).await,
        "ws-container-stats" => frames(&mut socket, PACE, container_stats).await,
        "ws-system-stats" => {
            let seconds = call.query("interval").and_then(|text| text.parse().ok()).unwrap_or(2).max(1);
            frames(&mut socket, Duration::from_secs(seconds), system_stats).await;
        }
        "ws-diagnostics" => frames(&mut socket, PACE, diagnostics).await,
        "ws-diagnostics-logs" => frames(&mut socket, PACE, diagnostics_log).await,
        _ => logs(&mut socket, &call).await,
    }
}

async fn logs(socket: &mut WebSocket, call: &Call) {
    let tail = match call.query("tail") {
        Some("all") => LINES,
        other => other.and_then(|text| text.parse().ok()).unwrap_or(100).min(LINES),
    };
    let lines = log_lines(call, LINES);
    let numbered: Vec<(usize, String)> = lines.into_iter().enumerate().skip(LINES - tail).collect();
    if call.flag("batched") {
        for batch in numbered.chunks(BATCH) {
            let list: Vec<Value> = batch.iter().map(|(number, line)| record(call, *number, line)).collect();
            if socket.send(Message::Text(Value::Array(list).to_string().into())).await.is_err() {
                return;
            }
        }
    } else {
        for (number, line) in &numbered {
            if socket.send(message(call, *number, line)).await.is_err() {
                return;
            }
        }
    }
    // Exactly `true` follows, and so does leaving it out. Otherwise nothing more comes, and nobody closes.
    if call.query("follow").is_none_or(|text| text == "true") {
        let follow = |number: usize| format!("web 10.0.0.9 - GET /new/{number} 200 4ms");
        let mut number = LINES;
        while pause(socket, PACE).await {
            if socket.send(message(call, number, &follow(number))).await.is_err() {
                return;
            }
            number += 1;
        }
    } else {
        while pause(socket, Duration::from_secs(60)).await {}
    }
}

fn message(call: &Call, number: usize, line: &str) -> Message {
    let line = &*of_task(call, line);
    let text = if call.query("format") == Some("json") {
        record(call, number, line).to_string()
    } else if call.flag("timestamps") {
        format!("{} {line}", log_time(number))
    } else {
        line.to_owned()
    };
    Message::Text(text.into())
}

/// Each line of a swarm service says which task wrote it.
fn of_task<'a>(call: &Call, line: &'a str) -> Cow<'a, str> {
    if call.operation.id != "ws-service-logs" {
        return line.into();
    }
    let service = call.path.last().map_or("", |(_, id)| id);
    format!("com.docker.swarm.node.id=n1,com.docker.swarm.service.id={service},com.docker.swarm.task.id=wkn9v9tg0lc1g7sfvu8v2gulr {line}")
        .into()
}

fn record(call: &Call, number: usize, line: &str) -> Value {
    json!({
        "seq": number + 1, "level": if number % 17 == 16 { "stderr" } else { "stdout" }, "message": line,
        "timestamp": log_time(number), "service": "web", "containerId": call.segment("containerId")
    })
}

/// Sends a frame at once and then one after each pause.
async fn frames(socket: &mut WebSocket, every: Duration, frame: fn(usize) -> Value) {
    let mut number = 0;
    loop {
        if socket.send(Message::Text(frame(number).to_string().into())).await.is_err() {
            return;
        }
        number += 1;
        if !pause(socket, every).await {
            return;
        }
    }
}

/// Waits; false when the client has gone. What it sends meanwhile is not wanted.
async fn pause(socket: &mut WebSocket, time: Duration) -> bool {
    let deadline = tokio::time::Instant::now() + time;
    loop {
        match tokio::time::timeout_at(deadline, socket.recv()).await {
            Err(_) => return true,
            Ok(None | Some(Err(_) | Ok(Message::Close(_)))) => return false,
            Ok(Some(Ok(_))) => {}
        }
    }
}

async fn terminal(socket: &mut WebSocket) {
    let mut shell = Shell::default();
    if socket.send(Message::Binary(Shell::PROMPT.as_bytes().to_vec().into())).await.is_err() {
        return;
    }
    while let Some(Ok(message)) = socket.recv().await {
        let typed = match message {
            Message::Text(text) => text.to_string(),
            Message::Binary(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Message::Close(_) => return,
            Message::Ping(_) | Message::Pong(_) => continue,
        };
        let output = shell.feed(&typed);
        if !output.text.is_empty() && socket.send(Message::Binary(output.text.into_bytes().into())).await.is_err() {
            return;
        }
        if output.ended {
            let _ = socket.send(Message::Close(None)).await;
            return;
        }
    }
}

fn container_stats(number: usize) -> Value {
    let usage = |number: usize| {
        json!({
            "cpu_usage": { "total_usage": 1_000_000_000 + number * 40_000_000, "usage_in_usermode": 700_000_000 },
            "system_cpu_usage": 90_000_000_000_u64 + u64::try_from(number).unwrap_or(0) * 4_000_000_000, "online_cpus": 4
        })
    };
    json!({
        "read": rfc3339(START), "cpu_stats": usage(number),
        // The first frame has nothing to compare with.
        "precpu_stats": if number == 0 { json!({}) } else { usage(number - 1) },
        "memory_stats": { "usage": 73_400_320, "limit": 536_870_912, "stats": { "inactive_file": 4_194_304 } },
        "networks": { "eth0": { "rx_bytes": 18_400_000 + number * 900, "tx_bytes": 9_200_000 + number * 400 } },
        "blkio_stats": { "io_service_bytes_recursive": [{ "op": "read", "value": 1_048_576 }] },
        "pids_stats": { "current": 7 }
    })
}

fn system_stats(number: usize) -> Value {
    json!({
        "cpuUsage": 12.5 + f64::from(u8::try_from(number % 8).unwrap_or(0)), "memoryUsage": 6_442_450_944_i64,
        "memoryTotal": 16_627_187_712_i64, "diskUsage": 210_453_397_504_i64, "diskTotal": 502_392_610_816_i64,
        "cpuCount": 4, "architecture": "amd64", "platform": "linux", "hostname": "dock-1", "gpuCount": 0, "gpus": []
    })
}

fn diagnostics(number: usize) -> Value {
    let Some(operation) = operation("get-diagnostics") else {
        return json!({});
    };
    let shape = operation.response.as_ref();
    shape.map_or_else(|| json!({}), |shape| Example { operation, row: number % 3 }.value(shape, ""))
}

fn diagnostics_log(number: usize) -> Value {
    json!({ "time": log_time(number), "level": "INFO", "message": "request served", "attrs": { "status": 200 } })
}
