//! Counting in this process. It begins anew when the process does.

use super::{Claim, HOUR, Verdict};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// What workspaces have used.
#[derive(Debug, Default)]
pub struct Memory {
    used: Mutex<HashMap<String, Used>>,
}

#[derive(Debug)]
struct Used {
    since: Instant,
    calls: u64,
    credits: u64,
}

impl Memory {
    /// Counts a call at `now`.
    pub fn claim(&self, claim: Claim<'_>, now: Instant) -> Verdict {
        let mut all = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains_key(claim.workspace) {
            all.insert(claim.workspace.to_owned(), Used { since: now, calls: 0, credits: 0 });
        }
        let Some(used) = all.get_mut(claim.workspace) else { return Verdict::Admitted };
        if used.calls == 0 || now.duration_since(used.since) >= HOUR {
            (used.since, used.calls) = (now, 0);
        }
        if claim.credits.is_some_and(|credits| used.credits >= credits) {
            return Verdict::OutOfCredits;
        }
        if claim.calls.is_some_and(|most| used.calls >= most) {
            return Verdict::OutOfCalls(HOUR.saturating_sub(now.duration_since(used.since)));
        }
        used.calls += 1;
        used.credits += u64::from(claim.credits.is_some());
        Verdict::Admitted
    }

    /// Takes a call back.
    pub fn release(&self, claim: Claim<'_>) {
        let mut all = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(used) = all.get_mut(claim.workspace) {
            used.calls = used.calls.saturating_sub(1);
            used.credits = used.credits.saturating_sub(u64::from(claim.credits.is_some()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const CLAIM: Claim<'static> = Claim { number: 1, workspace: "acme", calls: Some(2), credits: None };

    #[test]
    fn an_hour_has_its_calls_and_the_next_has_them_again() {
        let (memory, start) = (Memory::default(), Instant::now());
        let after = |minutes: u64| start + Duration::from_mins(minutes);
        assert_eq!(memory.claim(CLAIM, start), Verdict::Admitted);
        assert_eq!(memory.claim(CLAIM, after(10)), Verdict::Admitted);
        assert_eq!(memory.claim(CLAIM, after(20)), Verdict::OutOfCalls(Duration::from_mins(40)));
        assert_eq!(memory.claim(Claim { workspace: "other", ..CLAIM }, after(20)), Verdict::Admitted, "each workspace has its own");
        assert_eq!(memory.claim(CLAIM, after(60)), Verdict::Admitted);
    }

    #[test]
    fn a_call_taken_back_is_free_again() {
        let (memory, now) = (Memory::default(), Instant::now());
        memory.claim(CLAIM, now);
        memory.claim(CLAIM, now);
        memory.release(CLAIM);
        assert_eq!(memory.claim(CLAIM, now), Verdict::Admitted);
        assert!(matches!(memory.claim(CLAIM, now), Verdict::OutOfCalls(_)));
    }

    #[test]
    fn credits_do_not_come_back_with_the_hour() {
        let (memory, now) = (Memory::default(), Instant::now());
        let paid = Claim { number: 1, workspace: "acme", calls: None, credits: Some(1) };
        assert_eq!(memory.claim(paid, now), Verdict::Admitted);
        assert_eq!(memory.claim(paid, now + HOUR * 3), Verdict::OutOfCredits);
        assert_eq!(memory.claim(Claim { credits: None, ..paid }, now), Verdict::Admitted, "what costs nothing goes on");
    }
}
