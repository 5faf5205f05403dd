//! The only way to the API: [`Upstream::send`] takes a request built and allowed, and gives an answer or a failure that says what to do.
//!
//! Nothing here costs anything before the first request. `client` and `tls` make the connection, `exchange` decides what is sent again,
//! `decode`, `content`, `stream`, `socket` and `download` read what came back, `refusal` and `fault` explain what did not.

mod abandon;
pub mod address;
mod aside;
mod client;
mod content;
mod decode;
mod detail;
mod download;
mod exchange;
mod fault;
mod file;
mod hint;
mod log;
mod progress;
mod reach;
mod read;
mod refusal;
mod run;
mod session;
mod settings;
pub mod socket;
pub mod stream;
mod terminal;
mod tls;
mod upload;
mod wire;

pub use progress::Progress;
pub use settings::{Credential, Settings};

use run::Run;

use crate::answer::Answer;
use crate::call::Call;
use crate::catalog::Catalog;
use crate::error::Failure;
use crate::request::Request;
use std::sync::Arc;

/// A configured API. Cheap to make and to clone; clones share their connections and what they have learned of the server.
#[derive(Debug, Clone)]
pub struct Upstream {
    settings: Arc<Settings>,
    clients: Arc<client::Clients>,
    learned: Arc<aside::Learned>,
    session: Arc<session::Session>,
}

impl Upstream {
    /// An upstream with these settings; nothing is opened yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings), clients: Arc::default(), learned: Arc::default(), session: Arc::default() }
    }

    /// The same server over the same connections, with the credentials of one caller.
    #[must_use]
    pub fn with_credentials(&self, credentials: Vec<Credential>) -> Self {
        let settings = Settings { credentials, refresh_token: None, ..(*self.settings).clone() };
        Self { settings: Arc::new(settings), session: Arc::default(), ..self.clone() }
    }

    /// What is configured.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sends the request of a call and reads the answer. Dropping the future closes the connection; work that goes on behind it is
    /// ended too when the call has `cancelActivity`.
    pub async fn send(
        &self,
        catalog: &Catalog,
        call: &Call,
        request: &Request,
        progress: Option<&dyn Progress>,
    ) -> Result<Answer, Failure> {
        match self.upload(catalog, call, progress).await? {
            None => Run::new(self, catalog, call, request)?.go(progress).await,
            Some((call, request, argument)) => {
                let sent = Run::new(self, catalog, &call, &request)?.go(progress).await;
                sent.map_err(|failure| upload::arrived(&call, argument, failure))
            }
        }
    }
}
