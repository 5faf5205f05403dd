//! Domains and toolsets: the tags of the document, or the first part of the path where there are none.

use super::document::Document;
use super::draft::Draft;
use super::names::words;
use super::prose;
use super::toml::Writer;
use serde_json::Value;
use std::collections::BTreeMap;

/// More toolsets than this say nothing at a glance.
const MOST: usize = 24;

/// Titles of the domains, and the toolset of each.
#[derive(Debug)]
pub struct Groups {
    /// Title and toolset by domain.
    domains: BTreeMap<String, (String, String)>,
    /// Name, title and line, in order.
    toolsets: Vec<(String, String, String)>,
}

/// The group of an operation: its first tag, else the first part of its path that names something.
pub fn label(operation: &Value, path: &str) -> String {
    let tag = operation["tags"][0].as_str().map(str::trim).filter(|tag| !tag.is_empty());
    tag.map_or_else(|| first_part(path).to_owned(), str::to_owned)
}

fn first_part(path: &str) -> &str {
    parts(path).next().unwrap_or("general")
}

/// The parts of a path that name something: no placeholders, no versions.
pub fn parts(path: &str) -> impl Iterator<Item = &str> {
    let version = |part: &str| {
        part.strip_prefix('v').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
    };
    path.split('/').filter(move |part| !part.is_empty() && !part.starts_with('{') && !version(part) && *part != "api")
}

/// The groups of the operations that are in the catalog.
pub fn of(document: &Document, drafts: &[Draft]) -> Groups {
    let mut labels: Vec<(&str, &str)> = Vec::new();
    for draft in drafts {
        if !labels.iter().any(|(domain, _)| *domain == draft.domain) {
            labels.push((&draft.domain, &draft.group));
        }
    }
    let stated = |tag: &str| document.root("tags").as_array().into_iter().flatten().find(|known| known["name"] == tag);
    let line = |tag: &str| stated(tag).and_then(|tag| tag["description"].as_str()).map(|text| prose::line(text, 100)).unwrap_or_default();
    let mut groups = Groups { domains: BTreeMap::new(), toolsets: Vec::new() };
    let areas = areas(document);
    let each = areas.is_empty() && labels.len() <= MOST;
    for (domain, label) in labels {
        let title = title(label);
        let area = areas.iter().find(|(_, tags)| tags.iter().any(|tag| tag == label)).map(|(name, _)| name.clone());
        let (name, area_title, area_line) = match area {
            Some(area) => (slug(&area), area.clone(), String::new()),
            None if each => (domain.to_owned(), title.clone(), line(label)),
            None => ("all".to_owned(), "All".to_owned(), "Every action.".to_owned()),
        };
        if !groups.toolsets.iter().any(|(known, ..)| *known == name) {
            let area_line = if area_line.is_empty() { format!("{}.", area_title.trim_end_matches('.')) } else { area_line };
            groups.toolsets.push((name.clone(), area_title, area_line));
        }
        groups.domains.insert(domain.to_owned(), (title, name));
    }
    groups
}

/// Groups of tags, where the document states some.
fn areas(document: &Document) -> Vec<(String, Vec<String>)> {
    let groups = document.root("x-tagGroups").as_array().into_iter().flatten();
    let areas = groups.filter_map(|group| {
        let tags = group["tags"].as_array()?.iter().filter_map(|tag| Some(tag.as_str()?.to_owned())).collect();
        Some((group["name"].as_str()?.to_owned(), tags))
    });
    areas.collect()
}

fn slug(text: &str) -> String {
    let words = words(text);
    if words.is_empty() { "area".to_owned() } else { words.join("_") }
}

/// A label as people read it.
fn title(label: &str) -> String {
    let line = prose::line(label, 60);
    let mut letters = line.chars();
    letters.next().map_or_else(|| "General".to_owned(), |first| first.to_uppercase().chain(letters).collect())
}

impl Groups {
    /// The head of a domain file.
    pub fn begin(&self, domain: &str) -> Writer {
        let mut out = Writer::default();
        if let Some((title, toolset)) = self.domains.get(domain) {
            out.pair("title", title);
            out.pair("toolset", toolset);
        }
        out
    }

    /// `[toolsets]`.
    pub fn write_toolsets(&self, out: &mut Writer) {
        for (name, title, line) in &self.toolsets {
            out.table(&["toolsets", name], false);
            out.pair("title", title);
            out.pair("line", line);
        }
    }
}
