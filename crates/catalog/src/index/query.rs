//! Turns a query into slots: each slot is one thing said, with the terms of the index that may be meant by it.

use super::layout::{Section, phrase, surface};
use super::read::{byte, long};
use super::{Index, weights};
use crate::lexicon::{Intent, strength};
use crate::text::{Stem, each_word};

/// Words that begin a question about how things are.
const QUESTIONS: [&str; 18] =
    ["which", "what", "who", "whose", "where", "when", "why", "is", "are", "was", "were", "did", "does", "has", "have", "do", "am", "had"];

/// A term that may be meant, with its strength in 1/256.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meant {
    pub(super) term: u32,
    pub(super) strength: u16,
}

/// One thing said.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Slot {
    /// Where its terms stand in [`Query::meant`].
    pub(super) start: u32,
    pub(super) end: u32,
    /// What it weighs in coverage.
    pub(super) mass: u32,
    pub(super) known: bool,
    /// It says what to do, not with what.
    pub(super) verb: bool,
}

/// A word of the query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    start: u32,
    end: u32,
    /// Term, when the index or the lexicon knows the word.
    term: Option<u32>,
    flags: u8,
    /// Letters wrong in the word, 0 to 2.
    typo: u8,
}

/// The parts of a query, kept between searches so that a search allocates nothing.
#[derive(Default)]
pub(super) struct Query {
    pub(super) stem: Stem,
    pub(super) scratch: String,
    text: String,
    words: Vec<Word>,
    pub(super) meant: Vec<Meant>,
    pub(super) slots: Vec<Slot>,
    pub(super) intent: u8,
    /// It asks how things are.
    pub(super) question: bool,
    /// The query speaks of several things.
    pub(super) plural: bool,
    pub(super) foreign: usize,
    pub(super) unknown: usize,
    stopped: usize,
    pub(super) typo: super::typo::Scratch,
}

impl Query {
    /// Its words, one after the other.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The terms that a slot may mean.
    pub(super) fn meant_by(&self, slot: &Slot) -> &[Meant] {
        self.meant.get(slot.start as usize..slot.end as usize).unwrap_or_default()
    }

    /// Cuts `text` into slots.
    pub(super) fn read(&mut self, index: &Index<'_>, text: &str) {
        self.clear();
        let mut scratch = std::mem::take(&mut self.scratch);
        each_word(text, &mut scratch, |word| {
            let start = self.text.len();
            self.text.push_str(word);
            self.words.push(Word { start: small(start), end: small(self.text.len()), ..Word::default() });
        });
        self.scratch = scratch;
        let mut words = std::mem::take(&mut self.words);
        for word in &mut words {
            self.know(index, word);
        }
        self.ask(&words);
        self.fill(index, &words, false);
        if self.slots.iter().all(|slot| slot.mass == 0) {
            // Nothing but stopwords: then they are all there is to go by.
            self.fill(index, &words, true);
        }
        self.words = words;
    }

