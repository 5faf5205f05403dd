//! The sums of every document while a query is added up. One addition a posting is all the work there is.

use super::layout::{Section, alias, entry, posting, term};
use super::query::{Query, Slot};
use super::read::{long, short};
use super::score::share;
use super::{Index, Term};

/// Sums of one document: score in the upper half, then the query's weight found, then the title's weight hit. One addition a
/// posting updates all three.
pub(super) type Sums = u64;

/// Documents that are marked, walked through and cleaned together: their sums are one cache line. A mark is a plain store, where a
/// list of documents would cost a branch a posting and a bit apiece a wait.
pub(super) const GROUP: usize = 8;

/// Marks looked at together: where all are clear, nothing of 64 documents is touched.
const WORD: usize = 8;

/// Sums, and a mark for every group of them that is not all zero.
#[derive(Default)]
struct Column {
    sums: Vec<Sums>,
    marks: Vec<u8>,
}

impl Column {
    fn fit(&mut self, documents: usize) {
        let groups = documents.div_ceil(GROUP * WORD) * WORD;
        if self.marks.len() < groups {
            self.marks.resize(groups, 0);
            self.sums.resize(groups * GROUP, 0);
        }
    }

    fn clean(&mut self) {
        let Self { sums, marks } = self;
        let groups = sums.as_chunks_mut::<GROUP>().0;
        each_marked(marks, |group| {
            if let Some(sums) = groups.get_mut(group) {
                *sums = [0; GROUP];
            }
        });
        marks.fill(0);
    }
}

/// Calls `each` with the number of every marked group, in order. A loop over what is set guesses wrong once a word, a test of every mark
/// once for every other.
#[inline]
fn each_marked(marks: &[u8], mut each: impl FnMut(usize)) {
    for (word, eight) in marks.as_chunks::<WORD>().0.iter().enumerate() {
        let mut set = u64::from_le_bytes(*eight);
        while set != 0 {
            each(word * WORD + set.trailing_zeros() as usize / 8);
            // A mark is 1, so that the lowest bit is all of it.
            set &= set - 1;
        }
    }
}

/// Sums of every document, reused between searches.
#[derive(Default)]
pub(super) struct Board {
    total: Column,
    /// Best of the meanings of the slot at hand, where it has several.
    best: Column,
    /// The highest sum of every marked group; what is noted for others is of no account.
    highest: Vec<Sums>,
    /// For every term: the slot that says it (from 1) and what it is worth there in an alias.
    said: Vec<(u16, u16)>,
}

impl Board {
    /// Adds up a query. The board is clean afterwards only through [`Board::clean`].
    pub(super) fn add(&mut self, index: &Index<'_>, query: &Query) {
        let documents = index.documents();
        self.total.fit(documents);
        self.best.fit(documents);
        self.highest.resize(self.highest.len().max(self.total.marks.len()), 0);
        for slot in &query.slots {
            match query.meant_by(slot) {
                [] => {}
                [single] => one(&mut self.total, index, index.term(single.term), single.strength, *slot),
                several => {
                    for meant in several {
                        either(&mut self.best, index, index.term(meant.term), meant.strength, *slot);
                    }
                    self.settle();
                }
            }
        }
        if index.has_aliases() {
            self.say(index, query);
        }
    }

    /// Notes which terms are said, for the aliases.
    fn say(&mut self, index: &Index<'_>, query: &Query) {
        let terms = index.sections.records::<{ term::SIZE }>(Section::Terms).len();
        if self.said.len() < terms {
            self.said.resize(terms, (0, 0));
        }
        for (slot, number) in query.slots.iter().zip(1..) {
            for meant in query.meant_by(slot) {
                let worth = u16::try_from(Worth::of(index.term(meant.term), meant.strength, *slot).title).unwrap_or(u16::MAX);
                if let Some(known) = self.said.get_mut(meant.term as usize)
                    && known.1 < worth
                {
                    *known = (number, worth);
                }
            }
        }
    }

    /// Forgets a query.
    pub(super) fn clean(&mut self, query: &Query) {
        self.total.clean();
        for meant in &query.meant {
            if let Some(known) = self.said.get_mut(meant.term as usize) {
                *known = (0, 0);
            }
        }
    }

    /// Calls `each` with the documents from `first` on that have sums, in order.
    pub(super) fn each_from(&self, first: u32, mut each: impl FnMut(u32, Sums)) {
        let begin = first as usize / GROUP;
        let groups = self.total.sums.as_chunks::<GROUP>().0.iter().zip(&self.total.marks).enumerate().skip(begin);
        for (group, (sums, mark)) in groups {
            let Ok(start) = u32::try_from(group * GROUP) else { return };
            if *mark != 0 {
                (start..)
                    .zip(sums)
                    .filter(|&(document, &sums)| document >= first && sums != 0)
                    .for_each(|(document, &sums)| each(document, sums));
            }
        }
    }

    /// Notes the highest sum of every marked group, and calls `each` with it.
    #[inline]
    pub(super) fn each_highest(&mut self, mut each: impl FnMut(Sums)) {
        let Self { total, highest, .. } = self;
        let groups = total.sums.as_chunks::<GROUP>().0;
        each_marked(&total.marks, |group| {
            if let (Some(sums), Some(highest)) = (groups.get(group), highest.get_mut(group)) {
                *highest = sums.iter().copied().fold(0, Sums::max);
                each(*highest);
            }
        });
    }

