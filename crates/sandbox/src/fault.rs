//! Faults: what a network, a proxy or a failing server does to an answer. Each is asked for by a test, for one operation
//! or for all.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::body::Bytes;
use futures_util::{StreamExt, stream};

use crate::{
    compression,
    reply::{Chunks, Content, Reply},
    wire::Control,
};

/// Something that goes wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// This answer instead; the operation is not carried out.
    Answer {
        /// The status.
        status: u16,
        /// The content type.
        content_type: String,
        /// The body.
        body: String,
    },
    /// A proxy's page with this status; the operation is not carried out.
    Html(u16),
    /// 302 to this address; the operation is not carried out.
    Redirect(String),
    /// These bytes on the wire instead of an HTTP response (garbled chunks, half a status line), then the end.
    Raw(Vec<u8>),
    /// Half of the body, with the right length for that half.
    TruncatedJson,
    /// The headers of success and no body.
    EmptyBody,
    /// The body is no UTF-8.
    InvalidUtf8,
    /// The connection is reset after this many bytes of the response, headers included.
    ResetAfter(usize),
    /// The connection is reset as soon as the request was read and carried out.
    Reset,
    /// The headers come this much later.
    DelayHeaders(Duration),
    /// The headers come at once, the body this much later.
    DelayBody(Duration),
    /// The body comes in pieces of this many bytes, with a pause before each.
    Trickle {
        /// Bytes in a piece.
        chunk: usize,
        /// Time before each piece.
        pause: Duration,
    },
    /// The body never ends.
    EndlessBody,
    /// `Content-Length` is wrong by this much.
    WrongLength(i64),
    /// A small gzip body that unpacks to this many bytes.
    GzipBomb(usize),
    /// A socket is closed at once, with this code.
    CloseSocket(u16),
    /// A stream ends without its outcome; another body without its last byte.
    CutStream,
    /// The last line of a stream is an error that is no JSON, as Go's quoting makes it.
    InvalidErrorLine,
    /// The last line of a stream is an error with this text.
    ErrorLine(String),
    /// A stream has a line of this many bytes before its outcome.
    LongLine(usize),
    /// A stream has this many more lines before its outcome.
    ManyLines(usize),
}

impl Fault {
    /// 500 as Arcane writes it, with this detail.
    pub fn problem(status: u16, detail: &str) -> Self {
        let body = serde_json::json!({ "title": "Error", "status": status, "detail": detail });
        Self::Answer { status, content_type: "application/problem+json".to_owned(), body: body.to_string() }
    }

    /// The answer of a fault that leaves the operation undone.
    pub(crate) fn instead(&self) -> Option<Reply> {
        match self {
            Self::Answer { status, content_type, body } => Some(Reply::bytes(*status, content_type, body.clone().into_bytes())),
            Self::Html(status) => {
                let page = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body><h1>Gateway</h1>\
                            <p>Please sign in to go on.</p></body></html>\n";
                Some(Reply::bytes(*status, "text/html; charset=utf-8", page.as_bytes().to_vec()))
            }
            Self::Redirect(address) => Some(Reply::empty(302).header("location", address.clone())),
            Self::Raw(_) => Some(Reply::empty(200)),
            _ => None,
        }
    }

