//! The search over a catalog's actions: built once, opened in place, asked in plain words. Called by the build (which embeds the
//! bytes), by every surface that finds actions, and by `eval`.

mod answer;
mod build;
mod command;
mod document;
mod explain;
mod fit;
mod layout;
mod query;
mod read;
mod score;
mod search;
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
    record: &'i [u8],
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

    fn documents(&self) -> u32 {
        long(self.sections.part(Section::Meta), meta::DOCUMENTS)
    }

    fn unknown_mass(&self) -> u32 {
        long(self.sections.part(Section::Meta), meta::UNKNOWN_MASS)
    }

    fn document(&self, number: u32) -> &'i [u8] {
        self.sections.record(Section::Documents, entry::SIZE, number)
    }

    fn safety(&self, number: u32) -> Safety {
        Safety::of(byte(self.document(number), entry::KIND))
    }

    fn term(&self, number: u32) -> Term<'i> {
        Term { record: self.sections.record(Section::Terms, term::SIZE, number) }
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
        let slots = self.sections.part(slots);
        let count = slots.len() / 4;
        if count == 0 {
            return None;
        }
        let mut at = layout::hash(key) as usize & (count - 1);
        for _ in 0..count {
            let number = long(slots, at * 4).checked_sub(1)?;
            if let Some(found) = accept(number) {
                return Some(found);
            }
            at = (at + 1) & (count - 1);
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

    /// The packed postings.
    fn postings(self, index: &Index<'i>) -> &'i [u8] {
        let start = long(self.record, term::POSTINGS) as usize * 4;
        let length = long(self.record, term::POSTING_COUNT) as usize * 4;
        index.sections.part(Section::Postings).get(start..start.saturating_add(length)).unwrap_or_default()
    }

    /// The posting of one document.
    fn posting(self, index: &Index<'i>, document: u32) -> Option<u32> {
        let bytes = self.postings(index);
        let (mut low, mut high) = (0, bytes.len() / 4);
        while low < high {
            let middle = usize::midpoint(low, high);
            if long(bytes, middle * 4) & DOCUMENT_MASK < document {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let packed = long(bytes, low * 4);
        (low < bytes.len() / 4 && packed & DOCUMENT_MASK == document).then_some(packed)
    }

    /// Place, strength and term of every meaning, strongest first within a place.
    fn meanings(self, index: &Index<'i>) -> impl Iterator<Item = (u16, u16, u32)> + use<'i> {
        let start = long(self.record, term::MEANINGS) as usize * layout::meaning::SIZE;
        let length = long(self.record, term::MEANING_COUNT) as usize * layout::meaning::SIZE;
        let bytes = index.sections.part(Section::Meanings).get(start..start.saturating_add(length)).unwrap_or_default();
        bytes.chunks_exact(layout::meaning::SIZE).map(|record| {
            (short(record, layout::meaning::PLACE), short(record, layout::meaning::STRENGTH), long(record, layout::meaning::TERM))
        })
    }
}
