//! Counting in Redis or Valkey. One script looks and counts in one step, so that replicas together are as exact as one process, and the
//! hour runs by the store's clock.
//!
//! An answer may be lost on its way, and then nobody here knows whether the call was counted. So every call has a number that the store
//! remembers for as long as it counts: to take a call back by its number is right whether the store has counted it, has not, or is about
//! to. Calls that were refused because the store did not answer are taken back as soon as it does.

use super::{Claim, HOUR, Lost, Verdict};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Script};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the store may take to answer; a call waits for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Calls to be taken back that are remembered; what comes on top stays counted until its hour is over.
const MOST_OWED: usize = 10_000;

/// Looks at calls (KEYS[1], most ARGV[1]) and credits (KEYS[2], in all ARGV[3]); -1: not asked. Answers what is used up, and for how long.
/// KEYS[3] is the number of the call: as long as it stands there, the call is counted or will never be.
const CLAIM: &str = r"
if redis.call('EXISTS', KEYS[3]) == 1 then return {0, 0} end
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local spent = tonumber(redis.call('GET', KEYS[2]) or '0')
local most, credits = tonumber(ARGV[1]), tonumber(ARGV[3])
if credits >= 0 and spent >= credits then return {2, 0} end
if most >= 0 and used >= most then return {1, redis.call('PTTL', KEYS[1])} end
redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if credits >= 0 then redis.call('INCR', KEYS[2]) end
redis.call('SET', KEYS[3], 'counted', 'PX', math.max(1, redis.call('PTTL', KEYS[1])))
return {0, 0}
";

/// Takes a call back, and its credit where ARGV[1] is 1: what was counted in this hour is not, what comes late never is.
const RELEASE: &str = r"
local was = redis.call('GET', KEYS[3])
redis.call('SET', KEYS[3], 'void', 'PX', ARGV[2])
if was ~= 'counted' then return 0 end
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
if ARGV[1] == '1' and tonumber(redis.call('GET', KEYS[2]) or '0') > 0 then redis.call('DECR', KEYS[2]) end
return 1
";

/// A Redis that replicas share.
pub struct Shared {
    connection: ConnectionManager,
    claim: Script,
    release: Script,
    api: String,
    owed: Mutex<Vec<Owed>>,
}

/// A call to be taken back: its keys, and whether it cost a credit.
type Owed = ([String; 3], bool);

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Shared")
    }
}

impl Shared {
    /// A store for the workspaces of one API.
    pub fn new(url: &str, api: &str) -> anyhow::Result<Self> {
        // The address may hold a password and is not repeated.
        let client =
            Client::open(url).map_err(|error| anyhow::anyhow!("the address of the quota store cannot be used: {}", error.category()))?;
        let config = ConnectionManagerConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE))
            .set_number_of_retries(1)
            .set_max_delay(PATIENCE);
        let connection = ConnectionManager::new_lazy_with_config(client, config)
            .map_err(|error| anyhow::anyhow!("the quota store cannot be used: {}", error.category()))?;
        Ok(Self { connection, claim: Script::new(CLAIM), release: Script::new(RELEASE), api: api.to_owned(), owed: Mutex::default() })
    }

    /// The braces keep all keys of a workspace on one node of a cluster.
    fn keys(&self, claim: Claim<'_>) -> [String; 3] {
        let place = format!("callslip:{{{}.{}}}", self.api, claim.workspace);
        [format!("{place}:calls"), format!("{place}:credits"), format!("{place}:call:{:032x}", claim.number)]
    }

    /// Counts a call.
    pub async fn claim(&self, claim: Claim<'_>) -> Result<Verdict, Lost> {
        self.settle().await?;
        let number = |most: Option<u64>| most.map_or(-1, |most| i64::try_from(most).unwrap_or(i64::MAX));
        let [calls, credits, call] = self.keys(claim);
        let mut invocation = self.claim.key(calls);
        invocation.key(credits).key(call).arg(number(claim.calls)).arg(hour()).arg(number(claim.credits));
        let mut connection = self.connection.clone();
        match in_time(invocation.invoke_async::<(u8, i64)>(&mut connection)).await? {
            (0, _) => Ok(Verdict::Admitted),
            (1, wait) => Ok(Verdict::OutOfCalls(Duration::from_millis(wait.max(0).unsigned_abs()))),
            _ => Ok(Verdict::OutOfCredits),
        }
    }

    /// Takes a call back, at the latest when the store answers again.
    pub async fn release(&self, claim: Claim<'_>) {
        self.owe(claim);
        let _ = self.settle().await;
    }

    /// Remembers that a call is to be taken back; the next that is counted waits for it.
    pub fn owe(&self, claim: Claim<'_>) {
        let mut owed = self.owed();
        if owed.len() < MOST_OWED {
            owed.push((self.keys(claim), claim.credits.is_some()));
        }
    }

    /// Takes back what is to be taken back. Each stays owed until that is done: whoever waits for it may go away meanwhile, and to take
    /// one back twice is to take it back once.
    async fn settle(&self) -> Result<(), Lost> {
        loop {
            let next = self.owed().last().cloned();
            let Some((keys, credit)) = next else { return Ok(()) };
            let [calls, credits, call] = &keys;
            let mut invocation = self.release.key(calls);
            invocation.key(credits).key(call).arg(u8::from(credit)).arg(hour());
            let mut connection = self.connection.clone();
            in_time(invocation.invoke_async::<u8>(&mut connection)).await?;
            self.owed().retain(|(other, _)| *other != keys);
        }
    }

    fn owed(&self) -> MutexGuard<'_, Vec<Owed>> {
        self.owed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a number has not been used by any replica; this uses it.
    pub async fn first_use(&self, number: &[u8], life: Duration) -> Result<bool, Lost> {
        let digits = URL_SAFE_NO_PAD.encode(number);
        let mut command = redis::cmd("SET");
        command.arg(format!("callslip:{{{}}}:used:{digits}", self.api)).arg(1).arg("NX").arg("PX").arg(life.as_secs() * 1000);
        let mut connection = self.connection.clone();
        let set = in_time(command.query_async::<Option<String>>(&mut connection)).await?;
        Ok(set.is_some())
    }
}

fn hour() -> u64 {
    HOUR.as_secs() * 1000
}

/// What the store answers, if it does.
async fn in_time<T>(answer: impl Future<Output = redis::RedisResult<T>>) -> Result<T, Lost> {
    match tokio::time::timeout(PATIENCE * 2, answer).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(Lost(error.category().to_owned())),
        Err(_) => Err(Lost("no answer in time".into())),
    }
}
