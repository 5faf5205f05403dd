//! Who is asked before a call is sent and told when it is over: counting, records and figures of a served API, without the road of a call
//! knowing of any of them.

use crate::answer::Answer;
use crate::app::App;
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::request::Request;
use crate::upstream::Progress;
use crate::upstream::address::Address;
use callslip_catalog::model::Kind;
use futures_util::future::BoxFuture;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Counts and records calls.
pub trait Watch: Send + Sync {
    /// Counts a call that nothing else stands against, or refuses it.
    fn admit(&self, kind: Kind) -> BoxFuture<'_, Result<(), Failure>>;

    /// Takes an admitted call back: it was refused after all, before anything was sent.
    fn take_back(&self, kind: Kind) -> BoxFuture<'_, ()>;

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
    /// Id of the action.
    pub action: &'a str,
    /// Its kind.
    pub kind: Kind,
    /// `ok`, `cancelled`, or the code of the failure.
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
    let Some(watch) = app.watch.clone() else {
        return app.upstream.send(&app.catalog, call, request, progress).await;
    };
    let kind = call.action.kind;
    let mut record = Record { watch: &*watch, call, request, started: Instant::now(), written: false };
    if let Err(failure) = watch.admit(kind).await {
        record.write(failure.code.name(), None);
        return Err(failure);
    }
    let result = app.upstream.send(&app.catalog, call, request, progress).await;
    match result {
        Ok(answer) => {
            record.write("ok", Some(answer.status));
            Ok(answer)
        }
        Err(mut failure) => {
            if unsent(&failure) {
                watch.take_back(kind).await;
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
    for step in &mut failure.next {
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
        let (action, kind) = (&*self.call.action.id, self.call.action.kind);
        self.watch.ended(&Ended { action, kind, outcome, status, took: self.started.elapsed(), request });
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
        if let Some(watch) = &app.watch {
            let (outcome, took) = (failure.code.name(), self.started.elapsed());
            watch.ended(&Ended { action: &self.action, kind: self.kind, outcome, status: None, took, request: None });
        }
    }
}
