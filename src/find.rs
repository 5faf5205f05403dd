//! Finding: a query → hits that hold everything needed to make the call. Nothing is sent upstream.

use crate::app::App;
use crate::error::{Code, Failure};
use crate::guides::Guide;
use crate::outcome::Outcome;
use crate::surface::Find;
use crate::{describe, render, resources};
use callslip_catalog::index::{Answer, Confidence};
use callslip_catalog::model::{Action, Kind};
use callslip_catalog::project::{param_line, short_form};
use callslip_catalog::schema::input_schema;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Hits that carry their whole schema.
const WHOLE: usize = 5;
/// A schema longer than this (about 1,000 tokens) gives way when the answer gets long.
const LONG_SCHEMA: usize = 3_500;
/// An answer is long at this many bytes (about 4,000 tokens).
const LONG_ANSWER: usize = 13_000;

/// The answer to a search.
pub fn answer(app: &App, find: &Find) -> Outcome {
    match search(app, find) {
        Ok(outcome) => outcome,
        Err(failure) => render::failure(&failure),
    }
}

fn search(app: &App, find: &Find) -> Result<Outcome, Failure> {
    if let Some(guide) = app.catalog.guides().get(&find.query).filter(|_| app.catalog.number(find.query.trim()).is_none()) {
        return Ok(guide_whole(app, guide));
    }
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
    let total = numbers.len();
    let mut actions = Vec::new();
    for number in numbers.into_iter().skip(find.offset).take(find.limit) {
        actions.push(app.catalog.action(number).map_err(|error| Failure::new(Code::Internal, error.to_string()))?);
    }
    let mut answered = Answered { app, find, answer: answer.as_ref(), hits: Vec::new(), schemas: Vec::new() };
    for (position, action) in actions.iter().enumerate() {
        answered.add(action, position < WHOLE);
    }
    answered.shorten(&actions);
    Ok(answered.outcome(&actions, total))
}

/// A query that is the name of a guide is a request for it: on `dynamic` there is no other way to one.
fn guide_whole(app: &App, guide: &Guide) -> Outcome {
    let mut outcome = describe::guide_answer(app, guide);
    let shown = outcome.structured.take();
    let guide = json!({ "name": shown["guide"], "title": shown["title"], "description": shown["description"], "text": shown["text"] });
    outcome.structured = json!({ "items": [], "confidence": Confidence::High.word(), "guides": [guide] });
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
    hits: Vec<Map<String, Value>>,
    schemas: Vec<Option<String>>,
}

