//! What a catalog says about its own search: `[search]` and `[[absent]]` of `catalog.toml`.

use super::{Lexicon, Program, Target};
use crate::model::Absent;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The table `[search]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchTable {
    /// Words that nearly every query about this API may hold, such as the product's name: they tip the balance and no more.
    pub weak: Vec<String>,
    /// Words or phrases of a query → words of this catalog.
    pub synonyms: BTreeMap<String, Vec<String>>,
    /// Programs whose command lines people type.
    pub programs: BTreeMap<String, ProgramTable>,
    /// Command lines → what they are here.
    pub commands: BTreeMap<String, CommandTarget>,
}

/// A program in `[search.programs]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgramTable {
    /// Other programs → what they stand for.
    pub also: BTreeMap<String, String>,
    /// Flags that take a value and may stand before the subcommand.
    pub valued: Vec<String>,
}

/// Where a command line leads.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum CommandTarget {
    /// An action's id.
    Action(String),
    /// Nothing here does it.
    Absent {
        /// One of the `ask` of an absent entry.
        absent: String,
    },
}

impl SearchTable {
    /// Teaches the lexicon all of it. Gives the command lines whose `absent` is nobody's `ask`, for the compiler to report.
    pub fn teach(&self, absent: &[Absent<'_>], lexicon: &mut Lexicon) -> Vec<String> {
        for word in &self.weak {
            lexicon.weak(word);
        }
        for (said, meant) in &self.synonyms {
            lexicon.synonym(said, meant.iter().map(String::as_str));
        }
        for (name, table) in &self.programs {
            let also = table.also.iter().map(|(name, meaning)| (name.clone(), meaning.clone())).collect();
            lexicon.program(Program { name: name.clone(), also, valued: table.valued.clone() });
        }
        let mut numbers = BTreeMap::new();
        for entry in absent {
            let number = lexicon.absent(entry.ask.iter().map(|ask| &**ask));
            numbers.extend(entry.ask.iter().map(|ask| (&**ask, number)));
        }
        let mut lost = Vec::new();
        for (line, target) in &self.commands {
            match target {
                CommandTarget::Action(id) => lexicon.command(line, Target::Action(id.clone())),
                CommandTarget::Absent { absent } => match numbers.get(absent.as_str()) {
                    Some(&number) => lexicon.command(line, Target::Absent(number)),
                    None => lost.push(line.clone()),
                },
            }
        }
        lost
    }
}
