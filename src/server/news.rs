//! Progress of a call as notifications, for clients that gave a token for it. Over HTTP the first of them turns the answer into a stream.

use crate::upstream::Progress;
use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// News that may wait for a slow client; what comes on top is left out, as only the latest matters.
const WAITING: usize = 16;
/// How long an answer waits for news that stand before it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Takes the news of one call.
pub struct News {
    token: ProgressToken,
    sender: mpsc::Sender<ProgressNotificationParam>,
    telling: JoinHandle<()>,
}

impl News {
    /// Begins to tell the client of a call, if it wants to be told.
    pub fn of(context: &RequestContext<RoleServer>) -> Option<Self> {
        let token = context.meta.get_progress_token()?;
        let (sender, mut waiting) = mpsc::channel(WAITING);
        let peer = context.peer.clone();
        let telling = tokio::spawn(async move {
            while let Some(news) = waiting.recv().await {
                if peer.notify_progress(news).await.is_err() {
                    return;
                }
            }
        });
        Some(Self { token, sender, telling })
    }

    /// Waits until all is told, so that nothing comes after the answer.
    pub async fn end(self) {
        drop(self.sender);
        let _ = tokio::time::timeout(PATIENCE, self.telling).await;
    }
}

impl Progress for News {
    fn report(&self, done: f64, total: Option<f64>, message: &str) {
        let mut news = ProgressNotificationParam::new(self.token.clone(), done);
        news.total = total;
        news.message = Some(message.to_owned()).filter(|message| !message.is_empty());
        let _ = self.sender.try_send(news);
    }
}
