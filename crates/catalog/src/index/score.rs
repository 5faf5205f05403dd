//! Adds up what every word of a query is worth in every document, and turns the sums into scores.

use super::layout::{entry, posting};
use super::query::{Query, Slot};
use super::read::{byte, short};
use super::weights::{COVERAGE_BASE, INTENT, LISTS, MOST, SEVERAL, TITLE_COVERAGE};
use super::{Index, Term};
use crate::lexicon::Intent;

/// Sums of one document: score in the upper half, then the query's weight found, then the title's weight hit. One addition a
/// posting updates all three.
pub(super) type Sums = u64;

/// Sums of every document, reused between searches.
#[derive(Default)]
pub(super) struct Board {
    pub(super) sums: Vec<Sums>,
    pub(super) touched: Vec<u32>,
    /// Best of the meanings of the slot at hand, where it has several.
    best: Vec<Sums>,
    met: Vec<u32>,
}

impl Board {
    /// Adds up a query. The board is clean afterwards only through [`Board::clean`].
    pub(super) fn add(&mut self, index: &Index<'_>, query: &Query) {
        let documents = index.documents();
        if self.sums.len() < documents {
            self.sums.resize(documents, 0);
            self.best.resize(documents, 0);
        }
        for slot in &query.slots {
            let meant = query.meant.get(slot.start as usize..slot.end as usize).unwrap_or_default();
            match meant {
                [] => {}
                [single] => self.one(index, index.term(single.term), single.strength, *slot),
                several => {
                    for meant in several {
                        self.either(index, index.term(meant.term), meant.strength, *slot);
                    }
                    self.settle();
                }
            }
        }
    }

    pub(super) fn clean(&mut self) {
        for &number in &self.touched {
            self.sums[number as usize] = 0;
        }
        self.touched.clear();
    }

    fn one(&mut self, index: &Index<'_>, term: Term<'_>, strength: u16, slot: Slot) {
        let worth = Worth::of(term, strength, slot);
        for packed in term.postings(index) {
            let packed = u32::from_le_bytes(*packed);
            let number = packed & posting::DOCUMENT_MASK;
            if let Some(sums) = self.sums.get_mut(number as usize) {
                if *sums == 0 {
                    self.touched.push(number);
                }
                *sums += worth.at(packed);
            }
        }
    }

    fn either(&mut self, index: &Index<'_>, term: Term<'_>, strength: u16, slot: Slot) {
        let worth = Worth::of(term, strength, slot);
        for packed in term.postings(index) {
            let packed = u32::from_le_bytes(*packed);
            let number = packed & posting::DOCUMENT_MASK;
            if let Some(best) = self.best.get_mut(number as usize) {
                if *best == 0 {
                    self.met.push(number);
                }
                *best = (*best).max(worth.at(packed));
            }
        }
    }

    fn settle(&mut self) {
        for &number in &self.met {
            let sums = &mut self.sums[number as usize];
            if *sums == 0 {
                self.touched.push(number);
            }
            *sums += self.best[number as usize];
            self.best[number as usize] = 0;
        }
        self.met.clear();
    }
}

/// What a term is worth in this query, before the document is known.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    weight: u32,
    found: u64,
    title: u64,
}

impl Worth {
    pub(super) fn of(term: Term<'_>, strength: u16, slot: Slot) -> Self {
        let strength = u32::from(strength);
        Self {
            weight: (term.weight() * strength) >> 8,
            found: u64::from((slot.mass * strength) >> 8) << 16,
            title: u64::from(if slot.mass == 0 { term.mass() } else { (term.mass() * strength) >> 8 }),
        }
    }

    pub(super) fn at(self, packed: u32) -> Sums {
        let saturation = (packed >> posting::DOCUMENT_BITS) & posting::SATURATION_MAX;
        let title = if packed & posting::TITLE == 0 { 0 } else { self.title };
        (u64::from(self.weight * saturation) << 32) | self.found.wrapping_add(title)
    }
}

/// A score of 1 as a sum.
const UNIT: f32 = 524_288.0;

/// The sums of a document as shares, and the score they make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    pub(super) raw: f32,
    pub(super) query: f32,
    pub(super) title: f32,
    pub(super) intent: f32,
    /// How one or several things named change the score.
    pub(super) number: f32,
}

impl Shares {
    pub(super) fn of(index: &Index<'_>, number: u32, sums: Sums, alias: f32, total: u32, intent: u8, plural: bool) -> Self {
        let record = index.document(number);
        let title = share(sums & 0xffff, u64::from(short(record, entry::TITLE_MASS)));
        let own = byte(record, entry::INTENT);
        let said = intent;
        let intent = match (intent, own) {
            (0, _) | (_, 0) => 0.0,
            (said, own) if said == own => 1.0,
            _ => -1.0,
        };
        Self {
            raw: small(sums >> 32) / UNIT,
            query: share((sums >> 16) & 0xffff, u64::from(total)),
            title: title.max(alias),
            intent,
            number: match (plural, short(record, entry::PLURAL) != 0) {
                (true, true) if said == Intent::None as u8 && own == Intent::Read as u8 => LISTS,
                (false, true) => -SEVERAL,
                _ => 0.0,
            },
        }
    }

    /// The least sum that may reach a score, with all factors at their best.
    pub(super) fn least_sum(score: f32) -> u64 {
        let least = (score / MOST * 0.999 * UNIT).max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sums are below 2^32 and not negative")]
        {
            least as u64
        }
    }

    pub(super) fn score(self) -> f32 {
        self.raw
            * (COVERAGE_BASE + (1.0 - COVERAGE_BASE) * self.query)
            * (1.0 + TITLE_COVERAGE * self.title)
            * (1.0 + INTENT * self.intent)
            * (1.0 + self.number)
    }
}

pub(super) fn share(part: u64, whole: u64) -> f32 {
    if whole == 0 { 0.0 } else { (small(part) / small(whole)).min(1.0) }
}

/// Sums stay below 2^32, so no precision that matters is lost.
fn small(number: u64) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "scores need six digits at most")]
    {
        number as f32
    }
}
