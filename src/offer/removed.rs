//! Which actions were taken out of an offer, and why. Every search asks it of every action that fits, so that it is a plain table.

use std::sync::Arc;

/// The reason for each removed action.
#[derive(Debug, Default, Clone)]
pub struct Removed {
    /// By number; as long as the highest number that was removed.
    reasons: Vec<Option<Arc<str>>>,
    count: usize,
}

impl Removed {
    /// Why an action was removed.
    pub fn reason(&self, number: usize) -> Option<&str> {
        self.reasons.get(number)?.as_deref()
    }

    /// Whether an action was removed.
    pub fn has(&self, number: usize) -> bool {
        self.reasons.get(number).is_some_and(Option::is_some)
    }

    /// How many were removed.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Removes an action. One that is removed already keeps its reason.
    pub fn add(&mut self, number: usize, reason: impl FnOnce() -> Arc<str>) {
        if self.reasons.len() <= number {
            self.reasons.resize(number + 1, None);
        }
        let place = &mut self.reasons[number];
        if place.is_none() {
            *place = Some(reason());
            self.count += 1;
        }
    }
}
