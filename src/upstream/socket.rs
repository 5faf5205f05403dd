//! Sockets, read for a moment: some log lines, a sample of statistics, one command in a terminal. The upgrade goes through the same
//! client as everything else, so that TLS, proxies, credentials and refusals are the same.

use super::exchange::Arrived;
use super::log::Log;
use super::{Run, terminal};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use crate::profile::Refusal;
use crate::untrusted;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Map, Value};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};

/// How the socket of an action is spoken with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Talk {
    /// Lines come until there are enough or a pause.
    Lines,
    /// So many samples, of which the last counts.
    Samples(usize),
    /// A shell: a command goes in, its output comes out.
    Terminal,
}

/// Largest message that is taken.
const LARGEST: usize = 4 << 20;
/// How long the first message may take.
const FIRST: Duration = Duration::from_secs(8);
/// A pause that ends the reading of lines: the server keeps the socket open after the last.
const GAP: Duration = Duration::from_millis(1500);
/// How long lines are read although more keep coming.
const LONGEST: Duration = Duration::from_secs(15);
/// Lines that the server sends when no `tail` is asked for.
const USUAL_TAIL: u64 = 100;

/// The code of a gateway that did not get through, so that nothing was done behind it. What it sends is 1014, which the library does not
/// know and hands over as a violation of the protocol.
pub(super) const NO_WAY: u16 = 1002;

pub(super) type Socket = WebSocketStream<reqwest::Upgraded>;

/// What the next message turned out to be.
pub(super) enum Heard {
    Text(String),
    Bytes(Vec<u8>),
    /// Nothing came in time.
    Pause,
    /// The other end closed, as it should.
    Closed,
    /// The other end closed because of what went wrong there: code and reason (RFC 6455, 7.4).
    Gone(u16, String),
    /// The connection broke.
    Broken,
}

