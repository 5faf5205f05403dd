//! The search over a catalog's actions: built once, opened in place, asked in plain words. Called by the build (which embeds the
//! bytes), by every surface that finds actions, and by `eval`.

mod answer;
mod board;
mod build;
mod command;
mod document;
mod explain;
mod fit;
mod layout;
mod query;
mod rank;
mod read;
mod score;
mod search;
mod spread;
mod typo;
mod weights;

pub use answer::{Answer, Confidence, Hit};
pub use build::build;
pub use document::{Document, Parameter, Safety};
pub use explain::{Explanation, Part};
pub use read::OpenError;

use layout::posting::DOCUMENT_MASK;
use layout::{Section, entry, meta, name, surface, term};
use read::{Sections, byte, long, short};

/// An index, read in place from its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Index<'i> {
    sections: Sections<'i>,
}

/// A word's meanings, postings and weights.
#[derive(Clone, Copy)]
struct Term<'i> {
    record: &'i [u8; term::SIZE],
}

impl<'i> Index<'i> {
    /// Opens an index made by [`build`]. Offsets are checked here, once.
    pub fn open(bytes: &'i [u8]) -> Result<Self, OpenError> {
        Sections::open(bytes).map(|sections| Self { sections })
    }

    /// How many actions it holds.
    pub fn len(&self) -> u32 {
        long(self.sections.part(Section::Meta), meta::ACTIONS)
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many documents there are: the actions, then the requests that nothing serves.
    fn documents(&self) -> usize {
        self.sections.records::<{ entry::SIZE }>(Section::Documents).len()
    }

    fn has_aliases(&self) -> bool {
        !self.sections.part(Section::Aliases).is_empty()
    }

    fn unknown_mass(&self) -> u32 {
        long(self.sections.part(Section::Meta), meta::UNKNOWN_MASS)
    }

    #[inline]
    fn document(&self, number: u32) -> &'i [u8; entry::SIZE] {
        const NONE: [u8; entry::SIZE] = [0; entry::SIZE];
        self.sections.records(Section::Documents).get(number as usize).unwrap_or(&NONE)
    }

    #[inline]
    fn safety(&self, number: u32) -> Safety {
        Safety::of(byte(self.document(number), entry::KIND))
    }

    #[inline]
    fn term(&self, number: u32) -> Term<'i> {
        const NONE: [u8; term::SIZE] = [0; term::SIZE];
        Term { record: self.sections.records(Section::Terms).get(number as usize).unwrap_or(&NONE) }
    }

    /// The record of a spelling, or of a stem.
    fn spelling(&self, word: &[u8]) -> Option<&'i [u8]> {
        self.look_up(Section::SurfaceSlots, word, |number| {
            let record = self.sections.record(Section::Surfaces, surface::SIZE, number);
            let text = self.sections.bytes(long(record, surface::TEXT), usize::from(byte(record, surface::TEXT_LENGTH)));
            (text == word).then_some(record)
        })
    }

    /// The action that goes by a name, given in its bare form.
    fn named(&self, bare: &str) -> Option<u32> {
        self.look_up(Section::NameSlots, bare.as_bytes(), |number| {
            let record = self.sections.record(Section::Names, name::SIZE, number);
            let text = self.sections.bytes(long(record, name::TEXT), long(record, name::TEXT_LENGTH) as usize);
            (text == bare.as_bytes()).then(|| long(record, name::DOCUMENT))
        })
    }

    /// Walks a table of hash slots until `accept` takes a record or a slot is free.
    fn look_up<T>(&self, slots: Section, key: &[u8], accept: impl Fn(u32) -> Option<T>) -> Option<T> {
        let slots: &[[u8; 4]] = self.sections.records(slots);
        let mask = slots.len().checked_sub(1)?;
        let first = layout::hash(key) as usize;
        for step in 0..=mask {
            let number = u32::from_le_bytes(*slots.get((first + step) & mask)?).checked_sub(1)?;
            if let Some(found) = accept(number) {
                return Some(found);
            }
        }
        None
    }
}

impl<'i> Term<'i> {
    fn weight(self) -> u32 {
        u32::from(short(self.record, term::WEIGHT))
    }

    fn mass(self) -> u32 {
        u32::from(short(self.record, term::MASS))
    }

    fn intent(self) -> u8 {
        byte(self.record, term::INTENT)
    }

    fn begins_phrase(self) -> bool {
        byte(self.record, term::FLAGS) & term::BEGINS_PHRASE != 0
    }

    fn is_verb(self) -> bool {
        byte(self.record, term::FLAGS) & term::VERB != 0
    }

    fn has_postings(self) -> bool {
        long(self.record, term::POSTING_COUNT) > 0
    }

    fn text(self, index: &Index<'i>) -> &'i str {
        index.sections.text(long(self.record, term::TEXT), usize::from(byte(self.record, term::TEXT_LENGTH)))
    }

    /// The packed postings, in the order of documents.
    fn postings(self, index: &Index<'i>) -> &'i [[u8; 4]] {
        let start = long(self.record, term::POSTINGS) as usize;
        let length = long(self.record, term::POSTING_COUNT) as usize;
        index.sections.records(Section::Postings).get(start..start.saturating_add(length)).unwrap_or_default()
    }

    /// The posting of one document.
    fn posting(self, index: &Index<'i>, document: u32) -> Option<u32> {
        let postings = self.postings(index);
        let at = postings.partition_point(|packed| u32::from_le_bytes(*packed) & DOCUMENT_MASK < document);
        postings.get(at).map(|packed| u32::from_le_bytes(*packed)).filter(|packed| packed & DOCUMENT_MASK == document)
    }

    /// Place, strength and term of every meaning, strongest first within a place.
    fn meanings(self, index: &Index<'i>) -> impl Iterator<Item = (u16, u16, u32)> + use<'i> {
        let start = long(self.record, term::MEANINGS) as usize;
        let length = long(self.record, term::MEANING_COUNT) as usize;
        let records: &[[u8; layout::meaning::SIZE]] = index.sections.records(Section::Meanings);
        records.get(start..start.saturating_add(length)).unwrap_or_default().iter().map(|record| {
            (short(record, layout::meaning::PLACE), short(record, layout::meaning::STRENGTH), long(record, layout::meaning::TERM))
        })
    }
}
