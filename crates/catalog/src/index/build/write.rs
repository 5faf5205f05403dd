//! Writes the arrays of an index, section by section, in the layout that `layout.rs` states.

use super::collect::{Meanings, Vocabulary, fixed};
use super::{CommandLine, Entry, number_of};
use crate::index::document::Document;
use crate::index::layout::{self, HEADER, MAGIC, SECTIONS, Section, mendable, phrase, surface};
use crate::index::weights::{MASS_SCALE, UNKNOWN, WEIGHT_SCALE};
use crate::lexicon::Lexicon;
use crate::text::bare_name;
use std::collections::HashMap;

pub(super) struct Parts<'b> {
    pub(super) documents: &'b [Document<'b>],
    pub(super) lexicon: &'b Lexicon,
    pub(super) entries: &'b [Entry],
    pub(super) vocabulary: &'b Vocabulary,
    pub(super) meanings: &'b Meanings,
    pub(super) postings: &'b [Vec<u32>],
    pub(super) commands: &'b [CommandLine],
    pub(super) actions: usize,
}

pub(super) fn write(parts: &Parts<'_>) -> Vec<u8> {
    let mut out = Writer::default();
    out.documents(parts);
    out.terms(parts);
    out.spellings(parts.vocabulary);
    out.names(parts);
    out.commands(parts);
    out.finish()
}

/// The sections being written.
#[derive(Default)]
struct Writer {
    sections: [Vec<u8>; SECTIONS],
    /// Text already written, so that equal text is kept once.
    texts: HashMap<String, u32>,
}

impl Writer {
    fn part(&mut self, section: Section) -> &mut Vec<u8> {
        &mut self.sections[section as usize]
    }

    fn long(&mut self, section: Section, number: u32) {
        self.part(section).extend(number.to_le_bytes());
    }

    fn short(&mut self, section: Section, number: u16) {
        self.part(section).extend(number.to_le_bytes());
    }

    fn byte(&mut self, section: Section, number: u8) {
        self.part(section).push(number);
    }

    fn count(&mut self, section: Section, size: usize) -> u32 {
        number_of(self.part(section).len() / size)
    }

    fn text(&mut self, text: &str) -> u32 {
        if let Some(&at) = self.texts.get(text) {
            return at;
        }
        let strings = self.part(Section::Strings);
        let at = number_of(strings.len());
        strings.extend(text.as_bytes());
        self.texts.insert(text.to_owned(), at);
        at
    }

    fn documents(&mut self, parts: &Parts<'_>) {
        let heaviest = parts.vocabulary.terms.iter().map(|term| term.weight).fold(0.0, f64::max);
        self.long(Section::Meta, number_of(parts.actions));
        self.long(Section::Meta, u32::from(fixed(heaviest * UNKNOWN, MASS_SCALE)));
        for entry in parts.entries {
            let verbs = self.count(Section::Verbs, 4);
            for &verb in &entry.verbs {
                self.long(Section::Verbs, verb);
            }
            self.long(Section::Documents, entry.rank);
            self.short(Section::Documents, u16::try_from(entry.title_mass).unwrap_or(u16::MAX));
            self.short(Section::Documents, u16::from(entry.plural));
            self.byte(Section::Documents, entry.safety as u8);
            self.byte(Section::Documents, entry.intent);
            self.short(Section::Documents, u16::try_from(entry.verbs.len()).unwrap_or(u16::MAX));
            self.long(Section::Documents, verbs);
            let aliases = self.count(Section::Aliases, layout::alias::SIZE);
            self.long(Section::Documents, aliases);
            self.long(Section::Documents, number_of(entry.aliases.len()));
            for terms in &entry.aliases {
                let first = self.count(Section::AliasTerms, 4);
                self.short(Section::Aliases, u16::try_from(parts.vocabulary.mass_of(terms)).unwrap_or(u16::MAX));
                self.short(Section::Aliases, u16::try_from(terms.len()).unwrap_or(u16::MAX));
                self.long(Section::Aliases, first);
                for &term in terms {
                    self.long(Section::AliasTerms, term);
                }
            }
        }
    }

