//! Names that clients take, made from those of a document.

use callslip_catalog::model::RESERVED;
use std::collections::{BTreeMap, BTreeSet};

/// Longest name of a catalog.
const CATALOG: usize = 12;
/// Longest name of a domain.
const DOMAIN: usize = 20;
/// Longest tool name: catalog, domain, action.
const TOOL: usize = 46;
/// Words of a title that say nothing about which API it is.
const EMPTY: [&str; 12] = ["the", "a", "an", "api", "rest", "restful", "http", "openapi", "swagger", "service", "server", "public"];

/// The words of a name in lower case: `listPetsByID`, `list-pets_by.id` → list pets by id. Letters outside ASCII part words.
pub fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |before| letters[before]);
        let after = letters.get(at + 1).copied().unwrap_or(' ');
        let begins = letter.is_ascii_uppercase()
            && (before.is_ascii_lowercase() || before.is_ascii_digit() || (before.is_ascii_uppercase() && after.is_ascii_lowercase()));
        if begins || !letter.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(letter.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The name of the catalog: a word of its title, else of its server's host.
pub fn catalog(title: &str, server: &str) -> String {
    let host = server.split_once("://").map_or("", |(_, rest)| rest.split(['/', ':']).next().unwrap_or_default());
    let labels: Vec<_> = host.split('.').collect();
    // Of `api.example.org` it is `example` that names the API.
    let owner = labels.len().checked_sub(2).and_then(|at| labels.get(at)).copied().unwrap_or_default();
    let telling = |word: &String| word.starts_with(|first: char| first.is_ascii_lowercase()) && !EMPTY.contains(&word.as_str());
    // Whole words: `GitHub` is one.
    let whole = title.split(|letter: char| !letter.is_ascii_alphanumeric()).map(str::to_ascii_lowercase);
    let word = whole.chain(words(owner)).find(telling);
    word.map_or_else(|| "api".to_owned(), |word| word.chars().take(CATALOG).collect())
}

/// Words joined by `_`, as many as fit, at least one.
fn fit(words: &[String], most: usize) -> String {
    let mut name = String::new();
    for word in words {
        let longer = if name.is_empty() { word.clone() } else { format!("{name}_{word}") };
        if longer.len() > most && !name.is_empty() {
            break;
        }
        name = longer;
    }
    name.chars().take(most).collect()
}

/// Names that are given once: a second wish gets a number behind it.
#[derive(Debug, Default)]
pub struct Given(BTreeSet<String>);

impl Given {
    fn take(&mut self, words: &[String], most: usize, key: impl Fn(&str) -> String) -> String {
        let plain = fit(words, most);
        if self.0.insert(key(&plain)) {
            return plain;
        }
        let mut number = 2;
        loop {
            let ending = format!("_{number}");
            let name = fit(words, most.saturating_sub(ending.len())) + &ending;
            if self.0.insert(key(&name)) {
                return name;
            }
            number += 1;
        }
    }
}

/// A group's label → its domain, the same for the same label.
#[derive(Debug, Default)]
pub struct Domains {
    known: BTreeMap<Vec<String>, String>,
    given: Given,
}

impl Domains {
    /// The domain of a label.
    pub fn of(&mut self, label: &str) -> String {
        let mut words = words(label);
        if words.is_empty() {
            // Labels without a letter of ASCII: they are told apart by what they are.
            words = vec![
                "group".to_owned(),
                format!("{:x}", label.chars().fold(7_u32, |sum, letter| sum.wrapping_mul(31) ^ u32::from(letter)) & 0xffff),
            ];
        }
        if let Some(known) = self.known.get(&words) {
            return known.clone();
        }
        let name = self.given.take(&words, DOMAIN, str::to_owned);
        self.known.insert(words, name.clone());
        name
    }
}

/// What the name of an action is chosen from.
pub struct Wish {
    /// Its domain.
    pub domain: String,
    /// Words of the operationId, or of method and path.
    pub words: Vec<String>,
    /// Words of the placeholders in its path.
    pub placeholders: Vec<String>,
    /// Word for an operation that has no other.
    pub verb: &'static str,
}

impl Wish {
    /// Names to try, shortest first: without the words of domain and placeholders, without those of the domain, whole.
    fn candidates(&self) -> [Vec<String>; 3] {
        let domain: BTreeSet<_> = words(&self.domain).iter().map(|word| singular(word)).collect();
        let without = |more: &[String]| -> Vec<String> {
            let kept = self.words.iter().filter(|word| !domain.contains(&singular(word)) && !more.contains(word));
            let kept: Vec<_> = kept.cloned().collect();
            match (kept.is_empty(), self.verb) {
                (false, _) => kept,
                // What a POST does is not said by the method: `search.search` rather than `search.create`.
                (true, "create") => self.words.clone(),
                (true, verb) => vec![verb.to_owned()],
            }
        };
        // A name that spells out its path has the placeholders in it; another one says something by these words.
        let spelled =
            !self.placeholders.is_empty() && self.placeholders.iter().all(|word| self.words.contains(word)) && self.words.len() > 3;
        [without(if spelled { &self.placeholders } else { &[] }), without(&[]), self.words.clone()]
    }
}

fn singular(word: &str) -> String {
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => word.strip_suffix('s').filter(|stem| stem.len() > 2 && !stem.ends_with('s')).unwrap_or(word).to_owned(),
    }
}

