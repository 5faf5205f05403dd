//! Ids that were asked for a moment ago: a client completes with every letter typed, and the upstream should not hear each of them.

use crate::app::App;
use ring::digest::{Context, SHA256};
use secrecy::ExposeSecret;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long ids are kept.
const LIFE: Duration = Duration::from_secs(5);
/// Lists that are kept at a time.
const MOST: usize = 256;

/// Ids by place, credential, fence and parameter.
#[derive(Debug, Default)]
pub struct Kept {
    lists: Mutex<HashMap<Vec<u8>, List>>,
}

/// Ids, and when they were got.
type List = (Instant, Vec<String>);

impl Kept {
    /// Ids that are fresh at `now`.
    pub fn get(&self, key: &[u8], now: Instant) -> Option<Vec<String>> {
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        lists.get(key).filter(|(since, _)| now.duration_since(*since) < LIFE).map(|(_, ids)| ids.clone())
    }

    /// Keeps ids that were got at `now`.
    pub fn keep(&self, key: Vec<u8>, ids: Vec<String>, now: Instant) {
        let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        if lists.len() >= MOST {
            lists.retain(|_, (since, _)| now.duration_since(*since) < LIFE);
            if lists.len() >= MOST {
                lists.clear();
            }
        }
        lists.insert(key, (now, ids));
    }
}

/// Whose ids, of what: a digest, so that no credential lies in a second place.
pub fn key(app: &App, param: &str) -> Vec<u8> {
    let settings = app.upstream.settings();
    let mut digest = Context::new(&SHA256);
    let mut part = |text: &str| {
        digest.update(&(text.len() as u64).to_be_bytes());
        digest.update(text.as_bytes());
    };
    part(param);
    part(settings.url.as_deref().unwrap_or_default());
    part(&app.config.environments.join(","));
    for credential in &settings.credentials {
        part(credential.value.expose_secret());
    }
    digest.finish().as_ref().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_kept_for_a_moment_and_not_too_many_are() {
        let (kept, now) = (Kept::default(), Instant::now());
        kept.keep(b"a".to_vec(), vec!["0".into()], now);
        assert_eq!(kept.get(b"a", now).as_deref(), Some(&["0".to_owned()][..]));
        assert_eq!(kept.get(b"b", now), None);
        assert_eq!(kept.get(b"a", now + LIFE), None);
        for number in 0..2 * MOST {
            kept.keep(number.to_be_bytes().to_vec(), Vec::new(), now);
        }
        assert!(kept.lists.lock().unwrap().len() <= MOST);
    }
}
