//! Uploads in parts: a local file is cut by the server's own part size, so that a caller only counts.

use super::{environment, plain};
use crate::call::Call;
use crate::profile::Aside;
use serde_json::Value;

pub(super) fn part_size(call: &Call) -> Option<(Aside, &'static str, u64)> {
    if call.action.id != "upload.put_chunk" {
        return None;
    }
    let text = |name: &str| call.arguments.get(name).and_then(Value::as_str).map(plain);
    let path = format!("/environments/{}/uploads/{}/{}", environment(call), text("kind")?, text("uploadId")?);
    let index = call.arguments.get("index")?;
    let index = index.as_u64().or_else(|| index.as_str()?.parse().ok())?;
    Some((Aside { path, post: None }, "/data/chunkSize", index))
}
