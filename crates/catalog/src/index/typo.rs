//! Mends a mistyped word: the spelling of the catalog that is one letter away, two for longer words. Asked only for words that
//! find nothing, since mending words that are right costs more than it brings.

use super::Index;
use super::layout::{self, Section, surface};
use super::read::{byte, long};

/// Counters, one a spelling, reused between searches.
#[derive(Default)]
pub(super) struct Scratch {
    shared: Vec<u8>,
    met: Vec<u32>,
    rows: [Vec<u8>; 3],
}

impl Scratch {
    /// The term of the nearest spelling and how many letters are wrong.
    pub(super) fn mend(&mut self, index: &Index<'_>, word: &[u8]) -> Option<(u32, u8)> {
        if word.len() < 3 || !word.iter().all(u8::is_ascii_lowercase) {
            return None;
        }
        let allowed: usize = if word.len() <= 5 { 1 } else { 2 };
        self.count(index, word);
        // Each wrong letter spoils at most three pairs (two letters that changed places do).
        let pairs = word.len() + 1;
        let least = u8::try_from(pairs.saturating_sub(3 * allowed).max(1)).unwrap_or(u8::MAX);
        let mut best: Option<(u8, u32, u32, u32)> = None;
        let met = std::mem::take(&mut self.met);
        for &number in &met {
            if self.shared[number as usize] < least {
                continue;
            }
            let record = index.sections.record(Section::Surfaces, surface::SIZE, number);
            let length = usize::from(byte(record, surface::TEXT_LENGTH));
            if length.abs_diff(word.len()) > allowed || (word.len() == 3 && length < 4) {
                continue;
            }
            let spelling = index.sections.bytes(long(record, surface::TEXT), length);
            let Some(wrong) = self.distance(word, spelling, allowed) else { continue };
            let term = long(record, surface::TERM);
            // Nearest first; then the one that begins alike; then the word more actions have; then the first spelling.
            let strange = u32::from(spelling.first() != word.first());
            let rare = u32::MAX - long(index.term(term).record, layout::term::POSTING_COUNT);
            let candidate = (wrong, strange, rare, number);
            if best.is_none_or(|known| candidate < known) {
                best = Some(candidate);
            }
        }
        for &number in &met {
            self.shared[number as usize] = 0;
        }
        self.met = met;
        best.map(|(wrong, _, _, number)| (long(index.sections.record(Section::Surfaces, surface::SIZE, number), surface::TERM), wrong))
    }

    /// Counts for every spelling the pairs of letters it shares with `word`.
    fn count(&mut self, index: &Index<'_>, word: &[u8]) {
        let spellings = index.sections.part(Section::Surfaces).len() / surface::SIZE;
        if self.shared.len() < spellings {
            self.shared.resize(spellings, 0);
        }
        self.met.clear();
        let starts = index.sections.part(Section::Pairs);
        let lists = index.sections.part(Section::PairLists);
        let mut visit = |first: u8, second: u8| {
            let pair = layout::pair(first, second);
            let (start, end) = (long(starts, pair * 4) as usize * 4, long(starts, pair * 4 + 4) as usize * 4);
            for entry in lists.get(start..end).unwrap_or_default().chunks_exact(4) {
                let number = long(entry, 0);
                if let Some(shared) = self.shared.get_mut(number as usize) {
                    if *shared == 0 {
                        self.met.push(number);
                    }
                    *shared = shared.saturating_add(1);
                }
            }
        };
        visit(0, word[0]);
        for two in word.windows(2) {
            visit(two[0], two[1]);
        }
        visit(word[word.len() - 1], 0);
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
