//! Text of any length in bounded memory: how it began and how it ended, and how much lies between.

use std::collections::VecDeque;

/// Bytes kept of the beginning.
const HEAD: usize = 8 << 10;
/// Bytes kept of the end: there the outcome stands.
const TAIL: usize = 24 << 10;
/// Longest line that is kept whole.
const LINE: usize = 4 << 10;

/// Head and tail of what came by.
#[derive(Debug, Default)]
pub(super) struct Log {
    head: Vec<String>,
    head_bytes: usize,
    tail: VecDeque<String>,
    tail_bytes: usize,
    /// Lines that were seen in all.
    lines: u64,
    cut: u64,
    shortened: u64,
}

impl Log {
    /// Takes text of one or several lines.
    pub fn push(&mut self, text: &str) {
        for line in text.trim_end_matches('\n').split('\n') {
            self.line(line);
        }
    }

    fn line(&mut self, line: &str) {
        self.lines += 1;
        let mut line = line.to_owned();
        if line.len() > LINE {
            self.shortened += 1;
            let end = (0..=LINE).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
            line.truncate(end);
            line.push('…');
        }
        if self.tail.is_empty() && self.cut == 0 && self.head_bytes + line.len() <= HEAD {
            self.head_bytes += line.len() + 1;
            self.head.push(line);
            return;
        }
        self.tail_bytes += line.len() + 1;
        self.tail.push_back(line);
        while self.tail_bytes > TAIL
            && let Some(gone) = self.tail.pop_front()
        {
            self.tail_bytes -= gone.len() + 1;
            self.cut += 1;
        }
    }

    /// How many lines there were.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// What is left, with a line that says what is not, and the same for the notes.
    pub fn finish(self) -> (String, Vec<String>) {
        let mut notes = Vec::new();
        let mut lines = self.head;
        if self.cut > 0 {
            lines.push(format!("[… {} lines left out …]", self.cut));
            notes.push(format!("Left out in the middle: {} of {} lines.", self.cut, self.lines));
        }
        lines.extend(self.tail);
        if self.shortened > 0 {
            notes.push(format!("Lines longer than {LINE} bytes were cut: {}.", self.shortened));
        }
        (lines.join("\n"), notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_goes_first() {
        let mut log = Log::default();
        for number in 0..100_000 {
            log.push(&format!("line {number}"));
        }
        let (text, notes) = log.finish();
        assert!(text.starts_with("line 0\n") && text.ends_with("\nline 99999"), "{}", text.len());
        assert!(text.len() < 40 << 10);
        assert!(notes[0].contains("of 100000 lines"), "{notes:?}");
    }

    #[test]
    fn short_text_stays_whole() {
        let mut log = Log::default();
        log.push("a\nb");
        log.push(&"é".repeat(4000));
        let (text, notes) = log.finish();
        assert!(text.starts_with("a\nb\né") && text.ends_with("é…"), "{}", &text[..20]);
        assert_eq!(notes.len(), 1);
    }
}
