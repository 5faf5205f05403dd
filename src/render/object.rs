//! An object: a list of its fields, long texts as blocks, nested values in one JSON block.

use super::columns::{self, ALL};
use super::{Context, Shown, value};
use crate::untrusted::{self, MARK};
use callslip_catalog::model::{Action, Kind};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Longest value that stands on the line of its field.
const MOST_LINE: usize = 200;

/// Most characters of the nested block.
const MOST_NESTED: usize = 16_000;

/// Room for our own lines and notes.
const ROOM: usize = 2_000;

/// An object beyond this many characters of JSON has its long lists cut.
const LARGE: usize = 24_000;

/// Items that stay of a list in a large object: as many as a page has, fewer where that is still too much.
const MOST_ITEMS: [usize; 4] = [25, 10, 5, 2];

/// Shows one object.
pub fn show(context: Context<'_>, object: Map<String, Value>) -> Shown {
    let fields = &context.call.own.fields;
    let mut shown = Shown::default();
    if context.action.kind != Kind::Read {
        shown.head = format!("{}: done.", context.action.title);
    }
    let names: Vec<String> = object.keys().cloned().collect();
    let object = if fields.is_empty() || fields.iter().any(|name| name == ALL) {
        object
    } else {
        match columns::pick(&object.into(), fields) {
            Value::Object(picked) => picked,
            _ => Map::new(),
        }
    };
    // Fields that were asked for are given whole, however long; so is what cannot be asked for again without doing it again.
    let may_cut = fields.is_empty() && context.action.kind == Kind::Read;
    let object = if may_cut { cut_large(context.action, object, &mut shown.notes) } else { object };
    shown.body = body(context, &object, &mut shown.notes);
    shown.untrusted = marked(&object);
    shown.structured = object;
    super::tell_strange(context, &names, &mut shown);
    shown
}

/// The properties that could be read as a sentence: any text with white space in it, however deep and short, and names likewise.
pub fn marked(object: &Map<String, Value>) -> Vec<String> {
    object.iter().filter(|(name, value)| is_spaced(name) || holds_spaced(value)).map(|(name, _)| name.clone()).collect()
}

fn holds_spaced(value: &Value) -> bool {
    match value {
        Value::String(text) => is_spaced(text),
        Value::Array(items) => items.iter().any(holds_spaced),
        Value::Object(members) => members.iter().any(|(name, value)| is_spaced(name) || holds_spaced(value)),
        _ => false,
    }
}

fn is_spaced(text: &str) -> bool {
    text.contains(char::is_whitespace)
}

/// Cuts the long lists in an object that would fill a model's context, and says where the rest is. In place: it may be all of the memory
/// that an answer is allowed.
fn cut_large(action: &Action<'_>, object: Map<String, Value>, notes: &mut Vec<String>) -> Map<String, Value> {
    let mut value = Value::Object(object);
    let mut cut = Vec::new();
    let mut kept = None;
    for most in MOST_ITEMS {
        if value.to_string().len() <= LARGE {
            break;
        }
        shorten_lists(&mut value, "", most, &mut cut);
        kept = (!cut.is_empty()).then_some(most);
    }
    if let Some(most) = kept {
        // Only the catalog's names: those that the upstream made up are its words, not ours.
        let mut known: BTreeMap<&str, usize> = BTreeMap::new();
        let mut others = 0;
        for (path, count) in &cut {
            match columns::known(action, path.split('.').next().unwrap_or_default()) {
                Some(name) => *known.entry(name).or_default() += count,
                None => others += 1,
            }
        }
        let mut shown: Vec<_> = known.into_iter().map(|(name, count)| format!("`{name}` ({count} in all)")).collect();
        if others > 0 {
            shown.push(format!("{others} under other names"));
        }
        notes.push(format!("Cut to {most} items: {}. `fields` with the name of a field gives it whole.", shown.join(", ")));
    }
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

/// Cuts to `most` items; `cut` has the path of every list that lost some, with its length before the first cut.
fn shorten_lists(value: &mut Value, path: &str, most: usize, cut: &mut Vec<(String, usize)>) {
    match value {
        Value::Array(items) => {
            if items.len() > most {
                note(path, items.len(), cut);
                items.truncate(most);
            }
            for item in items {
                shorten_lists(item, path, most, cut);
            }
        }
        Value::Object(members) => {
            // A map from ids to objects is a list in another dress; an object with that many fields of its own is not.
            let long = members.len() > MOST_ITEMS[0] || cut.iter().any(|(known, _)| known == path);
            let is_map = !path.is_empty() && long && members.len() > most && members.values().all(Value::is_object);
            if is_map {
                note(path, members.len(), cut);
                *members = std::mem::take(members).into_iter().take(most).collect();
            }
            for (name, member) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                shorten_lists(member, &path, most, cut);
            }
        }
        _ => {}
    }
}

