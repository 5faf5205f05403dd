//! One call on its way: what every step of it needs, and the order of the steps.

use super::{Credential, Progress, Settings, Upstream, address, decode, exchange, file};
use crate::answer::{Answer, Content};
use crate::call::Call;
use crate::catalog::Catalog;
use crate::error::{Code, Failure};
use crate::profile::{self, Profile};
use crate::request::{Body, Request, Source};
use callslip_catalog::model::{Action, Api, Auth, Shape};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

pub(super) struct Run<'a> {
    pub upstream: &'a Upstream,
    pub catalog: &'a Catalog,
    pub call: &'a Call,
    pub request: &'a Request,
    pub credential: Option<Cow<'a, Credential>>,
    pub address: address::Address,
    pub profile: &'static dyn Profile,
    /// Proves that whoever accepts the upgrade has read it; empty where there is none.
    pub socket_key: String,
    /// First byte and length of the part of a local file that is sent; `None`: all of it.
    pub slice: Option<(u64, u64)>,
    /// When the call ends, whatever has happened by then.
    pub deadline: Instant,
}

impl<'a> Run<'a> {
    pub fn new(upstream: &'a Upstream, catalog: &'a Catalog, call: &'a Call, request: &'a Request) -> Result<Self, Failure> {
        let api = catalog.api();
        let settings = &*upstream.settings;
        let address = address::Address::parse(api, settings.url.as_deref())?;
        let mut credential = choose(api, &call.action, &settings.credentials)?.map(Cow::Borrowed);
        if credential.as_ref().is_some_and(|credential| credential.session)
            && let Some(renewed) = upstream.session.renewed()
        {
            credential = Some(Cow::Owned(renewed));
        }
        let socket_key = if call.action.returns.shape == Shape::Socket {
            tokio_tungstenite::tungstenite::handshake::client::generate_key()
        } else {
            String::new()
        };
        let profile = profile::named(&api.profile);
        let mut run =
            Self { upstream, catalog, call, request, credential, address, profile, socket_key, slice: None, deadline: Instant::now() };
        run.deadline += run.limit();
        Ok(run)
    }

    pub fn api(&self) -> &'a Api<'static> {
        self.catalog.api()
    }

    pub fn action(&self) -> &'a Action<'static> {
        &self.call.action
    }

