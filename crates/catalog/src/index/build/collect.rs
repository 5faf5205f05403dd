//! The vocabulary of an index under construction: spellings, the terms they are stemmed to, and what terms mean.

use super::{Entry, PhraseTerms, number_of};
use crate::index::document::Document;
use crate::index::layout::{phrase, surface};
use crate::index::weights::{self, MASS_SCALE};
use crate::lexicon::{Intent, Lexicon};
use crate::text::{Stem, each_word, words};
use std::collections::HashMap;

/// Spellings and terms, numbered in the order they are met.
pub(super) struct Vocabulary {
    stem: Stem,
    scratch: String,
    surface_numbers: HashMap<String, u32>,
    pub(super) surfaces: Vec<Spelling>,
    term_numbers: HashMap<String, u32>,
    pub(super) terms: Vec<Term>,
}

pub(super) struct Spelling {
    pub(super) text: String,
    pub(super) term: u32,
    pub(super) flags: u8,
}

#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "four independent marks of a word, packed into flags when written")]
pub(super) struct Term {
    pub(super) text: String,
    pub(super) weight: f64,
    pub(super) stop: bool,
    pub(super) weak: bool,
    pub(super) intent: u8,
    pub(super) begins_phrase: bool,
    pub(super) verb: bool,
}

/// Place among the words of a meaning, strength, term.
pub(super) type Meant = (u16, u16, u32);

/// What the lexicon adds: for each term its meanings (place, strength, term), and the phrases.
pub(super) struct Meanings {
    pub(super) of: Vec<(u32, Vec<Meant>)>,
    pub(super) phrases: Vec<(PhraseTerms, u32)>,
}

impl Meanings {
    /// Leaves out what leads nowhere, and weak likenesses to words that many documents have.
    pub(super) fn prune(&mut self, having: &[usize], documents: usize) {
        let most = (documents / weights::COMMON).max(weights::FEW);
        for (_, list) in &mut self.of {
            list.retain(|&(place, strength, term)| {
                place > 0 || (having[term as usize] > 0 && (strength >= weights::LIKENESS || having[term as usize] <= most))
            });
        }
    }
}

impl Vocabulary {
    pub(super) fn new(lexicon: &Lexicon) -> Self {
        let mut vocabulary = Self {
            stem: Stem::default(),
            scratch: String::new(),
            surface_numbers: HashMap::new(),
            surfaces: Vec::new(),
            term_numbers: HashMap::new(),
            terms: Vec::new(),
        };
        for word in &lexicon.stopwords {
            let number = vocabulary.spelling(word);
            vocabulary.surfaces[number].flags |= surface::STOP | if lexicon.weak.contains(word) { surface::WEAK } else { 0 };
            let term = vocabulary.surfaces[number].term;
            vocabulary.terms[term as usize].stop = true;
            vocabulary.terms[term as usize].weak |= lexicon.weak.contains(word);
        }
        vocabulary
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    /// Counts every word of `text` in `field` of the document. Stopwords count only where text is short.
    pub(super) fn add(&mut self, text: &str, field: usize, entry: &mut Entry) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let prose = matches!(field, weights::DESCRIPTION | weights::PARAMETER_TEXT | weights::USAGE);
        each_word(text, &mut scratch, |word| {
            let number = self.spelling(word);
            let spelling = &mut self.surfaces[number];
            if prose && spelling.flags & surface::STOP != 0 {
                return;
            }
            spelling.flags |= surface::IN_CATALOG;
            entry.words.push((spelling.term, u8::try_from(field).unwrap_or(u8::MAX)));
            entry.lengths[field] += 1;
            entry.plural |= field == weights::TITLE && spelling.flags & (surface::PLURAL | surface::STOP) == surface::PLURAL;
        });
        self.scratch = scratch;
    }

    /// The number of a spelling, made when new.
    fn spelling(&mut self, word: &str) -> usize {
        if let Some(&number) = self.surface_numbers.get(word) {
            return number as usize;
        }
        let stemmed = self.stem.of(word).into_owned();
        let term = self.term(stemmed);
        let number = number_of(self.surfaces.len());
        let plural = word.len() > 3
            && word.ends_with('s')
            && !word.ends_with("ss")
            && !word.ends_with("us")
            && self.terms[term as usize].text != word;
        self.surfaces.push(Spelling { text: word.to_owned(), term, flags: if plural { surface::PLURAL } else { 0 } });
        self.surface_numbers.insert(word.to_owned(), number);
        number as usize
    }

