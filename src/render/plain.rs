//! Answers that are no JSON: text, bytes, files, logs, nothing.

use super::{Context, Shown, object};
use crate::untrusted;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use callslip_catalog::model::{Action, Kind, Shape};
use serde_json::{Map, Value};

/// Most bytes that are handed over as base64; more is for a file.
const MOST_BYTES: usize = 64 * 1024;

/// Most bytes that stand as base64 in the text too, where nothing else is sent.
const MOST_SHOWN: usize = 4 * 1024;

/// Text for our own lines and notes.
const ROOM: usize = 2_000;

/// Text as it is.
pub fn text(context: Context<'_>, text: &str) -> Shown {
    let mut shown = Shown::default();
    if text.trim().is_empty() {
        shown.head = "The answer is an empty text.".into();
    } else {
        shown.body = fenced(context, "text", text, &mut shown.notes);
        shown.untrusted.push("text".into());
    }
    shown.structured.insert("text".into(), text.into());
    shown
}

/// A block of text, its middle left out when it is too long: logs and reports say most at both ends.
fn fenced(context: Context<'_>, name: &str, text: &str, notes: &mut Vec<String>) -> String {
    let length = text.chars().count();
    let most = context.most_text.saturating_sub(ROOM);
    if length <= most {
        return untrusted::block(text, "");
    }
    let head: String = text.chars().take(most / 2).collect();
    let tail: String = text.chars().skip(length - most / 2).collect();
    let cut = length - 2 * (most / 2);
    let whole = if context.text_only { String::new() } else { format!("; `{name}` in structuredContent has them") };
    let file =
        if context.action.returns.shape == Shape::Binary { " `saveTo` writes the answer to disk where the server allows it." } else { "" };
    notes.push(format!("{cut} characters in the middle are left out of the text{whole}.{file}"));
    format!("{}\n{cut} characters left out here.\n\n{}", untrusted::block(&head, ""), untrusted::block(&tail, ""))
}

/// Bytes that fit, as base64.
pub fn bytes(context: Context<'_>, kind: &str, data: &[u8]) -> Shown {
    let mut shown = facts(kind, data.len() as u64);
    shown.head = format!("{} bytes of {}.", data.len(), kind_name(kind));
    if data.len() > MOST_BYTES {
        shown.notes.push(format!(
            "The bytes are left out, since there are more than {MOST_BYTES}; `saveTo` writes them to disk where the server allows it."
        ));
    } else {
        shown.structured.insert("base64".into(), STANDARD.encode(data).into());
        match std::str::from_utf8(data) {
            // Keys, certificates and source files come as files and are read as text.
            Ok(text) if is_text(kind) && !text.trim().is_empty() => shown.body = fenced(context, "base64", text, &mut shown.notes),
            _ if !context.text_only => shown
                .notes
                .push("The bytes are in `base64` of structuredContent; `saveTo` writes them to disk where the server allows it.".into()),
            _ if data.len() <= MOST_SHOWN => shown.body = format!("As base64:\n\n{}", untrusted::block(&STANDARD.encode(data), "")),
            _ => shown.notes.push("The bytes are no text; `saveTo` writes them to disk where the server allows it.".into()),
        }
    }
    shown
}

fn is_text(kind: &str) -> bool {
    kind.starts_with("text/") || ["json", "yaml", "xml", "x-pem-file"].iter().any(|word| kind.contains(word))
}

/// Bytes that were written to a file.
pub fn saved(kind: &str, size: u64, path: &str) -> Shown {
    let mut shown = facts(kind, size);
    shown.head = format!("{size} bytes of {} saved to {}.", kind_name(kind), untrusted::quote(path, 1_000));
    shown.structured.insert("path".into(), path.into());
    shown
}

/// Types that may be named in a sentence.
const KNOWN_TYPES: [&str; 30] = [
    "application/gzip",
    "application/java-archive",
    "application/javascript",
    "application/json",
    "application/octet-stream",
    "application/pdf",
    "application/spdx+json",
    "application/vnd.cyclonedx+json",
    "application/x-gzip",
    "application/x-pem-file",
    "application/x-tar",
    "application/x-yaml",
    "application/x-zip-compressed",
    "application/xml",
    "application/yaml",
    "application/zip",
    "application/zstd",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/svg+xml",
    "image/vnd.microsoft.icon",
    "image/webp",
    "image/x-icon",
    "text/css",
    "text/csv",
    "text/html",
    "text/markdown",
    "text/plain",
    "text/yaml",
];

fn facts(kind: &str, size: u64) -> Shown {
    let untrusted = if kind_name(kind) == "another type" { vec!["type".to_owned()] } else { Vec::new() };
    let structured = Map::from_iter([("size".to_owned(), size.into()), ("type".to_owned(), kind.into())]);
    Shown { structured, untrusted, ..Shown::default() }
}

fn kind_name(kind: &str) -> String {
    // A type of the upstream's own making would be its words in our sentence.
    let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
    let kind = kind.trim().to_ascii_lowercase();
    if KNOWN_TYPES.contains(&&*kind) { kind } else { "another type".into() }
}

/// The end of a progress stream, or a look into a socket.
pub fn log(context: Context<'_>, outcome: &str, activity: Option<String>, log: &str, more: Map<String, Value>) -> Shown {
    let mut shown = Shown { head: format!("Outcome: {}.", untrusted::inline(outcome, 200)), ..Shown::default() };
    shown.structured.insert("outcome".into(), outcome.into());
    if let Some(activity) = activity.filter(|activity| !activity.is_empty()) {
        shown.body.push_str(&object::line("activityId", &Value::from(activity.as_str())));
        shown.structured.insert("activityId".into(), activity.into());
    }
    shown.structured.insert("log".into(), log.into());
    let mut figures = String::new();
    for (name, value) in more {
        match &value {
            // The first is what is asked for; what comes after it says the same at length.
            Value::Object(members) if figures.is_empty() => figures = object::body(context, members, &mut shown.notes),
            Value::Object(_) => {}
            _ => shown.body.push_str(&object::line(&name, &value)),
        }
        shown.structured.insert(super::free_name(&shown.structured, &name), value);
    }
    shown.untrusted = object::marked(&shown.structured);
    shown.untrusted.retain(|name| !["outcome", "log"].contains(&name.as_str()));
    if !shown.body.is_empty() {
        shown.body.insert_str(0, &format!("{}\n\n", untrusted::MARK));
    }
    if !figures.is_empty() {
        object::gap(&mut shown.body);
        shown.body.push_str(&figures);
    }
    if !log.trim().is_empty() {
        object::gap(&mut shown.body);
        shown.body.push_str(&fenced(context, "log", log, &mut shown.notes));
        shown.untrusted.push("log".into());
    }
    shown
}

/// Nothing came back, and that means done.
pub fn empty(action: &Action<'_>) -> Shown {
    let head = match (action.kind, action.returns.shape) {
        // A check that answers without a word.
        (Kind::Read, Shape::Empty) => format!("{}: all is well; the answer has nothing more to say.", action.title),
        (Kind::Read, _) => "The answer is empty.".into(),
        _ => format!("{}: done.", action.title),
    };
    Shown { structured: Map::from_iter([("done".to_owned(), true.into())]), head, ..Shown::default() }
}
