//! Finding: a query → hits that hold everything needed to make the call. Nothing is sent upstream.

mod hit;

use crate::app::App;
use crate::error::{Code, Failure};
use crate::guides::Guide;
use crate::outcome::{Finished, Outcome};
use crate::surface::Find;
use crate::{describe, render, resources};
use callslip_catalog::index::{Answer, Confidence};
use callslip_catalog::json;
use hit::{Hit, Takes};
use serde::Serialize;

/// Hits that carry their whole schema.
const WHOLE: usize = 5;
/// A schema longer than this (about 1,000 tokens) gives way when the answer gets long.
const LONG_SCHEMA: usize = 3_500;
/// An answer is long at this many bytes (about 4,000 tokens).
const LONG_ANSWER: usize = 13_000;

/// The answer to a search.
pub fn answer(app: &App, find: &Find) -> Outcome {
    match found(app, find) {
        Ok(found) => found.into_outcome(),
        Err(outcome) => outcome,
    }
}

/// The same as JSON; what is no list of hits is an outcome.
pub fn found(app: &App, find: &Find) -> Result<Finished, Outcome> {
    if let Some(guide) = app.catalog.guides().get(&find.query).filter(|_| app.catalog.number(find.query.trim()).is_none()) {
        return Err(guide_whole(app, guide));
    }
    search(app, find).map_err(|failure| render::failure(&failure))
}

fn search(app: &App, find: &Find) -> Result<Finished, Failure> {
    let kept = |document: u32| {
        let number = document as usize;
        app.offer.has(number) && find.toolset.as_deref().is_none_or(|name| in_toolset(app, number, name))
    };
    let (numbers, answer) = if find.query.trim().is_empty() {
        let all = (0..app.catalog.len()).filter(|number| u32::try_from(*number).is_ok_and(kept)).collect();
        (all, None)
    } else {
        // One more than is shown tells whether it goes on.
        let answer = app.catalog.index().search(&find.query, find.offset + find.limit + 1, kept);
        let numbers: Vec<_> = answer.hits.iter().map(|hit| hit.document as usize).collect();
        (numbers, Some(answer))
    };
    let removed = removed(app, &find.query);
    let total = numbers.len();
    let broken = |error: anyhow::Error| Failure::new(Code::Internal, error.to_string());
    let shown = numbers.into_iter().skip(find.offset).take(find.limit).enumerate();
    let hits = shown.map(|(position, number)| {
        let takes = if position < WHOLE { Takes::Schema } else { Takes::Lines };
        Ok(Hit::new(app, app.card(number).map_err(broken)?, find.tool_names, takes))
    });
    let mut answered = Answered { app, find, answer: answer.as_ref(), removed, hits: hits.collect::<Result<_, Failure>>()? };
    let size = answered.shorten();
    answered.found(total, size).map_err(|error| broken(error.into()))
}

/// Why the action that a query names, by any of its names, is not among the hits.
fn removed(app: &App, query: &str) -> Option<String> {
    let name = query.trim();
    let number = app.catalog.number(name).or_else(|| app.catalog.number(&name.to_lowercase()))?;
    let reason = app.offer.removed(number)?.trim_end_matches('.');
    Some(format!("`{}` is not offered here: {reason}. The hits are other actions.", app.catalog.id(number).ok()?))
}

/// A query that is the name of a guide is a request for it: on `dynamic` there is no other way to one.
fn guide_whole(app: &App, guide: &Guide) -> Outcome {
    let mut outcome = describe::guide_answer(app, guide);
    let shown = &outcome.structured;
    let guide =
        serde_json::json!({ "name": shown["guide"], "title": shown["title"], "description": shown["description"], "text": shown["text"] });
    outcome.structured = serde_json::json!({ "items": [], "confidence": Confidence::High.word(), "guides": [guide] }).into();
    outcome
}

fn in_toolset(app: &App, number: usize, name: &str) -> bool {
    let api = app.api();
    // Domains stand in the order of their actions.
    let domain = api.domains.partition_point(|domain| domain.first as usize <= number).checked_sub(1).and_then(|at| api.domains.get(at));
    domain.is_some_and(|domain| api.toolsets[usize::from(domain.toolset)].name == name)
}

