//! The one word splitter. The build of the index and every query cut text with it, so that both sides always agree on what a
//! word is: `containerId`, `container-id` and "Container ID" give the same two words.

use rust_stemmers::{Algorithm, Stemmer};

/// Longest word kept, in bytes. Longer runs are encoded data, never something a person types.
pub const LONGEST_WORD: usize = 40;

/// Calls `each` with every word of `text`, lowercased, in order. `scratch` is reused so that a query allocates nothing.
pub fn each_word(text: &str, scratch: &mut String, mut each: impl FnMut(&str)) {
    if text.is_ascii() {
        return each_ascii_word(text, scratch, each);
    }
    let mut rest = text.char_indices().peekable();
    scratch.clear();
    let mut previous = Class::Gap;
    while let Some((at, letter)) = rest.next() {
        let class = Class::of(letter);
        match class {
            Class::Gap => {
                // "what's" is "what"; "don't" is one word.
                if is_apostrophe(letter) && previous != Class::Gap {
                    let mut after = text[at + letter.len_utf8()..].chars();
                    let possessive = matches!(after.next(), Some('s' | 'S')) && !after.next().is_some_and(char::is_alphanumeric);
                    if possessive {
                        rest.next();
                        flush(scratch, &mut each);
                        previous = Class::Gap;
                    }
                    continue;
                }
                flush(scratch, &mut each);
            }
            Class::Upper => {
                let before_lower = rest.peek().is_some_and(|&(_, next)| next.is_lowercase());
                // `mTLSBundle`: a capital starts a word after a small letter, and where a row of capitals meets a small letter.
                // "VMs" stays whole: a lone s after capitals is a plural.
                let camel = previous == Class::Lower || (previous == Class::Upper && before_lower && !lone_plural(text, at));
                if camel {
                    flush(scratch, &mut each);
                }
                scratch.extend(letter.to_lowercase());
            }
            Class::Lower | Class::Digit => scratch.extend(letter.to_lowercase()),
        }
        previous = class;
    }
    flush(scratch, &mut each);
}

/// The same for most texts: they need not be decoded, and a word is a part of them.
fn each_ascii_word(text: &str, scratch: &mut String, mut each: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(Class::Gap, |byte| Class::of(char::from(*byte)));
    let part = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    scratch.clear();
    let mut previous = Class::Gap;
    // Where the part of the word begins that is not in `scratch` yet.
    let (mut from, mut at) = (0, 0);
    while let Some(&byte) = bytes.get(at) {
        match class(at) {
            Class::Gap if byte == b'\'' && previous != Class::Gap => {
                scratch.push_str(part(from, at));
                if matches!(bytes.get(at + 1), Some(b's' | b'S')) && class(at + 2) == Class::Gap {
                    flush_ascii(scratch, &mut each);
                    previous = Class::Gap;
                    at += 1;
                }
                from = at + 1;
            }
            Class::Gap => {
                if previous != Class::Gap {
                    scratch.push_str(part(from, at));
                    flush_ascii(scratch, &mut each);
                    previous = Class::Gap;
                }
                from = at + 1;
            }
            Class::Upper => {
                let before_lower = class(at + 1) == Class::Lower;
                if previous == Class::Lower || (previous == Class::Upper && before_lower && !lone_plural(text, at)) {
                    scratch.push_str(part(from, at));
                    flush_ascii(scratch, &mut each);
                    from = at;
                }
                previous = Class::Upper;
            }
            other => previous = other,
        }
        at += 1;
    }
    scratch.push_str(part(from, at));
    flush_ascii(scratch, &mut each);
}

fn flush_ascii(scratch: &mut String, each: &mut impl FnMut(&str)) {
    scratch.make_ascii_lowercase();
    flush(scratch, each);
}

fn flush(scratch: &mut String, each: &mut impl FnMut(&str)) {
    if !scratch.is_empty() && scratch.len() <= LONGEST_WORD {
        each(scratch);
    }
    scratch.clear();
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2019}')
}