    /// Spoils an answer.
    pub(crate) async fn spoil(self, mut reply: Reply, control: &Control) -> Reply {
        match self {
            Self::Answer { .. } | Self::Html(_) | Self::Redirect(_) | Self::CloseSocket(_) => {}
            Self::Raw(bytes) => control.replace(bytes),
            Self::Reset => control.reset_after(0),
            Self::ResetAfter(bytes) => control.reset_after(bytes),
            Self::DelayHeaders(time) => tokio::time::sleep(time).await,
            Self::EmptyBody => reply.content = Content::Whole(Vec::new()),
            Self::TruncatedJson => {
                let mut bytes = whole(reply.content);
                bytes.truncate(bytes.len() / 2);
                reply.content = Content::Whole(bytes);
            }
            Self::InvalidUtf8 => {
                let mut bytes = whole(reply.content);
                let middle = bytes.len() / 2;
                bytes.splice(middle..middle, [0xff, 0xfe]);
                reply.content = Content::Whole(bytes);
            }
            Self::DelayBody(time) => {
                reply.content = Content::Chunks(late(pieces(reply.content), time));
            }
            Self::Trickle { chunk, pause } => {
                reply.content = Content::Chunks(trickle(reply.content, chunk, pause));
            }
            Self::EndlessBody => reply.content = Content::Chunks(endless(reply.content)),
            Self::WrongLength(by) => {
                let bytes = whole(reply.content);
                let length = i64::try_from(bytes.len()).unwrap_or(0).saturating_add(by).max(0);
                // As a stream, so that the server does not set the true length itself; and ending late, so that what is
                // there leaves before the server notices what is missing.
                let end = late(Box::pin(stream::empty()), Duration::from_millis(30));
                reply.content = Content::Chunks(Box::pin(stream::iter([Bytes::from(bytes)]).chain(end)));
                reply = reply.header("content-length", length.to_string());
            }
            Self::GzipBomb(size) => {
                reply.content = Content::Whole(compression::bomb(size));
                reply = reply.header("content-encoding", "gzip");
            }
            Self::CutStream => reply.content = replace_end(reply.content, &[]),
            Self::InvalidErrorLine => {
                reply.content = replace_end(reply.content, &[br#"{"error":"\x1b[31mfailed to build\x1b[0m: \a"}"#.to_vec()]);
            }
            Self::ErrorLine(text) => {
                let line = serde_json::json!({ "error": text }).to_string();
                reply.content = replace_end(reply.content, &[line.into_bytes()]);
            }
            Self::LongLine(size) => {
                let line = serde_json::json!({ "log": "x".repeat(size) }).to_string();
                reply.content = before_end(reply.content, std::iter::once(line));
            }
            Self::ManyLines(count) => {
                let line = |number| serde_json::json!({ "log": format!("line {number}") }).to_string();
                reply.content = before_end(reply.content, (0..count).map(line));
            }
        }
        reply
    }
}

fn pieces(content: Content) -> Chunks {
    match content {
        Content::Whole(bytes) => Box::pin(stream::iter([Bytes::from(bytes)])),
        Content::Lines(lines) => Box::pin(stream::iter(lines.into_iter().map(Bytes::from))),
        Content::Chunks(chunks) => chunks,
    }
}

/// What is there at once; an endless answer counts as nothing.
fn whole(content: Content) -> Vec<u8> {
    match content {
        Content::Whole(bytes) => bytes,
        Content::Lines(lines) => lines.concat(),
        Content::Chunks(_) => Vec::new(),
    }
}

fn late(chunks: Chunks, time: Duration) -> Chunks {
    let wait = stream::once(async move {
        tokio::time::sleep(time).await;
        Bytes::new()
    });
    Box::pin(wait.filter(|bytes| std::future::ready(!bytes.is_empty())).chain(chunks))
}

fn trickle(content: Content, chunk: usize, pause: Duration) -> Chunks {
    let bytes = whole(content);
    let parts: Vec<Bytes> = bytes.chunks(chunk.max(1)).map(Bytes::copy_from_slice).collect();
    Box::pin(stream::iter(parts).then(move |part| async move {
        tokio::time::sleep(pause).await;
        part
    }))
}

fn endless(content: Content) -> Chunks {
    let first = match content {
        Content::Lines(mut lines) => {
            lines.pop();
            lines.concat()
        }
        other => {
            let mut bytes = whole(other);
            bytes.pop();
            bytes
        }
    };
    let blanks = stream::repeat_with(|| Bytes::from_static(&[b' '; 16_384]));
    Box::pin(stream::iter([Bytes::from(first)]).chain(blanks))
}

fn replace_end(content: Content, lines: &[Vec<u8>]) -> Content {
    match content {
        Content::Lines(mut all) => {
            all.pop();
            all.extend(lines.iter().map(|line| [line.as_slice(), b"\n"].concat()));
            Content::Lines(all)
        }
        other => {
            let mut bytes = whole(other);
            bytes.pop();
            Content::Whole(bytes)
        }
    }
}

fn before_end(content: Content, lines: impl Iterator<Item = String>) -> Content {
    match content {
        Content::Lines(mut all) => {
            let place = all.len().saturating_sub(1);
            all.splice(place..place, lines.map(|line| (line + "\n").into_bytes()));
            Content::Lines(all)
        }
        other => other,
    }
}

/// The faults that are set.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    set: Mutex<Vec<Planned>>,
}

#[derive(Debug)]
struct Planned {
    operation: Option<String>,
    fault: Fault,
    left: Option<usize>,
}

impl Faults {
    pub fn add(&self, operation: Option<&str>, fault: Fault, times: Option<usize>) {
        let planned = Planned { operation: operation.map(str::to_owned), fault, left: times };
        self.set.lock().unwrap_or_else(PoisonError::into_inner).push(planned);
    }

    pub fn clear(&self) {
        self.set.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The first fault that concerns this operation; one use of it is spent.
    pub fn take(&self, operation: Option<&str>) -> Option<Fault> {
        let mut set = self.set.lock().unwrap_or_else(PoisonError::into_inner);
        let concerns = |planned: &Planned| planned.operation.is_none() || planned.operation.as_deref() == operation;
        let place = set.iter().position(|planned| concerns(planned) && planned.left != Some(0))?;
        if let Some(left) = &mut set[place].left {
            *left -= 1;
        }
        Some(set[place].fault.clone())
    }
}
