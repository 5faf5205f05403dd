//! Guides: longer texts on how a piece of work is done, embedded from `guides/`, read beside a catalog folder or out of
//! a compiled file. They are resources and
//! prompts, and the search and `describe` reach them too, for models that cannot read resources. All of it costs nothing upstream.

use callslip_catalog::model::Text;
use callslip_catalog::names;
use callslip_catalog::text::{Stem, each_word};
use include_dir::{Dir, include_dir};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/guides");

/// Most guides one search names.
const MOST: usize = 2;

/// Words that say nothing about what a guide is for.
const EMPTY: [&str; 38] = [
    "a", "an", "the", "to", "of", "in", "on", "for", "and", "or", "with", "from", "by", "at", "is", "are", "do", "does", "it", "its", "my",
    "me", "i", "we", "our", "you", "your", "this", "that", "all", "what", "how", "can", "please", "want", "need", "show", "get",
];

/// One guide.
#[derive(Debug, Clone, PartialEq)]
pub struct Guide {
    /// Name of its file, without `.md`.
    pub name: String,
    /// For people.
    pub title: String,
    /// One line on what it is for.
    pub description: String,
    /// The whole file.
    pub source: String,
    /// The text after the front matter.
    pub text: String,
}

/// Guides that have been read.
#[derive(Debug, Default)]
struct Shelf {
    /// By name.
    guides: Vec<Guide>,
    /// Stems in order, each with the places of the guides that have it in name and title, and of those that have it in the description.
    stems: BTreeMap<String, [Vec<usize>; 2]>,
    /// What words with a stem of a name or title begin with: stemming changes the end of a word and, of what it leaves, at most the last letter.
    beginnings: Vec<String>,
}

impl Shelf {
    /// How many words of a query may have a stem of a name or title. It takes a tenth of stemming, and most queries are about no guide.
    fn may_be_named(&self, query: &str) -> usize {
        let mut count = 0;
        each_word(query, &mut String::new(), |word| {
            count += usize::from(self.beginnings.iter().any(|beginning| word.starts_with(beginning)));
        });
        count
    }
}

/// The guides of a catalog, read when they are first asked for.
#[derive(Debug)]
pub struct Guides {
    sources: Vec<(Text<'static>, Text<'static>)>,
    embedded: bool,
    shelf: OnceLock<Shelf>,
}

impl Guides {
    /// Those in the binary.
    pub fn embedded() -> Self {
        Self { sources: Vec::new(), embedded: true, shelf: OnceLock::new() }
    }

    /// Those of another catalog: name and text of each.
    pub fn of(sources: Vec<(Text<'static>, Text<'static>)>) -> Self {
        Self { sources, embedded: false, shelf: OnceLock::new() }
    }

    /// All of them, by name.
    pub fn all(&self) -> &[Guide] {
        &self.shelf().guides
    }

    fn shelf(&self) -> &Shelf {
        self.shelf.get_or_init(|| {
            let embedded = EMBEDDED.files().filter(|_| self.embedded);
            let embedded = embedded.filter_map(|file| Some((name(file.path())?.to_owned(), file.contents_utf8()?.to_owned())));
            let stated = self.sources.iter().map(|(name, source)| (name.to_string(), source.to_string()));
            let mut guides: Vec<_> = embedded.chain(stated).map(|(name, source)| parse(name, source)).collect();
            guides.sort_by(|one, other| one.name.cmp(&other.name));
            let mut stems = BTreeMap::<_, [Vec<usize>; 2]>::new();
            for (place, guide) in guides.iter().enumerate() {
                for stem in stems_of(&format!("{} {}", guide.name, guide.title)) {
                    stems.entry(stem).or_default()[0].push(place);
                }
                for stem in stems_of(&guide.description) {
                    stems.entry(stem).or_default()[1].push(place);
                }
            }
            let named = stems.iter().filter(|(_, [named, _])| !named.is_empty());
            let beginnings = named.map(|(stem, _)| but_last(stem).to_owned()).collect();
            Shelf { guides, stems, beginnings }
        })
    }

    /// Their names, in order. Nothing is read for it: every start asks for them.
    pub fn names(&self) -> Vec<&str> {
        let embedded = EMBEDDED.files().filter(|_| self.embedded).filter_map(|file| name(file.path()));
        let mut names: Vec<_> = embedded.chain(self.sources.iter().map(|(name, _)| &**name)).collect();
        names.sort_unstable();
        names
    }

    /// The guide of that name; `guide:NAME` is one too.
    pub fn get(&self, name: &str) -> Option<&Guide> {
        let name = name.trim();
        let name = name.strip_prefix("guide:").map_or(name, str::trim);
        self.all().iter().find(|guide| guide.name == name)
    }

