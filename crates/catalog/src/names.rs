//! Every name an action answers to, on every surface.

use crate::model::Action;
use std::ops::Range;

/// The accepted names of an action in the catalog called `catalog`: id, individual tool name, meta tool with action, operationId.
/// An API whose operationIds are the ids themselves simply has fewer.
pub fn accepted(catalog: &str, action: &Action<'_>) -> Vec<String> {
    let mut names = vec![action.id.to_string(), action.tool_name(catalog), format!("{catalog}_{}", action.id)];
    if !action.operation.is_empty() && !names.iter().any(|name| *name == action.operation) {
        names.push(action.operation.to_string());
    }
    names
}

/// Places of the names in backticks that may be those of an action. In JSON they stand as in plain text.
pub fn ticked(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_' || letter == '.';
    let mut place = 0;
    std::iter::from_fn(move || {
        loop {
            let start = place + text[place..].find('`')? + 1;
            let end = text[start..].find(|letter| !is_name(letter)).map_or(text.len(), |length| start + length);
            place = end;
            if end > start && text[end..].starts_with('`') {
                place = end + 1;
                return Some(start..end);
            }
        }
    })
}

/// The name of a guide by its file; `None`: the file is no guide.
pub fn guide(file: &str) -> Option<&str> {
    let name = file.strip_suffix(".md")?;
    let legal = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    // A README beside the guides is for those who write them.
    (legal && !name.eq_ignore_ascii_case("readme")).then_some(name)
}

/// A sorted table of names with the numbers of their actions, read in place: what phf is to the catalog in the binary.
///
/// Layout, all numbers little-endian `u32`: number of names, for each the end of its text and its number, the texts.
#[derive(Debug, Clone, Copy)]
pub struct Table<'a> {
    entries: &'a [[u8; 8]],
    texts: &'a [u8],
}

impl<'a> Table<'a> {
    /// Checks the lengths; `None`: the bytes are no such table.
    pub fn open(bytes: &'a [u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk().map(|(count, rest)| (u32::from_le_bytes(*count) as usize, rest))?;
        let (entries, texts) = rest.split_at_checked(count.checked_mul(8)?)?;
        let table = Self { entries: entries.as_chunks().0, texts };
        let end = count.checked_sub(1).map_or(0, |last| table.entry(last).0);
        (end == texts.len()).then_some(table)
    }

    /// The number of the action with exactly that name.
    pub fn get(&self, name: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.entries.len());
        while low < high {
            let middle = low.midpoint(high);
            let (text, number) = self.at(middle);
            match text.cmp(name.as_bytes()) {
                std::cmp::Ordering::Equal => return Some(number),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Every name, in order.
    pub fn all(self) -> impl Iterator<Item = (&'a str, u32)> {
        (0..self.entries.len()).filter_map(move |place| {
            let (text, number) = self.at(place);
            Some((std::str::from_utf8(text).ok()?, number))
        })
    }

    fn at(&self, place: usize) -> (&'a [u8], u32) {
        let start = place.checked_sub(1).map_or(0, |before| self.entry(before).0);
        let (end, number) = self.entry(place);
        (self.texts.get(start..end).unwrap_or_default(), number)
    }

    fn entry(&self, place: usize) -> (usize, u32) {
        let [a, b, c, d, number @ ..] = self.entries.get(place).copied().unwrap_or_default();
        (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes(number))
    }
}

/// The bytes of a [`Table`].
#[cfg(feature = "compile")]
pub fn table(names: &[(String, u32)]) -> Vec<u8> {
    let mut sorted: Vec<_> = names.iter().collect();
    sorted.sort();
    let mut out = u32::try_from(sorted.len()).unwrap_or(u32::MAX).to_le_bytes().to_vec();
    let mut end = 0_usize;
    for (name, number) in &sorted {
        end += name.len();
        out.extend(u32::try_from(end).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(number.to_le_bytes());
    }
    for (name, _) in sorted {
        out.extend(name.as_bytes());
    }
    out
}

#[cfg(all(test, feature = "compile"))]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_no_other() {
        let names: Vec<(String, u32)> = ["b.get", "a", "ä.list", "", "b.gets"].into_iter().map(str::to_owned).zip(0..).collect();
        let bytes = table(&names);
        let open = Table::open(&bytes).expect("a table");
        for (name, number) in &names {
            assert_eq!(open.get(name), Some(*number), "{name}");
        }
        for name in ["b", "b.ge", "c", "ä", "zz"] {
            assert_eq!(open.get(name), None, "{name}");
        }
        assert_eq!(open.all().map(|(name, _)| name).collect::<Vec<_>>(), ["", "a", "b.get", "b.gets", "ä.list"]);
    }

    #[test]
    fn damaged_bytes_are_no_table_or_give_nothing() {
        let bytes = table(&[("one".into(), 1), ("two".into(), 2)]);
        for length in 0..bytes.len() {
            assert!(Table::open(&bytes[..length]).is_none(), "{length}");
        }
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0xff;
            if let Some(table) = Table::open(&flipped) {
                let _ = (table.get("one"), table.all().count());
            }
        }
        assert!(Table::open(&table(&[])).is_some_and(|empty| empty.get("one").is_none()));
    }

    #[test]
    fn names_in_backticks_are_found_and_nothing_else() {
        for (text, names) in [
            ("after `stop` or `image.pull_2`.", &["stop", "image.pull_2"][..]),
            ("`Stop`, `a b`, ``, `a-b`, `é`", &[]),
            ("```a`", &["a"]),
            ("`open", &[]),
            ("{\"description\":\"see `logs`\"}", &["logs"]),
            ("`a``b` `", &["a", "b"]),
            ("", &[]),
        ] {
            let found: Vec<_> = ticked(text).map(|place| &text[place]).collect();
            assert_eq!(found, names, "{text}");
        }
    }

    #[test]
    fn files_that_are_guides() {
        for (file, name) in [("a-b_1.md", Some("a-b_1")), ("README.md", None), ("a b.md", None), (".md", None), ("a.txt", None)] {
            assert_eq!(guide(file), name, "{file}");
        }
    }
}