struct Answered<'a> {
    app: &'a App,
    find: &'a Find,
    answer: Option<&'a Answer>,
    /// The sentence on a removed action that the query names.
    removed: Option<String>,
    hits: Vec<Hit<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    uri: String,
}

impl Answered<'_> {
    /// Long schemas give way to one line a parameter, longest first, until the answer fits. Returns about how many bytes the hits take.
    fn shorten(&mut self) -> usize {
        let mut size: usize = self.hits.iter().map(Hit::size).sum();
        while size > LONG_ANSWER {
            let lengths = self.hits.iter().map(Hit::schema_size).enumerate();
            let longest = lengths.filter(|(_, length)| *length > LONG_SCHEMA).max_by_key(|(position, length)| (*length, *position));
            let Some((position, length)) = longest else { break };
            self.hits[position].shorten();
            size -= length;
        }
        size
    }

    fn advice(&self) -> Option<String> {
        let answer = self.answer?;
        let mut advice: Vec<String> = self.removed.iter().cloned().collect();
        if let Some(absent) = answer.absent.and_then(|number| self.app.api().absent.get(number as usize)) {
            advice.push(absent.advice.to_string());
        }
        if answer.non_english {
            advice.push("The index is English: translate the query and search again.".to_owned());
        }
        if answer.confidence == Confidence::None && advice.is_empty() {
            advice.push(
                "Nothing here clearly does this. Name the thing and the verb in other words, such as \"restart container\".".to_owned(),
            );
        }
        if answer.confidence == Confidence::Low && advice.is_empty() {
            advice.push("These are weak matches; check the descriptions before you choose, or search in other words.".to_owned());
        }
        (!advice.is_empty()).then(|| advice.join(" "))
    }

    fn found(self, total: usize, size: usize) -> serde_json::Result<Finished> {
        let found = self.answer.map_or(Confidence::High, |answer| answer.confidence);
        // What was asked for by its very name is not there.
        let confidence = if self.removed.is_some() { Confidence::None } else { found }.word();
        let advice = self.advice();
        let (mut text, mut json) = (Vec::with_capacity(size + 500), Vec::with_capacity(size + 500));
        text.extend_from_slice(format!("\"{} hit(s), confidence {confidence}.", self.hits.len()).as_bytes());
        json.extend_from_slice(b"{\"items\":[");
        if let Some(advice) = &advice {
            json::escaped(&mut text, &format!(" {advice}"));
        }
        for (position, hit) in self.hits.iter().enumerate() {
            hit.add_text(&mut text);
            if position > 0 {
                json.push(b',');
            }
            hit.add_json(&mut json);
        }
        json.extend_from_slice(b"],\"confidence\":");
        json::string(&mut json, confidence);
        if let Some(advice) = &advice {
            json.extend_from_slice(b",\"advice\":");
            json::string(&mut json, advice);
        }
        let guides = if self.find.offset == 0 { self.app.catalog.guides().matching(&self.find.query) } else { Vec::new() };
        let way = if self.find.tool_names { "describe it by its name" } else { "search for its name to read it" };
        for guide in &guides {
            json::escaped(&mut text, &format!("\n\nguide `{}`: {} ({way})", guide.name, guide.description));
        }
        if !guides.is_empty() {
            json.extend_from_slice(b",\"guides\":");
            let uri = |guide| resources::guide_uri(self.app, guide);
            let named = guides.iter().map(|guide| Named {
                name: &guide.name,
                title: &guide.title,
                description: &guide.description,
                uri: uri(guide),
            });
            serde_json::to_writer(&mut json, &named.collect::<Vec<_>>())?;
        }
        let offset = self.find.offset + self.hits.len();
        // `tool_names`: the tool that searches by them is the one that can go on.
        if self.find.tool_names && offset < total {
            let all = if self.find.query.trim().is_empty() { format!("{total} in all; go") } else { "Go".into() };
            json::escaped(&mut text, &format!("\n\n{all} on with `offset: {offset}`."));
            json.extend_from_slice(format!(",\"next\":{{\"offset\":{offset}}}").as_bytes());
        }
        json.push(b'}');
        text.push(b'"');
        Ok(Finished { text, structured: json })
    }
}