    /// A question wants to be told something, unless it asks for the way to do something.
    fn ask(&mut self, words: &[Word]) {
        let word = |at: usize| words.get(at).map_or("", |&word| self.word(word));
        let how =
            word(0) == "how" && matches!(word(1), "many" | "much" | "far" | "long" | "often" | "big" | "large" | "old" | "bad" | "full");
        if how || QUESTIONS.contains(&word(0)) {
            self.intent = Intent::Read as u8;
            self.question = true;
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.words.clear();
        self.meant.clear();
        self.slots.clear();
        (self.intent, self.foreign, self.unknown, self.stopped) = (0, 0, 0, 0);
        (self.plural, self.question) = (false, false);
    }

    /// Looks a word up as it stands, then stemmed.
    fn know(&self, index: &Index<'_>, word: &mut Word) {
        let text = self.word(*word);
        if let Some(record) = index.spelling(text.as_bytes()) {
            word.term = Some(long(record, surface::TERM));
            word.flags = byte(record, surface::FLAGS);
            return;
        }
        let stemmed = self.stem.of(text);
        if let Some(record) = index.spelling(stemmed.as_bytes()) {
            word.term = Some(long(record, surface::TERM));
        }
    }

    fn word(&self, word: Word) -> &str {
        self.text.get(word.start as usize..word.end as usize).unwrap_or_default()
    }

    /// The words nobody knows, for advice.
    pub(super) fn unknown_words(&self, index: &Index<'_>) -> Vec<String> {
        let strange =
            |word: &&Word| word.typo == 0 && word.flags & surface::STOP == 0 && !word.term.is_some_and(|term| has_sense(index, term));
        self.words.iter().filter(strange).take(4).map(|&word| self.word(word).to_owned()).collect()
    }

    /// More words of another language than of English.
    pub(super) fn non_english(&self) -> bool {
        self.non_latin() || (self.foreign > 0 && self.foreign >= self.stopped && (self.foreign + self.unknown) * 2 >= self.words.len())
    }

    /// More letters of another script than of the Latin one.
    fn non_latin(&self) -> bool {
        if self.text.is_ascii() {
            return false;
        }
        let letters = || self.text.chars().filter(|letter| letter.is_alphabetic());
        letters().filter(|letter| u32::from(*letter) > 0x24f).count() * 2 > letters().count().max(1)
    }

    fn fill(&mut self, index: &Index<'_>, words: &[Word], stopwords: bool) {
        let mut at = 0;
        while at < words.len() {
            at += self.phrase(index, &words[at..]).unwrap_or_else(|| self.single(index, words, at, stopwords));
        }
    }

    /// A phrase of the lexicon at the start of `words`; gives its length.
    fn phrase(&mut self, index: &Index<'_>, words: &[Word]) -> Option<usize> {
        let first = words.first()?.term?;
        if !index.term(first).begins_phrase() {
            return None;
        }
        let (length, concept) = longest_phrase(index, words)?;
        self.open();
        self.mean(index, concept);
        Some(length)
    }

    fn single(&mut self, index: &Index<'_>, words: &[Word], at: usize, stopwords: bool) -> usize {
        let mut word = words[at];
        if word.flags & surface::STOP != 0 && !stopwords {
            self.stopped += 1;
            if word.flags & surface::WEAK != 0 {
                self.weak(index, word);
            }
            return 1;
        }
        if word.flags & surface::FOREIGN != 0 && !word.term.is_some_and(|term| has_sense(index, term)) {
            self.foreign += 1;
            self.open();
            self.close(index, Some(index.unknown_mass()));
            return 1;
        }
        if let Some(joined) = words.get(at + 1).and_then(|&next| self.joined(index, word, next)) {
            self.open();
            self.push(index, joined, strength::SAME);
            self.and(index, word);
            self.and(index, words[at + 1]);
            self.close(index, None);
            return 2;
        }
        if !word.term.is_some_and(|term| has_sense(index, term)) {
            let text = self.text.get(word.start as usize..word.end as usize).unwrap_or_default();
            if let Some((one, other)) = halves(index, text) {
                for term in [one, other] {
                    self.open();
                    self.push(index, term, weights::COMPOUND);
                    self.close(index, None);
                }
                return 1;
            }
            let mut typo = std::mem::take(&mut self.typo);
            if let Some((term, wrong)) = typo.mend(index, self.word(word).as_bytes()) {
                (word.term, word.typo) = (Some(term), wrong);
            }
            self.typo = typo;
        }
        match word.term.filter(|&term| has_sense(index, term)) {
            Some(term) if self.slots.iter().any(|slot| self.meant.get(slot.start as usize).is_some_and(|meant| meant.term == term)) => {}
            Some(term) => {
                self.open();
                self.plural |= word.flags & surface::PLURAL != 0 && index.term(term).intent() == 0;
                let own = match word.typo {
                    0 => strength::SAME,
                    wrong => weights::TYPO[usize::from(wrong.min(2)) - 1],
                };
                if self.intent == 0 {
                    self.intent = index.term(term).intent();
                }
                self.push(index, term, own);
                if let Some(slot) = self.slots.last_mut() {
                    slot.verb = index.term(term).is_verb();
                }
                self.mean(index, term);
            }
            None => {
                self.unknown += 1;
                self.open();
                // A number or a name with a number in it is an argument: no catalog is expected to know it.
                let argument = self.word(word).bytes().any(|byte| byte.is_ascii_digit());
                self.close(index, Some(if argument { 0 } else { index.unknown_mass() }));
            }
        }
        1
    }

    /// A word that says little: it may only tip the balance, and is not missed where it is absent.
    fn weak(&mut self, index: &Index<'_>, word: Word) {
        if let Some(term) = word.term.filter(|&term| index.term(term).has_postings()) {
            self.open();
            self.push(index, term, weights::WEAK);
            self.close(index, Some(0));
        }
    }

    /// Two words that the catalog writes as one.
    fn joined(&mut self, index: &Index<'_>, one: Word, other: Word) -> Option<u32> {
        // Words lie one after the other in the text, so the two together are a slice of it.
        let whole = self.text.get(one.start as usize..other.end as usize)?;
        let record = index.spelling(whole.as_bytes())?;
        let in_catalog = byte(record, surface::FLAGS) & surface::IN_CATALOG != 0;
        (in_catalog && whole.len() > 4).then(|| long(record, surface::TERM))
    }

    fn and(&mut self, index: &Index<'_>, word: Word) {
        if let Some(term) = word.term.filter(|&term| index.term(term).has_postings() && word.flags & surface::STOP == 0) {
            self.push(index, term, weights::COMPOUND / 2);
        }
    }

    fn open(&mut self) {
        let start = small(self.meant.len());
        self.slots.push(Slot { start, end: start, mass: 0, known: true, verb: false });
    }

    fn push(&mut self, index: &Index<'_>, term: u32, strength: u16) {
        if index.term(term).has_postings() {
            self.meant.push(Meant { term, strength });
        }
    }

    /// Closes the newest slot; without a weight given, it weighs what its heaviest word does.
    fn close(&mut self, index: &Index<'_>, mass: Option<u32>) {
        let end = small(self.meant.len());
        if let Some(slot) = self.slots.last_mut() {
            slot.end = end;
            slot.known = mass.is_none();
            let terms = self.meant.get(slot.start as usize..end as usize).unwrap_or_default();
            let first = terms.first().map_or(0, |meant| index.term(meant.term).mass());
            slot.mass = mass.unwrap_or(first);
        }
    }

    /// Adds the meanings of `term` to the open slot, and a slot for each further word a meaning has.
    fn mean(&mut self, index: &Index<'_>, term: u32) {
        let mut place = 0;
        for (next, strength, meant) in index.term(term).meanings(index) {
            if next != place {
                self.close(index, None);
                self.open();
                place = next;
            }
            self.push(index, meant, strength);
        }
        self.close(index, None);
    }
}

/// Whether a term can find anything: it has postings, or a meaning that has.
fn has_sense(index: &Index<'_>, term: u32) -> bool {
    let term = index.term(term);
    term.has_postings() || term.meanings(index).any(|(_, _, meant)| index.term(meant).has_postings())
}

/// A word made of two that the catalog knows, such as `autoupdate`.
fn halves(index: &Index<'_>, word: &str) -> Option<(u32, u32)> {
    if !word.is_ascii() || word.len() < 6 {
        return None;
    }
    let part = |text: &str| {
        let record = index.spelling(text.as_bytes())?;
        let known = byte(record, surface::FLAGS) & (surface::IN_CATALOG | surface::STOP) == surface::IN_CATALOG;
        known.then(|| long(record, surface::TERM))
    };
    // The longest first half wins: the cut is then at the seam more often than not.
    (3..=word.len() - 3).rev().find_map(|at| Some((part(&word[..at])?, part(&word[at..])?)))
}

/// The longest phrase that begins `words`: its length and the term that carries its meanings.
fn longest_phrase(index: &Index<'_>, words: &[Word]) -> Option<(usize, u32)> {
    let first = words.first()?.term?;
    let phrases = index.sections.part(Section::Phrases);
    let count = phrases.len() / phrase::SIZE;
    let record = |number: usize| &phrases[number * phrase::SIZE..(number + 1) * phrase::SIZE];
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = usize::midpoint(low, high);
        if long(record(middle), 0) < first {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let mut best: Option<(usize, u32)> = None;
    for number in low..count {
        let candidate = record(number);
        if long(candidate, 0) != first {
            break;
        }
        let length = (1..phrase::LONGEST).take_while(|place| long(candidate, place * 4) != phrase::NONE).count() + 1;
        let fits = words.len() >= length && (1..length).all(|place| words[place].term == Some(long(candidate, place * 4)));
        if fits && best.is_none_or(|(longest, _)| length > longest) {
            best = Some((length, long(candidate, phrase::TERM)));
        }
    }
    best
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
