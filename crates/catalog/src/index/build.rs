//! Builds an index: counts the words of every field, computes what each word is worth in each document, and writes the flat arrays.

mod collect;
mod write;

use super::document::{Document, Safety};
use super::layout::{command, phrase, posting};
use super::weights::{self, FIELD, FIELDS};
use crate::lexicon::{Intent, Lexicon, Target};
use collect::Vocabulary;
use std::collections::{HashMap, HashSet};

/// Builds the index of `documents`; a document's number is its place in the slice. The same input gives the same bytes.
pub fn build(documents: &[Document<'_>], lexicon: &Lexicon) -> Vec<u8> {
    let mut vocabulary = Vocabulary::new(lexicon);
    let shared = shared_segments(documents);
    let mut entries: Vec<Entry> = documents.iter().map(|document| entry(document, &shared, lexicon, &mut vocabulary)).collect();
    rank(documents, &mut entries);
    let actions = entries.len();
    for (number, asks) in lexicon.absent.iter().enumerate() {
        for ask in asks {
            entries.push(Entry { rank: number_of(number), ..request(ask, &mut vocabulary) });
        }
    }
    let mut meanings = vocabulary.add_lexicon(lexicon);
    let postings = postings(&mut entries, &mut vocabulary, actions);
    meanings.prune(&postings.iter().map(Vec::len).collect::<Vec<_>>(), actions);
    let commands = commands(documents, lexicon);
    write::write(&write::Parts {
        documents,
        lexicon,
        entries: &entries,
        vocabulary: &vocabulary,
        meanings: &meanings,
        postings: &postings,
        commands: &commands,
        actions,
    })
}

pub(super) fn number_of(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// What the build knows of a document.
#[derive(Default)]
struct Entry {
    /// Term and field of every word.
    words: Vec<(u32, u8)>,
    lengths: [u32; FIELDS],
    rank: u32,
    title_mass: u32,
    safety: Safety,
    intent: u8,
    /// The terms of each alias.
    aliases: Vec<Vec<u32>>,
    /// Terms that name what a destructive document does.
    verbs: Vec<u32>,
    /// The title speaks of several.
    plural: bool,
}

impl Entry {
    /// The terms of the title, each once.
    fn title(&self) -> Vec<u32> {
        let mut terms: Vec<u32> = self.words.iter().filter(|word| usize::from(word.1) == weights::TITLE).map(|word| word.0).collect();
        terms.sort_unstable();
        terms.dedup();
        terms
    }
}

/// Segments that stand in the paths of more than a quarter of all documents: they are the way to most things and name none.
fn shared_segments<'c>(documents: &[Document<'c>]) -> HashSet<&'c str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for document in documents {
        for part in document.path.split('/') {
            *counts.entry(part).or_default() += 1;
        }
    }
    // A few documents have no ways that most share.
    let most = (documents.len() / 4).max(8);
    documents
        .iter()
        .flat_map(|document| document.path.split('/'))
        .filter(|part| counts.get(part).is_some_and(|&count| count > most))
        .collect()
}

fn entry(document: &Document<'_>, shared: &HashSet<&str>, lexicon: &Lexicon, vocabulary: &mut Vocabulary) -> Entry {
    let mut entry = Entry { safety: document.safety, ..Entry::default() };
    let mut add = |field: usize, text: &str| vocabulary.add(text, field, &mut entry);
    add(weights::TITLE, document.title);
    add(weights::DESCRIPTION, document.description);
    add(weights::USAGE, document.usage);
    add(weights::NAME, document.operation);
    if document.id != document.operation {
        add(weights::NAME, document.id);
    }
    add(weights::GROUP, document.domain_title);
    if document.domain != document.domain_title {
        add(weights::GROUP, document.domain);
    }
    add(weights::USAGE, document.toolset);
    for part in document.path.split('/').filter(|part| !part.starts_with('{') && !shared.contains(part)) {
        add(weights::PATH, part);
    }
    for parameter in &document.parameters {
        add(weights::PARAMETER, parameter.name);
        add(weights::PARAMETER_TEXT, parameter.description);
        for value in &parameter.values {
            add(weights::PARAMETER_TEXT, value);
        }
    }
    for alias in &document.aliases {
        add(weights::ALIAS, alias);
    }
    for word in &document.words {
        add(weights::WORDS, word);
    }
    entry.aliases = document.aliases.iter().map(|alias| request(alias, vocabulary).title()).collect();
    if !entry.aliases.is_empty() {
        // What the API itself calls it is one more thing to say for it, where it differs.
        let (name, title) = (request(document.operation, vocabulary).title(), entry.title());
        if name.iter().any(|term| !title.contains(term)) {
            entry.aliases.push(name);
        }
    }
    entry.intent = intent(document, lexicon) as u8;
    if document.safety == Safety::Destructive {
        entry.verbs = vocabulary.verbs(document);
    }
    entry
}

/// An alias, or what nothing serves, by itself, so that a query that says all of it is known to.
fn request(text: &str, vocabulary: &mut Vocabulary) -> Entry {
    let mut entry = Entry::default();
    vocabulary.add(text, weights::TITLE, &mut entry);
    entry
}

