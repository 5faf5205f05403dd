//! Who is asked before a call is sent and told when it is over: counting, records and figures of a served API, without the road of a call
//! knowing of any of them.

use crate::answer::Answer;
use crate::app::App;
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::request::Request;
use crate::untrusted;
use crate::upstream::Progress;
use crate::upstream::address::Address;
use callslip_catalog::model::Kind;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// Longest name in a record that a caller made up.
const MOST_ASKED: usize = 80;

/// An admitted call, while it runs.
#[derive(Debug, Default)]
pub struct Ticket {
    /// Tells it apart, so that it can be taken back whether or not it is known to be counted.
    pub number: u128,
    /// Its place among those that may run at a time.
    pub place: Option<OwnedSemaphorePermit>,
}

/// Counts and records calls.
pub trait Watch: Send + Sync {
    /// Counts a call that nothing else stands against, or refuses it.
    fn admit(&self, kind: Kind) -> BoxFuture<'_, Result<Ticket, Failure>>;

    /// Takes an admitted call back: it was refused after all, before anything was sent.
    fn take_back<'a>(&'a self, kind: Kind, ticket: &'a Ticket) -> BoxFuture<'a, ()>;

    /// Whether a number that serves once has not served at any other replica; `None`: nobody can tell.
    fn first_use<'a>(&'a self, _number: &'a [u8], _life: Duration) -> BoxFuture<'a, Option<bool>> {
        async { Some(true) }.boxed()
    }

    /// A call is over.
    fn ended(&self, ended: &Ended<'_>);

    /// A search is over.
    fn found(&self, took: Duration);

    /// The request is wanted in [`Ended`].
    fn wants_request(&self) -> bool {
        false
    }

    /// Callers must not learn where the upstream is.
    fn hides_upstream(&self) -> bool {
        false
    }
}

/// What is known of a call at its end.
#[derive(Debug)]
pub struct Ended<'a> {
    /// Id of the action; empty where the call named none that there is.
    pub action: &'a str,
    /// Its kind.
    pub kind: Option<Kind>,
    /// What the caller wrote instead, one line; empty where there is an action.
    pub asked: &'a str,
    /// `ok`, `cancelled`, `unknown`, `asked` or `refused` by a person, or the code of the failure.
    pub outcome: &'a str,
    /// Status of the upstream, when it answered.
    pub status: Option<u16>,
    /// How long it took.
    pub took: Duration,
    /// What was sent, secrets masked; only when it is wanted.
    pub request: Option<Value>,
}

/// Sends a call through the watch of the API, if there is one.
pub async fn send(app: &App, call: &Call, request: &Request, progress: Option<&dyn Progress>) -> Result<Answer, Failure> {
    // Boxed, as it is large: every future around it would be, and each of them is moved several times before it runs.
    let sending = Box::pin(app.upstream.send(&app.catalog, call, request, progress));
    let Some(watch) = app.watch.clone() else {
        return sending.await;
    };
    let kind = call.action.kind;
    let mut record = Record { watch: &*watch, call, request, started: Instant::now(), written: false };
    let ticket = match watch.admit(kind).await {
        Ok(ticket) => ticket,
        Err(failure) => {
            record.write(failure.code.name(), None);
            return Err(failure);
        }
    };
    match sending.await {
        Ok(answer) => {
            record.write("ok", Some(answer.status));
            Ok(answer)
        }
        Err(mut failure) => {
            if unsent(&failure) {
                watch.take_back(kind, &ticket).await;
            }
            if watch.hides_upstream() {
                hide(app, &mut failure);
            }
            record.write(failure.code.name(), failure.status);
            Err(failure)
        }
    }
}

/// Failures that come before anything is sent.
fn unsent(failure: &Failure) -> bool {
    failure.status.is_none() && matches!(failure.code, Code::Unauthorized | Code::NotSupported | Code::InvalidArguments | Code::TooOld)
}

/// Takes the address of the upstream out of a failure.
fn hide(app: &App, failure: &mut Failure) {
    let Ok(address) = Address::parse(app.api(), app.upstream.settings().url.as_deref()) else { return };
    let title = format!("the server of {}", app.api().title);
    failure.message = failure.message.replace(&address.origin, &title);
    for step in failure.next.iter_mut().chain(&mut *failure.said) {
        *step = step.replace(&address.origin, &title);
    }
}

/// The record of one call; written also when the call is dropped on its way, because the client went away.
struct Record<'a> {
    watch: &'a dyn Watch,
    call: &'a Call,
    request: &'a Request,
    started: Instant,
    written: bool,
}

impl Record<'_> {
    fn write(&mut self, outcome: &str, status: Option<u16>) {
        self.written = true;
        let request = self.watch.wants_request().then(|| self.request.shown());
        let (action, kind) = (&*self.call.action.id, Some(self.call.action.kind));
        self.watch.ended(&Ended { action, kind, asked: "", outcome, status, took: self.started.elapsed(), request });
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if !self.written {
            self.write("cancelled", None);
        }
    }
}

/// A call that may yet be refused before it comes to [`send`].
pub struct Refused {
    action: String,
    kind: Kind,
    started: Instant,
}

impl Refused {
    /// Remembers what a record needs.
    pub fn of(app: &App, call: &Call) -> Option<Self> {
        app.watch.is_some().then(|| Self { action: call.action.id.to_string(), kind: call.action.kind, started: Instant::now() })
    }

    /// Records a refusal. There is no request to show: a refused call may not have been checked, and what is secret in
    /// it is not known.
    pub fn record(&self, app: &App, failure: &Failure) {
        self.write(app, failure.code.name());
    }

    /// Records a call that a person was asked about: `asked`, or `refused` when they did not agree.
    pub fn write(&self, app: &App, outcome: &str) {
        if let Some(watch) = &app.watch {
            let (kind, took) = (Some(self.kind), self.started.elapsed());
            watch.ended(&Ended { action: &self.action, kind, asked: "", outcome, status: None, took, request: None });
        }
    }
}

/// Records a tool call that led to no action; `asked`: the name that was written.
pub fn unresolved(app: &App, asked: &str, failure: Option<&Failure>) {
    let Some(watch) = &app.watch else { return };
    let outcome = match failure.map(|failure| failure.code) {
        None | Some(Code::UnknownAction) => "unknown",
        Some(code) => code.name(),
    };
    let asked = untrusted::line(asked, MOST_ASKED);
    watch.ended(&Ended { action: "", kind: None, asked: &asked, outcome, status: None, took: Duration::ZERO, request: None });
}
