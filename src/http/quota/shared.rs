//! Counting in Redis or Valkey. One script looks and counts in one step, so that replicas together are as exact as one process, and the
//! hour runs by the store's clock.

use super::{Claim, HOUR, Lost, Verdict};
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, Script};
use std::time::Duration;

/// How long the store may take to answer; a call waits for it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Looks at calls (KEYS[1], most ARGV[1]) and credits (KEYS[2], in all ARGV[3]); -1: not asked. Answers what is used up, and for how long.
const CLAIM: &str = r"
local used = tonumber(redis.call('GET', KEYS[1]) or '0')
local spent = tonumber(redis.call('GET', KEYS[2]) or '0')
local most, credits = tonumber(ARGV[1]), tonumber(ARGV[3])
if credits >= 0 and spent >= credits then return {2, 0} end
if most >= 0 and used >= most then return {1, redis.call('PTTL', KEYS[1])} end
redis.call('INCR', KEYS[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if credits >= 0 then redis.call('INCR', KEYS[2]) end
return {0, 0}
";

/// Takes a call back, and its credit where ARGV[1] is 1.
const RELEASE: &str = r"
if tonumber(redis.call('GET', KEYS[1]) or '0') > 0 then redis.call('DECR', KEYS[1]) end
if ARGV[1] == '1' and tonumber(redis.call('GET', KEYS[2]) or '0') > 0 then redis.call('DECR', KEYS[2]) end
return 0
";

/// A Redis that replicas share.
pub struct Shared {
    connection: ConnectionManager,
    claim: Script,
    release: Script,
    api: String,
}

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
        Ok(Self { connection, claim: Script::new(CLAIM), release: Script::new(RELEASE), api: api.to_owned() })
    }

    /// The braces keep both keys of a workspace on one node of a cluster.
    fn keys(&self, workspace: &str) -> [String; 2] {
        ["calls", "credits"].map(|what| format!("callslip:{{{}.{workspace}}}:{what}", self.api))
    }

    /// Counts a call.
    pub async fn claim(&self, claim: Claim<'_>) -> Result<Verdict, Lost> {
        let [calls, credits] = self.keys(claim.workspace);
        let number = |most: Option<u64>| most.map_or(-1, |most| i64::try_from(most).unwrap_or(i64::MAX));
        let mut invocation = self.claim.key(calls);
        invocation.key(credits).arg(number(claim.calls)).arg(HOUR.as_secs() * 1000).arg(number(claim.credits));
        let mut connection = self.connection.clone();
        let answer = tokio::time::timeout(PATIENCE * 2, invocation.invoke_async::<(u8, i64)>(&mut connection)).await;
        match answer {
            Ok(Ok((0, _))) => Ok(Verdict::Admitted),
            Ok(Ok((1, wait))) => Ok(Verdict::OutOfCalls(Duration::from_millis(wait.max(0).unsigned_abs()))),
            Ok(Ok(_)) => Ok(Verdict::OutOfCredits),
            Ok(Err(error)) => Err(Lost(error.category().to_owned())),
            Err(_) => Err(Lost("no answer in time".into())),
        }
    }

    /// Takes a call back.
    pub async fn release(&self, claim: Claim<'_>) -> Result<(), Lost> {
        let [calls, credits] = self.keys(claim.workspace);
        let mut invocation = self.release.key(calls);
        invocation.key(credits).arg(u8::from(claim.credits.is_some()));
        let mut connection = self.connection.clone();
        let answer = tokio::time::timeout(PATIENCE * 2, invocation.invoke_async::<u8>(&mut connection)).await;
        match answer {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(Lost(error.category().to_owned())),
            Err(_) => Err(Lost("no answer in time".into())),
        }
    }
}
