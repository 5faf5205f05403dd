//! Understands command lines in a query: `docker compose -f x.yml up -d`. Which lines exist and where they lead is the catalog's
//! to say; here is only how a line is read.

use super::Index;
use super::layout::{Section, command, surface};
use super::read::{byte, long, short};

/// Where the command lines of a query lead.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Lines {
    pub(super) actions: Vec<u32>,
    pub(super) absent: Option<u32>,
}

/// What may stand between command lines.
const BETWEEN: [char; 5] = ['|', ';', '\n', '`', '&'];
/// What may stand before a program.
const BEFORE: [&str; 6] = ["$", "#", ">", "sudo", "run", "time"];

impl Index<'_> {
    /// The command lines of a query, when it is made of such.
    pub(super) fn command_line(&self, text: &str) -> Option<Lines> {
        if self.sections.part(Section::Programs).is_empty() {
            return None;
        }
        let mut lines = Lines::default();
        let mut any = false;
        for line in text.split(BETWEEN) {
            match self.command(line) {
                Some(target) if target & command::ABSENT == 0 => lines.actions.push(target),
                Some(target) => lines.absent = lines.absent.or(Some(target & !command::ABSENT)),
                None => continue,
            }
            any = true;
        }
        any.then_some(lines)
    }

    fn command(&self, line: &str) -> Option<u32> {
        let mut parts = line.split_whitespace().skip_while(|part| BEFORE.contains(part));
        let mut path = String::from(self.program(parts.next()?)?);
        let mut best: Option<(usize, usize)> = None;
        let mut flags: Vec<&str> = Vec::new();
        let mut rest: Vec<&str> = Vec::new();
        let mut open = true;
        while let Some(part) = parts.next() {
            if part.starts_with('-') {
                flags.push(part.split('=').next().unwrap_or(part));
                if open && !part.contains('=') && self.takes_value(part) {
                    parts.next();
                }
                continue;
            }
            if open {
                let length = path.len();
                path.push(' ');
                path.push_str(part);
                let (low, high) = self.range(&path);
                if low == high {
                    path.truncate(length);
                    open = false;
                } else {
                    continue;
                }
            }
            rest.push(part);
        }
        // Words that are no arguments: someone tells in a sentence what they want, the words then say more than the command.
        let told = rest.iter().any(|word| {
            self.spelling(word.to_ascii_lowercase().as_bytes()).is_some_and(|record| byte(record, surface::FLAGS) & surface::STOP != 0)
        });
        if told && flags.is_empty() {
            return None;
        }
        let (low, high) = self.range(&path);
        for number in low..high {
            let record = self.sections.record(Section::Commands, command::SIZE, u32::try_from(number).unwrap_or(u32::MAX));
            if usize::from(short(record, command::WORDS_LENGTH)) != path.len() {
                continue;
            }
            let wanted = self.sections.text(long(record, command::FLAGS), usize::from(short(record, command::FLAGS_LENGTH)));
            let count = wanted.split_whitespace().count();
            if wanted.split_whitespace().all(|flag| flags.contains(&flag)) && best.is_none_or(|(most, _)| count > most) {
                best = Some((count, number));
            }
        }
        let (_, number) = best?;
        Some(long(self.sections.record(Section::Commands, command::SIZE, u32::try_from(number).unwrap_or(u32::MAX)), command::TARGET))
    }

    /// What a program stands for: `podman` for `docker`, `docker-compose` for `docker compose`.
    fn program(&self, name: &str) -> Option<&str> {
        let mut records = self.sections.part(Section::Programs).chunks_exact(command::SIZE);
        records.by_ref().take_while(|record| short(record, command::FLAGS_LENGTH) > 0).find_map(|record| {
            let known = self.sections.bytes(long(record, command::WORDS), usize::from(short(record, command::WORDS_LENGTH)));
            known
                .eq_ignore_ascii_case(name.as_bytes())
                .then(|| self.sections.text(long(record, command::FLAGS), usize::from(short(record, command::FLAGS_LENGTH))))
        })
    }

    fn takes_value(&self, flag: &str) -> bool {
        let mut records = self.sections.part(Section::Programs).chunks_exact(command::SIZE);
        records.any(|record| {
            short(record, command::FLAGS_LENGTH) == 0
                && self.sections.bytes(long(record, command::WORDS), usize::from(short(record, command::WORDS_LENGTH))) == flag.as_bytes()
        })
    }

    /// The command lines that begin with these words: from, to.
    fn range(&self, path: &str) -> (usize, usize) {
        let records = self.sections.part(Section::Commands);
        let count = records.len() / command::SIZE;
        // Compared as bytes: that they are UTF-8 need not be known for it.
        let path = path.as_bytes();
        let words = |number: usize| {
            let record = &records[number * command::SIZE..];
            self.sections.bytes(long(record, command::WORDS), usize::from(short(record, command::WORDS_LENGTH)))
        };
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            if words(middle) < path {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let begins = |number: usize| words(number).strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with(b" "));
        let end = (low..count)
            .take_while(|&number| words(number).starts_with(path))
            .filter(|&number| begins(number))
            .last()
            .map_or(low, |last| last + 1);
        (low, end)
    }
}
