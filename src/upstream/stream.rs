//! Progress streams: one JSON line after the other, always with the status of success; the outcome is the last line. Without one nobody
//! knows how it ended, and that is what the caller is told.

use super::abandon::Abandon;
use super::exchange::Reply;
use super::log::Log;
use super::read::{Piece, piece};
use super::{Progress, Run, decode};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use crate::profile::Refusal;
use crate::untrusted;
use callslip_catalog::model::Kind;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::Instant;

/// Longest line that is read whole; the rest of a longer one is skipped.
const LONGEST_LINE: usize = 4 << 20;
/// Least time between two reports of progress.
const PACE: Duration = Duration::from_millis(300);
/// How long a feed that never ends is read.
const SNAPSHOT: Duration = Duration::from_secs(5);
/// How long such a feed may pause once it has said something.
const GAP: Duration = Duration::from_secs(2);
/// Most parts (image layers) whose progress is added up.
const MOST_PARTS: usize = 2000;

/// What a line says.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The work goes on under this id.
    Activity(String),
    /// A line for the log.
    Text(String),
    /// So much of a part is done.
    #[expect(missing_docs, reason = "the names say it")]
    Part { id: String, current: f64, total: f64, text: String },
    /// It ended well.
    Done,
    /// It ended badly.
    Failed(String),
    /// Nothing worth keeping.
    Silent,
}

/// The reading of a line that any API could have written: an object with `error` or `done`, else text.
pub fn plain_event(line: &str) -> Event {
    let value = crate::cost::line_json(line).unwrap_or_default();
    match (value.get("error").and_then(Value::as_str), value.get("done")) {
        (Some(error), _) => Event::Failed(error.to_owned()),
        (None, Some(Value::Bool(true))) => Event::Done,
        _ => Event::Text(line.to_owned()),
    }
}

/// How the reading of a stream ended.
enum End {
    Done,
    Failed(String),
    /// It closed without saying how.
    Silent,
    Broken,
    Late,
    /// A feed without end was read for long enough.
    Enough,
}

/// What is known while a stream is read.
struct Reading<'p> {
    log: Log,
    activity: Option<String>,
    parts: BTreeMap<String, (f64, f64)>,
    progress: Option<&'p dyn Progress>,
    reported: Option<Instant>,
    highest: f64,
}

