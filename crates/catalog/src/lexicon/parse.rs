//! Reads the general word list. Its grammar is five kinds of line, too little for a library and needed without the feature
//! `compile`, since an index of tools unknown at build time is made at run time.

use super::{Intent, Lexicon, strength};

pub(super) fn read(text: &str, into: &mut Lexicon) {
    let mut section = "";
    for line in text.lines().map(|line| line.split('#').next().unwrap_or("").trim()) {
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
            continue;
        }
        match section {
            "stopwords" => into.stopwords.extend(line.split_whitespace().map(str::to_owned)),
            "weak" => into.weak.extend(line.split_whitespace().map(str::to_owned)),
            "foreign" => into.foreign.extend(line.split_whitespace().map(str::to_owned)),
            "verbs" => verbs(line, into),
            "abbreviations" => short(line, strength::SHORT, into),
            "synonyms" => synonyms(line, into),
            _ => {}
        }
    }
}

fn verbs(line: &str, into: &mut Lexicon) {
    let Some((class, words)) = line.split_once(':') else { return };
    let intent = Intent::of_class(class.trim());
    let words: Vec<&str> = words.split_whitespace().collect();
    for word in &words {
        into.verbs.entry((*word).to_owned()).or_insert(intent);
        for other in words.iter().filter(|other| *other != word) {
            into.mean(word, other, strength::VERB);
        }
    }
}

fn short(line: &str, strength: u16, into: &mut Lexicon) {
    let Some((said, meant)) = line.split_once('=') else { return };
    for meaning in meant.split(',') {
        into.mean(said.trim(), meaning.trim(), strength);
    }
}

fn synonyms(line: &str, into: &mut Lexicon) {
    if let Some((said, _)) = line.split_once('=') {
        let weight = if said.trim().contains(' ') { strength::PHRASE } else { strength::GENERAL };
        return short(line, weight, into);
    }
    // The first word of a row is what people say; the others find it too, since a synonym goes both ways.
    let words: Vec<&str> = line.split(',').map(str::trim).collect();
    for word in &words {
        for other in words.iter().filter(|other| *other != word) {
            into.mean(word, other, strength::GENERAL);
        }
    }
}
