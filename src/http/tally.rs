//! A count of what goes on at the moment, kept right also where something is broken off half-way.

use std::sync::atomic::{AtomicU64, Ordering};

/// One of them, until it is dropped.
pub struct Tally<'c>(&'c AtomicU64);

impl<'c> Tally<'c> {
    /// Counts one more.
    pub fn of(count: &'c AtomicU64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
