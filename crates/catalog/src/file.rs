//! One `.callslip` file: everything the binary embeds for its own catalog, laid out so that it is read where it lies.
//!
//! Layout, all numbers little-endian: magic, layout version `u32`, number of sections `u32`, length of the whole file `u64`; for each
//! section its offset, length and checksum as `u64`; the checksum of all that; then the sections. Opening reads that header and no more,
//! so that a file of any size opens in the same time. What a section holds is checked where it is read.

use crate::model::Text;

/// First bytes of the file.
pub const MAGIC: [u8; 8] = *b"CALLSLIP";
/// Raised whenever the layout, a record, the index or what a tool definition must hold changes.
pub const VERSION: u32 = 2;

/// One part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Section {
    /// The API and its actions, see [`crate::bytes`].
    Catalog,
    /// The search index, see [`crate::index`].
    Index,
    /// Every accepted name, see [`crate::names::Table`].
    Names,
    /// Names and texts of the guides, one bincode record.
    Guides,
    /// The tool definitions of the surfaces in the order of [`crate::project::Surface::NAMES`].
    Tools = 4,
    /// Where each of those tools begins, surface by surface.
    Starts = 4 + SURFACES,
}

/// How many surfaces there are.
const SURFACES: usize = crate::project::Surface::NAMES.len();
/// How many sections there are.
pub const SECTIONS: usize = Section::Starts as usize + SURFACES;
const ENTRY: usize = 24;
const TABLE: usize = MAGIC.len() + 4 + 4 + 8;
/// Bytes before the first section.
pub const HEADER: usize = TABLE + SECTIONS * ENTRY + 8;

/// Why a file cannot be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The first bytes are not those of a compiled catalog.
    #[error("is no compiled catalog")]
    Foreign,
    /// Made by a callslip with another layout.
    #[error("has layout {0}, and this callslip reads layout {VERSION}; {AGAIN}")]
    Version(u32),
    /// Shorter or longer than its header says.
    #[error("has {found} bytes where its header says {stated}: it was cut short or added to; {AGAIN}")]
    Length {
        /// What the header says.
        stated: u64,
        /// What there is.
        found: u64,
    },
    /// The bytes are not those that were written.
    #[error("is damaged ({0}); {AGAIN}")]
    Damaged(&'static str),
}

const AGAIN: &str = "compile it again: callslip compile SOURCE -o FILE";

/// A compiled file read in place.
#[derive(Debug, Clone, Copy)]
pub struct File<'a> {
    sections: [&'a [u8]; SECTIONS],
    checksums: [u64; SECTIONS],
}

impl<'a> File<'a> {
    /// Checks the header and that every section lies within the file.
    pub fn open(bytes: &'a [u8]) -> Result<Self, FileError> {
        if !is_compiled(bytes) {
            return Err(FileError::Foreign);
        }
        let found = bytes.len() as u64;
        let cut = FileError::Length { stated: number(bytes, 16).unwrap_or(HEADER as u64), found };
        let version = bytes.get(8..12).and_then(|four| four.try_into().ok()).map(u32::from_le_bytes).ok_or(cut)?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let header = bytes.get(..HEADER - 8).ok_or(cut)?;
        if number(bytes, HEADER - 8) != Some(checksum(header)) {
            return Err(FileError::Damaged("its header"));
        }
        if number(bytes, 16) != Some(found) {
            return Err(cut);
        }
        let mut file = File { sections: [&[]; SECTIONS], checksums: [0; SECTIONS] };
        for at in 0..SECTIONS {
            let field = |field: usize| number(header, TABLE + at * ENTRY + 8 * field).unwrap_or(u64::MAX);
            let place = usize::try_from(field(0)).ok().zip(usize::try_from(field(1)).ok());
            let section = place.and_then(|(start, length)| bytes.get(start..start.checked_add(length)?));
            file.sections[at] = section.ok_or(FileError::Damaged("its table of sections"))?;
            file.checksums[at] = field(2);
        }
        Ok(file)
    }

