//! Finding: a query → hits that hold everything needed to make the call. Nothing is sent upstream.

mod hit;

use crate::app::App;
use crate::error::{Code, Failure};
use crate::guides::Guide;
use crate::outcome::{Outcome, Structured};
use crate::surface::Find;
use crate::{describe, render, resources};
use callslip_catalog::index::{Answer, Confidence};
use callslip_catalog::model::Action;
use callslip_catalog::project::short_form;
use hit::Hit;
use serde::Serialize;
use serde_json::json;
use std::fmt::Write;

/// Hits that carry their whole schema.
const WHOLE: usize = 5;
/// A schema longer than this (about 1,000 tokens) gives way when the answer gets long.
const LONG_SCHEMA: usize = 3_500;
/// An answer is long at this many bytes (about 4,000 tokens).
const LONG_ANSWER: usize = 13_000;

/// The answer to a search in two channels, the structured one already written as JSON.
#[derive(Debug)]
pub struct Found {
    /// `structuredContent`, an object.
    pub json: String,
    /// Markdown text.
    pub text: String,
}

impl Found {
    /// As any other outcome, the structured channel as a value.
    pub fn outcome(self) -> Outcome {
        Outcome { structured: Structured::written(self.json), text: self.text, is_error: false }
    }
}

/// The answer to a search.
pub fn answer(app: &App, find: &Find) -> Outcome {
    match found(app, find) {
        Ok(found) => found.outcome(),
        Err(outcome) => outcome,
    }
}

/// The same, the structured channel as JSON; what is no list of hits is an outcome.
pub fn found(app: &App, find: &Find) -> Result<Found, Outcome> {
    if let Some(guide) = app.catalog.guides().get(&find.query).filter(|_| app.catalog.number(find.query.trim()).is_none()) {
        return Err(guide_whole(app, guide));
    }
    search(app, find).map_err(|failure| render::failure(&failure))
}

fn search(app: &App, find: &Find) -> Result<Found, Failure> {
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
    let mut actions = Vec::new();
    for number in numbers.into_iter().skip(find.offset).take(find.limit) {
        actions.push(app.action(number).map_err(|error| Failure::new(Code::Internal, error.to_string()))?);
    }
    let hits = actions.iter().enumerate().map(|(position, action)| Hit::new(app, action, find.tool_names, position < WHOLE)).collect();
    let mut answered = Answered { app, find, answer: answer.as_ref(), removed, hits };
    answered.shorten(&actions);
    answered.found(&actions, total).map_err(|error| Failure::new(Code::Internal, error.to_string()))
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
    let guide = json!({ "name": shown["guide"], "title": shown["title"], "description": shown["description"], "text": shown["text"] });
    outcome.structured = json!({ "items": [], "confidence": Confidence::High.word(), "guides": [guide] }).into();
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

/// The structured channel.
#[derive(Serialize)]
struct Written<'a> {
    items: &'a [Hit<'a>],
    confidence: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    guides: Vec<Named<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Next>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    title: &'a str,
    description: &'a str,
    uri: String,
}

#[derive(Serialize)]
struct Next {
    offset: usize,
}

impl Answered<'_> {
    /// Long schemas give way to one line a parameter, longest first, until the answer fits.
    fn shorten(&mut self, actions: &[Action<'_>]) {
        let mut size: usize = self.hits.iter().map(Hit::size).sum();
        while size > LONG_ANSWER {
            let lengths = self.hits.iter().map(|hit| hit.schema().map_or(0, str::len)).enumerate();
            let longest = lengths.filter(|(_, length)| *length > LONG_SCHEMA).max_by_key(|(position, length)| (*length, *position));
            let Some((position, length)) = longest else { break };
            self.hits[position].shorten(&actions[position]);
            size -= length;
        }
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

    fn found(self, actions: &[Action<'_>], total: usize) -> serde_json::Result<Found> {
        let found = self.answer.map_or(Confidence::High, |answer| answer.confidence);
        // What was asked for by its very name is not there.
        let confidence = if self.removed.is_some() { Confidence::None } else { found };
        let advice = self.advice();
        let mut text = format!("{} hit(s), confidence {}.", self.hits.len(), confidence.word());
        if let Some(advice) = &advice {
            let _ = write!(text, " {advice}");
        }
        for (action, hit) in actions.iter().zip(&self.hits) {
            let kind = if action.may_destroy() { "destructive" } else { action.kind.name() };
            let _ = write!(text, "\n\n**{}** ({kind}): {}. {}", hit.id, action.title, action.description);
            if !action.usage.is_empty() {
                let _ = write!(text, " {}", action.usage);
            }
            // Hits further down are looked at, seldom called: names do, and the schema is one search away.
            let Some(schema) = hit.schema() else {
                let _ = write!(text, "\n{}", short_form(action));
                continue;
            };
            let _ = write!(text, "\nschema: {schema}");
            if !hit.related.is_empty() {
                let _ = write!(text, "\nrelated: {}", hit.related.join(", "));
            }
        }
        let guides = if self.find.offset == 0 { self.app.catalog.guides().matching(&self.find.query) } else { Vec::new() };
        let way = if self.find.tool_names { "describe it by its name" } else { "search for its name to read it" };
        for guide in &guides {
            let _ = write!(text, "\n\nguide `{}`: {} ({way})", guide.name, guide.description);
        }
        let named = guides.iter().map(|guide| Named {
            name: &guide.name,
            title: &guide.title,
            description: &guide.description,
            uri: resources::guide_uri(self.app, guide),
        });
        let offset = self.find.offset + actions.len();
        // `tool_names`: the tool that searches by them is the one that can go on.
        let goes_on = self.find.tool_names && offset < total;
        if goes_on {
            let all = if self.find.query.trim().is_empty() { format!("{total} in all; go") } else { "Go".into() };
            let _ = write!(text, "\n\n{all} on with `offset: {offset}`.");
        }
        let written = Written {
            items: &self.hits,
            confidence: confidence.word(),
            advice,
            guides: named.collect(),
            next: goes_on.then_some(Next { offset }),
        };
        Ok(Found { json: serde_json::to_string(&written)?, text })
    }
}
