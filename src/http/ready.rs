//! Whether this server can do work: `/readyz`. What was found out is kept for a few seconds, so that whoever asks often does not make the
//! upstream busy.

use super::access::Callers;
use crate::app::App;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long an answer is kept.
const KEPT: Duration = Duration::from_secs(5);

/// What was found out last.
#[derive(Debug, Default)]
pub struct Ready {
    last: Mutex<Option<(Instant, bool)>>,
}

impl Ready {
    /// Whether at least one upstream answers: with several, one that is down must not take the others out of service.
    pub async fn ask(&self, app: &App, callers: &Callers) -> bool {
        let mut last = self.last.lock().await;
        if let Some((when, ready)) = *last
            && when.elapsed() < KEPT
        {
            return ready;
        }
        let asked = callers.upstreams(app).into_iter().map(|upstream| async move { upstream.reach(app.api()).await.is_ok() });
        let ready = futures_util::future::join_all(asked).await.contains(&true);
        *last = Some((Instant::now(), ready));
        ready
    }
}
