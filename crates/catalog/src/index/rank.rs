//! Ranks documents: their sums become scores, and the best are kept.

use super::board::{Board, Sums};
use super::layout::entry;
use super::query::Query;
use super::read::long;
use super::score::{Scale, Shares};
use super::{Index, Safety};

/// Share of an alias from which it counts as said: a synonym of one of its words may be said instead.
const WHOLE: f32 = 0.8;

/// A document with all that decides its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) score: f32,
    rank: u32,
    pub(super) document: u32,
    pub(super) query: f32,
    pub(super) title: f32,
    /// The query says a whole alias of it.
    pub(super) alias: bool,
}

impl Ranked {
    fn before(&self, other: &Self) -> bool {
        self.score > other.score || (self.score >= other.score && self.rank < other.rank)
    }
}

/// Memory of a ranking, kept between searches.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) top: Vec<Ranked>,
    /// The documents with the highest sums.
    heavy: Vec<(Sums, u32)>,
}

/// Puts a document where it belongs, heaviest first, the first of two alike first.
fn put(heavy: &mut Vec<(Sums, u32)>, document: (Sums, u32)) {
    let at = heavy.iter().rposition(|known| known.0 >= document.0).map_or(0, |before| before + 1);
    heavy.insert(at, document);
}

/// The ranking of one query.
pub(super) struct Ranking<'r, Keep> {
    index: &'r Index<'r>,
    pub(super) scale: Scale,
    limit: usize,
    keep: Keep,
    top: &'r mut Vec<Ranked>,
    /// The best that destroys nothing.
    pub(super) safe: Option<Ranked>,
    /// The least score that still changes the answer.
    least: f32,
}

impl<'r, Keep: Fn(u32) -> bool> Ranking<'r, Keep> {
    /// Ranks what a query added up on `board`. The heaviest documents come first and set the bar, so that most others are never looked
    /// at.
    pub(super) fn run(index: &'r Index<'r>, query: &Query, board: &mut Board, scratch: &'r mut Scratch, limit: usize, keep: Keep) -> Self {
        let Scratch { top, heavy } = scratch;
        top.clear();
        let mut ranking = Self { index, scale: Scale::of(query), limit, keep, top, safe: None, least: 0.0 };
        let ranked = ranking.rank_heavy(board, heavy);
        ranking.rank_rest(board, ranked);
        ranking
    }

    /// Ranks the heaviest documents: what they reach is the least that the best will reach. Gives the sums from which on all are ranked.
    fn rank_heavy(&mut self, board: &mut Board, heavy: &mut Vec<(Sums, u32)>) -> Sums {
        let many = self.limit + 1;
        let mut bar: Sums = 1;
        // The heaviest of a group stands for it first, so that few documents are compared with each other.
        heavy.clear();
        board.each_highest(|sums| {
            if sums >= bar {
                put(heavy, (sums, 0));
                heavy.truncate(many);
                bar = heavy.get(many - 1).map_or(bar, |last| last.0);
            }
        });
        heavy.clear();
        let actions = self.index.len();
        board.each_high(bar, Sums::MAX, |document, sums| {
            if document < actions {
                put(heavy, (sums, document));
            }
            bar
        });
        for &(sums, document) in heavy.iter() {
            self.offer(board, document, sums);
        }
        bar
    }

    /// Ranks the others that may still change the answer.
    fn rank_rest(&mut self, board: &Board, ranked: Sums) {
        let actions = self.index.len();
        let mut bar = self.bar();
        board.each_high(bar, ranked, |document, sums| {
            if document < actions && self.scale.may_reach(sums, self.least) {
                self.offer(board, document, sums);
                bar = self.bar();
            }
            bar
        });
    }

    /// The least sums that may still change the answer.
    fn bar(&self) -> Sums {
        self.scale.least(self.least).max(1)
    }

    fn offer(&mut self, board: &Board, document: u32, sums: Sums) {
        let shares = Shares::of(self.index, document, sums, &self.scale);
        let has_aliases = self.index.has_aliases();
        if (if has_aliases { shares.at_most() } else { shares.score() }) < self.least {
            return;
        }
        // Only now, when it may matter.
        let alias = if has_aliases { board.alias_share(self.index, document) } else { 0.0 };
        let shares = shares.or_alias(alias);
        let record = self.index.document(document);
        let ranked = Ranked {
            score: shares.score(),
            rank: long(record, entry::RANK),
            document,
            query: shares.query,
            title: shares.title,
            alias: alias >= WHOLE,
        };
        let harmless = self.index.safety(document) != Safety::Destructive;
        let enters = self.limit > 0 && (self.top.len() < self.limit || self.top.last().is_some_and(|last| ranked.before(last)));
        let safest = harmless && self.safe.as_ref().is_none_or(|known| ranked.before(known));
        if !(enters || safest) || !(self.keep)(document) {
            return;
        }
        if safest {
            self.safe = Some(ranked);
        }
        if enters {
            self.top.truncate(self.limit - 1);
            let at = self.top.partition_point(|known| known.before(&ranked));
            self.top.insert(at, ranked);
        }
        if let (Some(last), Some(safe)) = (self.top.get(self.limit.wrapping_sub(1)), &self.safe) {
            self.least = self.least.max(last.score.min(safe.score));
        }
    }
}
