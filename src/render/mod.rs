//! The last step of a call: the answer, or the failure, in the two channels a client may show its model.
//!
//! `structuredContent` carries values as the upstream gave them; the text is Markdown for reading, with units and dates, tables for lists.
//! Whatever the caller must act on (counts, what was left out, repairs, where it goes on) stands in both. Upstream text is written by
//! strangers: everything of it passes [`crate::untrusted`], and both channels say where it begins.

mod cell;
mod columns;
mod failure;
mod list;
mod object;
mod plain;
mod table;
mod unwrap;
mod value;

#[cfg(test)]
mod tests;

pub use columns::check_fields;
pub use failure::failure;

use crate::answer::{Answer, Content};
use crate::call::Call;
use crate::error::{Code, Failure, named_ids};
use crate::fence::{self, Sieve};
use crate::outcome::{Outcome, Structured};
use crate::rows::{Row, Rows};
use crate::{cost, page, untrusted};
use callslip_catalog::model::{Action, Api, Kind, Shape};
use serde_json::{Map, Value};
use std::fmt::Write;

/// Most characters of text where no option says otherwise; what does not fit is named, with the way to it.
pub const MOST_TEXT: usize = 40_000;

/// What surrounds an answer: the API, what of it is offered, and the bounds that were set.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The API.
    pub api: &'a Api<'a>,
    /// Actions that it denies are not named as a way on.
    pub offered: &'a dyn Fn(&str) -> bool,
    /// What it holds back is left out.
    pub sieve: Option<Sieve<'a>>,
    /// Most characters of text.
    pub most_text: usize,
    /// The text is all that is sent: no sentence may lead to the other channel.
    pub text_only: bool,
}

impl<'a> Setting<'a> {
    /// Everything offered, nothing held back, the usual bounds.
    pub fn of(api: &'a Api<'a>) -> Self {
        Self { api, offered: &|_| true, sieve: None, most_text: MOST_TEXT, text_only: false }
    }
}

/// An answer while it is put together.
#[derive(Debug, Default)]
struct Shown {
    /// The structured channel, without notes and marks.
    structured: Map<String, Value>,
    /// The rows of a list as JSON, for their place in it.
    items: Option<Vec<u8>>,
    /// First line of the text, ours.
    head: String,
    /// The rest of the text.
    body: String,
    /// Sentences for both channels.
    notes: Vec<String>,
    /// Properties of the structured channel that hold text written by others.
    untrusted: Vec<String>,
}

/// What is known while an answer is shown.
#[derive(Clone, Copy)]
struct Context<'a> {
    setting: Setting<'a>,
    action: &'a Action<'a>,
    call: &'a Call,
}

impl<'a> std::ops::Deref for Context<'a> {
    type Target = Setting<'a>;

    fn deref(&self) -> &Setting<'a> {
        &self.setting
    }
}

/// Shows an answer. `call.arguments` are those that were sent (checked and prepared).
pub fn outcome(setting: Setting<'_>, call: &Call, answer: Answer) -> Outcome {
    let action = &call.action;
    let most = setting.most_text;
    let context = Context { setting, action, call };
    // Notes of actions lead somewhere, as next steps do: only to what is offered.
    let leads = |note: &&String| named_ids(note).all(setting.offered);
    let mut notes: Vec<String> = call.notes.iter().chain(answer.notes.iter().filter(leads)).cloned().collect();
    // Accepted is not done: some servers answer so and fail later.
    if answer.status == 202 {
        notes.push("The server accepted this and works on it; it has not said that it is done.".into());
    }
    let shown = match answer.body {
        Content::Json(mut body) => match json(context, &mut body) {
            Ok(shown) => shown,
            Err(refused) => return failure(&refused),
        },
        Content::Rows(found) => match rows(context, found) {
            Ok(shown) => shown,
            Err(refused) => return failure(&refused),
        },
        Content::Text(text) => plain::text(context, &text),
        Content::Bytes { kind, data } => plain::bytes(context, &kind, &data),
        Content::Saved { kind, size, path } => plain::saved(&kind, size, &path),
        Content::Log { outcome, activity, log, more } => plain::log(context, &outcome, activity, &log, more),
        Content::Empty => plain::empty(action),
    };
    finish(shown, notes, most)
}