    /// Calls `each` with the documents whose sums are at the bar or above and below `top`, in order. `each` gives the new bar.
    #[inline]
    pub(super) fn each_high(&self, mut bar: Sums, top: Sums, mut each: impl FnMut(u32, Sums) -> Sums) {
        let groups = self.total.sums.as_chunks::<GROUP>().0;
        each_marked(&self.total.marks, |group| {
            if self.highest.get(group).is_none_or(|highest| *highest < bar) {
                return;
            }
            let (Some(sums), Ok(first)) = (groups.get(group), u32::try_from(group * GROUP)) else { return };
            // All are compared first: a branch for each could not be foreseen.
            let high = |sums: &Sums| u32::from(*sums >= bar) & u32::from(*sums < top);
            let mut set = sums.iter().rev().fold(0_u32, |set, sums| set << 1 | high(sums));
            while set != 0 {
                let place = set.trailing_zeros();
                set &= set - 1;
                if let Some(&sums) = sums.get(place as usize)
                    && sums >= bar
                {
                    bar = each(first + place, sums);
                }
            }
        });
    }

    /// The largest share of an alias of this action that the query says.
    pub(super) fn alias_share(&self, index: &Index<'_>, number: u32) -> f32 {
        let record = index.document(number);
        let first = long(record, entry::ALIASES) as usize;
        let count = long(record, entry::ALIAS_COUNT) as usize;
        let aliases: &[[u8; alias::SIZE]] = index.sections.records(Section::Aliases);
        // As a fraction: one division is enough for all.
        let (mut best, mut of) = (0_u32, 1_u32);
        for record in aliases.get(first..first.saturating_add(count)).unwrap_or_default() {
            let start = long(record, alias::TERMS) as usize;
            let count = usize::from(short(record, alias::TERM_COUNT));
            let terms: &[[u8; 4]] = index.sections.records(Section::AliasTerms);
            let (mut sum, mut counted) = (0_u32, 0_u64);
            for term in terms.get(start..start + count).unwrap_or_default() {
                let Some(&(slot, worth)) = self.said.get(u32::from_le_bytes(*term) as usize) else { continue };
                // One thing said counts once, though an alias may name it twice. Without a branch: it could not be foreseen.
                let slot = u32::from(slot & 63);
                sum += u32::from(worth) * u32::from((counted >> slot) & 1 == 0);
                counted |= 1 << slot;
            }
            let mass = u32::from(short(record, alias::MASS));
            if mass > 0 && u64::from(sum) * u64::from(of) > u64::from(best) * u64::from(mass) {
                (best, of) = (sum, mass);
            }
        }
        share(best, of)
    }

    fn settle(&mut self) {
        let (best, total) = (&mut self.best, &mut self.total);
        let met = best.sums.as_chunks_mut::<GROUP>().0;
        let sums = total.sums.as_chunks_mut::<GROUP>().0;
        each_marked(&best.marks, |group| {
            if let (Some(met), Some(sums), Some(mark)) = (met.get_mut(group), sums.get_mut(group), total.marks.get_mut(group)) {
                for (sum, best) in sums.iter_mut().zip(met.iter()) {
                    *sum = sum.wrapping_add(*best);
                }
                *met = [0; GROUP];
                *mark = 1;
            }
        });
        best.marks.fill(0);
    }
}

fn one(into: &mut Column, index: &Index<'_>, term: Term<'_>, strength: u16, slot: Slot) {
    let worth = Worth::of(term, strength, slot);
    let Column { sums, marks } = into;
    for packed in term.postings(index) {
        let packed = u32::from_le_bytes(*packed);
        let number = (packed & posting::DOCUMENT_MASK) as usize;
        if let (Some(sums), Some(mark)) = (sums.get_mut(number), marks.get_mut(number / GROUP)) {
            *sums = sums.wrapping_add(worth.at(packed));
            *mark = 1;
        }
    }
}

fn either(into: &mut Column, index: &Index<'_>, term: Term<'_>, strength: u16, slot: Slot) {
    let worth = Worth::of(term, strength, slot);
    let Column { sums: best, marks } = into;
    for packed in term.postings(index) {
        let packed = u32::from_le_bytes(*packed);
        let number = (packed & posting::DOCUMENT_MASK) as usize;
        if let (Some(best), Some(mark)) = (best.get_mut(number), marks.get_mut(number / GROUP)) {
            *best = (*best).max(worth.at(packed));
            *mark = 1;
        }
    }
}

/// What a term is worth in this query, before the document is known.
#[derive(Clone, Copy)]
pub(super) struct Worth {
    /// In the upper half, as in [`Sums`].
    weight: u64,
    found: u64,
    title: u64,
}

impl Worth {
    pub(super) fn of(term: Term<'_>, strength: u16, slot: Slot) -> Self {
        let strength = u32::from(strength);
        Self {
            weight: u64::from((term.weight() * strength) >> 8) << 32,
            found: u64::from((slot.mass * strength) >> 8) << 16,
            title: u64::from(if slot.mass == 0 { term.mass() } else { (term.mass() * strength) >> 8 }),
        }
    }

    #[inline]
    pub(super) fn at(self, packed: u32) -> Sums {
        let saturation = u64::from((packed >> posting::DOCUMENT_BITS) & posting::SATURATION_MAX);
        let title = if packed & posting::TITLE == 0 { 0 } else { self.title };
        self.weight.wrapping_mul(saturation).wrapping_add(self.found).wrapping_add(title)
    }
}
