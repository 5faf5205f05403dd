//! A call that is dropped half-way: its connection closes by itself, but the work behind it goes on. Where the caller asked for it, the
//! upstream is told to stop.

use super::Run;
use crate::request;
use std::time::Duration;

/// Ends the work when it is dropped before [`Abandon::disarm`].
pub(super) struct Abandon<'r> {
    run: &'r Run<'r>,
    /// Made while the call runs, since nothing can be borrowed any more when it is dropped.
    cancel: Option<reqwest::RequestBuilder>,
}

impl<'r> Abandon<'r> {
    pub fn new(run: &'r Run<'r>) -> Self {
        Self { run, cancel: None }
    }

    /// From now on dropping this ends the work of that id.
    pub fn arm(&mut self, activity: &str) {
        if self.run.call.own.cancel_activity {
            self.cancel = prepare(self.run, activity);
        }
    }

    /// The call ended by itself.
    pub fn disarm(&mut self) {
        self.cancel = None;
    }
}

fn prepare(run: &Run<'_>, activity: &str) -> Option<reqwest::RequestBuilder> {
    let (id, arguments) = run.profile.cancel(run.call, activity)?;
    let action = run.catalog.action(run.catalog.number(id)?).ok()?;
    let request = request::build(run.api(), &action, &arguments).ok()?;
    let client = run.upstream.clients.requests(run.settings()).ok()?;
    run.prepare(&client, &request).ok()
}

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        if let (Some(cancel), Ok(runtime)) = (self.cancel.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(cancel.timeout(Duration::from_secs(5)).send());
        }
    }
}