/// A JSON answer: a list or an object, whatever the catalog expected.
fn json(context: Context<'_>, body: &mut Value) -> Result<Shown, Failure> {
    let action = context.action;
    let found = unwrap::unwrap(context.api, action, body);
    if action.returns.shape == Shape::List || matches!(found.data, Value::Array(_)) {
        let rows = match found.data {
            Value::Array(rows) => rows,
            other => vec![other],
        };
        let page = page::turn(context.api, action, &context.call.arguments, body, rows);
        return Ok(list::show(context, page.with(|rows| rows.into_iter().map(Row::from).collect()), found.extras));
    }
    match found.data {
        Value::Object(mut object) => {
            let hidden = context.sieve.map_or(Ok(0), |sieve| sieve.object(action, &mut object))?;
            // A success that says it was none, such as a bulk start in which some containers failed.
            if action.kind != Kind::Read && object.get("success") == Some(&Value::Bool(false)) {
                return Err(half_done(action, object));
            }
            if object.is_empty() && action.returns.shape == Shape::Empty {
                return Ok(plain::empty(action));
            }
            let mut shown = object::show(context, object);
            shown.notes.extend((hidden > 0).then(|| fence::note(hidden)));
            Ok(shown)
        }
        Value::Null => Ok(plain::empty(action)),
        Value::String(text) if matches!(action.returns.shape, Shape::Text | Shape::Binary) => Ok(plain::text(context, &text)),
        scalar => Ok(object::show(context, Map::from_iter([("value".to_owned(), scalar)]))),
    }
}

/// A list whose rows are text: those of the page are taken apart.
fn rows(context: Context<'_>, rows: Rows) -> Result<Shown, Failure> {
    let Context { setting: Setting { api, .. }, action, call } = context;
    let too_much = || cost::too_much(action, cost::TOO_MANY);
    let Some(extras) = unwrap::around(api, action, &rows.around) else {
        // The list is a field of some thing, which is shown whole.
        let text = rows.into_text();
        let whole = if cost::is_affordable(text.as_bytes()) { serde_json::from_str(&text).ok() } else { None };
        return json(context, &mut whole.ok_or_else(too_much)?);
    };
    let page = page::turn(api, action, &call.arguments, &rows.around, rows.iter().collect());
    if !cost::are_affordable(page.rows.iter().flat_map(Row::texts)) {
        return Err(too_much());
    }
    Ok(list::show(context, page, extras))
}

fn half_done(action: &Action<'_>, object: Map<String, Value>) -> Failure {
    let said = ["error", "message"].iter().find_map(|name| object.get(*name)?.as_str().filter(|text| !text.is_empty()));
    let mut failure =
        Failure::new(Code::UpstreamError, format!("The server answered `{}`, but reports that it did not succeed.", action.id))
            .said(said.map(|text| untrusted::line(text, 300)).unwrap_or_default())
            .next("Look at `result`: part of the work may be done.");
    failure.more.insert("result".into(), object.into());
    failure
}

/// Says which of the asked fields an answer does not have, where only the answer could tell. The names that it has are its own words: they
/// stand under the mark.
fn tell_strange(context: Context<'_>, names: &[String], shown: &mut Shown) {
    let strange: Vec<&str> =
        context.call.own.fields.iter().filter(|name| *name != columns::ALL && !names.contains(name)).map(String::as_str).collect();
    if strange.is_empty() || !context.action.returns.fields.is_empty() {
        return;
    }
    let strange: Vec<_> = strange.into_iter().map(|name| format!("`{}`", untrusted::line(name, 64).replace('`', "'"))).collect();
    let strange = strange.join(", ");
    if names.is_empty() {
        shown.notes.push(format!("The answer has no {strange}: it has no fields at all."));
        return;
    }
    shown.notes.push(format!("The answer has no {strange}; `columns` names what it has."));
    let known: Vec<Value> = names.iter().take(MOST_NAMED).map(|name| name.as_str().into()).collect();
    let line = object::line("columns", &Value::from(known.clone()));
    let _ = write!(shown.body, "{}{}\n\n{line}", if shown.body.is_empty() { "" } else { "\n\n" }, untrusted::MARK);
    let name = free_name(&shown.structured, "columns");
    shown.untrusted.push(name.clone());
    shown.structured.insert(name, known.into());
}

