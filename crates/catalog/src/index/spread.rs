//! Spreads the first hits of a long request. Who says much may want several things done ("…, and also …"), and each of them wants an
//! action: one that answers what none before it does is worth more than one more that answers the same.

use super::Index;
use super::query::{Query, Slot};
use super::rank::Ranked;
use super::score::share;

/// More things said than this may be several wishes.
const FEW: usize = 7;
/// So many documents are looked at: those that answer another wish stand further down.
const POOL: usize = 20;
/// The part of a score that is lost when all that a document answers has been answered before it.
const REPEATED: f32 = 0.3;
/// Things said that are told apart: as many as a mask has bits.
const MOST: usize = u64::BITS as usize;

/// How many documents are ranked, so that so many can be shown.
pub(super) fn pool(query: &Query, limit: usize) -> usize {
    if limit > 1 && said(query).count() > FEW { limit.max(POOL) } else { limit }
}

/// Things said that the catalog knows and that count.
fn said(query: &Query) -> impl Iterator<Item = &Slot> {
    query.slots.iter().filter(|slot| slot.mass > 0 && slot.known).take(MOST)
}

/// Puts the best first, then always the one that adds most; scores become what they are worth there. `masks` is memory to be reused.
pub(super) fn spread(index: &Index<'_>, query: &Query, top: &mut [Ranked], masks: &mut Vec<u64>) {
    let mut masses = [0_u32; MOST];
    let count = masses.iter_mut().zip(said(query)).map(|(mass, slot)| *mass = slot.mass).count();
    if count <= FEW {
        return;
    }
    masks.clear();
    masks.extend(top.iter().map(|ranked| answered(index, query, ranked.document)));
    let weigh = |mask: u64| masses.iter().enumerate().filter(|(place, _)| mask >> place & 1 == 1).fold(0, |sum, (_, mass)| sum + mass);
    let mut before = 0_u64;
    for place in 0..top.len() {
        let mut best: Option<(usize, f32)> = None;
        for (other, (ranked, &mask)) in top.iter().zip(masks.iter()).enumerate().skip(place) {
            // A score falls by no more than this, and those that follow have lower ones.
            if best.is_some_and(|(_, worth)| worth >= ranked.score) {
                break;
            }
            let worth = ranked.score * (1.0 - REPEATED * share(weigh(mask & before), weigh(mask)));
            if best.is_none_or(|(_, known)| worth > known) {
                best = Some((other, worth));
            }
        }
        let Some((other, worth)) = best else { return };
        let (Some(ranked), Some(mask)) = (top.get_mut(place..=other), masks.get_mut(place..=other)) else { return };
        ranked.rotate_right(1);
        mask.rotate_right(1);
        ranked[0].score = worth;
        before |= mask[0];
    }
}

/// The things said that a document has, a bit each.
fn answered(index: &Index<'_>, query: &Query, document: u32) -> u64 {
    let has = |slot: &Slot| query.meant_by(slot).iter().any(|meant| index.term(meant.term).posting(index, document).is_some());
    said(query).enumerate().fold(0, |mask, (place, slot)| mask | u64::from(has(slot)) << place)
}
