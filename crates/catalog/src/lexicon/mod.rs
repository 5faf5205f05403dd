//! What the words of a query mean: stopwords, verb classes, abbreviations and synonyms, general ones shipped for every catalog
//! and those a catalog adds. Read by the build of the index alone; the index carries the result.

mod command;
mod parse;
mod table;

use std::collections::{BTreeMap, BTreeSet};

pub use command::{Command, Program, Target};
pub use table::{CommandTarget, ProgramTable, SearchTable};

const GENERAL: &str = include_str!("general.txt");

/// Strength of a relation between a word of a query and a word of the catalog, in 1/256.
pub(crate) mod strength {
    /// The word itself.
    pub const SAME: u16 = 256;
    /// A synonym the catalog states.
    pub const CURATED: u16 = 220;
    /// An abbreviation written out.
    pub const SHORT: u16 = 230;
    /// A phrase the general list knows.
    pub const PHRASE: u16 = 256;
    /// A general synonym.
    pub const GENERAL: u16 = 110;
    /// Another verb of the same class.
    pub const VERB: u16 = 45;
}

/// How many kinds of work there are.
pub(crate) const INTENTS: usize = 5;

/// What a verb class says about the action wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Intent {
    /// Says nothing.
    None = 0,
    /// Look at something.
    Read = 1,
    /// Make something.
    Create = 2,
    /// Change something.
    Update = 3,
    /// Take something away.
    Delete = 4,
}

impl Intent {
    fn of_class(class: &str) -> Self {
        match class {
            "read" | "search" => Self::Read,
            "create" => Self::Create,
            "update" => Self::Update,
            "delete" => Self::Delete,
            _ => Self::None,
        }
    }
}

/// One meaning of a word or phrase: words of the catalog it stands for, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Meaning {
    pub(crate) words: Vec<String>,
    pub(crate) strength: u16,
}

/// Everything the build of an index knows about language.
#[derive(Clone, Debug, Default)]
pub struct Lexicon {
    /// The catalog's name: `arcane_container.restart` is then a name of `container.restart`.
    pub name: String,
    pub(crate) stopwords: BTreeSet<String>,
    pub(crate) weak: BTreeSet<String>,
    pub(crate) foreign: BTreeSet<String>,
    pub(crate) verbs: BTreeMap<String, Intent>,
    pub(crate) meanings: BTreeMap<String, Vec<Meaning>>,
    pub(crate) programs: Vec<Program>,
    pub(crate) commands: Vec<Command>,
    pub(crate) absent: Vec<Vec<String>>,
}

impl Lexicon {
    /// The words shipped for every catalog.
    pub fn general() -> Self {
        let mut lexicon = Self::default();
        parse::read(GENERAL, &mut lexicon);
        lexicon
    }

    /// Teaches a synonym of this catalog: a word or phrase of a query, and the words of the catalog it stands for.
    pub fn synonym<'w>(&mut self, said: &str, meant: impl IntoIterator<Item = &'w str>) {
        for meaning in meant {
            self.mean(said, meaning, strength::CURATED);
        }
    }

    /// Teaches a word that says little in this catalog.
    pub fn weak(&mut self, word: &str) {
        for word in crate::text::words(word) {
            self.stopwords.insert(word.clone());
            self.weak.insert(word);
        }
    }

    /// Teaches a program whose command lines people type, such as `docker`.
    pub fn program(&mut self, program: Program) {
        self.programs.push(program);
    }

    /// Teaches a command line; flags in it must be present in a query for it to count.
    pub fn command(&mut self, line: &str, target: Target) {
        self.commands.push(Command { line: line.to_owned(), target });
    }

    /// Teaches something people ask for and the API cannot do. Its number, counted from 0, is what an answer names.
    pub fn absent<'w>(&mut self, asks: impl IntoIterator<Item = &'w str>) -> u32 {
        self.absent.push(asks.into_iter().map(str::to_owned).collect());
        u32::try_from(self.absent.len() - 1).unwrap_or(u32::MAX)
    }

    pub(crate) fn mean(&mut self, said: &str, meant: &str, strength: u16) {
        let key = crate::text::words(said).join(" ");
        let words = crate::text::words(meant);
        if key.is_empty() || words.is_empty() {
            return;
        }
        let meanings = self.meanings.entry(key).or_default();
        match meanings.iter_mut().find(|known| known.words == words) {
            Some(known) => known.strength = known.strength.max(strength),
            None => meanings.push(Meaning { words, strength }),
        }
    }
}
