//! `callslip doctor`: the steps between here and a working call, each tried, the first thing to mend named.

use super::{DONE, FAILED, USAGE};
use crate::app::App;
use crate::call::Own;
use crate::cli::Options;
use crate::outcome::Outcome;
use crate::{render, run, surface, terminal};
use anyhow::Result;
use serde_json::{Map, Value, json};

/// The same options with every filter off: what an operator checks is not what a model is offered.
pub fn options(given: &Options) -> Result<Options> {
    let left_out =
        super::catalog(given)?.api().toolsets.iter().filter(|toolset| !toolset.default).map(|toolset| toolset.name.to_string()).collect();
    Ok(Options {
        read_only: false,
        exclude: Vec::new(),
        include: left_out,
        only_toolsets: false,
        environments: Vec::new(),
        read_only_environments: Vec::new(),
        ..given.clone()
    })
}

/// The environment without the filters in it.
pub fn variable(name: &str) -> Option<String> {
    let filter = ["READ_ONLY", "EXCLUDE", "ONLY_TOOLSETS", "ENVIRONMENTS", "READ_ONLY_ENVIRONMENTS"];
    let hidden = name.split_once("_MCP_").is_some_and(|(_, option)| filter.contains(&option));
    if hidden { None } else { std::env::var(name).ok() }
}

/// The outcome of one step.
struct Step {
    label: String,
    good: bool,
    text: String,
}

pub fn run(app: &App, json: bool) -> Result<u8> {
    let prefix = app.api().name.to_uppercase();
    let mut steps = Vec::new();
    steps.extend(file(app));
    let (good, text) = match &app.config.upstream.url {
        Some(url) => (true, without_password(url)),
        None => (false, format!("not set; export {prefix}_URL=http://host:port, the address of {}", app.api().title)),
    };
    let address = Step { label: format!("{prefix}_URL"), good, text };
    let ready = address.good;
    steps.push(address);
    steps.push(credential(app, &prefix));
    if ready {
        let runtime = super::runtime()?;
        for (label, action) in app.profile.doctor() {
            let outcome = match surface::call(app, action, Map::new(), Own::default()) {
                Ok(call) => runtime.block_on(run::run(app, call, None)),
                Err(failure) => render::failure(&failure),
            };
            let good = !outcome.is_error;
            steps.push(Step { label: (*label).to_owned(), good, text: summary(&outcome) });
            if !good {
                break;
            }
        }
    }
    let good = steps.iter().all(|step| step.good);
    if json {
        let list: Vec<_> = steps.iter().map(|step| json!({ "check": step.label, "ok": step.good, "detail": step.text })).collect();
        terminal::json(&json!({ "ok": good, "checks": list }));
    } else {
        for step in &steps {
            terminal::print(&format!("{} {}: {}", if step.good { "ok  " } else { "MEND" }, step.label, step.text));
        }
        if good {
            terminal::print("All is well.");
        }
    }
    Ok(match (good, ready) {
        (true, _) => DONE,
        (false, true) => FAILED,
        (false, false) => USAGE,
    })
}

/// A compiled file is compared with its checksums, the whole of it: a start reads no more than it needs.
fn file(app: &App) -> Option<Step> {
    let path = app.catalog.source().filter(|path| path.is_file())?;
    let (good, text) = match app.catalog.check() {
        Ok(()) => (true, format!("{}, {} actions", path.display(), app.catalog.len())),
        Err(error) => (false, format!("{} {error}", path.display())),
    };
    Some(Step { label: "catalog".into(), good, text })
}

fn credential(app: &App, prefix: &str) -> Step {
    let label = "credential".to_owned();
    if !app.config.credentials.is_empty() {
        return Step { label, good: true, text: format!("{} is set", app.config.credentials.join(" and ")) };
    }
    let known: Vec<_> = app.api().credentials.iter().map(|known| format!("{prefix}_{}", known.variable)).collect();
    if known.is_empty() {
        return Step { label, good: true, text: "none needed".into() };
    }
    Step { label, good: false, text: format!("none; export one of {}", known.join(", ")) }
}

/// A URL may carry a password; it is not shown.
fn without_password(url: &str) -> String {
    match url.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.split_once('@')?.1))) {
        Some((scheme, rest)) => format!("{scheme}://…@{rest}"),
        None => url.to_owned(),
    }
}

/// The small facts of a good answer; the message and next step of a bad one.
fn summary(outcome: &Outcome) -> String {
    let error = &outcome.structured["error"];
    if outcome.is_error {
        let next = error["next"][0].as_str().unwrap_or_default();
        return format!("{} {next}", error["message"].as_str().unwrap_or_default());
    }
    let facts = outcome.structured.as_object().into_iter().flatten().filter_map(|(name, value)| match value {
        Value::String(text) if !text.is_empty() && text.len() <= 60 => Some(format!("{name} {text}")),
        Value::Number(number) => Some(format!("{name} {number}")),
        _ => None,
    });
    facts.take(4).collect::<Vec<_>>().join(", ")
}
