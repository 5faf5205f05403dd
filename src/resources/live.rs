//! Live state as resources. Reading one is a call like any other: the same gate, the same road, the same count.

use super::{Contents, JSON, Listed, Unread, decoded, kept};
use crate::app::App;
use crate::call::Own;
use crate::outcome::{Outcome, Structured};
use crate::policy::Voice;
use crate::profile::Live;
use crate::run::{self, Road};
use crate::{fence, page, surface};
use callslip_catalog::model::Fill;
use serde_json::{Map, Value};
use std::time::Instant;

/// The live resources whose action is offered.
fn offered(app: &App) -> impl Iterator<Item = &'static Live> {
    app.profile.live().iter().filter(|live| app.offers(live.action))
}

fn shown(app: &App, live: &Live, path: &str) -> Listed {
    Listed {
        uri: format!("{}://{path}", app.api().name),
        name: path.replace(['{', '}'], ""),
        title: live.title.into(),
        description: format!("Live: what `{}` answers now.", live.action),
        mime: JSON,
    }
}

/// Those without a placeholder, and the others for the environment that is meant by default.
pub fn listed(app: &App) -> impl Iterator<Item = Listed> {
    offered(app).filter_map(|live| {
        let mut path = live.path.to_owned();
        while let Some((_, rest)) = live.path.split_once('{').filter(|_| path.contains('{')) {
            let (name, _) = rest.split_once('}')?;
            let value = default(app, live, name).filter(|id| fence::admits(app, id))?;
            path = path.replace(&format!("{{{name}}}"), &value);
        }
        Some(shown(app, live, &path))
    })
}

/// The value that a parameter has when nobody gives one.
fn default(app: &App, live: &Live, name: &str) -> Option<String> {
    let action = app.catalog.action(app.catalog.number(live.action)?).ok()?;
    match &action.param(name)?.fill {
        Fill::Option { default, .. } => fence::default(app).or_else(|| Some(default.to_string())).filter(|value| !value.is_empty()),
        _ => None,
    }
}

/// Those with a placeholder.
pub fn templates(app: &App) -> impl Iterator<Item = Listed> {
    offered(app).filter(|live| live.path.contains('{')).map(|live| shown(app, live, live.path))
}

fn text(structured: Structured) -> String {
    structured.into_json().map_or_else(|value| value.to_string(), |json| String::from_utf8_lossy(&json).into_owned())
}

/// Reads the live resource at a path.
pub async fn read(app: &App, path: &str) -> Result<Contents, Unread> {
    let found = app.profile.live().iter().find_map(|live| Some((live, arguments(live.path, path)?)));
    let Some((live, arguments)) = found else {
        let known: Vec<_> = offered(app).map(|live| format!("{}://{}", app.api().name, live.path)).collect();
        return Err(Unread::NotFound(format!("There is no such resource. Live ones: {}.", known.join(", "))));
    };
    let outcome = called(app, live, arguments).await.map_err(|failure| Unread::Failed(Box::new(failure)))?;
    if outcome.is_error {
        return Err(Unread::Refused(outcome.structured.into_value()));
    }
    Ok(Contents { mime: JSON, text: text(outcome.structured), fixed: false })
}

async fn called(app: &App, live: &Live, mut arguments: Map<String, Value>) -> Result<Outcome, crate::error::Failure> {
    let mut call = surface::call(app, live.action, Map::new(), Own::default())?;
    // A reader of a resource cannot ask for the next page: the longest one is shown.
    if let Some(limit) = page::limit_name(app.api(), &call.action) {
        arguments.insert(limit.to_owned(), page::MOST.into());
    }
    call.arguments = arguments;
    match run::begin(app, call, Voice::Model { asks: false }, None).await {
        Road::Done(outcome) => Ok(outcome),
        // Only reading actions are live; one that destroys is refused by the gate before it comes to this.
        Road::Held(held) => Err(crate::confirmation::unanswered(&held, crate::confirmation::Said::Nothing)),
    }
}

fn id(row: &Value) -> Option<String> {
    match &row["id"] {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The ids a parameter may have, asked of the live resource that lists them, or kept from a moment ago.
pub async fn ids(app: &App, param: &str) -> Vec<String> {
    let Some(live) = offered(app).find(|live| live.completes == param) else { return Vec::new() };
    let key = kept::key(app, param);
    if let Some(ids) = app.kept_ids.get(&key, Instant::now()) {
        return ids;
    }
    let ids = asked(app, live).await;
    app.kept_ids.keep(key, ids.clone(), Instant::now());
    ids
}

async fn asked(app: &App, live: &Live) -> Vec<String> {
    match called(app, live, Map::new()).await {
        Ok(outcome) if !outcome.is_error => outcome.structured["items"].as_array().into_iter().flatten().filter_map(id).collect(),
        _ => Vec::new(),
    }
}

/// The arguments that make `path` out of a template.
fn arguments(template: &str, path: &str) -> Option<Map<String, Value>> {
    let (mut known, mut given) = (template.split('/'), path.split('/'));
    let mut arguments = Map::new();
    loop {
        match (known.next(), given.next()) {
            (None, None) => return Some(arguments),
            (Some(known), Some(given)) => match known.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
                Some(name) if !given.is_empty() => {
                    arguments.insert(name.to_owned(), decoded(given).into());
                }
                None if known == given => {}
                _ => return None,
            },
            _ => return None,
        }
    }
}