/// What kind of work the document does: by its first verb, else by its method.
fn intent(document: &Document<'_>, lexicon: &Lexicon) -> Intent {
    let named = [document.title, document.operation].iter().find_map(|text| {
        crate::text::words(text).first().and_then(|word| lexicon.verbs.get(word)).copied().filter(|intent| *intent != Intent::None)
    });
    named.unwrap_or(match document.method {
        "GET" | "HEAD" => Intent::Read,
        "DELETE" => Intent::Delete,
        "PUT" | "PATCH" => Intent::Update,
        _ => Intent::None,
    })
}

/// Ties go to the safer action, then to the first id.
fn rank(documents: &[Document<'_>], entries: &mut [Entry]) {
    let mut order: Vec<usize> = (0..documents.len()).collect();
    order.sort_by_key(|&number| (documents[number].safety, documents[number].id, number));
    for (rank, number) in order.into_iter().enumerate() {
        entries[number].rank = number_of(rank);
    }
}

/// For every term its postings as they are written, in the order of documents; also sets the weights of terms and titles.
fn postings(entries: &mut [Entry], vocabulary: &mut Vocabulary, actions: usize) -> Vec<Vec<u32>> {
    let mut average = [0.0_f64; FIELDS];
    for (field, mean) in average.iter_mut().enumerate() {
        let total: f64 = entries[..actions].iter().map(|entry| f64::from(entry.lengths[field])).sum();
        *mean = (total / weights::real(actions.max(1))).max(1.0);
    }
    let mut all: Vec<Vec<u32>> = std::iter::repeat_with(Vec::new).take(vocabulary.len()).collect();
    for (number, entry) in entries.iter_mut().enumerate() {
        entry.words.sort_unstable();
        // What one occurrence counts in a field as long as this document's.
        let each: [f64; FIELDS] = std::array::from_fn(|field| {
            let length = f64::from(entry.lengths[field]) / average[field];
            FIELD[field].weight / (1.0 - FIELD[field].normal + FIELD[field].normal * length)
        });
        for group in entry.words.chunk_by(|one, other| one.0 == other.0) {
            let title = usize::from(group[0].1) == weights::TITLE;
            let frequency: f64 = group.iter().map(|word| each[usize::from(word.1)]).sum();
            let saturation = frequency / (weights::SATURATION + frequency);
            all[group[0].0 as usize].push(pack(number_of(number), saturation, title));
        }
    }
    for (term, list) in all.iter().enumerate() {
        let having = list.partition_point(|packed| ((packed & posting::DOCUMENT_MASK) as usize) < actions);
        vocabulary.weigh(term, if list.is_empty() { 0.0 } else { weights::inverse_frequency(actions, having.max(1)) });
    }
    for entry in entries.iter_mut() {
        entry.title_mass = vocabulary.mass_of(&entry.title());
    }
    all
}

fn pack(document: u32, saturation: f64, title: bool) -> u32 {
    let saturation = u32::from(collect::fixed(saturation, f64::from(posting::SATURATION_MAX))).min(posting::SATURATION_MAX);
    (document & posting::DOCUMENT_MASK) | (saturation << posting::DOCUMENT_BITS) | if title { posting::TITLE } else { 0 }
}

/// A command line ready to be written: words, flags, target.
pub(super) struct CommandLine {
    words: String,
    flags: String,
    target: u32,
}

/// The command lines of the lexicon and those among the aliases, sorted; the lexicon's win over an alias.
fn commands(documents: &[Document<'_>], lexicon: &Lexicon) -> Vec<CommandLine> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    for (number, document) in documents.iter().enumerate() {
        for name in [document.id, document.operation] {
            numbers.entry(name).or_insert(number_of(number));
        }
    }
    let is_program =
        |line: &str| line.split_whitespace().next().is_some_and(|first| lexicon.programs.iter().any(|program| program.name == first));
    let mut stated: Vec<(&str, u32)> = Vec::new();
    for line in &lexicon.commands {
        match &line.target {
            Target::Action(id) => stated.extend(numbers.get(id.as_str()).map(|&number| (line.line.as_str(), number))),
            Target::Absent(number) => stated.push((&line.line, number | command::ABSENT)),
        }
    }
    for (number, document) in documents.iter().enumerate() {
        stated.extend(document.aliases.iter().filter(|alias| is_program(alias)).map(|alias| (*alias, number_of(number))));
    }
    for (number, asks) in lexicon.absent.iter().enumerate() {
        stated.extend(asks.iter().filter(|ask| is_program(ask)).map(|ask| (ask.as_str(), number_of(number) | command::ABSENT)));
    }
    let mut lines: Vec<CommandLine> = Vec::new();
    for (line, target) in stated {
        let (flags, words): (Vec<&str>, Vec<&str>) = line.split_whitespace().partition(|part| part.starts_with('-'));
        let (words, flags) = (words.join(" "), flags.join(" "));
        if !lines.iter().any(|known| known.words == words && known.flags == flags) {
            lines.push(CommandLine { words, flags, target });
        }
    }
    lines.sort_by(|one, other| (&one.words, &one.flags).cmp(&(&other.words, &other.flags)));
    lines
}

/// A phrase of the lexicon as terms.
pub(super) type PhraseTerms = [u32; phrase::LONGEST];
