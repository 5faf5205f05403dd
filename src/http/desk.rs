//! One caller's watch: their calls are counted against their workspace, written into the trail and into the figures.

use super::audit::Trail;
use super::metrics::Metrics;
use super::quota::{Claim, Store, Verdict};
use crate::error::{Code, Failure};
use crate::watch::{Ended, Watch};
use callslip_catalog::model::Kind;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What all callers share.
#[derive(Debug)]
pub struct Books {
    /// The figures.
    pub metrics: Metrics,
    /// The audit trail.
    pub trail: Trail,
    /// Where calls are counted.
    pub store: Store,
    /// Calls go through while the store is lost.
    pub lost_allows: bool,
    /// The store did not answer the last time; said once.
    pub lost: AtomicBool,
}

/// One caller's part of the books.
#[derive(Debug)]
pub struct Desk {
    /// The books.
    pub books: Arc<Books>,
    /// The workspace, empty where there are none.
    pub tenant: String,
    /// Name of the token.
    pub token: String,
    /// What the workspace may use: calls an hour, credits in all; `None`: nothing is counted.
    pub allowance: Option<(Option<u64>, u64)>,
}

impl Desk {
    fn claim(&self, kind: Kind) -> Option<Claim<'_>> {
        let (calls, credits) = self.allowance?;
        let credits = (kind == Kind::Paid).then_some(credits);
        (calls.is_some() || credits.is_some()).then_some(Claim { workspace: &self.tenant, calls, credits })
    }

    async fn count(&self, kind: Kind) -> Result<(), Failure> {
        let Some(claim) = self.claim(kind) else { return Ok(()) };
        match self.books.store.claim(claim).await {
            Ok(verdict) => {
                if self.books.lost.swap(false, Ordering::Relaxed) {
                    eprintln!("callslip: the quota store answers again");
                }
                self.verdict(verdict, claim)
            }
            Err(lost) => {
                let does = if self.books.lost_allows { "go through uncounted" } else { "are refused" };
                if !self.books.lost.swap(true, Ordering::Relaxed) {
                    eprintln!("callslip: the quota store does not answer ({lost}); calls with a quota {does} until it does");
                }
                self.books.metrics.lost();
                if self.books.lost_allows {
                    return Ok(());
                }
                self.books.metrics.rejected(&self.tenant, "store");
                let message = "Calls cannot be counted at the moment, and uncounted ones are refused here. Nothing was sent.";
                Err(Failure::new(Code::Quota, message)
                    .next("Try again in a minute; if it lasts, tell whoever runs this server.")
                    .next(FREE))
            }
        }
    }

    fn verdict(&self, verdict: Verdict, claim: Claim<'_>) -> Result<(), Failure> {
        match verdict {
            Verdict::Admitted => Ok(()),
            Verdict::OutOfCalls(wait) => {
                self.books.metrics.rejected(&self.tenant, "calls");
                let (most, seconds) = (claim.calls.unwrap_or(0), wait.as_secs() + 1);
                let message = format!(
                    "The {most} call(s) an hour of this workspace are used up; they come back in {}. Nothing was sent.",
                    span(seconds)
                );
                let mut failure = Failure::new(Code::Quota, message).next(format!("Wait {}, then call again.", span(seconds))).next(FREE);
                failure.more.insert("retryAfterSeconds".into(), seconds.into());
                Err(failure)
            }
            Verdict::OutOfCredits => {
                self.books.metrics.rejected(&self.tenant, "credits");
                let message = match claim.credits {
                    Some(0) | None => "This action costs a credit, and this workspace has none. Nothing was sent.".to_owned(),
                    Some(credits) => {
                        format!("This action costs a credit, and the {credits} of this workspace are spent. Nothing was sent.")
                    }
                };
                Err(Failure::new(Code::Quota, message)
                    .status(402)
                    .next("Ask whoever runs this server for more credits, or do it without this action."))
            }
        }
    }
}

const FREE: &str = "Finding and describing actions is free and goes on.";

/// Seconds in words.
fn span(seconds: u64) -> String {
    if seconds < 120 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}

impl Watch for Desk {
    fn admit(&self, kind: Kind) -> BoxFuture<'_, Result<(), Failure>> {
        self.count(kind).boxed()
    }

    fn take_back(&self, kind: Kind) -> BoxFuture<'_, ()> {
        async move {
            if let Some(claim) = self.claim(kind) {
                // A store that is lost now has lost the claim too, or keeps one call too many for the rest of the hour.
                let _ = self.books.store.release(claim).await;
            }
        }
        .boxed()
    }

    fn ended(&self, ended: &Ended<'_>) {
        self.books.metrics.ended(&self.tenant, ended);
        self.books.trail.write(&self.tenant, &self.token, ended);
    }

    fn found(&self, took: Duration) {
        self.books.metrics.found(took);
    }

    fn wants_request(&self) -> bool {
        self.books.trail.with_request
    }

    fn hides_upstream(&self) -> bool {
        self.allowance.is_some()
    }
}
