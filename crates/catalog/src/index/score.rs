//! Turns the sums of a document into its score.

use super::Index;
use super::board::Sums;
use super::layout::entry;
use super::query::Query;
use super::read::{byte, short};
use super::weights::{COVERAGE_BASE, INTENT, LISTS, SEVERAL, TITLE_COVERAGE};
use crate::lexicon::{INTENTS, Intent};

/// A score of 1 as a sum.
const UNIT: f32 = 524_288.0;

/// What is the same for every document of one query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// The query's whole weight.
    total: u32,
    /// How the kind of work and the number of things named change a score: by the document's intent, and whether its title speaks of
    /// several.
    factors: [[f32; 2]; INTENTS],
    /// The most that the factors can make of a sum.
    most: f32,
    /// What a share of the query's weight adds to the coverage, for a weight of 1.
    slope: f32,
    intent: u8,
}

impl Scale {
    pub(super) fn of(query: &Query) -> Self {
        let said = query.intent;
        let mut factors = [[1.0_f32; 2]; INTENTS];
        for (own, pair) in (0_u8..).zip(&mut factors) {
            let intent = 1.0 + INTENT * agreement(said, own);
            let lists = query.plural && said == Intent::None as u8 && own == Intent::Read as u8;
            let several = match query.plural {
                true if lists => LISTS,
                true => 0.0,
                false => -SEVERAL,
            };
            *pair = [intent, intent * (1.0 + several)];
        }
        let best = factors.iter().flatten().copied().fold(0.0, f32::max);
        let total = query.slots.iter().fold(0_u32, |sum, slot| sum.saturating_add(slot.mass));
        let slope = if total == 0 { 0.0 } else { (1.0 - COVERAGE_BASE) / small(total) };
        Self { total, factors, most: (1.0 + TITLE_COVERAGE) * best, slope, intent: said }
    }

    /// Whether sums may reach a score, with all factors but coverage at their best: a short look before the exact one.
    #[inline]
    pub(super) fn may_reach(&self, sums: Sums, score: f32) -> bool {
        let found = small(part(sums, 16) & 0xffff);
        small(part(sums, 32)) * (COVERAGE_BASE + self.slope * found) * self.most >= score * 0.999 * UNIT
    }

    /// The least sums that may reach a score, with all factors at their best.
    pub(super) fn least(&self, score: f32) -> Sums {
        let least = (score / self.most * 0.999 * UNIT).max(0.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "sums are below 2^32 and not negative")]
        {
            (least as u64) << 32
        }
    }
}

/// 1: both are about the same kind of work; -1: they are not; 0: one of them does not say.
fn agreement(said: u8, own: u8) -> f32 {
    match (said, own) {
        (0, _) | (_, 0) => 0.0,
        (said, own) if said == own => 1.0,
        _ => -1.0,
    }
}

/// The sums of a document as shares, and the score they make.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shares {
    pub(super) raw: f32,
    pub(super) query: f32,
    pub(super) title: f32,
    /// How the kind of work and the number of things named change the score.
    factor: f32,
    own: u8,
}

impl Shares {
    #[inline]
    pub(super) fn of(index: &Index<'_>, number: u32, sums: Sums, scale: &Scale) -> Self {
        let record = index.document(number);
        let own = byte(record, entry::INTENT);
        let several = usize::from(byte(record, entry::PLURAL) & 1);
        Self {
            raw: small(part(sums, 32)) / UNIT,
            query: share(part(sums, 16) & 0xffff, scale.total),
            title: share(part(sums, 0) & 0xffff, u32::from(short(record, entry::TITLE_MASS))),
            factor: scale.factors.get(usize::from(own)).map_or(1.0, |pair| pair[several]),
            own,
        }
    }

    /// The share of its title or of one of its aliases, whichever is more.
    pub(super) fn or_alias(self, alias: f32) -> Self {
        Self { title: self.title.max(alias), ..self }
    }

    /// Whether query and document are about the same kind of work, see [`agreement`].
    pub(super) fn intent(self, scale: &Scale) -> f32 {
        agreement(scale.intent, self.own)
    }

    #[inline]
    pub(super) fn score(self) -> f32 {
        self.with_title(self.title)
    }

    /// The score were all of the title or of an alias said.
    #[inline]
    pub(super) fn at_most(self) -> f32 {
        self.with_title(1.0)
    }

    fn with_title(self, title: f32) -> f32 {
        self.raw * (COVERAGE_BASE + (1.0 - COVERAGE_BASE) * self.query) * (1.0 + TITLE_COVERAGE * title) * self.factor
    }
}

/// Whether sums say four fifths of the title or more.
pub(super) fn says_title(index: &Index<'_>, number: u32, sums: Sums) -> bool {
    let mass = u32::from(short(index.document(number), entry::TITLE_MASS));
    mass > 0 && (part(sums, 0) & 0xffff) * 5 >= mass * 4
}

/// What sums are worth before all factors.
pub(super) fn raw(sums: Sums) -> f32 {
    small(part(sums, 32)) / UNIT
}

#[inline]
pub(super) fn share(part: u32, whole: u32) -> f32 {
    if whole == 0 { 0.0 } else { (small(part) / small(whole)).min(1.0) }
}

/// The 32 bits of sums from this one on.
#[inline]
fn part(sums: Sums, from: u32) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "the bits above are another sum")]
    {
        (sums >> from) as u32
    }
}

/// Numbers of 32 bits are made floats in one step, longer ones are not; no precision that matters is lost.
#[inline]
fn small(number: u32) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "scores need six digits at most")]
    {
        number as f32
    }
}
