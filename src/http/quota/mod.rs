//! How many calls a workspace has had in its hour, and how many credits it has spent: in this process, or in Redis where replicas share it.

mod memory;
mod shared;

use std::time::Duration;

/// The span that calls are counted over. It begins with the first call.
pub const HOUR: Duration = Duration::from_secs(3600);

/// What one call takes.
#[derive(Debug, Clone, Copy)]
pub struct Claim<'a> {
    /// Tells the call apart from all others.
    pub number: u128,
    /// Who pays.
    pub workspace: &'a str,
    /// Most calls an hour; `None`: any number.
    pub calls: Option<u64>,
    /// Credits the workspace has in all, when the call costs one.
    pub credits: Option<u64>,
}

/// Whether a call may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is counted.
    Admitted,
    /// The hour's calls are used up; how long until they come back.
    OutOfCalls(Duration),
    /// The credits are used up.
    OutOfCredits,
}

/// The store does not answer.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Lost(String);

/// Where it is counted.
#[derive(Debug)]
pub enum Store {
    /// In this process.
    Memory(memory::Memory),
    /// In Redis.
    Shared(shared::Shared),
}

impl Store {
    /// A store in this process.
    pub fn memory() -> Self {
        Self::Memory(memory::Memory::default())
    }

    /// A store in the Redis at `url`; it is connected to when the first call is counted.
    pub fn shared(url: &str, api: &str) -> anyhow::Result<Self> {
        Ok(Self::Shared(shared::Shared::new(url, api)?))
    }

    /// Counts a call, or does not.
    pub async fn claim(&self, claim: Claim<'_>) -> Result<Verdict, Lost> {
        match self {
            Self::Memory(memory) => Ok(memory.claim(claim, std::time::Instant::now())),
            Self::Shared(shared) => shared.claim(claim).await,
        }
    }

    /// Takes a counted call back.
    pub async fn release(&self, claim: Claim<'_>) {
        match self {
            Self::Memory(memory) => memory.release(claim),
            Self::Shared(shared) => shared.release(claim).await,
        }
    }

    /// Begins to count a call whose end nobody here may come to see.
    pub fn doubt<'a>(&'a self, claim: Claim<'a>) -> Doubt<'a> {
        Doubt { store: self, claim, settled: false }
    }

    /// Whether a number has not been used at any replica; this uses it. What one process uses it remembers by itself.
    pub async fn first_use(&self, number: &[u8], life: Duration) -> Result<bool, Lost> {
        match self {
            Self::Memory(_) => Ok(true),
            Self::Shared(shared) => shared.first_use(number, life).await,
        }
    }
}

/// A call of which it is not known whether it is counted. Unless that is settled it is taken back: the store may have counted it although
/// its answer was lost, or although whoever asked went away.
pub struct Doubt<'a> {
    store: &'a Store,
    claim: Claim<'a>,
    settled: bool,
}

impl Doubt<'_> {
    /// Whatever the store did is right.
    pub fn settle(mut self) {
        self.settled = true;
    }
}

impl Drop for Doubt<'_> {
    fn drop(&mut self) {
        if let (Store::Shared(shared), false) = (self.store, self.settled) {
            shared.owe(self.claim);
        }
    }
}
