//! What of a document is not in the catalog as the document has it: never dropped in silence.

use std::fmt;

/// One thing that is not as in the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Method and path of the operation; empty: the document as a whole.
    pub at: String,
    /// The operation is not in the catalog; otherwise it is there, and something of it is wider or narrower than stated.
    pub left_out: bool,
    /// What, and why.
    pub why: String,
}

impl fmt::Display for Note {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.left_out { "left out" } else { "simplified" };
        let at = if self.at.is_empty() { "the document" } else { &self.at };
        write!(out, "{what}: {at}: {}", self.why)
    }
}

/// The notes so far, each once, in the order of the document.
#[derive(Debug, Default)]
pub struct Report(Vec<Note>);

impl Report {
    /// An operation cannot be expressed at all.
    pub fn left_out(&mut self, at: &str, why: impl Into<String>) {
        self.add(at, true, why.into());
    }

    /// Something of an operation is not as stated.
    pub fn simplified(&mut self, at: &str, why: impl Into<String>) {
        self.add(at, false, why.into());
    }

    fn add(&mut self, at: &str, left_out: bool, why: String) {
        let note = Note { at: at.to_owned(), left_out, why };
        if !self.0.contains(&note) {
            self.0.push(note);
        }
    }

    /// All notes, for an error.
    pub fn lines(&self) -> String {
        self.0.iter().fold(String::new(), |lines, note| lines + "\n  " + &note.to_string())
    }

    /// The notes.
    pub fn into_notes(self) -> Vec<Note> {
        self.0
    }
}
