//! How often an address may fail to say who it is before its failures are answered with a wait. Whoever shares the address and has a right
//! token is not held up.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long failures count.
const WINDOW: Duration = Duration::from_secs(60);
/// Addresses remembered; beyond it the old ones are forgotten first.
const REMEMBERED: usize = 10_000;

/// Failures by address.
#[derive(Debug)]
pub struct Budget {
    most: u32,
    failed: Mutex<HashMap<IpAddr, (Instant, u32)>>,
}

impl Budget {
    /// `most` failures a minute are taken.
    pub fn new(most: u32) -> Self {
        Self { most, failed: Mutex::default() }
    }

    /// How long an address has to wait.
    pub fn wait(&self, address: IpAddr, now: Instant) -> Option<Duration> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, count) = failed.get(&block(address))?;
        let left = (*since + WINDOW).checked_duration_since(now)?;
        (*count >= self.most && !left.is_zero()).then_some(left)
    }

    /// An address has failed.
    pub fn fail(&self, address: IpAddr, now: Instant) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.len() >= REMEMBERED {
            failed.retain(|_, (since, _)| now.duration_since(*since) < WINDOW);
            if failed.len() >= REMEMBERED {
                failed.clear();
            }
        }
        let entry = failed.entry(block(address)).or_insert((now, 0));
        if now.duration_since(entry.0) >= WINDOW {
            *entry = (now, 0);
        }
        entry.1 += 1;
    }
}

/// One customer of an IPv6 network has a whole /64.
fn block(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            std::net::Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_run_out_and_come_back() {
        let (budget, now) = (Budget::new(3), Instant::now());
        let guesser: IpAddr = "192.0.2.7".parse().unwrap();
        for _ in 0..3 {
            assert_eq!(budget.wait(guesser, now), None);
            budget.fail(guesser, now);
        }
        assert_eq!(budget.wait(guesser, now), Some(WINDOW));
        assert_eq!(budget.wait("192.0.2.8".parse().unwrap(), now), None, "others are not touched");
        let later = now + WINDOW;
        assert_eq!(budget.wait(guesser, later), None);
        budget.fail(guesser, later);
        assert_eq!(budget.wait(guesser, later), None, "a new window has begun");
    }

    #[test]
    fn an_ipv6_network_is_one_address() {
        let (budget, now) = (Budget::new(1), Instant::now());
        budget.fail("2001:db8::1".parse().unwrap(), now);
        assert!(budget.wait("2001:db8::2".parse().unwrap(), now).is_some());
        assert!(budget.wait("2001:db8:0:1::1".parse().unwrap(), now).is_none());
    }
}