    /// The guides that a query is about, best first: two of its words must be in name and title, and most of them there or in the
    /// description. A query for a single action then finds no guide.
    pub fn matching(&self, query: &str) -> Vec<&Guide> {
        if self.shelf().may_be_named(query) < 2 {
            return Vec::new();
        }
        let Shelf { guides, stems, .. } = self.shelf();
        let asked = stems_of(query);
        let known: Vec<_> = asked.iter().filter_map(|stem| stems.get(stem)).collect();
        if known.len() < 2 {
            return Vec::new();
        }
        let hits = |place: usize| {
            let named = known.iter().filter(|[named, _]| named.contains(&place)).count();
            (named, known.iter().filter(|places| places.iter().any(|places| places.contains(&place))).count())
        };
        let mut found: Vec<_> = guides.iter().enumerate().map(|(place, guide)| (hits(place), guide)).collect();
        found.retain(|((named, all), _)| *named >= 2 && all * 3 >= asked.len() * 2);
        found.sort_by(|(one, first), (other, second)| other.cmp(one).then_with(|| first.name.cmp(&second.name)));
        found.into_iter().take(MOST).map(|(_, guide)| guide).collect()
    }
}

fn but_last(stem: &str) -> &str {
    stem.char_indices().next_back().map_or("", |(last, _)| &stem[..last])
}

fn name(path: &Path) -> Option<&str> {
    names::guide(path.file_name()?.to_str()?)
}

/// Front matter is `key: value` lines between two lines of `---`; without it the name has to do.
fn parse(name: String, source: String) -> Guide {
    let (head, text) = source.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap_or(("", &source));
    let field = |key: &str| {
        let found = head.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix(':'));
        found.map(|value| value.trim().trim_matches('"').to_owned()).filter(|value| !value.is_empty())
    };
    let title = field("title").unwrap_or_else(|| name.replace('-', " "));
    let description = field("description").unwrap_or_default();
    let text = text.trim().to_owned();
    Guide { name, title, description, source, text }
}

/// The stems of the words that say something, each once.
fn stems_of(text: &str) -> Vec<String> {
    let stem = Stem::default();
    let mut stems = Vec::new();
    each_word(text, &mut String::new(), |word| {
        if !EMPTY.contains(&word) {
            stems.push(stem.of(word).into_owned());
        }
    });
    stems.sort_unstable();
    stems.dedup();
    stems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_guide_says_what_it_is_for() {
        let guides = Guides::embedded();
        assert!(guides.all().iter().any(|guide| guide.name.starts_with("using-")), "the skill");
        assert_eq!(guides.names(), guides.all().iter().map(|guide| guide.name.as_str()).collect::<Vec<_>>());
        for guide in guides.all() {
            assert!(!guide.title.is_empty() && !guide.description.is_empty() && !guide.text.is_empty(), "{}", guide.name);
            assert!(guide.description.len() <= 300 && !guide.text.contains("---\ntitle"), "{}", guide.name);
            assert_eq!(guides.get(&format!("guide:{}", guide.name)), Some(guide));
        }
    }

    #[test]
    fn a_guide_is_found_by_what_it_is_for() {
        let guides = Guides::embedded();
        let found = |query: &str| guides.matching(query).first().map(|guide| guide.name.as_str());
        for (query, name) in [
            ("free up disk space", Some("free-disk-space")),
            ("how do I back up and restore a volume", Some("back-up-volume")),
            ("update images safely", Some("update-images")),
            ("deploy a compose project", Some("deploy-project")),
            ("restart container", None),
            ("list images", None),
            ("", None),
        ] {
            assert_eq!(found(query), name, "{query}");
        }
    }

    #[test]
    fn no_word_with_the_stem_of_a_title_is_passed_over() {
        let guides = Guides::embedded();
        let shelf = guides.shelf();
        let mut words = std::collections::BTreeSet::new();
        for guide in guides.all() {
            each_word(&guide.text, &mut String::new(), |word| {
                words.insert(word.to_owned());
            });
        }
        let stem = Stem::default();
        let named = |word: &str| shelf.stems.get(&*stem.of(word)).is_some_and(|[named, _]| !named.is_empty());
        let with: Vec<_> = words.iter().filter(|word| named(word)).collect();
        assert!(with.len() > 50, "{with:?}");
        for word in with {
            assert_eq!(shelf.may_be_named(word), 1, "{word}");
        }
    }

    #[test]
    fn front_matter() {
        let guide = parse("roll-back".into(), "---\ntitle: Roll back\ndescription: \"Undo: a deploy\"\n---\n\n# Text\n".into());
        assert_eq!((guide.title.as_str(), guide.description.as_str(), guide.text.as_str()), ("Roll back", "Undo: a deploy", "# Text"));
        let bare = parse("roll-back".into(), "# Text".into());
        assert_eq!((bare.title.as_str(), bare.text.as_str()), ("roll back", "# Text"));
    }
}
