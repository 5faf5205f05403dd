//! Upload sessions: a file arrives in chunks, each of which may be sent again.

use serde_json::{Value, json};

use super::World;
use crate::{
    call::Call,
    identity,
    moment::{START, rfc3339},
    problem::{plain, problem},
    reply::Reply,
};

const DEFAULT_CHUNK: u64 = 10 * 1_024 * 1_024;
const SMALLEST_CHUNK: u64 = 1_024 * 1_024;
const LARGEST_CHUNK: u64 = 50 * 1_024 * 1_024;

/// One session.
#[derive(Debug, Clone)]
pub(crate) struct Upload {
    pub id: String,
    kind: String,
    filename: String,
    size: u64,
    chunk: u64,
    created: i64,
    received: Vec<u64>,
}

impl Upload {
    /// One session that waits for its only chunk, and one that has it.
    pub fn examples() -> Vec<Self> {
        let make = |number: u8, received: &[u64]| Self {
            id: identity::uuid(&format!("uploadId {number}")),
            kind: "image".to_owned(),
            filename: format!("image-{number}.tar"),
            size: 5,
            chunk: SMALLEST_CHUNK,
            created: START,
            received: received.to_vec(),
        };
        vec![make(0, &[]), make(1, &[0])]
    }

    fn chunks(&self) -> u64 {
        self.size.div_ceil(self.chunk).max(1)
    }

    pub fn complete(&self) -> bool {
        u64::try_from(self.received.len()).is_ok_and(|received| received == self.chunks())
    }

    fn json(&self) -> Value {
        json!({
            "id": self.id, "kind": self.kind, "filename": self.filename, "size": self.size, "chunkSize": self.chunk,
            "totalChunks": self.chunks(), "receivedChunks": self.received, "complete": self.complete(),
            "createdAt": rfc3339(self.created)
        })
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    match call.operation.id.as_str() {
        "create-upload-session" => {
            let number = |name: &str| call.body.get(name).and_then(Value::as_u64).unwrap_or(0);
            let chunk = if number("chunkSize") == 0 { DEFAULT_CHUNK } else { number("chunkSize") };
            let upload = Upload {
                created: world.tick(),
                id: identity::uuid(&world.fresh("upload")),
                kind: call.segment("kind").to_owned(),
                filename: call.text("filename").unwrap_or_default().to_owned(),
                size: number("size"),
                chunk: chunk.clamp(SMALLEST_CHUNK, LARGEST_CHUNK),
                received: Vec::new(),
            };
            let value = upload.json();
            world.uploads.push(upload);
            Some(Reply::data(&value))
        }
        "get-upload-session" | "delete-upload-session" | "upload-chunk" => {
            let wanted = call.segment("uploadId");
            let Some(place) = world.uploads.iter().position(|upload| upload.id == wanted) else {
                return (!call.switches.lenient_ids).then(|| problem(404, "upload session not found"));
            };
            if call.operation.id == "delete-upload-session" {
                world.uploads.remove(place);
                return Some(Reply::data(&json!({ "message": "Upload deleted" })));
            }
            if call.operation.id == "upload-chunk" {
                return Some(chunk(&mut world.uploads[place], call));
            }
            Some(Reply::data(&world.uploads[place].json()))
        }
        "upload-image" | "upload-volume-backup" | "builds-browse-upload" if !call.switches.lenient_ids => {
            let wanted = call.text("uploadId")?;
            match world.uploads.iter().position(|upload| upload.id == wanted) {
                Some(place) if world.uploads[place].complete() => {
                    world.uploads.remove(place);
                    None
                }
                Some(_) => Some(problem(409, "the upload is not complete")),
                None => Some(problem(404, "upload session not found")),
            }
        }
        _ => None,
    }
}

fn chunk(upload: &mut Upload, call: &Call) -> Reply {
    let Some(index) = call.segment("index").parse().ok().filter(|index| *index < upload.chunks()) else {
        return problem(400, "chunk index out of range");
    };
    let wanted = if index + 1 == upload.chunks() { upload.size - index * upload.chunk } else { upload.chunk };
    let have = u64::try_from(call.raw.len()).unwrap_or(u64::MAX);
    if have > LARGEST_CHUNK {
        return plain(413, "chunk too large");
    }
    if have != wanted {
        return problem(400, format!("chunk {index} has {have} bytes, expected {wanted}"));
    }
    if !upload.received.contains(&index) {
        upload.received.push(index);
        upload.received.sort_unstable();
    }
    Reply::data(&upload.json())
}
