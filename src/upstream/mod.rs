//! The only way to the API: [`Upstream::send`] takes a request built and allowed, and gives an answer or a failure that says what to do.
//!
//! Nothing here costs anything before the first request. `client` and `tls` make the connection, `exchange` decides what is sent again,
//! `decode` reads what came back, `refusal` and `fault` explain what did not.

pub mod address;
pub mod clean;
mod client;
mod content;
mod decode;
mod detail;
mod exchange;
mod fault;
mod hint;
mod progress;
mod read;
mod refusal;
mod settings;
mod tls;
mod wire;

pub use progress::Progress;
pub use settings::{Credential, Settings};

use crate::answer::Answer;
use crate::call::Call;
use crate::catalog::Catalog;
use crate::error::{Code, Failure};
use crate::profile;
use crate::request::Request;
use callslip_catalog::model::{Action, Api, Auth, Shape};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// A configured API. Cheap to make and to clone; clones share their connections.
#[derive(Debug, Clone)]
pub struct Upstream {
    settings: Arc<Settings>,
    clients: Arc<client::Clients>,
}

impl Upstream {
    /// An upstream with these settings; nothing is opened yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings), clients: Arc::default() }
    }

    /// The same server over the same connections, with the credentials of one caller.
    #[must_use]
    pub fn with_credentials(&self, credentials: Vec<Credential>) -> Self {
        let settings = Settings { credentials, refresh_token: None, ..(*self.settings).clone() };
        Self { settings: Arc::new(settings), clients: Arc::clone(&self.clients) }
    }

    /// What is configured.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sends the request of a call and reads the answer.
    pub async fn send(
        &self,
        catalog: &Catalog,
        call: &Call,
        request: &Request,
        progress: Option<&dyn Progress>,
    ) -> Result<Answer, Failure> {
        let _ = progress;
        let run = Run::new(self, catalog, call, request)?;
        match call.action.returns.shape {
            Shape::Stream | Shape::Socket => {
                Err(Failure::new(Code::NotSupported, format!("`{}` streams its answer, which is not supported yet.", call.action.id)))
            }
            _ => run.plain().await,
        }
    }
}

/// One call on its way: what every step of it needs.
struct Run<'a> {
    upstream: &'a Upstream,
    catalog: &'a Catalog,
    call: &'a Call,
    request: &'a Request,
    credential: Option<&'a Credential>,
    address: address::Address,
    profile: &'static dyn profile::Profile,
    /// When the call ends, whatever has happened by then.
    deadline: Instant,
}

impl<'a> Run<'a> {
    fn new(upstream: &'a Upstream, catalog: &'a Catalog, call: &'a Call, request: &'a Request) -> Result<Self, Failure> {
        let api = catalog.api();
        let settings = &*upstream.settings;
        let address = address::Address::parse(api, settings.url.as_deref())?;
        let credential = choose(api, &call.action, &settings.credentials)?;
        let limit = settings.timeout.max(Duration::from_secs(call.action.deadline.into()));
        let profile = profile::named(&api.profile);
        Ok(Self { upstream, catalog, call, request, credential, address, profile, deadline: Instant::now() + limit })
    }

    fn api(&self) -> &'a Api<'static> {
        self.catalog.api()
    }

    fn action(&self) -> &'a Action<'static> {
        &self.call.action
    }

    fn settings(&self) -> &'a Settings {
        &self.upstream.settings
    }

    /// Requests that are answered once and whole.
    async fn plain(&self) -> Result<Answer, Failure> {
        let reply = self.exchange().await?;
        if reply.refused() {
            return Err(self.refused(&reply));
        }
        match reply.body {
            exchange::Arrived::Whole { .. } => decode::answer(self, &reply),
            exchange::Arrived::Open(_) => self.content(reply).await,
        }
    }
}

/// The one credential that goes with an action.
fn choose<'a>(api: &Api<'_>, action: &Action<'_>, credentials: &'a [Credential]) -> Result<Option<&'a Credential>, Failure> {
    let session = |wanted: bool| credentials.iter().find(|credential| credential.session == wanted);
    let lacking = |what: &str, wanted: bool| {
        let variables: Vec<_> = api
            .credentials
            .iter()
            .filter(|kind| kind.session == wanted)
            .map(|kind| format!("`{}`", address::variable(api, &kind.variable)))
            .collect();
        Failure::new(Code::Unauthorized, format!("`{}` accepts {what} only, and none is configured; nothing was sent.", action.id))
            .next(format!("Set {} and start again, or ask a person to do this step.", variables.join(" or ")))
    };
    match action.auth {
        Auth::None => Ok(None),
        Auth::Any => Ok(credentials.first()),
        Auth::Session => session(true).map(Some).ok_or_else(|| lacking("a session token", true)),
        Auth::Key => session(false).map(Some).ok_or_else(|| lacking("an API key", false)),
    }
}