    /// The bytes of a section.
    pub fn section(&self, section: Section) -> &'a [u8] {
        self.sections[section as usize]
    }

    /// The tool definitions of a surface by its number, and where each begins.
    pub fn surface(&self, number: usize) -> (&'a [u8], &'a [u8]) {
        let part = |first: Section| self.sections.get(first as usize + number).copied().unwrap_or_default();
        (part(Section::Tools), part(Section::Starts))
    }

    /// Whether the tool definitions of a surface are those that were written: asked before they are sent as they are.
    pub fn check_surface(&self, number: usize) -> Result<(), FileError> {
        self.check(Section::Tools as usize + number)?;
        self.check(Section::Starts as usize + number)
    }

    /// Reads everything and compares it with the checksums.
    pub fn check_all(&self) -> Result<(), FileError> {
        (0..SECTIONS).try_for_each(|section| self.check(section))
    }

    fn check(&self, section: usize) -> Result<(), FileError> {
        let sound = self.sections.get(section).is_some_and(|bytes| self.checksums.get(section) == Some(&checksum(bytes)));
        if sound { Ok(()) } else { Err(FileError::Damaged(NAMES.get(section).unwrap_or(&"a section"))) }
    }

    /// Names and texts of the guides.
    pub fn guides(&self) -> Result<Vec<(Text<'a>, Text<'a>)>, FileError> {
        let decoded = bincode::borrow_decode_from_slice(self.section(Section::Guides), crate::bytes::CONFIG);
        decoded.map(|(guides, _)| guides).map_err(|_| FileError::Damaged("its guides"))
    }
}

/// The sections in words.
const NAMES: [&str; SECTIONS] = [
    "its actions",
    "its search index",
    "its names",
    "its guides",
    "its tools for dynamic",
    "its tools for meta",
    "its tools for individual",
    "its tools for progressive",
    "its tool offsets for dynamic",
    "its tool offsets for meta",
    "its tool offsets for individual",
    "its tool offsets for progressive",
];

/// Whether the bytes begin as a compiled catalog does.
pub fn is_compiled(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// The whole file over sections in the order of [`Section`].
#[cfg(feature = "compile")]
pub fn write(sections: &[&[u8]; SECTIONS]) -> Vec<u8> {
    let total = HEADER + sections.iter().map(|section| section.len()).sum::<usize>();
    let mut out = Vec::with_capacity(total);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend(u32::try_from(SECTIONS).unwrap_or(u32::MAX).to_le_bytes());
    out.extend((total as u64).to_le_bytes());
    let mut offset = HEADER;
    for section in sections {
        out.extend((offset as u64).to_le_bytes());
        out.extend((section.len() as u64).to_le_bytes());
        out.extend(checksum(section).to_le_bytes());
        offset += section.len();
    }
    out.extend(checksum(&out).to_le_bytes());
    for section in sections {
        out.extend(*section);
    }
    out
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes)
}

/// Tells damage, not malice. Eight bytes a step: a list of many megabytes is checked in less time than it takes to write it.
fn checksum(bytes: &[u8]) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let step = |sum: u64, word: u64| (sum.rotate_left(5) ^ word).wrapping_mul(MIX);
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| step(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| step(sum, u64::from(*byte)))
}

#[cfg(all(test, feature = "compile"))]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let parts: Vec<Vec<u8>> = (0..).zip(0..SECTIONS).map(|(byte, number)| vec![byte; 5 * number + 3]).collect();
        write(&std::array::from_fn(|number| parts[number].as_slice()))
    }

    #[test]
    fn sections_come_back() {
        let bytes = sample();
        let file = File::open(&bytes).expect("a sound file");
        assert_eq!(file.section(Section::Names), [2; 13]);
        assert_eq!(file.surface(3), (&[7; 38][..], &[11; 58][..]));
        assert_eq!(file.check_all(), Ok(()));
    }

    #[test]
    fn every_cut_and_every_flip_is_noticed() {
        let bytes = sample();
        for length in 0..bytes.len() {
            assert!(File::open(&bytes[..length]).is_err(), "cut at {length}");
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            let noticed = File::open(&flipped).and_then(|file| file.check_all());
            assert!(noticed.is_err(), "flipped at {at}");
            assert_eq!(at < HEADER, File::open(&flipped).is_err(), "the header is checked at once, the rest when it is read");
        }
    }

    #[test]
    fn another_version_is_named() {
        let mut bytes = sample();
        bytes[8] = 9;
        let error = File::open(&bytes).expect_err("another version");
        assert_eq!(error, FileError::Version(9));
        assert!(error.to_string().contains("callslip compile"), "{error}");
    }
}
