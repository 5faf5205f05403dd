//! The bytes of an index: a header of section offsets, then flat little-endian arrays read in place. Nothing is decoded and no
//! alignment is assumed, so that the same bytes work from the binary, from a file and on every machine.

/// First bytes of an index; the last one is the version of the layout.
pub const MAGIC: [u8; 4] = *b"CSI\x03";

/// One array of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    /// Counts, see [`meta`].
    Meta,
    /// One record a document, see [`entry`].
    Documents,
    /// One record an alias, see [`alias`].
    Aliases,
    /// The terms of the aliases, one after the other.
    AliasTerms,
    /// One record a term, see [`term`].
    Terms,
    /// One number a posting, see [`posting`].
    Postings,
    /// One record a spelling, see [`surface`].
    Surfaces,
    /// Hash slots of the spellings: record number + 1, or 0.
    SurfaceSlots,
    /// Records of names, see [`name`].
    Names,
    /// Hash slots of the names: record number + 1, or 0.
    NameSlots,
    /// One record a meaning, see [`meaning`].
    Meanings,
    /// Phrases sorted by their terms, see [`phrase`].
    Phrases,
    /// Terms that name what a destructive document does: its own verbs.
    Verbs,
    /// Command lines sorted by words, see [`command`].
    Commands,
    /// Programs: name, what it stands for; then flags that take a value. See [`command`].
    Programs,
    /// Where the spellings with a first letter and length begin in `Mendable`.
    Shelves,
    /// Letters and number of every spelling that a mistyped word may be mended to, see [`mendable`].
    Mendable,
    /// All text.
    Strings,
}

/// How many sections there are.
pub const SECTIONS: usize = Section::Strings as usize + 1;
/// Bytes before the first section.
pub const HEADER: usize = MAGIC.len() + SECTIONS * 8;

/// Sizes and field offsets of the records.
pub mod meta {
    pub const ACTIONS: usize = 0;
    pub const UNKNOWN_MASS: usize = 4;
}

/// A document: rank for ties, title mass, kind, intent, its verbs, its aliases. What nothing serves has its number in place of the
/// rank.
pub mod entry {
    pub const SIZE: usize = 24;
    pub const RANK: usize = 0;
    pub const TITLE_MASS: usize = 4;
    pub const PLURAL: usize = 6;
    pub const KIND: usize = 8;
    pub const INTENT: usize = 9;
    pub const VERB_COUNT: usize = 10;
    pub const VERBS: usize = 12;
    pub const ALIASES: usize = 16;
    pub const ALIAS_COUNT: usize = 20;
}

/// An alias: what all of it weighs, its terms.
pub mod alias {
    pub const SIZE: usize = 8;
    pub const MASS: usize = 0;
    pub const TERM_COUNT: usize = 2;
    pub const TERMS: usize = 4;
}

/// A term: text, flags, postings, weight, meanings.
pub mod term {
    pub const SIZE: usize = 28;
    pub const TEXT: usize = 0;
    pub const TEXT_LENGTH: usize = 4;
    pub const FLAGS: usize = 5;
    pub const INTENT: usize = 6;
    pub const POSTINGS: usize = 8;
    pub const POSTING_COUNT: usize = 12;
    pub const WEIGHT: usize = 16;
    pub const MASS: usize = 18;
    pub const MEANINGS: usize = 20;
    pub const MEANING_COUNT: usize = 24;
    /// The term begins a phrase.
    pub const BEGINS_PHRASE: u8 = 1;
    /// The term is a verb of some class: it says what to do, not with what.
    pub const VERB: u8 = 2;
}

/// A posting packs document, saturation and whether the term stands in the title into 32 bits.
pub mod posting {
    pub const DOCUMENT_BITS: u32 = 20;
    pub const DOCUMENT_MASK: u32 = (1 << DOCUMENT_BITS) - 1;
    pub const SATURATION_BITS: u32 = 11;
    pub const SATURATION_MAX: u32 = (1 << SATURATION_BITS) - 1;
    pub const TITLE: u32 = 1 << 31;
}

/// A spelling: text, flags, term.
pub mod surface {
    pub const SIZE: usize = 12;
    pub const TEXT: usize = 0;
    pub const TEXT_LENGTH: usize = 4;
    pub const FLAGS: usize = 5;
    pub const TERM: usize = 8;
    /// A word of a query that names nothing.
    pub const STOP: u8 = 1;
    /// A word of another language.
    pub const FOREIGN: u8 = 2;
    /// A program whose command lines are understood.
    pub const PROGRAM: u8 = 4;
    /// The catalog itself has the word.
    pub const IN_CATALOG: u8 = 8;
    /// A stopword that yet tells actions apart: "all", "my", "up".
    pub const WEAK: u8 = 16;
    /// A plural that is no verb.
    pub const PLURAL: u8 = 32;
}

/// A name: text, document.
pub mod name {
    pub const SIZE: usize = 12;
    pub const TEXT: usize = 0;
    pub const TEXT_LENGTH: usize = 4;
    pub const DOCUMENT: usize = 8;
}

/// A meaning: its place when it has several words, strength, term.
pub mod meaning {
    pub const SIZE: usize = 8;
    pub const PLACE: usize = 0;
    pub const STRENGTH: usize = 2;
    pub const TERM: usize = 4;
}

/// A phrase: up to four terms, the term that carries its meanings.
pub mod phrase {
    pub const SIZE: usize = 20;
    pub const LONGEST: usize = 4;
    pub const TERM: usize = 16;
    /// Fills the places of a shorter phrase.
    pub const NONE: u32 = u32::MAX;
}

/// A command line: its words, its flags, its target. The same records hold programs (name, meaning) and valued flags.
pub mod command {
    pub const SIZE: usize = 16;
    pub const WORDS: usize = 0;
    pub const WORDS_LENGTH: usize = 4;
    pub const FLAGS_LENGTH: usize = 6;
    pub const FLAGS: usize = 8;
    pub const TARGET: usize = 12;
    /// Set in a target that is an absent entry.
    pub const ABSENT: u32 = 1 << 31;
}

/// A spelling as the mending of typos sees it: the set of its letters, its number.
pub mod mendable {
    pub const SIZE: usize = 8;
    pub const LETTERS: usize = 0;
    pub const SURFACE: usize = 4;
    /// Shelves a first letter has: one a length.
    pub const LENGTHS: usize = crate::text::LONGEST_WORD + 1;
    /// First letters: a to z, digits, anything else.
    pub const FIRSTS: usize = 28;

    /// The shelf of spellings with this first letter and length.
    pub fn shelf(first: u8, length: usize) -> usize {
        let letter = match first {
            b'a'..=b'z' => usize::from(first - b'a'),
            b'0'..=b'9' => 26,
            _ => 27,
        };
        letter * LENGTHS + length.min(LENGTHS - 1)
    }

    /// The set of letters in a word: one bit a letter, one for all digits.
    pub fn letters(word: &[u8]) -> u32 {
        word.iter().fold(0, |set, byte| match byte {
            b'a'..=b'z' => set | 1 << (byte - b'a'),
            _ => set | 1 << 26,
        })
    }
}

/// Hash of a spelling or name (FNV-1a): needs to be the same on every machine and in every version of the compiler.
pub fn hash(bytes: &[u8]) -> u32 {
    let mixed = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    #[expect(clippy::cast_possible_truncation, reason = "the halves are mixed on purpose")]
    {
        (mixed ^ (mixed >> 32)) as u32
    }
}