/// Most names of an answer's fields that are told.
const MOST_NAMED: usize = 60;

/// Names that are ours in the structured channel of every answer: whatever the upstream says under them stands aside.
const OURS: [&str; 3] = ["notes", "untrusted", "error"];

/// Gives properties of the upstream's that are named like ours another name.
fn stand_aside(shown: &mut Shown) {
    if !OURS.iter().any(|name| shown.structured.contains_key(*name)) {
        return;
    }
    let given = std::mem::take(&mut shown.structured);
    let names: Vec<String> = given.keys().cloned().collect();
    for (name, value) in given {
        let mut free = name.clone();
        while OURS.contains(&free.as_str()) || (free != name && names.contains(&free)) {
            free.insert(0, '_');
        }
        shown.untrusted.iter_mut().filter(|marked| **marked == name).for_each(|marked| marked.clone_from(&free));
        shown.structured.insert(free, value);
    }
}

/// Joins the parts into the two channels.
fn finish(mut shown: Shown, notes: Vec<String>, most: usize) -> Outcome {
    stand_aside(&mut shown);
    let Shown { mut structured, items, head, body, notes: own, untrusted } = shown;
    let notes: Vec<String> = notes.into_iter().chain(own).collect();
    let mut text = head;
    for note in &notes {
        separate(&mut text);
        text.push_str(&failure::sentence(note));
    }
    if !body.is_empty() {
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(&body);
    }
    if !untrusted.is_empty() {
        structured.insert("untrusted".into(), untrusted.into());
    }
    if !notes.is_empty() {
        structured.insert("notes".into(), notes.into());
    }
    let structured = match items {
        Some(items) => written(&structured, &items),
        None => Value::from(structured).into(),
    };
    Outcome { structured, text: cap(text.trim_end(), most), is_error: false }
}

/// The structured channel of a list as JSON, its rows in their place.
fn written(structured: &Map<String, Value>, items: &[u8]) -> Structured {
    let mut json = Vec::with_capacity(items.len() + 1_000);
    for (name, value) in structured {
        json.push(if json.is_empty() { b'{' } else { b',' });
        // Writing into memory does not fail.
        drop(serde_json::to_writer(&mut json, name));
        json.push(b':');
        if name == list::ITEMS {
            json.extend_from_slice(items);
        } else {
            drop(serde_json::to_writer(&mut json, value));
        }
    }
    json.push(b'}');
    Structured::written(json)
}

/// The last bound of a text: its parts have theirs, but there may be many notes. A code block that is cut is closed.
pub fn cap(text: &str, most: usize) -> String {
    const END: usize = 300;
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most.saturating_sub(END)).collect();
    let kept = head.rfind('\n').map_or(&*head, |place| &head[..place]);
    let mut fence = None;
    for line in kept.lines() {
        let run = line.len() - line.trim_start_matches('`').len();
        fence = match fence {
            None if run >= 3 => Some(run),
            Some(open) if run >= open && run == line.len() => None,
            other => other,
        };
    }
    let close = fence.map_or_else(String::new, |run| format!("\n{}", "`".repeat(run)));
    let left_out = text.chars().count() - kept.chars().count();
    format!("{kept}{close}\n\n{left_out} characters are left out here; `fields` and `limit` make an answer smaller.")
}

fn separate(text: &mut String) {
    if !text.is_empty() {
        text.push('\n');
    }
}

/// A name of ours in an object of the upstream's, which may have a property of that name already.
fn free_name(object: &Map<String, Value>, name: &str) -> String {
    let mut name = name.to_owned();
    while object.contains_key(&name) {
        name.insert(0, '_');
    }
    name
}
