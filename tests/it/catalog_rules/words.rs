//! Titles, descriptions, usage notes, parameters and aliases: lengths, repetition, and the habits of tool texts that cost tokens and say
//! nothing.

use super::{catalog, each_action, find, looks_like_id, none, quoted, walk};
use callslip_catalog::model::{Method, Place, ValueType};
use std::collections::{BTreeMap, BTreeSet};

/// What titles begin with: they tell what the action does, not what it is about.
const VERBS: &str = "Abort Add Apply Archive Back Begin Bind Browse Build Cancel Change Check Clear Commit Connect Convert Count Create Delete \
    Demote Deploy Destroy Disable Disconnect Download Edit Enable Exchange Export Find Finish Generate Get Ignore Import Initialize Inspect Join \
    Kill Leave List Load Log Map Measure Open Patch Pause Ping Poll Preview Promote Prune Pull Put Read Recheck Reconcile Redeploy Refresh \
    Regenerate Register Remove Rename Render Resolve Restart Restore Retry Roll Rotate Run Sample Save Scale Scan Search Send Set Show Start Step \
    Stop Store Summarize Sync Tag Tail Take Test Trigger Unarchive Unbind Unignore Unlock Unpause Update Upgrade Upload Use";

/// Openings and fillers of machine-made texts, in lower case.
const EMPTY_WORDS: [&str; 16] = [
    "this endpoint",
    "this action",
    "this tool",
    "this operation",
    "this method",
    "allows you",
    "allows the user",
    "used to ",
    "in order to",
    "please ",
    "simply ",
    "easily ",
    "basically",
    "various ",
    "the given id",
    "successfully",
];

/// Words that a reader takes two ways: "no container may use it" is a rule or a chance, "server-wide" leaves open which server.
const DOUBTFUL: [&str; 3] = ["may", "wide", "etc"];

/// British spellings by their beginning: the catalog is in American English, as Docker's words are.
const BRITISH: [&str; 19] = [
    "colour",
    "behaviour",
    "favour",
    "honour",
    "catalogue",
    "licence",
    "centre",
    "organis",
    "authoris",
    "initialis",
    "recognis",
    "customis",
    "optimis",
    "summaris",
    "minimis",
    "synchronis",
    "serialis",
    "analys",
    "labelled",
];

