//! One search from the query's text to the answer.

use super::answer::{Answer, Confidence, Hit};
use super::board::Board;
use super::fit::Fit;
use super::layout::{Section, entry};
use super::query::Query;
use super::rank::{self, Ranked, Ranking};
use super::read::{long, short};
use super::score::{Scale, Shares, says_title};
use super::weights::UNSURE;
use super::{Index, Safety, spread};
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
    ranking: rank::Scratch,
    masks: Vec<u64>,
}

/// So many things said are few enough that an action should have half of them.
const SHORT: u16 = 6;

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
        scratch.query.read(self, text);
        let line = self.command_line(text);
        self.name_hits(scratch, text, line.is_none());
        if let Some(line) = &line {
            scratch.named.extend(line.actions.iter().copied());
        }
        scratch.named.retain(|&number| keep(number));
        let found = self.collect(scratch, spread::pool(&scratch.query, limit), &keep);
        spread::spread(self, &scratch.query, &mut scratch.ranking.top, &mut scratch.masks);
        scratch.board.clean(&scratch.query);
        let mut hits: Vec<Hit> = Vec::with_capacity(limit.min(scratch.ranking.top.len() + scratch.named.len()));
        let first = scratch.ranking.top.first().copied();
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
        for ranked in &scratch.ranking.top {
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
        if refused || scratch.ranking.top.is_empty() {
            return Confidence::None;
        }
        // The more is said, the less of it can be expected in one action: a long request tells of arguments and of several steps.
        let said = u16::try_from(scratch.query.slots.iter().filter(|slot| slot.mass > 0).count()).unwrap_or(u16::MAX);
        let ease = (f32::from(SHORT) / f32::from(said.max(SHORT))).sqrt();
        let mut best = Confidence::None;
        for ranked in scratch.ranking.top.iter().take(3) {
            let fit = Fit::of(self, &scratch.query, ranked.document);
            let good = fit.all >= 0.5 * ease || (ranked.title >= 0.9 && fit.all >= 0.42 * ease);
            let trust = match fit {
                Fit { things, .. } if things >= 0.2 * ease && good => Confidence::High,
                Fit { all, .. } if all >= 0.25 * ease => Confidence::Low,
                _ => Confidence::None,
            };
            best = best.max(trust);
            if best == Confidence::High {
                break;
            }
        }
        best
    }

    /// Actions the query names: all of it is a name, or, where `words` may be names, a word of it that looks like one.
    fn name_hits(&self, scratch: &mut Scratch, text: &str, words: bool) {
        scratch.named.clear();
        if text.contains(' ') {
            // The words without what stands between them are the bare form.
            scratch.named.extend(self.named(scratch.query.text()));
        } else {
            bare_name(text, &mut scratch.bare);
            scratch.named.extend(self.named(&scratch.bare));
        }
        // Most queries have nothing in them that looks like a name.
        let plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && !matches!(byte, b'.' | b'_' | b'-');
        if !words || text.bytes().skip(1).all(plain) {
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
        let Scratch { query, board, ranking, .. } = scratch;
        board.add(self, query);
        let Ranking { scale, safe, .. } = Ranking::run(self, query, board, ranking, limit, keep);
        let first = ranking.top.first();
        let mut found = Found { absent: self.absent(board, &scale, first), ..Found::default() };
        // Who asks how things are wants nothing taken away, though the word for it may fall: "which stacks are down?"
        if let Some(first) = first
            && self.safety(first.document) == Safety::Destructive
            && (query.question || !(first.alias || self.names_verb(query, first.document)))
        {
            found.guarded = safe;
        }
        found
    }

    /// The request that nothing serves and that fits better than any action, `first` being the best of those.
    fn absent(&self, board: &Board, scale: &Scale, first: Option<&Ranked>) -> Option<u32> {
        let mut best: Option<(Shares, u32)> = None;
        board.each_from(self.len(), |document, sums| {
            if !says_title(self, document, sums) {
                return;
            }
            let shares = Shares::of(self, document, sums, scale);
            if best.is_none_or(|(known, _)| shares.score() > known.score()) {
                best = Some((shares, long(self.document(document), entry::RANK)));
            }
        });
        let (shares, number) = best?;
        let fits = shares.query * shares.title > 0.4
            && first.is_none_or(|first| {
                // All of a request that nothing serves is said, and no action has more of the query or is itself said whole.
                let whole = shares.title >= 0.9 && shares.query >= first.query - 0.05 && first.title < 0.95;
                whole || shares.score() >= first.score
            });
        fits.then_some(number)
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
