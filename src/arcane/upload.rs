//! Uploads in parts: a local file is cut by the server's own part size, so that a caller only counts.

use super::{environment, plain};
use crate::call::Call;
use crate::profile::{Aside, Parts, Step, Upload};
use serde_json::{Map, Value, json};

/// Actions that take an upload, and its kind.
const TAKERS: [(&str, &str); 3] =
    [("image.upload", "image"), ("volume_backup.upload", "volume-backup"), ("build_workspace.upload", "build-workspace")];

/// The actions of an upload.
const CREATE: &str = "upload.create";
const GET: &str = "upload.get";
const PUT: &str = "upload.put_chunk";

pub(super) fn before(call: &Call) -> Option<Upload> {
    kind(call)?;
    Some(Upload {
        argument: "uploadId",
        actions: &[CREATE, GET, PUT],
        step: |call, step| match step {
            Step::Begin { name, size } => (CREATE, with(call, json!({ "filename": name, "size": size }))),
            Step::Look { id } => (GET, with(call, json!({ "uploadId": id }))),
            Step::Send { id, index, file } => (PUT, with(call, json!({ "uploadId": id, "index": index, "content": file }))),
        },
        read: |answer| {
            let data = answer.get("data").unwrap_or(answer);
            let number = |name: &str| data.get(name).and_then(Value::as_u64);
            Some(Parts {
                id: data.get("id").and_then(Value::as_str).map(plain)?,
                size: number("size")?,
                part: number("chunkSize").filter(|size| *size > 0)?,
                arrived: data.get("receivedChunks").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect(),
            })
        },
    })
}

fn kind(call: &Call) -> Option<&'static str> {
    TAKERS.iter().find(|(action, _)| *action == call.action.id).map(|(_, kind)| *kind)
}

/// The arguments of an upload: where it goes, of which kind it is, and these.
fn with(call: &Call, more: Value) -> Map<String, Value> {
    let mut arguments = Map::new();
    arguments.insert("environmentId".into(), environment(call).into());
    arguments.insert("kind".into(), kind(call).into());
    if let Value::Object(more) = more {
        arguments.extend(more);
    }
    arguments
}

pub(super) fn part_size(call: &Call) -> Option<(Aside, &'static str, u64)> {
    if call.action.id != PUT {
        return None;
    }
    let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).map(plain);
    let path = format!("/environments/{}/uploads/{}/{}", environment(call), text("kind")?, text("uploadId")?);
    let index = call.arguments.get("index")?;
    let index = index.as_u64().or_else(|| index.as_str()?.parse().ok())?;
    Some((Aside { path, post: None }, "/data/chunkSize", index))
}