/// Whether the capital at `at` is followed by a single `s` that ends the word.
fn lone_plural(text: &str, at: usize) -> bool {
    let mut after = text[at..].chars().skip(1);
    after.next() == Some('s') && !after.next().is_some_and(char::is_alphanumeric)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Gap,
    Lower,
    Upper,
    Digit,
}

impl Class {
    fn of(letter: char) -> Self {
        if letter.is_ascii_lowercase() {
            Self::Lower
        } else if letter.is_ascii_uppercase() {
            Self::Upper
        } else if letter.is_ascii_digit() {
            Self::Digit
        } else if letter.is_ascii() || !letter.is_alphanumeric() {
            Self::Gap
        } else if letter.is_uppercase() {
            Self::Upper
        } else {
            Self::Lower
        }
    }
}

/// Reduces a lowercase word to its stem (Snowball, English). Words with digits or letters outside ASCII stay as they are.
pub struct Stem(Stemmer);

impl Default for Stem {
    fn default() -> Self {
        Self(Stemmer::create(Algorithm::English))
    }
}

impl Stem {
    /// The stem of `word`, which must be lowercase already.
    pub fn of<'w>(&self, word: &'w str) -> std::borrow::Cow<'w, str> {
        if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return word.into();
        }
        self.0.stem(word)
    }
}

/// All words of `text`, owned: for the build and for tests, where allocation does not matter.
pub fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    each_word(text, &mut String::new(), |word| all.push(word.to_owned()));
    all
}

/// The form in which names are compared: letters and digits only, lowercase. `arcane_container.restart` and
/// `arcane-container-restart` are one name.
pub fn bare_name(name: &str, into: &mut String) {
    into.clear();
    if name.is_ascii() {
        // Most names are, and need not be decoded.
        name.split(|letter: char| !letter.is_ascii_alphanumeric()).for_each(|part| into.push_str(part));
        into.make_ascii_lowercase();
        return;
    }
    into.extend(name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_name_gives_the_same_words() {
        for name in ["containerId", "container-id", "container_id", "Container ID", "container.id", "ContainerID"] {
            assert_eq!(words(name), ["container", "id"], "{name}");
        }
        assert_eq!(words("downloadEdgeMTLSCA"), ["download", "edge", "mtlsca"]);
        assert_eq!(words("mTLSBundle"), ["m", "tls", "bundle"]);
        assert_eq!(words("VMs and IDs"), ["vms", "and", "ids"]);
        assert_eq!(words("2fa on s3"), ["2fa", "on", "s3"]);
    }

    /// Every text of a few letters of each kind: both ways to cut it agree.
    #[test]
    fn decoded_or_not_the_words_are_the_same() {
        let letters = ['a', 's', 'S', 'B', '1', '\'', ' ', '.'];
        for number in 0..letters.len().pow(6) {
            let text: String = (0..6).map(|place| letters[number / letters.len().pow(place) % letters.len()]).collect();
            // One letter outside of ASCII after a gap takes the other way.
            let mut decoded = words(&format!("{text} \u{e9}"));
            assert_eq!(decoded.pop().as_deref(), Some("\u{e9}"), "{text:?}");
            assert_eq!(words(&text), decoded, "{text:?}");
        }
    }

    #[test]
    fn apostrophes_do_not_make_words() {
        assert_eq!(words("what's the host's name, don't you know"), ["what", "the", "host", "name", "dont", "you", "know"]);
    }

    #[test]
    fn stems_meet() {
        let stem = Stem::default();
        assert_eq!(stem.of("restarting"), stem.of("restarts"));
        assert_eq!(stem.of("vulnerabilities"), stem.of("vulnerability"));
        assert_eq!(stem.of("s3"), "s3");
    }

    #[test]
    fn bare_names_ignore_punctuation() {
        let mut bare = String::new();
        bare_name("arcane_container.restart", &mut bare);
        assert_eq!(bare, "arcanecontainerrestart");
    }
}
