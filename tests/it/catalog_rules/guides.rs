//! The guides: their form, and that every action, parameter and field they name exists.

use super::{catalog, find, looks_like_id, none, quoted, root, walk};
use callslip_catalog::model::{Action, Kind, RESERVED};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Words in backticks that belong to no action: tools of the surfaces, and members of every answer.
const SURFACE: [&str; 14] = [
    "arcane_find_action",
    "arcane_execute_action",
    "search_tools",
    "describe_tool",
    "read_tool",
    "run_tool",
    "confidence",
    "related",
    "usage",
    "description",
    "paging",
    "has_more",
    "next",
    "id",
];

struct Guide {
    name: String,
    head: BTreeMap<String, String>,
    body: String,
}

fn guides() -> Vec<Guide> {
    let mut paths: Vec<_> =
        std::fs::read_dir(root().join("guides")).expect("the folder of guides").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
            let text = std::fs::read_to_string(path).expect("a text");
            let (head, body) = text
                .strip_prefix("---\n")
                .and_then(|rest| rest.split_once("\n---\n"))
                .unwrap_or_else(|| panic!("{name} does not begin with its title and description between two lines of ---"));
            let head =
                head.lines().filter_map(|line| line.split_once(": ")).map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
            Guide { name, head, body: body.to_owned() }
        })
        .collect()
}

/// The steps and paragraphs of a guide, each with its continued lines.
fn blocks(body: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut open = false;
    for line in body.lines() {
        let begins =
            line.starts_with("- ") || line.split_once(". ").is_some_and(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        if line.is_empty() {
            open = false;
        } else if let Some(last) = blocks.last_mut()
            && open
            && !begins
        {
            last.push(' ');
            last.push_str(line.trim());
        } else {
            blocks.push(line.to_owned());
            open = true;
        }
    }
    blocks
}

#[test]
fn there_are_eight_to_twelve_and_the_skill() {
    let guides = guides();
    let skill = format!("using-{}.md", catalog().api.name);
    assert!(guides.iter().any(|guide| guide.name == skill), "{skill}");
    assert!((8..=12).contains(&(guides.len() - 1)), "{} guides", guides.len() - 1);
    let mut breaches = Vec::new();
    for guide in &guides {
        let name = &guide.name;
        let keys: Vec<_> = guide.head.keys().map(String::as_str).collect();
        if keys != ["description", "title"] {
            breaches.push(format!("{name}: the head holds {keys:?}"));
        }
        let title = guide.head.get("title").map_or("", String::as_str);
        if !guide.body.trim_start().starts_with(&format!("# {title}\n")) {
            breaches.push(format!("{name}: the first heading is not the title {title:?}"));
        }
        if !guide.head.get("description").is_some_and(|text| text.ends_with('.') && text.len() <= 160) {
            breaches.push(format!("{name}: the description is no short sentence"));
        }
        let lines = guide.body.lines().count() + 4;
        if lines > 60 {
            breaches.push(format!("{name}: {lines} lines"));
        }
        if name.strip_suffix(".md").is_none_or(|stem| !stem.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')) {
            breaches.push(format!("{name}: the name is part of an address; use lower-case letters and -"));
        }
    }
    none(&breaches);
}

#[test]
fn what_a_guide_names_exists() {
    let mut breaches = Vec::new();
    for guide in guides() {
        let mut known: BTreeSet<String> = SURFACE.iter().chain(&RESERVED).map(|word| (*word).to_owned()).collect();
        let mut named = 0;
        for id in quoted(&guide.body).filter(|word| looks_like_id(word)) {
            named += 1;
            match find(id) {
                Some(action) => known.extend(vocabulary(action)),
                None => breaches.push(format!("{}: `{id}` does not exist", guide.name)),
            }
        }
        if named < 3 {
            breaches.push(format!("{}: names {named} actions", guide.name));
        }
        for word in quoted(&guide.body).filter(|word| !looks_like_id(word)) {
            let name = word.split_once(": ").map_or(word, |(name, _)| name);
            let identifier = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
                && name.starts_with(|letter: char| letter.is_ascii_lowercase());
            if identifier && !known.contains(name) {
                breaches.push(format!("{}: `{name}` is no parameter, field or value of an action it names", guide.name));
            }
        }
    }
    none(&breaches);
}

/// Names of parameters and fields, whatever their depth, and the values that descriptions and enums tell.
fn vocabulary(action: &Action<'_>) -> BTreeSet<String> {
    let mut known: BTreeSet<String> = action.returns.fields.iter().map(|field| field.name.to_string()).collect();
    for param in &action.params {
        walk(param, &mut |name, schema| {
            known.insert(name.to_owned());
            known.extend(schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
            let text = schema["description"].as_str().unwrap_or_default();
            known.extend(text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).map(str::to_owned));
        });
    }
    known
}

#[test]
fn a_step_that_names_a_destructive_action_says_so() {
    let mut breaches = Vec::new();
    for guide in guides() {
        for block in blocks(&guide.body) {
            let destroying: Vec<_> =
                quoted(&block).filter(|word| find(word).is_some_and(|action| action.kind == Kind::Destructive)).collect();
            if !destroying.is_empty() && !block.contains("destructive") {
                breaches.push(format!("{}: {destroying:?} in {block:?}", guide.name));
            }
        }
    }
    none(&breaches);
}
