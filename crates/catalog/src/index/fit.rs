//! Judges how well a document answers a query: which of the things said it has, and how surely each is meant. Scores alone hardly
//! tell a good answer from the least bad one.

use super::Index;
use super::query::Query;
use super::weights::{SURE, UNSURE};

/// How much more than in the ranking an unknown word counts here: it is the best sign that the catalog has no such thing.
const UNKNOWN: f32 = 2.0;

/// Shares of what the query says that a document has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fit {
    /// Of everything said.
    pub(super) all: f32,
    /// Of the things named, verbs left aside; 1 when only verbs are said.
    pub(super) things: f32,
}

impl Fit {
    pub(super) fn of(index: &Index<'_>, query: &Query, document: u32) -> Self {
        let (mut said, mut had, mut things, mut had_things) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
        for slot in &query.slots {
            let meant = query.meant_by(slot);
            let mass = mass_of(slot.mass, slot.known);
            let sure = meant
                .iter()
                .filter(|meant| index.term(meant.term).posting(index, document).is_some())
                .map(|meant| sureness(meant.strength))
                .fold(0.0, f32::max);
            said += mass;
            had += mass * sure;
            if !slot.verb {
                things += mass;
                had_things += mass * sure;
            }
        }
        Self { all: share(had, said), things: share(had_things, things) }
    }
}

fn mass_of(mass: u32, known: bool) -> f32 {
    let mass = f32::from(u16::try_from(mass).unwrap_or(u16::MAX));
    if known { mass } else { mass * UNKNOWN }
}

/// How surely a word meant in this way is what was said.
fn sureness(given: u16) -> f32 {
    match given {
        SURE.. => 1.0,
        UNSURE.. => 0.6,
        _ => 0.3,
    }
}

fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 1.0 }
}