    fn term(&mut self, text: String) -> u32 {
        if let Some(&number) = self.term_numbers.get(&text) {
            return number;
        }
        let number = number_of(self.terms.len());
        self.terms.push(Term { text: text.clone(), ..Term::default() });
        self.term_numbers.insert(text, number);
        number
    }

    fn term_of(&mut self, word: &str) -> u32 {
        let number = self.spelling(word);
        self.surfaces[number].term
    }

    /// The terms that name what a destructive document does: the verbs of its id, title and operation. Aliases count only whole,
    /// which the search sees for itself.
    pub(super) fn verbs(&mut self, document: &Document<'_>) -> Vec<u32> {
        let action = document.id.rsplit('.').next().unwrap_or_default();
        let mut verbs: Vec<u32> = Vec::new();
        for first in [words(action), words(document.title), words(document.operation)] {
            verbs.extend(first.first().map(|word| self.term_of(word)));
        }
        verbs.sort_unstable();
        verbs.dedup();
        verbs
    }

    /// Adds the words only the lexicon knows; gives what every word and phrase means.
    pub(super) fn add_lexicon(&mut self, lexicon: &Lexicon) -> Meanings {
        // A word that English knows too ("os", "ver") tells nothing about the language.
        for word in lexicon.foreign.iter().filter(|word| !lexicon.meanings.contains_key(*word)) {
            let number = self.spelling(word);
            self.surfaces[number].flags |= surface::FOREIGN;
        }
        for program in &lexicon.programs {
            for name in std::iter::once(&program.name).chain(program.also.iter().map(|also| &also.0)) {
                // `docker-compose` is found by its first word.
                if let Some(first) = words(name).first() {
                    let number = self.spelling(first);
                    self.surfaces[number].flags |= surface::PROGRAM;
                }
            }
        }
        for (word, intent) in &lexicon.verbs {
            let term = self.term_of(word);
            self.terms[term as usize].verb = true;
            let known = &mut self.terms[term as usize].intent;
            if *known == Intent::None as u8 {
                *known = *intent as u8;
            }
        }
        let mut of: HashMap<u32, Vec<Meant>> = HashMap::new();
        let mut phrases = Vec::new();
        for (said, meanings) in &lexicon.meanings {
            let parts: Vec<u32> = said.split(' ').map(|word| self.term_of(word)).collect();
            let key = match parts.as_slice() {
                [single] => *single,
                several if several.len() <= phrase::LONGEST => {
                    let mut terms = [phrase::NONE; phrase::LONGEST];
                    terms[..several.len()].copy_from_slice(several);
                    self.terms[several[0] as usize].begins_phrase = true;
                    let joined: Vec<&str> = several.iter().map(|&term| self.terms[term as usize].text.as_str()).collect();
                    let concept = self.term(joined.join(" "));
                    phrases.push((terms, concept));
                    concept
                }
                _ => continue,
            };
            for meaning in meanings {
                for (place, word) in meaning.words.iter().enumerate() {
                    let term = self.term_of(word);
                    let list = of.entry(key).or_default();
                    if term != key && !list.iter().any(|known| known.2 == term) {
                        list.push((u16::try_from(place).unwrap_or(u16::MAX), meaning.strength, term));
                    }
                }
            }
        }
        phrases.sort_unstable();
        phrases.dedup();
        let mut of: Vec<_> = of.into_iter().collect();
        of.sort_unstable_by_key(|entry| entry.0);
        for (_, list) in &mut of {
            // Strongest first: the search takes the best meaning a document has.
            list.sort_by_key(|&(place, strength, term)| (place, std::cmp::Reverse(strength), term));
        }
        Meanings { of, phrases }
    }

    pub(super) fn weigh(&mut self, term: usize, weight: f64) {
        self.terms[term].weight = weight;
    }

    /// What these terms weigh together in coverage; stopwords weigh nothing unless they tell actions apart.
    pub(super) fn mass_of(&self, terms: &[u32]) -> u32 {
        let tells = |term: &&u32| !self.terms[**term as usize].stop || self.terms[**term as usize].weak;
        terms.iter().filter(tells).map(|term| u32::from(self.mass(*term))).sum()
    }

    /// A term's weight in coverage, fixed-point.
    fn mass(&self, term: u32) -> u16 {
        fixed(self.terms[term as usize].weight, MASS_SCALE)
    }
}

/// A number in fixed point.
pub(super) fn fixed(value: f64, scale: f64) -> u16 {
    let scaled = (value * scale + 0.5).clamp(0.0, f64::from(u16::MAX));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped above")]
    {
        scaled as u16
    }
}
