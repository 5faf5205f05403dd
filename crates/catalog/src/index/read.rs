//! Reading little-endian numbers and text out of the index's bytes. Every read is checked: bytes that lie outside give 0, so that
//! a damaged index answers wrongly but never panics.

use super::layout::{HEADER, MAGIC, SECTIONS, Section};

/// What is wrong with the bytes of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Not an index, or one of another version.
    #[error("these bytes are no search index of this version")]
    Magic,
    /// A section lies outside the bytes.
    #[error("the search index is damaged: section {0} lies outside it")]
    Section(usize),
}

/// The sections of an index.
#[derive(Clone, Copy, Debug)]
pub struct Sections<'i> {
    parts: [&'i [u8]; SECTIONS],
}

impl<'i> Sections<'i> {
    pub(super) fn open(bytes: &'i [u8]) -> Result<Self, OpenError> {
        if bytes.len() < HEADER || bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(OpenError::Magic);
        }
        let mut parts = [&bytes[..0]; SECTIONS];
        for (number, part) in parts.iter_mut().enumerate() {
            let at = MAGIC.len() + number * 8;
            let (start, length) = (long(bytes, at) as usize, long(bytes, at + 4) as usize);
            *part = start.checked_add(length).and_then(|end| bytes.get(start..end)).ok_or(OpenError::Section(number))?;
        }
        Ok(Self { parts })
    }

    /// The bytes of a section.
    pub(super) fn part(&self, section: Section) -> &'i [u8] {
        self.parts[section as usize]
    }

    /// A section as records of `SIZE` bytes: their fields are then read without a check each.
    pub(super) fn records<const SIZE: usize>(&self, section: Section) -> &'i [[u8; SIZE]] {
        self.part(section).as_chunks().0
    }

    /// The record with this number in a section of records of `size` bytes; empty when there is none.
    pub(super) fn record(&self, section: Section, size: usize, number: u32) -> &'i [u8] {
        let start = number as usize * size;
        self.part(section).get(start..start + size).unwrap_or_default()
    }

    /// Text out of the string section.
    pub(super) fn text(&self, start: u32, length: usize) -> &'i str {
        let start = start as usize;
        let bytes = self.part(Section::Strings).get(start..start.saturating_add(length)).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The same without the check of UTF-8, for comparing.
    pub(super) fn bytes(&self, start: u32, length: usize) -> &'i [u8] {
        let start = start as usize;
        self.part(Section::Strings).get(start..start.saturating_add(length)).unwrap_or_default()
    }
}

#[inline]
pub(super) fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

#[inline]
pub(super) fn short(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|two| two.try_into().ok()).map_or(0, u16::from_le_bytes)
}

#[inline]
pub(super) fn long(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|four| four.try_into().ok()).map_or(0, u32::from_le_bytes)
}