/// A name for every action, unique together with its domain.
pub fn actions(catalog: &str, wishes: &[Wish]) -> Vec<String> {
    let mut counts: BTreeMap<(String, Vec<String>), usize> = BTreeMap::new();
    for wish in wishes {
        let mut candidates = wish.candidates().to_vec();
        candidates.dedup();
        for candidate in candidates {
            *counts.entry((wish.domain.clone(), candidate)).or_default() += 1;
        }
    }
    let mut given = Given::default();
    wishes
        .iter()
        .map(|wish| {
            let most = TOOL.saturating_sub(catalog.len() + wish.domain.len() + 2);
            let candidates = wish.candidates();
            let lone = |candidate: &&Vec<String>| counts.get(&(wish.domain.clone(), (*candidate).clone())).is_some_and(|count| *count == 1);
            let mut chosen = candidates.iter().find(lone).unwrap_or(&candidates[2]).clone();
            // Words of a domain file itself.
            if matches!(chosen.join("_").as_str(), "title" | "toolset") {
                chosen.insert(0, wish.verb.to_owned());
            }
            // Tools of two domains must not come out alike: `a_b` + `c` is `a` + `b_c`.
            given.take(&chosen, most, |name| format!("{}_{name}", wish.domain))
        })
        .collect()
}

/// Whether clients take a name of a parameter or property.
pub fn is_legal(name: &str) -> bool {
    !name.is_empty() && name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte))
}

/// A legal name for a parameter that is not taken yet; `place` tells two of the same name apart.
pub fn parameter(name: &str, place: &str, taken: &BTreeSet<String>) -> String {
    let mut legal =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() || "_.-".contains(letter) { letter } else { ' ' }).collect::<String>();
    legal = legal.split_whitespace().collect::<Vec<_>>().join("_");
    legal.truncate(48);
    if legal.is_empty() {
        legal = "value".into();
    }
    let free = |name: &str| !RESERVED.contains(&name) && !taken.contains(name);
    let mut name = legal.clone();
    let mut number = 1;
    while !free(&name) {
        name = if number == 1 { format!("{place}_{legal}") } else { format!("{place}_{legal}_{number}") };
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_names() {
        for (name, expected) in [
            ("listPetsByID", "list pets by id"),
            ("GET_movie-movie_id", "get movie movie id"),
            ("HTTPServer2Go", "http server2 go"),
            ("größe ändern", "gr e ndern"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
        for (title, server, expected) in [
            ("The Pet Shop API", "https://a.example.org", "pet"),
            ("API", "https://api.example.org/3", "example"),
            ("API", "http://10.0.0.1", "api"),
            ("2024", "/v1", "api"),
            ("日本", "", "api"),
            ("Extraordinarily long", "", "extraordinar"),
        ] {
            assert_eq!(catalog(title, server), expected, "{title}");
        }
    }

    #[test]
    fn names_of_actions_are_short_and_lone() {
        let wish = |operation: &str, placeholders: &[&str]| Wish {
            domain: "pets".into(),
            words: words(operation),
            placeholders: placeholders.iter().map(|word| (*word).to_owned()).collect(),
            verb: "get",
        };
        let wishes = [
            wish("listPets", &[]),
            wish("getPet", &["id"]),
            wish("pets", &[]),
            wish("get_pets_id_photos", &["id"]),
            wish("title", &[]),
            wish("feedPet", &[]),
            wish("feedPets", &[]),
            wish(&"very long words ".repeat(9), &[]),
        ];
        let names = actions("shop", &wishes);
        assert_eq!(names[..7], ["list", "get_pet", "pets", "get_photos", "get_title", "feed_pet", "feed_pets"]);
        assert!(names.iter().all(|name| format!("shop_pets_{name}").len() <= TOOL), "{names:?}");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn names_of_parameters() {
        let taken = BTreeSet::from(["id".to_owned()]);
        for (name, expected) in [
            ("filter[name]", "filter_name"),
            ("$top", "top"),
            ("fields", "query_fields"),
            ("id", "query_id"),
            ("größe", "gr_e"),
            ("[]", "value"),
        ] {
            assert_eq!(parameter(name, "query", &taken), expected, "{name}");
        }
    }
}