impl Answered<'_> {
    fn name(&self, action: &Action<'_>) -> String {
        if self.find.tool_names { action.tool_name(&self.app.api().name) } else { action.id.to_string() }
    }

    fn add(&mut self, action: &Action<'_>, whole: bool) {
        let mut hit = Map::new();
        hit.insert("id".into(), self.name(action).into());
        hit.insert("title".into(), (&*action.title).into());
        hit.insert("description".into(), (&*action.description).into());
        if !action.usage.is_empty() {
            hit.insert("usage".into(), (&*action.usage).into());
        }
        let required: Vec<_> = action.params.iter().filter(|param| param.required).map(|param| &*param.name).collect();
        hit.insert("required".into(), required.into());
        hit.insert("mutating".into(), (action.kind != Kind::Read).into());
        hit.insert("destructive".into(), action.may_destroy().into());
        let related: Vec<_> = self.offered_related(action);
        hit.insert("related".into(), related.into());
        hit.insert("schemaUri".into(), format!("{}://tools/{}", self.app.api().name, action.id).into());
        if whole {
            let schema = input_schema(action, false);
            hit.insert("inputSchema".into(), serde_json::from_str(&schema).unwrap_or_default());
            self.schemas.push(Some(schema));
        } else {
            hit.insert("params".into(), lines(action).into());
            self.schemas.push(None);
        }
        self.hits.push(hit);
    }

    /// Related actions the filters left, named as the surface names them.
    fn offered_related(&self, action: &Action<'_>) -> Vec<String> {
        let number = |id: &str| self.app.catalog.number(id).filter(|number| self.app.offer.has(*number));
        let related = action.related.iter().filter(|id| number(id).is_some());
        if self.find.tool_names {
            related.map(|id| format!("{}_{}", self.app.api().name, id.replace('.', "_"))).collect()
        } else {
            related.map(ToString::to_string).collect()
        }
    }

    /// Long schemas give way to one line a parameter, longest first, until the answer fits.
    fn shorten(&mut self, actions: &[Action<'_>]) {
        let mut size: usize = self.hits.iter().map(|hit| Value::from(hit.clone()).to_string().len()).sum();
        while size > LONG_ANSWER {
            let longest = self.schemas.iter().enumerate().filter_map(|(position, schema)| Some((schema.as_ref()?.len(), position))).max();
            let Some((length, position)) = longest.filter(|(length, _)| *length > LONG_SCHEMA) else { break };
            self.schemas[position] = None;
            let hit = &mut self.hits[position];
            hit.shift_remove("inputSchema");
            hit.insert("params".into(), lines(&actions[position]).into());
            hit.insert("schemaShortened".into(), true.into());
            size -= length;
        }
    }

    fn advice(&self) -> Option<String> {
        let answer = self.answer?;
        let mut advice = Vec::new();
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

    fn outcome(self, actions: &[Action<'_>], total: usize) -> Outcome {
        let confidence = self.answer.map_or(Confidence::High, |answer| answer.confidence);
        let advice = self.advice();
        let mut text = format!("{} hit(s), confidence {}.", self.hits.len(), confidence.word());
        if let Some(advice) = &advice {
            let _ = write!(text, " {advice}");
        }
        for ((action, hit), schema) in actions.iter().zip(&self.hits).zip(&self.schemas) {
            let kind = if action.may_destroy() { "destructive" } else { action.kind.name() };
            let _ = write!(text, "\n\n**{}** ({kind}): {}. {}", self.name(action), action.title, action.description);
            if !action.usage.is_empty() {
                let _ = write!(text, " {}", action.usage);
            }
            // Hits further down are looked at, seldom called: names do, and the schema is one search away.
            let Some(schema) = schema else {
                let _ = write!(text, "\n{}", short_form(action));
                continue;
            };
            let _ = write!(text, "\nschema: {schema}");
            if let Some(related) = hit["related"].as_array().filter(|related| !related.is_empty()) {
                let related: Vec<_> = related.iter().filter_map(Value::as_str).collect();
                let _ = write!(text, "\nrelated: {}", related.join(", "));
            }
        }
        let mut structured = json!({ "items": self.hits, "confidence": confidence.word() });
        if let Some(advice) = advice {
            structured["advice"] = advice.into();
        }
        let guides = if self.find.offset == 0 { self.app.catalog.guides().matching(&self.find.query) } else { Vec::new() };
        if !guides.is_empty() {
            let named = guides.iter().map(|guide| {
                json!({ "name": guide.name, "title": guide.title, "description": guide.description, "uri": resources::guide_uri(self.app, guide) })
            });
            structured["guides"] = named.collect();
            let way = if self.find.tool_names { "describe it by its name" } else { "search for its name to read it" };
            for guide in guides {
                let _ = write!(text, "\n\nguide `{}`: {} ({way})", guide.name, guide.description);
            }
        }
        let next = self.find.offset + actions.len();
        // `tool_names`: the tool that searches by them is the one that can go on.
        if self.find.tool_names && next < total {
            structured["next"] = json!({ "offset": next });
            let all = if self.find.query.trim().is_empty() { format!("{total} in all; go") } else { "Go".into() };
            let _ = write!(text, "\n\n{all} on with `offset: {next}`.");
        }
        Outcome { structured, text, is_error: false }
    }
}

fn lines(action: &Action<'_>) -> Vec<String> {
    action.params.iter().filter(|param| !param.shared).map(param_line).collect()
}
