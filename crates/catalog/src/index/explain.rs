//! Tells how a score came about, for `--explain` and for whoever tunes a catalog.

use super::Index;
use super::board::Worth;
use super::layout::posting;
use super::score::{Scale, Shares, raw};
use super::search::with_scratch;

/// What one word of a query adds to a document's score.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The term of the index that matched.
    pub term: String,
    /// How strongly it was meant: 1 for the word itself, less for a synonym or a mended word.
    pub strength: f32,
    /// What it adds before the factors.
    pub worth: f32,
    /// Whether it stands in the title.
    pub title: bool,
}

/// How a document's score came about: the sum of `parts`, times the factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// One entry a word of the query that the document has.
    pub parts: Vec<Part>,
    /// Share of the query's weight that the document has.
    pub query: f32,
    /// Share of the title's weight that the query has.
    pub title: f32,
    /// 1: query and action are about the same kind of work; -1: they are not; 0: one of them does not say.
    pub intent: f32,
    /// The score before names, commands, the guard against destructive actions and the spreading of a long request.
    pub score: f32,
}

impl Index<'_> {
    /// How `document` scores for `query`; none when no word of the query is in it.
    pub fn explain(&self, query: &str, document: u32) -> Option<Explanation> {
        with_scratch(|scratch| {
            scratch.query.read(self, query);
            let mut parts = Vec::new();
            let mut sums = 0;
            for slot in &scratch.query.slots {
                let best = scratch.query.meant_by(slot).iter().filter_map(|meant| {
                    let term = self.term(meant.term);
                    let packed = term.posting(self, document)?;
                    let worth = Worth::of(term, meant.strength, *slot).at(packed);
                    Some((worth, term, meant.strength, packed & posting::TITLE != 0))
                });
                if let Some((worth, term, strength, title)) = best.max_by_key(|best| best.0) {
                    sums += worth;
                    parts.push(Part { term: term.text(self).to_owned(), strength: f32::from(strength) / 256.0, worth: raw(worth), title });
                }
            }
            scratch.board.add(self, &scratch.query);
            let alias = scratch.board.alias_share(self, document);
            scratch.board.clean(&scratch.query);
            let scale = Scale::of(&scratch.query);
            let shares = Shares::of(self, document, sums, &scale).or_alias(alias);
            (!parts.is_empty()).then(|| Explanation {
                parts,
                query: shares.query,
                title: shares.title,
                intent: shares.intent(&scale),
                score: shares.score(),
            })
        })
    }
}
