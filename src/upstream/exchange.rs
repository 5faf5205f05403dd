//! One request and its answer, sent again only where that is harmless: reads, when the connection failed or the server was busy.

use super::{Run, fault};
use crate::error::{Code, Failure};
use callslip_catalog::model::{Kind, Shape};
use reqwest::header::HeaderMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout_at};

/// How often a read is sent at most.
const ATTEMPTS: u32 = 3;
/// First pause between two attempts; it doubles.
const PAUSE: Duration = Duration::from_millis(200);
/// Longest wait that an answer may ask for and get; for more the caller decides.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// An answer: refusals are read already, successes may still be on their way.
pub(super) struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Arrived,
}

/// How much of a body is here.
pub(super) enum Arrived {
    /// All of it, of a refusal what the cap let through.
    Whole(Vec<u8>),
    /// The head only.
    Open(reqwest::Response),
}

impl Reply {
    /// Whether the upstream said no, or pointed elsewhere.
    pub fn refused(&self) -> bool {
        self.status >= 300
    }

    /// A header as text.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as far as it is here.
    pub fn bytes(&self) -> &[u8] {
        match &self.body {
            Arrived::Whole(bytes) => bytes,
            Arrived::Open(_) => &[],
        }
    }

    /// The body as far as it is here, taken out once.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        match &mut self.body {
            Arrived::Whole(bytes) => std::mem::take(bytes),
            Arrived::Open(_) => Vec::new(),
        }
    }

    /// The response whose body has not been read yet, taken out once.
    pub fn take_open(&mut self) -> Option<reqwest::Response> {
        match std::mem::replace(&mut self.body, Arrived::Whole(Vec::new())) {
            Arrived::Open(response) => Some(response),
            whole @ Arrived::Whole(_) => {
                self.body = whole;
                None
            }
        }
    }

    /// Size of the body as the upstream announces it.
    pub fn length(&self) -> Option<u64> {
        match &self.body {
            Arrived::Open(response) => response.content_length(),
            Arrived::Whole(bytes) => Some(bytes.len() as u64),
        }
    }

    /// How long the upstream asks to wait; dates are taken as "not said".
    pub fn retry_after(&self) -> Option<Duration> {
        self.header("retry-after").trim().parse().ok().map(Duration::from_secs)
    }
}

/// Why an attempt gave no answer.
pub(super) struct Trouble {
    pub failure: Failure,
    /// Sending a read again may help.
    pub passing: bool,
}

impl Run<'_> {
    /// Sends the request; again, when it is a read and the trouble may pass.
    pub(super) async fn exchange(&self) -> Result<Reply, Failure> {
        let clients = &self.upstream.clients;
        let socket = self.action().returns.shape == Shape::Socket;
        let client = if socket { clients.sockets(self.settings())? } else { clients.requests(self.settings())? };
        let repeatable = self.action().kind == Kind::Read;
        let mut attempt = 1;
        loop {
            let outcome = self.attempt(&client).await;
            let last = !repeatable || attempt >= ATTEMPTS;
            let wait = match &outcome {
                Ok(reply) if !last && matches!(reply.status, 429 | 502 | 503 | 504) => match (reply.status, reply.retry_after()) {
                    // Being told to slow down without being told how long is left to the caller.
                    (429, None) => return outcome.map_err(|trouble| trouble.failure),
                    (_, Some(asked)) => asked,
                    (_, None) => pause(attempt),
                },
                Err(trouble) if !last && trouble.passing => pause(attempt),
                _ => return outcome.map_err(|trouble| trouble.failure),
            };
            if wait > LONGEST_WAIT || Instant::now() + wait >= self.deadline {
                return outcome.map_err(|trouble| trouble.failure);
            }
            drop(outcome);
            sleep(wait).await;
            attempt += 1;
        }
    }

    async fn attempt(&self, client: &reqwest::Client) -> Result<Reply, Trouble> {
        let request = self.prepare(client, self.request).map_err(|failure| Trouble { failure, passing: false })?;
        let response = match timeout_at(self.deadline, request.send()).await {
            Err(_) => return Err(Trouble { failure: self.late("no answer came"), passing: false }),
            Ok(Err(error)) => return Err(fault::sending(self, &error)),
            Ok(Ok(response)) => response,
        };
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let open = matches!(self.action().returns.shape, Shape::Binary | Shape::Text | Shape::Stream | Shape::Socket);
        if status < 300 && open {
            return Ok(Reply { status, headers, body: Arrived::Open(response) });
        }
        let most = if status < 300 { super::read::LARGEST_JSON } else { super::read::LARGEST_REFUSAL };
        let bytes = self.read(response, most, status).await?;
        Ok(Reply { status, headers, body: Arrived::Whole(bytes) })
    }

    /// The failure of a call whose time is over.
    pub(super) fn late(&self, what: &str) -> Failure {
        let action = self.action();
        let message = format!("`{}`: {what} within {} s.", action.id, seconds(self.limit()));
        let failure = Failure::new(Code::Timeout, message);
        if action.kind == Kind::Read {
            return failure.next("Try again, ask for less at once, or start the server with a longer `--timeout`.");
        }
        self.follow(failure.next("The work may still be going on: look at its result before you try again."))
    }

    /// Names the actions that show how far a change got.
    pub(super) fn follow(&self, mut failure: Failure) -> Failure {
        let looks = self.action().related.iter().filter(|id| id.ends_with(".get") || id.ends_with(".list"));
        let looks: Vec<_> = looks.take(2).map(|id| format!("`{id}`")).collect();
        if !looks.is_empty() {
            failure = failure.next(format!("{} shows the present state.", looks.join(" or ")));
        }
        failure
    }
}

/// Seconds as people write them.
pub(super) fn seconds(time: Duration) -> String {
    if time < Duration::from_secs(2) { format!("{:.1}", time.as_secs_f32()) } else { time.as_secs().to_string() }
}

/// A pause that grows with the attempts and differs between callers, so that many who failed together do not come back together.
fn pause(attempt: u32) -> Duration {
    let whole = PAUSE * 2_u32.pow(attempt.min(6) - 1);
    // A fresh hasher has a random key: the one source of randomness the standard library has.
    let random = RandomState::new().build_hasher().finish();
    whole / 2 + whole.mul_f64(f64::from(u32::try_from(random % 1000).unwrap_or(0)) / 2000.0)
}