impl Run<'_> {
    /// Sends the request and reads the stream to its outcome.
    pub(super) async fn stream(&self, progress: Option<&dyn Progress>) -> Result<Answer, Failure> {
        let mut reply = self.exchange().await?;
        if reply.refused() {
            return Err(self.refused(&reply).await);
        }
        let kind = decode::essence(reply.header("content-type"));
        if decode::is_json(&kind) || kind.contains("html") {
            return self.content(reply).await;
        }
        let mut reading = Reading { log: Log::default(), activity: None, parts: BTreeMap::new(), progress, reported: None, highest: 0.0 };
        let mut abandon = Abandon::new(self);
        let end = self.follow_stream(&mut reply, &mut reading, &mut abandon).await;
        abandon.disarm();
        self.outcome(reply.status, end, reading)
    }

    async fn follow_stream(&self, reply: &mut Reply, reading: &mut Reading<'_>, abandon: &mut Abandon<'_>) -> End {
        let Some(mut response) = reply.take_open() else { return End::Silent };
        let feed = self.action().kind == Kind::Read;
        let until = if feed && self.action().deadline == 0 { self.deadline.min(Instant::now() + SNAPSHOT) } else { self.deadline };
        let mut lines = Lines::default();
        loop {
            // Work may wait in a queue for minutes before it says anything: only its deadline ends it. A feed ends at a pause.
            let pause = if feed && reading.log.lines() > 0 { GAP } else { Duration::from_secs(24 * 3600) };
            let bytes = match piece(&mut response, pause, until).await {
                Piece::Some(bytes) => bytes,
                Piece::End => {
                    let last = lines.rest();
                    let end = if last.trim().is_empty() { None } else { self.take(&last, reading, abandon) };
                    return end.unwrap_or(if feed { End::Enough } else { End::Silent });
                }
                Piece::Stalled => return End::Enough,
                Piece::Late => return if feed { End::Enough } else { End::Late },
                Piece::Broken(_) => return End::Broken,
            };
            for line in lines.split(&bytes) {
                if let Some(end) = self.take(&line, reading, abandon) {
                    return end;
                }
            }
        }
    }

    /// Takes in one line; `Some`: it was the last one that matters.
    fn take(&self, line: &str, reading: &mut Reading<'_>, abandon: &mut Abandon<'_>) -> Option<End> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        match self.profile.event(line) {
            // An id that is none is not worth a sentence that names it.
            Event::Activity(id) if !untrusted::is_id(&id) => {}
            Event::Activity(id) => {
                abandon.arm(&id);
                // Whoever gives the call up later gets no answer any more: the way to end the work is said while it runs.
                if let Some((cancel, _)) = self.profile.cancel(self.call, &id) {
                    reading.report(&format!("activity {id}; {cancel} ends it"), None);
                }
                reading.activity = Some(id);
            }
            Event::Text(text) => {
                let text = self.scrub(untrusted::log(&text));
                reading.report(&text, None);
                reading.log.push(&text);
            }
            Event::Part { id, current, total, text } => reading.part(id, current, total, &text),
            Event::Done => return Some(End::Done),
            Event::Failed(text) => return Some(End::Failed(text)),
            Event::Silent => {}
        }
        None
    }

    fn outcome(&self, status: u16, end: End, reading: Reading<'_>) -> Result<Answer, Failure> {
        let id = &self.action().id;
        let activity = reading.activity;
        let (log, notes) = reading.log.finish();
        let follow = activity.as_deref().and_then(|activity| self.profile.follow(self.call, activity));
        let done = |outcome: &str, notes: Vec<String>| {
            let body = Content::Log { outcome: outcome.to_owned(), activity: activity.clone(), log: log.clone(), more: Map::new() };
            Ok(Answer { status, body, notes })
        };
        let mut failure = match end {
            End::Done => return done("done", notes),
            End::Enough => return done("snapshot", notes),
            End::Failed(text) => {
                let detail = self.scrub(untrusted::line(&text, 400));
                let refusal = Refusal { status: 500, detail: &detail, problems: &[], json: None, with_key: false };
                self.said_no(&refusal).unwrap_or_else(|| {
                    let failure = Failure::new(Code::StreamFailed, format!("`{id}` began and then failed.")).said(&*detail);
                    failure.next("Mend what the message names, then try again; `log` holds what was said before.")
                })
            }
            End::Late => {
                let limit = super::exchange::seconds(self.limit());
                Failure::new(Code::Timeout, format!("`{id}` had not ended after {limit} s; the work goes on without anyone reading."))
                    .next("Look at it later rather than starting it again.")
            }
            End::Silent | End::Broken => Failure::new(
                Code::OutcomeUnknown,
                format!("The stream of `{id}` broke off without saying how it ended; the work may be going on, and it was not sent again."),
            ),
        };
        if let Some(step) = follow {
            failure.next.insert(0, step);
        }
        if failure.code == Code::OutcomeUnknown {
            // Also beside the first: whoever is not offered the activities needs another way to look.
            failure = self.follow(failure.next("Look at the result before you try again."));
        }
        if failure.code == Code::Timeout
            && let Some((cancel, _)) = activity.as_deref().and_then(|activity| self.profile.cancel(self.call, activity))
        {
            failure = failure.next(format!("`{cancel}` ends it, if it is no longer wanted."));
        }
        if let Some(activity) = activity {
            failure.more.insert("activityId".into(), activity.into());
        }
        if !log.is_empty() {
            failure.more.insert("log".into(), log.into());
        }
        Err(failure)
    }
}

impl Reading<'_> {
    fn part(&mut self, id: String, current: f64, total: f64, text: &str) {
        if self.parts.len() < MOST_PARTS || self.parts.contains_key(&id) {
            self.parts.insert(id, (current, total));
        }
        let (current, total) = self.parts.values().fold((0.0, 0.0), |sum, part| (sum.0 + part.0, sum.1 + part.1));
        self.report(text, Some((100.0 * current / total).clamp(0.0, 100.0)));
    }

    fn report(&mut self, text: &str, percent: Option<f64>) {
        let Some(progress) = self.progress else { return };
        if self.reported.is_some_and(|last| last.elapsed() < PACE) {
            return;
        }
        self.reported = Some(Instant::now());
        // A protocol with progress wants it to grow: a new layer lowers the share, lines only count up.
        let total = percent.map(|_| 100.0);
        self.highest = match percent {
            Some(percent) => self.highest.max(percent.floor()),
            None if self.parts.is_empty() => self.highest + 1.0,
            None => self.highest,
        };
        progress.report(self.highest, total.or((!self.parts.is_empty()).then_some(100.0)), &untrusted::line(text, 120));
    }
}

/// Bytes to lines: a line ends with a line feed, wherever the pieces were cut, and has a longest length.
#[derive(Debug, Default)]
struct Lines {
    open: Vec<u8>,
}

impl Lines {
    fn split(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LONGEST_LINE.saturating_sub(self.open.len());
            self.open.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                lines.push(self.rest());
            }
        }
        lines
    }

    fn rest(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.open)).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive_any_cut() {
        let text = "{\"log\":\"é\"}\r\n\n{\"done\":true}\nrest";
        for size in 1..text.len() {
            let mut lines = Lines::default();
            let mut found: Vec<_> = text.as_bytes().chunks(size).flat_map(|chunk| lines.split(chunk)).collect();
            found.push(lines.rest());
            assert_eq!(found.iter().map(|line| line.trim()).collect::<Vec<_>>(), ["{\"log\":\"é\"}", "", "{\"done\":true}", "rest"]);
        }
    }
}