    pub fn settings(&self) -> &'a Settings {
        &self.upstream.settings
    }

    /// How long the call may take.
    pub fn limit(&self) -> Duration {
        self.settings().timeout.max(Duration::from_secs(self.action().deadline.into()))
    }

    /// Everything between a request and its answer.
    pub async fn go(mut self, progress: Option<&dyn Progress>) -> Result<Answer, Failure> {
        let target = self.target()?;
        if let Some(answer) = self.first().await
            && let Some(failure) = self.profile.rule_out(self.call, &answer)
        {
            return Err(failure);
        }
        if self.slice.is_none() {
            self.slice = self.part_of_file().await?;
        }
        match self.once(progress, target.as_deref()).await {
            Err(failure) if failure.status == Some(401) && self.renew(&failure).await => self.once(progress, target.as_deref()).await,
            other => other,
        }
    }

    async fn once(&self, progress: Option<&dyn Progress>, target: Option<&Path>) -> Result<Answer, Failure> {
        let mut answer = match self.action().returns.shape {
            Shape::Stream => self.stream(progress).await?,
            Shape::Socket => self.socket().await?,
            _ => self.plain(target).await?,
        };
        self.profile.mend(self.call, &mut answer.body);
        let json = match &answer.body {
            Content::Json(json) => Some(json),
            Content::Rows(rows) => Some(&rows.around),
            _ => None,
        };
        if let Some(json) = json
            && let Some(failure) = self.profile.review(self.call, json, &mut answer.notes)
        {
            return Err(failure.status(answer.status));
        }
        Ok(answer)
    }

    /// Requests that are answered once and whole.
    async fn plain(&self, target: Option<&Path>) -> Result<Answer, Failure> {
        let reply = self.exchange().await?;
        if reply.refused() {
            return match self.settle(&reply).await {
                Some(answer) => Ok(answer),
                None => Err(self.refused(&reply).await),
            };
        }
        match (&reply.body, target) {
            (exchange::Arrived::Whole(_), _) => decode::answer(self, reply),
            (exchange::Arrived::Open(_), Some(target)) if self.is_promised(&reply) => self.save(reply, target).await,
            (exchange::Arrived::Open(_), None) => self.content(reply).await,
            (exchange::Arrived::Open(_), Some(_)) => {
                let mut answer = self.content(reply).await?;
                answer.notes.push("What came is no file, so nothing was written to `saveTo`.".into());
                Ok(answer)
            }
        }
    }

    /// Which part of a local file goes into this request, where the API takes files in parts.
    async fn part_of_file(&self) -> Result<Option<(u64, u64)>, Failure> {
        let Body::Bytes(Source::File(_)) = self.request.body else { return Ok(None) };
        let Some(aside) = self.profile.part_size(self.call) else { return Ok(None) };
        let reply = self.aside(&aside.0, true).await.filter(|reply| !reply.refused());
        let json = reply.and_then(|reply| serde_json::from_slice::<serde_json::Value>(reply.bytes()).ok());
        let size = json.as_ref().and_then(|json| json.pointer(aside.1)?.as_u64()).filter(|size| *size > 0);
        let Some(size) = size else {
            let message = format!("`{}`: how large the parts are could not be read, so nothing was sent.", self.action().id);
            return Err(Failure::new(Code::NotFound, message).next("Check the id of the upload, or begin a new one."));
        };
        Ok(Some((aside.2.saturating_mul(size), size)))
    }

    /// Whether an answer is of the type that was promised, rather than a message about why there is none.
    fn is_promised(&self, reply: &exchange::Reply) -> bool {
        let kind = decode::essence(reply.header("content-type"));
        let declared = &self.action().returns.content_type;
        let message = decode::is_json(&kind) || kind.contains("html");
        !message || declared.contains("json") || declared.contains("html")
    }

    /// Where the answer is written, when the caller wants it in a file.
    fn target(&self) -> Result<Option<PathBuf>, Failure> {
        let Some(path) = &self.call.own.save_to else { return Ok(None) };
        if !matches!(self.action().returns.shape, Shape::Binary | Shape::Text) {
            let message = format!("`{}` does not answer with a file, so `saveTo` means nothing here; nothing was sent.", self.action().id);
            return Err(Failure::new(Code::InvalidArguments, message).next("Leave `saveTo` out."));
        }
        file::writable(&self.settings().allow_paths, Path::new(path), self.call.own.overwrite).map(Some)
    }

    /// A text without what must not be shown and may have been echoed.
    pub fn scrub(&self, mut text: String) -> String {
        let credential = self.credential.as_deref().map(Credential::bare).filter(|secret| secret.len() >= 6);
        for secret in self.request.mask.texts.iter().map(String::as_str).chain(credential) {
            if text.contains(secret) {
                text = text.replace(secret, "***");
            }
        }
        text
    }
}

/// The one credential that goes with an action.
fn choose<'a>(api: &Api<'_>, action: &Action<'_>, credentials: &'a [Credential]) -> Result<Option<&'a Credential>, Failure> {
    let session = |wanted: bool| credentials.iter().find(|credential| credential.session == wanted);
    let lacking = |what: &str, wanted: bool| {
        let kinds = api.credentials.iter().filter(|kind| kind.session == wanted);
        let variables: Vec<_> = kinds.map(|kind| format!("`{}`", address::variable(api, &kind.variable))).collect();
        Failure::new(Code::Unauthorized, format!("`{}` needs {what}, and none is configured; nothing was sent.", action.id))
            .next(format!("Set {} and start again, or ask a person to do this step.", variables.join(" or ")))
    };
    match action.auth {
        Auth::None => Ok(None),
        Auth::Any => Ok(credentials.first()),
        Auth::Session => session(true).map(Some).ok_or_else(|| lacking("a session token (an API key is never accepted there)", true)),
        Auth::Key => session(false).map(Some).ok_or_else(|| lacking("an API key", false)),
    }
}