fn note(path: &str, count: usize, cut: &mut Vec<(String, usize)>) {
    if !cut.iter().any(|(known, _)| known == path) {
        cut.push((path.to_owned(), count));
    }
}

/// The text of an object.
pub fn body(context: Context<'_>, object: &Map<String, Value>, notes: &mut Vec<String>) -> String {
    let most = context.most_text;
    // Whoever has picked one field cannot pick less of it.
    let picked_one = object.len() == 1;
    let mut lines = String::new();
    let mut nested = String::new();
    let mut blocks = Vec::new();
    for (name, value) in object {
        match value {
            Value::String(text) if text.contains('\n') || text.len() > MOST_LINE => blocks.push((name, text)),
            Value::Array(items) if items.is_empty() => {}
            Value::Object(members) if members.is_empty() => {}
            Value::Array(_) | Value::Object(_) => {
                let _ = write!(
                    nested,
                    "{}{}: {}",
                    if nested.is_empty() { "" } else { ",\n" },
                    untrusted::json(&Value::from(name.as_str())),
                    untrusted::json(value)
                );
            }
            Value::Null => {}
            _ => lines.push_str(&line(name, value)),
        }
    }
    if lines.is_empty() && nested.is_empty() && blocks.is_empty() {
        return "No values.".into();
    }
    let mut out = String::new();
    if !lines.is_empty() {
        let fits = take(&lines, most / 4);
        out = format!("{MARK}\n\n{fits}");
        if fits.len() < lines.len() {
            notes.push("The text does not show every field; `fields` picks some.".into());
        }
    }
    if !nested.is_empty() {
        // What was asked for by name has all the room there is; else files and messages beside it want some.
        let all = most.saturating_sub(out.chars().count() + ROOM);
        let room = if context.call.own.fields.is_empty() { all.min(MOST_NESTED) } else { all };
        let length = nested.chars().count();
        let fits = length <= room;
        let text = if fits { nested } else { nested.chars().take(room).collect() };
        let end = if fits { "}" } else { "\n…" };
        if !fits {
            let way = match (picked_one, context.text_only) {
                (false, _) => "`fields` picks some of them",
                (true, false) => "structuredContent has them all",
                (true, true) => "the text has no room for more, see `--max-text`",
            };
            notes.push(format!("The nested values are cut in the text, {} characters are left out; {way}.", length - room));
        }
        gap(&mut out);
        out.push_str(&untrusted::block(&format!("{{{text}{end}"), "json"));
    }
    let mut room = most.saturating_sub(out.chars().count() + ROOM);
    for (name, text) in blocks {
        gap(&mut out);
        let _ = writeln!(out, "{}:", untrusted::inline(name, 64));
        let length = text.chars().count();
        let part: String = text.chars().take(room).collect();
        out.push_str(&untrusted::block(&part, ""));
        if length > room {
            let way = match (picked_one, context.text_only) {
                (false, _) => "`fields` with this one name gives it more room",
                (true, false) => "structuredContent has it whole",
                (true, true) => "the text has no room for more, see `--max-text`",
            };
            let name = columns::known(context.action, name).map_or("A text".into(), |name| format!("`{name}`"));
            notes.push(format!("{name} is cut in the text, {} characters are left out; {way}.", length - room));
        }
        room = room.saturating_sub(length);
    }
    out
}

/// An empty line before what comes next.
pub fn gap(out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
}

/// Whole lines from the beginning, as many as fit.
fn take(lines: &str, most: usize) -> &str {
    if lines.len() <= most {
        return lines;
    }
    let end = lines.char_indices().take_while(|(place, _)| *place < most).filter(|(_, letter)| *letter == '\n').last();
    end.map_or("", |(place, _)| &lines[..=place])
}

/// `- name: value`.
pub fn line(name: &str, value: &Value) -> String {
    format!("- {}: {}\n", untrusted::inline(name, 64), untrusted::inline(&value::long(name, value), MOST_LINE))
}
