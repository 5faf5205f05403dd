//! The request log: what arrived, in order, and what it was answered.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One request as it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The HTTP method.
    pub method: String,
    /// The path as it stood on the wire, with the base path and `/api`, nothing decoded.
    pub path: String,
    /// The query as it stood on the wire, without the `?`; empty for none.
    pub query: String,
    /// Header names in lower case, in the order received.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
    /// The operationId that the request was routed to.
    pub operation: Option<&'static str>,
    /// The status answered; 0 while the answer is still held back.
    pub status: u16,
    /// The client went away before a stream had been sent whole.
    pub aborted: bool,
}

impl Recorded {
    /// The first header with this name (lower case).
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(header, _)| header == name).map(|(_, value)| value.as_str())
    }

    /// The body as text; bytes that are no UTF-8 are replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// The log, shared between the server and whoever reads it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journal {
    entries: Arc<Mutex<Entries>>,
}

#[derive(Debug, Default)]
struct Entries {
    next: u64,
    list: Vec<(u64, Recorded)>,
}

/// A request in the log, to be completed when its answer is known.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    journal: Journal,
    number: u64,
}

impl Journal {
    pub fn add(&self, recorded: Recorded) -> Entry {
        let mut entries = self.lock();
        let number = entries.next;
        entries.next += 1;
        entries.list.push((number, recorded));
        Entry { journal: self.clone(), number }
    }

    pub fn all(&self) -> Vec<Recorded> {
        self.lock().list.iter().map(|(_, recorded)| recorded.clone()).collect()
    }

    pub fn clear(&self) {
        self.lock().list.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    pub fn status(&self, status: u16) {
        self.change(|recorded| recorded.status = status);
    }

    pub fn aborted(&self) {
        self.change(|recorded| recorded.aborted = true);
    }

    /// Nothing happens when the log was cleared in between.
    fn change(&self, change: impl FnOnce(&mut Recorded)) {
        let mut entries = self.journal.lock();
        if let Some((_, recorded)) = entries.list.iter_mut().find(|(number, _)| *number == self.number) {
            change(recorded);
        }
    }
}
