//! One caller's watch: their calls are counted against their workspace, written into the trail and into the figures.

use super::audit::Trail;
use super::metrics::Metrics;
use super::quota::{Claim, Store, Verdict};
use crate::error::{Code, Failure};
use crate::watch::{Ended, Ticket, Watch};
use callslip_catalog::model::Kind;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

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
    /// How many calls of the workspace may run at a time; `None`: any number.
    pub at_once: Option<Arc<AtOnce>>,
}

/// Places of calls that run at a time, shared by all tokens of a workspace.
#[derive(Debug)]
pub struct AtOnce {
    most: u32,
    places: Arc<Semaphore>,
}

impl AtOnce {
    /// That many places.
    pub fn new(most: u32) -> Self {
        Self { most, places: Arc::new(Semaphore::new(most as usize)) }
    }
}

impl Desk {
    fn claim(&self, kind: Kind, number: u128) -> Option<Claim<'_>> {
        let (calls, credits) = self.allowance?;
        let credits = (kind == Kind::Paid).then_some(credits);
        (calls.is_some() || credits.is_some()).then_some(Claim { number, workspace: &self.tenant, calls, credits })
    }

    async fn let_in(&self, kind: Kind) -> Result<Ticket, Failure> {
        let place = self.place()?;
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| Failure::new(Code::Internal, "This machine gives no random numbers. Nothing was sent."))?;
        let number = u128::from_be_bytes(bytes);
        self.count(kind, number).await?;
        Ok(Ticket { number, place })
    }

    /// A place among the calls that may run at a time.
    fn place(&self) -> Result<Option<OwnedSemaphorePermit>, Failure> {
        let Some(at_once) = &self.at_once else { return Ok(None) };
        if let Ok(place) = Arc::clone(&at_once.places).try_acquire_owned() {
            return Ok(Some(place));
        }
        self.books.metrics.rejected(&self.tenant, "at_once");
        let message =
            format!("This workspace may have {} call(s) running at a time, and they are running. Nothing was sent.", at_once.most);
        Err(Failure::new(Code::RateLimited, message).next("Wait until one of them has ended, then call again.").next(FREE))
    }

    async fn count(&self, kind: Kind, number: u128) -> Result<(), Failure> {
        let Some(claim) = self.claim(kind, number) else { return Ok(()) };
        let doubt = self.books.store.doubt(claim);
        match self.books.store.claim(claim).await {
            Ok(verdict) => {
                doubt.settle();
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
                    // It is made, so it is right if the store has counted it after all.
                    doubt.settle();
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
    fn admit(&self, kind: Kind) -> BoxFuture<'_, Result<Ticket, Failure>> {
        self.let_in(kind).boxed()
    }

    fn take_back<'a>(&'a self, kind: Kind, ticket: &'a Ticket) -> BoxFuture<'a, ()> {
        async move {
            if let Some(claim) = self.claim(kind, ticket.number) {
                self.books.store.release(claim).await;
            }
        }
        .boxed()
    }

    fn first_use<'a>(&'a self, number: &'a [u8], life: Duration) -> BoxFuture<'a, Option<bool>> {
        async move {
            let used = self.books.store.first_use(number, life).await;
            used.inspect_err(|lost| eprintln!("callslip: the quota store does not answer ({lost}); an answer of a person was turned away"))
                .ok()
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
