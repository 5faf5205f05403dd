//! A session that has ended is renewed once, by whichever call notices first; calls beside it wait and use what it got.

use super::{Credential, Run};
use crate::error::Failure;
use crate::profile::Refusal;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::borrow::Cow;
use std::sync::Mutex;

/// What replaced the configured session, shared by all calls.
#[derive(Debug, Default)]
pub(super) struct Session {
    renewed: Mutex<Option<Renewed>>,
    /// Held while a new one is fetched: a refresh token may count once only.
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Debug, Clone)]
struct Renewed {
    credential: Credential,
    refresh_token: Option<SecretString>,
}

impl Session {
    /// The session token that replaced the configured one.
    pub fn renewed(&self) -> Option<Credential> {
        self.get().map(|renewed| renewed.credential)
    }

    fn get(&self) -> Option<Renewed> {
        self.renewed.lock().ok()?.clone()
    }
}

impl Run<'_> {
    /// Gets a new session token after a refusal that says the old one has ended.
    pub(super) async fn renew(&mut self, failure: &Failure) -> bool {
        let Some(configured) = self.settings().refresh_token.as_ref() else { return false };
        let Some(old) = self.credential.as_deref().filter(|credential| credential.session).cloned() else { return false };
        let session = &self.upstream.session;
        let _turn = session.fetching.lock().await;
        let known = session.get();
        if let Some(known) = &known
            && known.credential.bare() != old.bare()
        {
            self.credential = Some(Cow::Owned(known.credential.clone()));
            return true;
        }
        let token = known.as_ref().and_then(|known| known.refresh_token.as_ref()).unwrap_or(configured);
        let detail = failure.said.first().map_or("", String::as_str);
        let refusal = Refusal { status: 401, detail, problems: &[], json: None, with_key: false };
        let Some(refresh) = self.profile.refresh(&refusal, token.expose_secret()) else { return false };
        let Some(reply) = self.aside(&refresh.aside, false).await.filter(|reply| reply.status == 200) else { return false };
        let json: Value = serde_json::from_slice(reply.bytes()).unwrap_or_default();
        let text = |place: &str| json.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty());
        let Some(fresh) = text(refresh.token) else { return false };
        let credential = old.with_secret(fresh);
        let next = text(refresh.next).map(|token| SecretString::from(token.to_owned()));
        let refresh_token = next.or_else(|| known.as_ref().and_then(|known| known.refresh_token.clone()));
        if let Ok(mut kept) = session.renewed.lock() {
            *kept = Some(Renewed { credential: credential.clone(), refresh_token });
        }
        self.credential = Some(Cow::Owned(credential));
        true
    }
}
