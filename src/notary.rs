//! Questions that travel through a client and come back: signed, so that none can be made up; bound to call and credential, so that none
//! serves for another; expiring, and good for one use.

use crate::app::App;
use crate::run::Held;
use rmcp::model::{RequestStateCodec, SealOptions};
use secrecy::ExposeSecret;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How long an answer may take.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Most used questions that are remembered, each for as long as it could be used. When there are more, answers are turned away rather
/// than one forgotten.
const MOST_USED: usize = 100_000;

/// Signs questions and checks what comes back.
pub struct Notary {
    codec: RequestStateCodec,
    used: Mutex<BTreeMap<Vec<u8>, Instant>>,
}

impl std::fmt::Debug for Notary {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Notary")
    }
}

/// Why an answer does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invalid {
    /// Not ours, changed, or asked about another call.
    Foreign,
    /// Too late.
    Expired,
    /// It has been used.
    Used,
    /// Whether it has been used cannot be told.
    Unsure,
}

impl Notary {
    /// A notary with that key, or with one of its own where it is empty. `None`: there is no randomness to make one from.
    pub fn new(key: &str) -> Option<Self> {
        let key = if key.is_empty() { random::<32>()?.to_vec() } else { key.as_bytes().to_vec() };
        Some(Self { codec: RequestStateCodec::try_new(key).ok()?, used: Mutex::default() })
    }

    /// The state of a question about a call.
    pub fn seal(&self, about: &[u8]) -> Option<String> {
        let options = SealOptions::new().associated_data(about).ttl(PATIENCE);
        Some(self.codec.seal_with(&random::<16>()?, &options))
    }

    /// Whether a state is the answer to a question about this call that has not been used here. It is used by this. Gives its number, by
    /// which others can tell whether it was used there.
    pub fn redeem(&self, state: &str, about: &[u8]) -> Result<Vec<u8>, Invalid> {
        use rmcp::model::RequestStateError;
        let number = self.codec.open_with(state, about).map_err(|error| match error {
            RequestStateError::Expired => Invalid::Expired,
            _ => Invalid::Foreign,
        })?;
        let mut used = self.used.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let now = Instant::now();
        used.retain(|_, until| *until > now);
        if used.len() >= MOST_USED {
            return Err(Invalid::Expired);
        }
        if used.insert(number.clone(), now + PATIENCE).is_some() { Err(Invalid::Used) } else { Ok(number) }
    }
}

/// What a question is bound to: the action, everything that would be sent, what shapes the answer, and who asks.
pub fn about(app: &App, held: &Held) -> Vec<u8> {
    let own = &held.call.own;
    let mut parts = vec![
        app.api().name.to_string(),
        held.call.action.id.to_string(),
        serde_json::Value::from(held.call.arguments.clone()).to_string(),
        own.fields.join(","),
        own.save_to.clone().unwrap_or_default(),
        own.overwrite.to_string(),
        own.cancel_activity.to_string(),
        app.upstream.settings().url.clone().unwrap_or_default(),
        app.caller.to_string(),
    ];
    for credential in &app.upstream.settings().credentials {
        parts.push(credential.value.expose_secret().to_owned());
    }
    // With its length before each part, no two lists of parts give the same bytes.
    parts.iter().flat_map(|part| (part.len() as u64).to_be_bytes().into_iter().chain(part.bytes())).collect()
}

fn random<const LENGTH: usize>() -> Option<[u8; LENGTH]> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_counts_once_and_for_its_call_alone() {
        let notary = Notary::new("").unwrap();
        let state = notary.seal(b"delete web").unwrap();
        assert_eq!(notary.redeem(&state, b"delete db"), Err(Invalid::Foreign));
        assert_eq!(notary.redeem(&format!("{state}x"), b"delete web"), Err(Invalid::Foreign));
        assert_eq!(notary.redeem("", b"delete web"), Err(Invalid::Foreign));
        assert!(notary.redeem(&state, b"delete web").is_ok());
        assert_eq!(notary.redeem(&state, b"delete web"), Err(Invalid::Used));
        let other = Notary::new("").unwrap();
        assert_eq!(other.redeem(&notary.seal(b"x").unwrap(), b"x"), Err(Invalid::Foreign));
    }

    #[test]
    fn a_question_expires() {
        let notary = Notary::new("").unwrap();
        let asked = |life| notary.codec.seal_with(b"number", &SealOptions::new().associated_data(b"x").ttl(life));
        let old = asked(Duration::ZERO);
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(notary.redeem(&old, b"x"), Err(Invalid::Expired));
        assert!(notary.redeem(&asked(PATIENCE), b"x").is_ok());
    }

    #[test]
    fn replicas_with_one_key_accept_each_others_questions() {
        let key = "k".repeat(32);
        let (one, other) = (Notary::new(&key).unwrap(), Notary::new(&key).unwrap());
        assert!(other.redeem(&one.seal(b"x").unwrap(), b"x").is_ok());
    }
}
