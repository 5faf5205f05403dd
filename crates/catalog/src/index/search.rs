//! One search from the query's text to the answer.

use super::answer::{Answer, Confidence, Hit};
use super::fit::Fit;
use super::layout::{Section, entry};
use super::query::Query;
use super::read::{long, short};
use super::score::{Board, Shares, share};
use super::weights::UNSURE;
use super::{Index, Safety};
use crate::lexicon::Intent;
use crate::text::bare_name;
use std::cell::RefCell;

/// Memory a search needs, kept by each thread.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) query: Query,
    pub(super) board: Board,
    bare: String,
    named: Vec<u32>,
    top: Vec<Ranked>,
}

/// A document with all that decides its place.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    score: f32,
    rank: u32,
    document: u32,
    query: f32,
    title: f32,
    /// The query says a whole alias of it.
    alias: bool,
}

impl Ranked {
    fn before(&self, other: &Self) -> bool {
        self.score > other.score || (self.score >= other.score && self.rank < other.rank)
    }
}

/// So many things said are few enough that an action should have half of them.
const SHORT: u16 = 6;

/// Share of an alias from which it counts as said: a synonym of one of its words may be said instead.
const WHOLE: f32 = 0.8;

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
}

/// Runs `work` with the thread's scratch memory, or with fresh memory when a search runs inside another.
pub(super) fn with_scratch<T>(work: impl FnOnce(&mut Scratch) -> T) -> T {
    SCRATCH.with(|cell| match cell.try_borrow_mut() {
        Ok(mut scratch) => work(&mut scratch),
        Err(_) => work(&mut Scratch::default()),
    })
}

