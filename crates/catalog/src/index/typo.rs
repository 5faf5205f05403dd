//! Mends a mistyped word: the spelling of the catalog that is one letter away, two for longer words. Asked only for words that
//! find nothing, since mending words that are right costs more than it brings.

use super::Index;
use super::layout::{self, Section, mendable, surface};
use super::read::{byte, long};

/// Rows of the distance table, reused between searches.
#[derive(Default)]
pub(super) struct Scratch {
    rows: [Vec<u8>; 3],
}

/// How near a spelling is, best first: letters wrong, another first letter, rareness, number.
type Nearness = (u8, u32, u32, u32);

impl Scratch {
    /// The term of the nearest spelling and how many letters are wrong.
    pub(super) fn mend(&mut self, index: &Index<'_>, word: &[u8]) -> Option<(u32, u8)> {
        if word.len() < 3 || !word.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let mut best: Option<Nearness> = None;
        // Hardly anyone mistypes a first letter, but some leave it out or put it second.
        self.shelf(index, word, word[0], &mut best);
        if word[1] != word[0] {
            self.shelf(index, word, word[1], &mut best);
        }
        best.map(|(wrong, _, _, number)| (long(index.sections.record(Section::Surfaces, surface::SIZE, number), surface::TERM), wrong))
    }

    /// Looks through the spellings that begin with `first`.
    fn shelf(&mut self, index: &Index<'_>, word: &[u8], first: u8, best: &mut Option<Nearness>) {
        let allowed: usize = if word.len() <= 5 { 1 } else { 2 };
        let letters = mendable::letters(word);
        // Three letters are too few to lose one.
        let least = if word.len() == 3 { 4 } else { word.len() - allowed };
        let shelves = index.sections.part(Section::Shelves);
        let at = |length: usize| long(shelves, mendable::shelf(first, length) * 4) as usize * mendable::SIZE;
        let end = long(shelves, (mendable::shelf(first, word.len() + allowed) + 1) * 4) as usize * mendable::SIZE;
        for entry in index.sections.part(Section::Mendable).get(at(least)..end).unwrap_or_default().chunks_exact(mendable::SIZE) {
            let against = long(entry, mendable::LETTERS);
            // A wrong letter changes the set by one letter each way at most; bits are counted only where that may still hold.
            if differ(letters & !against, allowed) || differ(against & !letters, allowed) {
                continue;
            }
            let number = long(entry, mendable::SURFACE);
            let record = index.sections.record(Section::Surfaces, surface::SIZE, number);
            let spelling = index.sections.bytes(long(record, surface::TEXT), usize::from(byte(record, surface::TEXT_LENGTH)));
            let Some(wrong) = self.distance(word, spelling, allowed) else { continue };
            let term = index.term(long(record, surface::TERM));
            // Nearest first; then the one that begins alike; then the word more actions have; then the first spelling.
            let strange = u32::from(spelling.first() != word.first());
            let rare = u32::MAX - long(term.record, layout::term::POSTING_COUNT);
            let candidate = (wrong, strange, rare, number);
            if best.is_none_or(|known| candidate < known) {
                *best = Some(candidate);
            }
        }
    }

    /// Damerau-Levenshtein distance (neighbours may change places), if at most `allowed`.
    fn distance(&mut self, one: &[u8], other: &[u8], allowed: usize) -> Option<u8> {
        let width = other.len() + 1;
        for row in &mut self.rows {
            row.clear();
            row.resize(width, 0);
        }
        let cell = |number: usize| u8::try_from(number).unwrap_or(u8::MAX);
        for (column, value) in self.rows[1].iter_mut().enumerate() {
            *value = cell(column);
        }
        for (line, &letter) in one.iter().enumerate() {
            let [two_ago, ago, now] = &mut self.rows;
            now[0] = cell(line + 1);
            for (column, &against) in other.iter().enumerate() {
                let mut cost = (ago[column] + u8::from(letter != against)).min(ago[column + 1] + 1).min(now[column] + 1);
                if line > 0 && column > 0 && letter == other[column - 1] && one[line - 1] == against {
                    cost = cost.min(two_ago[column - 1] + 1);
                }
                now[column + 1] = cost;
            }
            self.rows.rotate_left(1);
        }
        let distance = self.rows[1][width - 1];
        (usize::from(distance) <= allowed).then_some(distance)
    }
}

/// Whether more than `allowed` bits are set.
fn differ(mut bits: u32, allowed: usize) -> bool {
    for _ in 0..allowed {
        bits &= bits.wrapping_sub(1);
    }
    bits != 0
}