impl Run<'_> {
    /// Opens the socket, reads or runs what the action asks for, and closes it.
    pub(super) async fn socket(&self) -> Result<Answer, Failure> {
        let talk = self.profile.talk(self.call);
        let command = if talk == Talk::Terminal { Some(terminal::Command::new(&self.request.body)?) } else { None };
        let mut socket = self.open().await?;
        let answer = match (talk, command) {
            (Talk::Terminal, Some(command)) => self.run_command(&mut socket, &command).await,
            (Talk::Samples(wanted), _) => self.samples(&mut socket, wanted).await,
            _ => self.lines(&mut socket).await,
        };
        let _ = timeout_at(Instant::now() + Duration::from_millis(200), socket.close(None)).await;
        answer
    }

    async fn open(&self) -> Result<Socket, Failure> {
        let mut reply = self.exchange().await?;
        if reply.refused() {
            return Err(self.refused(&reply).await);
        }
        let accepted = reply.header("sec-websocket-accept") == derive_accept_key(self.socket_key.as_bytes());
        if reply.status != 101 || !accepted {
            return Err(super::decode::unexpected(self, &reply, "a plain answer", "a WebSocket"));
        }
        let Arrived::Open(response) = std::mem::replace(&mut reply.body, Arrived::Whole(Vec::new())) else {
            return Err(super::decode::unexpected(self, &reply, "nothing", "a WebSocket"));
        };
        let upgraded = response.upgrade().await;
        let upgraded =
            upgraded.map_err(|_| Failure::new(Code::UpstreamError, "The WebSocket broke off while it was opened.").next("Try again."))?;
        let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
        Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await)
    }

    async fn lines(&self, socket: &mut Socket) -> Result<Answer, Failure> {
        let argument = |name: &str| self.call.arguments.get(name);
        let follows = argument("follow") == Some(&Value::Bool(true));
        let tail = match argument("tail") {
            None => Some(USUAL_TAIL),
            Some(value) => value.as_u64().or_else(|| value.as_str().and_then(|text| text.trim().parse().ok())),
        };
        let end = self.deadline.min(Instant::now() + LONGEST);
        let mut log = Log::default();
        let mut last = String::new();
        let mut closed = false;
        let mut broken = false;
        let mut full = false;
        let mut heard = 0_u64;
        loop {
            // After what looks like a failure nothing more is to be expected, and the server may not close.
            let failed = heard > 0 && self.profile.socket_failure(&last).is_some();
            let pause = match (heard, follows && !failed) {
                (0, _) => FIRST,
                (_, true) => LONGEST,
                (_, false) => GAP,
            };
            let until = end.min(Instant::now() + pause);
            match hear(socket, until).await {
                Heard::Text(text) => last = text,
                Heard::Bytes(bytes) => last = String::from_utf8_lossy(&bytes).into_owned(),
                Heard::Pause => break,
                Heard::Closed => {
                    closed = true;
                    break;
                }
                Heard::Gone(code, reason) if heard == 0 => return Err(self.socket_gone(code, &reason)),
                Heard::Broken | Heard::Gone(..) => {
                    broken = true;
                    break;
                }
            }
            heard += 1;
            // A batch is one message with many records.
            match crate::cost::line_json(&last) {
                Some(Value::Array(records)) => records.iter().for_each(|record| log.push(&self.scrub(untrusted::log(&record.to_string())))),
                _ => log.push(&self.scrub(untrusted::log(&last))),
            }
            if !follows && tail.is_some_and(|tail| log.lines() >= tail) {
                full = log.lines() > 1;
                break;
            }
        }
        // A failure is what is said last, whether or not the socket then closes; in the middle of a log such a line is just a line.
        if !full && let Some(text) = self.profile.socket_failure(&last) {
            return Err(self.socket_failed(&text));
        }
        let id = &self.action().id;
        if broken && heard == 0 {
            let message = format!("`{id}`: the connection broke, or a message was too large to be taken, before anything had come.");
            return Err(Failure::new(Code::UpstreamError, message).next("Try again, or ask for less with a smaller `tail`."));
        }
        let outcome = if closed { "ended" } else { "snapshot" };
        let (log, mut notes) = log.finish();
        if broken {
            notes.push("The connection broke after the last line; there may be more.".into());
        } else if log.is_empty() {
            notes.push("There was nothing in the log.".into());
        }
        Ok(Answer { status: 101, body: Content::Log { outcome: outcome.into(), activity: None, log, more: Map::new() }, notes })
    }

    async fn samples(&self, socket: &mut Socket, wanted: usize) -> Result<Answer, Failure> {
        let mut found = None;
        let mut seen = 0;
        while seen < wanted.max(1) {
            let text = match hear(socket, self.deadline.min(Instant::now() + FIRST)).await {
                Heard::Text(text) => text,
                Heard::Bytes(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
                Heard::Gone(code, reason) if seen == 0 => return Err(self.socket_gone(code, &reason)),
                Heard::Pause | Heard::Closed | Heard::Broken | Heard::Gone(..) => break,
            };
            if let Some(failure) = self.profile.socket_failure(&text) {
                return Err(self.socket_failed(&failure));
            }
            if let Some(sample @ (Value::Object(_) | Value::Array(_))) = crate::cost::line_json(&text) {
                found = Some(sample);
                seen += 1;
            }
        }
        let Some(sample) = found else {
            return Err(Failure::new(
                Code::UpstreamError,
                format!("`{}` sent no sample before it closed or fell silent.", self.action().id),
            )
            .next("Check that it runs; a stopped container has no statistics."));
        };
        let mut more = Map::new();
        more.insert("sample".into(), sample);
        Ok(Answer {
            status: 101,
            body: Content::Log { outcome: "sample".into(), activity: None, log: String::new(), more },
            notes: Vec::new(),
        })
    }

    /// A socket that was closed for a reason before it said anything.
    pub(super) fn socket_gone(&self, code: u16, reason: &str) -> Failure {
        let (status, said) = match code {
            NO_WAY => (502, "WebSocket closed by a gateway (1014)".to_owned()),
            _ => (500, format!("WebSocket closed with {code}. {reason}")),
        };
        let detail = self.scrub(untrusted::line(&said, 400));
        let refusal = Refusal { status, detail: detail.trim(), problems: &[], json: None, with_key: false };
        self.said_no(&refusal).unwrap_or_else(|| {
            let why = if code == NO_WAY { ": the server did not reach what stands behind it" } else { " before anything had come" };
            Failure::new(Code::UpstreamError, format!("`{}`: the socket was closed{why}.", self.action().id))
                .said(detail.trim())
                .next("Try again in a moment; if it lasts, `callslip doctor` shows what does not answer.")
        })
    }

    /// A failure that came inside the socket.
    pub(super) fn socket_failed(&self, text: &str) -> Failure {
        let detail = self.scrub(untrusted::line(text, 400));
        let refusal = Refusal { status: 500, detail: &detail, problems: &[], json: None, with_key: false };
        self.said_no(&refusal).unwrap_or_else(|| {
            Failure::new(Code::StreamFailed, format!("`{}` failed.", self.action().id))
                .said(&*detail)
                .next("Check that what it is about exists and runs.")
        })
    }
}

/// The next message with content.
pub(super) async fn hear(socket: &mut Socket, until: Instant) -> Heard {
    loop {
        match timeout_at(until, socket.next()).await {
            Err(_) => return Heard::Pause,
            Ok(Some(Ok(Message::Text(text)))) => return Heard::Text(text.as_str().to_owned()),
            Ok(Some(Ok(Message::Binary(bytes)))) => return Heard::Bytes(bytes.to_vec()),
            Ok(Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)))) => {}
            Ok(Some(Ok(Message::Close(Some(frame))))) => {
                return match frame.code.into() {
                    // Done, going away, no code given.
                    1000 | 1001 | 1005 => Heard::Closed,
                    code => Heard::Gone(code, frame.reason.as_str().to_owned()),
                };
            }
            Ok(None | Some(Ok(Message::Close(None)))) => return Heard::Closed,
            Ok(Some(Err(_))) => return Heard::Broken,
        }
    }
}

/// Says something into the socket.
pub(super) async fn say(socket: &mut Socket, text: &str, until: Instant) -> bool {
    matches!(timeout_at(until, socket.send(Message::Binary(text.as_bytes().to_vec().into()))).await, Ok(Ok(())))
}