    fn terms(&mut self, parts: &Parts<'_>) {
        let mut meanings = parts.meanings.of.iter().peekable();
        for (number, (term, list)) in parts.vocabulary.terms.iter().zip(parts.postings).enumerate() {
            let text = self.text(&term.text);
            self.long(Section::Terms, text);
            self.byte(Section::Terms, short_length(&term.text));
            self.byte(
                Section::Terms,
                u8::from(term.begins_phrase) * layout::term::BEGINS_PHRASE + u8::from(term.verb) * layout::term::VERB,
            );
            self.byte(Section::Terms, term.intent);
            self.byte(Section::Terms, 0);
            let first = self.count(Section::Postings, 4);
            self.long(Section::Terms, first);
            self.long(Section::Terms, number_of(list.len()));
            self.short(Section::Terms, fixed(term.weight, WEIGHT_SCALE));
            self.short(Section::Terms, fixed(term.weight, MASS_SCALE));
            for &posting in list {
                self.long(Section::Postings, posting);
            }
            let first = self.count(Section::Meanings, layout::meaning::SIZE);
            let own = meanings.next_if(|entry| entry.0 as usize == number).map_or(&[][..], |entry| &entry.1);
            self.long(Section::Terms, first);
            self.long(Section::Terms, number_of(own.len()));
            for &(place, strength, term) in own {
                self.short(Section::Meanings, place);
                self.short(Section::Meanings, strength);
                self.long(Section::Meanings, term);
            }
        }
        for (terms, concept) in &parts.meanings.phrases {
            debug_assert_eq!(terms.len(), phrase::LONGEST);
            for &term in terms.iter().chain([concept]) {
                self.long(Section::Phrases, term);
            }
        }
    }

    fn spellings(&mut self, vocabulary: &Vocabulary) {
        let mut slots = slots(vocabulary.surfaces.len());
        let mut shelves: Vec<Vec<u32>> = std::iter::repeat_with(Vec::new).take(mendable::FIRSTS * mendable::LENGTHS).collect();
        for (number, spelling) in vocabulary.surfaces.iter().enumerate() {
            let text = self.text(&spelling.text);
            self.long(Section::Surfaces, text);
            self.byte(Section::Surfaces, short_length(&spelling.text));
            self.byte(Section::Surfaces, spelling.flags);
            self.short(Section::Surfaces, 0);
            self.long(Section::Surfaces, spelling.term);
            place(&mut slots, spelling.text.as_bytes(), number_of(number));
            if mends_to(spelling) {
                let text = spelling.text.as_bytes();
                shelves[mendable::shelf(text[0], text.len())].push(number_of(number));
            }
        }
        // A stem that is no spelling itself is found as well: an unseen inflection is stemmed and looked up.
        let mut next = vocabulary.surfaces.len();
        let known: std::collections::HashSet<&str> = vocabulary.surfaces.iter().map(|spelling| spelling.text.as_str()).collect();
        let stems: Vec<(u32, &str)> = (0..)
            .zip(&vocabulary.terms)
            .map(|(number, term)| (number, term.text.as_str()))
            .filter(|(_, text)| !known.contains(text) && !text.contains(' '))
            .collect();
        if slots.len() < (next + stems.len()) * 2 {
            slots = self::slots(next + stems.len());
            for (number, spelling) in vocabulary.surfaces.iter().enumerate() {
                place(&mut slots, spelling.text.as_bytes(), number_of(number));
            }
        }
        for (term, text) in stems {
            let at = self.text(text);
            self.long(Section::Surfaces, at);
            self.byte(Section::Surfaces, short_length(text));
            self.byte(Section::Surfaces, 0);
            self.short(Section::Surfaces, 0);
            self.long(Section::Surfaces, term);
            place(&mut slots, text.as_bytes(), number_of(next));
            next += 1;
        }
        for slot in slots {
            self.long(Section::SurfaceSlots, slot);
        }
        for shelf in shelves {
            let start = self.count(Section::Mendable, mendable::SIZE);
            self.long(Section::Shelves, start);
            for number in shelf {
                self.long(Section::Mendable, mendable::letters(vocabulary.surfaces[number as usize].text.as_bytes()));
                self.long(Section::Mendable, number);
            }
        }
        let end = self.count(Section::Mendable, mendable::SIZE);
        self.long(Section::Shelves, end);
    }