impl Index<'_> {
    /// The best `limit` documents that `keep` keeps, with what is known about how good they are.
    pub fn search(&self, query: &str, limit: usize, keep: impl Fn(u32) -> bool) -> Answer {
        with_scratch(|scratch| self.run(scratch, query, limit, keep))
    }

    fn run(&self, scratch: &mut Scratch, text: &str, limit: usize, keep: impl Fn(u32) -> bool) -> Answer {
        let line = self.command_line(text);
        self.name_hits(scratch, text, line.is_none());
        if let Some(line) = &line {
            scratch.named.extend(line.actions.iter().copied());
        }
        scratch.named.retain(|&number| keep(number));
        scratch.query.read(self, text);
        scratch.board.add(self, &scratch.query);
        let found = self.collect(scratch, limit, &keep);
        scratch.board.clean();
        let mut hits: Vec<Hit> = Vec::with_capacity(limit.min(scratch.top.len() + scratch.named.len()));
        let first = scratch.top.first().copied();
        let ceiling = first.map_or(1.0, |best| best.score.max(1.0)) * 2.0;
        let mut named: Vec<u32> = Vec::new();
        std::mem::swap(&mut named, &mut scratch.named);
        for &document in &named {
            if hits.len() < limit && !hits.iter().any(|hit| hit.document == document) {
                hits.push(Hit { document, score: ceiling });
            }
        }
        let guard = hits.is_empty();
        if guard && let Some(safe) = found.guarded {
            hits.push(Hit { document: safe.document, score: first.map_or(safe.score, |best| best.score) });
        }
        for ranked in &scratch.top {
            if hits.len() >= limit {
                break;
            }
            if !hits.iter().any(|hit| hit.document == ranked.document) {
                hits.push(Hit { document: ranked.document, score: ranked.score });
            }
        }
        let absent = match &line {
            Some(line) if line.actions.is_empty() => line.absent,
            _ if !named.is_empty() => None,
            _ => found.absent,
        };
        let non_english = scratch.query.non_english();
        let confidence = if named.is_empty() { self.confidence(scratch, absent.is_some() || non_english) } else { Confidence::High };
        named.clear();
        scratch.named = named;
        let unknown = if confidence == Confidence::High { Vec::new() } else { scratch.query.unknown_words(self) };
        Answer { hits, confidence, absent, non_english, unknown }
    }

    /// How far the first hits can be trusted. The best of three counts: an agent reads more than the first line.
    fn confidence(&self, scratch: &Scratch, refused: bool) -> Confidence {
        if refused || scratch.top.is_empty() {
            return Confidence::None;
        }
        // The more is said, the less of it can be expected in one action: a long request tells of arguments and of several steps.
        let said = u16::try_from(scratch.query.slots.iter().filter(|slot| slot.mass > 0).count()).unwrap_or(u16::MAX);
        let ease = (f32::from(SHORT) / f32::from(said.max(SHORT))).sqrt();
        let mut best = Confidence::None;
        for ranked in scratch.top.iter().take(3) {
            let fit = Fit::of(self, &scratch.query, ranked.document);
            let good = fit.all >= 0.5 * ease || (ranked.title >= 0.9 && fit.all >= 0.42 * ease);
            best = best.max(match fit {
                Fit { things, .. } if things >= 0.2 * ease && good => Confidence::High,
                Fit { all, .. } if all >= 0.25 * ease => Confidence::Low,
                _ => Confidence::None,
            });
        }
        best
    }

    /// Actions the query names: all of it is a name, or, where `words` may be names, a word of it that looks like one.
    fn name_hits(&self, scratch: &mut Scratch, text: &str, words: bool) {
        scratch.named.clear();
        bare_name(text, &mut scratch.bare);
        scratch.named.extend(self.named(&scratch.bare));
        if !words {
            return;
        }
        for word in text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | '`' | '"' | '(' | ')')) {
            let inner = word.trim_matches(|letter: char| !letter.is_alphanumeric());
            let name_like = inner.contains(['.', '_', '-']) || inner.chars().skip(1).any(char::is_uppercase);
            if name_like && inner.len() < text.len() {
                bare_name(inner, &mut scratch.bare);
                scratch.named.extend(self.named(&scratch.bare));
            }
        }
    }

    /// Turns sums into the best documents.
    fn collect(&self, scratch: &mut Scratch, limit: usize, keep: &impl Fn(u32) -> bool) -> Found {
        let board = &mut scratch.board;
        let total: u32 = scratch.query.slots.iter().map(|slot| slot.mass).sum();
        let intent = scratch.query.intent;
        let actions = self.len();
        let mut found = Found::default();
        let mut best_absent: Option<(Shares, u32)> = None;
        let absent = self.first_absent();
        for &number in board.touched.iter().filter(|number| **number >= absent) {
            let shares = Shares::of(self, number, board.sums[number as usize], 0.0, total, 0, false);
            if shares.title >= 0.8 && best_absent.is_none_or(|(known, _)| shares.score() > known.score()) {
                best_absent = Some((shares, long(self.document(number), entry::RANK)));
            }
        }
        scratch.top.clear();
        let mut safe: Option<Ranked> = None;
        let mut bar = 0;
        for &number in board.touched.iter().filter(|number| **number < actions) {
            let sums = board.sums[number as usize];
            if sums >> 32 < bar {
                continue;
            }
            let alias = self.alias_share(board, number);
            let shares = Shares::of(self, number, sums, alias, total, intent, scratch.query.plural);
            let record = self.document(number);
            let ranked = Ranked {
                score: shares.score(),
                rank: long(record, entry::RANK),
                document: number,
                query: shares.query,
                title: shares.title,
                alias: alias >= WHOLE,
            };
            let enters = scratch.top.len() < limit || scratch.top.last().is_some_and(|last| ranked.before(last));
            let safest = self.safety(number) != Safety::Destructive && safe.as_ref().is_none_or(|known| ranked.before(known));
            if (enters || safest) && keep(number) {
                if safest {
                    safe = Some(ranked);
                }
                if enters && limit > 0 {
                    if scratch.top.len() == limit {
                        scratch.top.pop();
                    }
                    let at = scratch.top.partition_point(|known| known.before(&ranked));
                    scratch.top.insert(at, ranked);
                    if let (Some(last), Some(safe)) = (scratch.top.get(limit - 1), &safe) {
                        bar = Shares::least_sum(last.score.min(safe.score));
                    }
                }
            }
        }
        if let Some(first) = scratch.top.first()
            && self.safety(first.document) == Safety::Destructive
            && !first.alias
            && !self.names_verb(&scratch.query, first.document)
        {
            found.guarded = safe;
        }
        if let Some((shares, number)) = best_absent
            && shares.query * shares.title > 0.4
            && scratch.top.first().is_none_or(|first| {
                // All of a request that nothing serves is said, and no action has more of the query or is itself said whole.
                let whole = shares.title >= 0.9 && shares.query >= first.query - 0.05 && first.title < 0.95;
                whole || shares.score() >= first.score
            })
        {
            found.absent = Some(number);
        }
        found
    }

    /// The largest share of an alias of this action that the query says.
    pub(super) fn alias_share(&self, board: &Board, number: u32) -> f32 {
        let record = self.document(number);
        let first = long(record, entry::ALIASES);
        let sums = board.sums.get(first as usize..first.saturating_add(long(record, entry::ALIAS_COUNT)) as usize).unwrap_or_default();
        (first..)
            .zip(sums)
            .map(|(alias, sums)| (alias, sums & 0xffff))
            .filter(|(_, said)| *said > 0)
            .map(|(alias, said)| share(said, u64::from(short(self.document(alias), entry::TITLE_MASS))))
            .fold(0.0, f32::max)
    }

    /// Whether the query says what the destructive document does, in the document's own verb, mistyped perhaps, or in a word that
    /// means the same. A weak likeness will not do, save among the words for taking away, which are all alike.
    fn names_verb(&self, query: &Query, number: u32) -> bool {
        let record = self.document(number);
        let start = long(record, entry::VERBS) as usize * 4;
        let count = usize::from(short(record, entry::VERB_COUNT));
        let verbs = self.sections.part(Section::Verbs).get(start..start + count * 4).unwrap_or_default();
        let takes_away = |term: u32| self.term(term).intent() == Intent::Delete as u8;
        verbs
            .chunks_exact(4)
            .map(|verb| long(verb, 0))
            .any(|verb| query.meant.iter().any(|meant| meant.term == verb && (meant.strength >= UNSURE || takes_away(verb))))
    }
}

/// What the ranking found beside the top.
#[derive(Default)]
struct Found {
    /// The best action that destroys nothing, when it must stand before a destructive one.
    guarded: Option<Ranked>,
    absent: Option<u32>,
}