/// The words of a name or text, in lower case: `containerId` is "container" and "id".
fn words(text: &str) -> BTreeSet<String> {
    let mut spaced = String::new();
    for letter in text.chars() {
        if letter.is_uppercase() {
            spaced.push(' ');
        }
        spaced.extend(letter.to_lowercase());
    }
    spaced.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Every text of an action that a caller reads.
fn texts(action: &callslip_catalog::model::Action<'_>) -> Vec<String> {
    let mut texts = vec![action.title.to_string(), action.description.to_string(), action.usage.to_string()];
    for param in &action.params {
        walk(param, &mut |_, schema| texts.extend(schema["description"].as_str().map(str::to_owned)));
    }
    texts
}

#[test]
fn titles_are_two_to_five_words_and_begin_with_a_verb() {
    each_action(|action, breach| {
        let count = action.title.split_whitespace().count();
        if !(2..=5).contains(&count) {
            breach(format!("title {:?} has {count} words", action.title));
        }
        let first = action.title.split_whitespace().next().unwrap_or_default();
        if !VERBS.split_whitespace().any(|verb| verb == first) {
            breach(format!("title {:?} begins with no known verb; if {first:?} is one, add it to the list", action.title));
        }
        if action.title.ends_with('.') {
            breach(format!("title {:?} ends with a full stop", action.title));
        }
    });
}

#[test]
fn no_two_actions_have_the_same_title_or_description() {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    let mut breaches = Vec::new();
    for action in &catalog().actions {
        for text in [&action.title, &action.description] {
            if let Some(owner) = owners.insert(text.to_lowercase(), &action.id) {
                breaches.push(format!("{} and {owner} both say {text:?}", action.id));
            }
        }
    }
    none(&breaches);
}

#[test]
fn descriptions_are_one_or_two_short_sentences_that_say_more_than_the_title() {
    each_action(|action, breach| {
        let text = &action.description;
        let sentences = text.matches(". ").count() + usize::from(text.ends_with('.'));
        if !(1..=2).contains(&sentences) || !text.ends_with('.') {
            breach(format!("description is {sentences} sentence(s): {text:?}"));
        }
        if !(20..=160).contains(&text.chars().count()) {
            breach(format!("description has {} characters: {text:?}", text.chars().count()));
        }
        if words(text).is_subset(&words(&action.title)) {
            breach(format!("description says no more than the title: {text:?}"));
        }
    });
}

#[test]
fn usage_notes_are_short_and_point_at_actions_that_exist() {
    each_action(|action, breach| {
        let text = &action.usage;
        if text.chars().count() > 200 || !(text.is_empty() || text.ends_with('.')) {
            breach(format!("usage is too long or no sentence: {text:?}"));
        }
        if !text.is_empty() && words(text).is_subset(&words(&action.description)) {
            breach(format!("usage says no more than the description: {text:?}"));
        }
        for text in texts(action) {
            for word in quoted(&text).filter(|word| looks_like_id(word)) {
                if find(word).is_none() {
                    breach(format!("names `{word}`, which does not exist, in {text:?}"));
                }
            }
        }
    });
}

#[test]
fn texts_have_no_filler_no_british_spelling_and_no_loose_blanks() {
    each_action(|action, breach| {
        for text in texts(action) {
            let lower = text.to_lowercase();
            for filler in EMPTY_WORDS.iter().filter(|filler| lower.contains(**filler)) {
                breach(format!("{filler:?} in {text:?}"));
            }
            for word in words(&text) {
                if DOUBTFUL.contains(&word.as_str()) {
                    breach(format!("{word:?} reads two ways in {text:?}"));
                }
                if BRITISH.iter().any(|beginning| word.starts_with(beginning)) {
                    breach(format!("British spelling {word:?} in {text:?}"));
                }
            }
            if text.contains("  ") || text.trim() != text || text.matches('`').count() % 2 == 1 {
                breach(format!("blanks or backticks are off in {text:?}"));
            }
        }
    });
}

#[test]
fn parameters_say_what_their_name_does_not() {
    let empty: BTreeSet<String> = ["the", "a", "an", "of", "to", "for", "is", "this", "its"].map(str::to_owned).into();
    each_action(|action, breach| {
        for param in &action.params {
            walk(param, &mut |name, schema| {
                let Some(text) = schema["description"].as_str() else { return };
                let said: BTreeSet<_> = words(text).difference(&empty).cloned().collect();
                if said.is_subset(&words(name)) {
                    breach(format!("`{name}` is described by its own name: {text:?}"));
                }
                if text.chars().count() > 140 || text.ends_with('.') {
                    breach(format!("`{name}` has a description that is too long or ends with a full stop: {text:?}"));
                }
            });
        }
    });
}

/// "a, b or c", with nothing else said: values that are all known.
fn is_a_choice(text: &str) -> bool {
    let text = text.replace(" (default)", "");
    let Some((first, last)) = text.rsplit_once(" or ") else { return false };
    let plain = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_alphanumeric() || "_-.`".contains(letter));
    first.split(", ").all(plain) && plain(last)
}

#[test]
fn known_values_of_a_body_are_an_enum() {
    assert!(is_a_choice("local or depot") && is_a_choice("active (default), pause or drain"));
    assert!(!is_a_choice("id or name of it") && !is_a_choice("path in the repository"));
    each_action(|action, breach| {
        // Filters in the query take several values, comma separated: an enum would refuse them.
        for param in action.params.iter().filter(|param| param.place != Place::Query) {
            walk(param, &mut |name, schema| {
                let text = schema["description"].as_str().unwrap_or_default();
                if schema["type"] == "string" && schema["enum"].is_null() && is_a_choice(text) && text != "id or name" {
                    breach(format!("`{name}` tells its values in words: {text:?}"));
                }
            });
        }
    });
}

#[test]
fn updates_say_what_happens_to_what_is_left_out() {
    const SAYS: [&str; 8] = ["leave out", "left out", "replace", "absent", "missing", "switch", "all fields", "start from"];
    each_action(|action, breach| {
        // A flag that is not given is off, which needs no words.
        let optional =
            action.params.iter().filter(|param| param.place == Place::Body && !param.required && param.kind != ValueType::Boolean).count();
        if !matches!(action.method, Method::Put | Method::Patch) || optional < 2 {
            return;
        }
        let text = format!("{} {}", action.description, action.usage).to_lowercase();
        if !SAYS.iter().any(|words| text.contains(words)) {
            breach(format!("has {optional} optional properties, but does not say what becomes of those not given"));
        }
    });
}

#[test]
fn aliases_are_two_to_five_and_nobody_elses_title() {
    let titles: BTreeMap<String, &str> = catalog().actions.iter().map(|action| (action.title.to_lowercase(), &*action.id)).collect();
    each_action(|action, breach| {
        if !(2..=5).contains(&action.aliases.len()) {
            breach(format!("{} aliases", action.aliases.len()));
        }
        for alias in &action.aliases {
            // That no two actions share an alias the compiler sees to.
            match titles.get(&alias.to_lowercase()) {
                Some(owner) if *owner == action.id => breach(format!("alias {alias:?} is the title already")),
                Some(owner) => breach(format!("alias {alias:?} is the title of {owner}")),
                None => {}
            }
        }
    });
}