    /// Every name an action goes by, in the bare form: id, operationId, and both with the catalog's name before them.
    fn names(&mut self, parts: &Parts<'_>) {
        let mut names: Vec<(String, u32)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut bare = String::new();
        let prefix = &parts.lexicon.name;
        let mut add = |name: &str, number: usize| {
            bare_name(name, &mut bare);
            if bare.len() > 2 && seen.insert(bare.clone()) {
                names.push((bare.clone(), number_of(number)));
            }
        };
        for (number, document) in parts.documents.iter().enumerate() {
            add(document.id, number);
        }
        for (number, document) in parts.documents.iter().enumerate() {
            add(document.operation, number);
            if !prefix.is_empty() {
                add(&format!("{prefix}{}", document.id), number);
            }
        }
        let mut slots = slots(names.len());
        for (number, (name, document)) in names.iter().enumerate() {
            let text = self.text(name);
            self.long(Section::Names, text);
            self.long(Section::Names, number_of(name.len()));
            self.long(Section::Names, *document);
            place(&mut slots, name.as_bytes(), number_of(number));
        }
        for slot in slots {
            self.long(Section::NameSlots, slot);
        }
    }

    fn commands(&mut self, parts: &Parts<'_>) {
        for line in parts.commands {
            self.command(Section::Commands, &line.words, &line.flags, line.target);
        }
        for program in &parts.lexicon.programs {
            self.command(Section::Programs, &program.name, &program.name, 0);
            for (name, meaning) in &program.also {
                self.command(Section::Programs, name, meaning, 0);
            }
        }
        // After all programs, so that looking for one ends with them.
        for flag in parts.lexicon.programs.iter().flat_map(|program| &program.valued) {
            self.command(Section::Programs, flag, "", 0);
        }
    }

    fn command(&mut self, section: Section, words: &str, flags: &str, target: u32) {
        let (at, flags_at) = (self.text(words), self.text(flags));
        self.long(section, at);
        self.short(section, u16::try_from(words.len()).unwrap_or(0));
        self.short(section, u16::try_from(flags.len()).unwrap_or(0));
        self.long(section, flags_at);
        self.long(section, target);
    }

    fn finish(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let mut start = HEADER;
        for section in &self.sections {
            bytes.extend(number_of(start).to_le_bytes());
            bytes.extend(number_of(section.len()).to_le_bytes());
            start += section.len();
        }
        for section in &self.sections {
            bytes.extend(section);
        }
        bytes
    }
}

/// Words are at most [`crate::text::LONGEST_WORD`] long; a phrase that is longer than a byte says is not looked up by text.
fn short_length(text: &str) -> u8 {
    u8::try_from(text.len()).unwrap_or(u8::MAX)
}

/// Whether a mistyped word may be mended to this spelling.
fn mends_to(spelling: &super::collect::Spelling) -> bool {
    spelling.text.len() >= 3
        && spelling.flags & (surface::STOP | surface::FOREIGN) == 0
        && spelling.text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

fn slots(entries: usize) -> Vec<u32> {
    vec![0; (entries * 2).next_power_of_two().max(16)]
}

fn place(slots: &mut [u32], key: &[u8], number: u32) {
    let mask = slots.len() - 1;
    let mut at = layout::hash(key) as usize & mask;
    while slots[at] != 0 {
        at = (at + 1) & mask;
    }
    slots[at] = number + 1;
}
