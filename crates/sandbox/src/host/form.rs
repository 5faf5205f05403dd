//! Answers in a form that no schema tells: a file as base64, a log whose lines are JSON once more.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::{call::Call, example::Example, reply::Reply, stream};

pub(super) fn answer(call: &Call) -> Option<Reply> {
    let (name, content) = match call.operation.id.as_str() {
        "builds-browse-content" => ("content", STANDARD.encode("FROM alpine:3.21\nCOPY . /app\n")),
        "get-image-build" => ("output", stream::build_log().join("\n")),
        _ => return None,
    };
    let shape = call.operation.response.as_ref()?;
    let mut value = Example { operation: call.operation, row: 0 }.value(shape, "");
    value["success"] = json!(true);
    if let Some(known) = value.pointer_mut("/data") {
        known[name] = Value::String(content);
    }
    Some(Reply::json(200, &value))
}
