//! `progressive`: search, describe, read, run; pinned toolsets answer as individual tools.

use super::{Asked, Executing, Find, Unresolved, individual, limit, needed_text, query, whole};
use crate::app::App;
use crate::error::{Code, Failure};
use crate::own;
use serde_json::{Map, Value};

pub fn resolve(app: &App, tool: &str, mut arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
    match tool {
        "search_tools" => {
            let query = query(&mut arguments, false)?;
            let toolset = toolset(app, &mut arguments)?;
            let offset = whole(&mut arguments, "offset", 0, 0, 1_000_000)?;
            let limit = limit(&mut arguments)?;
            own::finish(&arguments, &["query", "toolset", "offset", "limit"])?;
            if query.trim().is_empty() && toolset.is_none() {
                let names = offered(app);
                return Err(Failure::new(Code::InvalidArguments, "Give a `query`, a `toolset`, or both.")
                    .next(format!("Toolsets: {}.", names.join(", ")))
                    .into());
            }
            Ok(Asked::Find(Find { query, toolset, offset, limit, tool_names: true }))
        }
        "describe_tool" => {
            let name = needed_text(&mut arguments, "name")?;
            own::finish(&arguments, &["name"])?;
            Ok(Asked::Describe(name))
        }
        "read_tool" => Executing { name: "name", holder: "arguments", domain: None, reads: true }.resolve(app, arguments),
        "run_tool" => Executing { name: "name", holder: "arguments", domain: None, reads: false }.resolve(app, arguments),
        _ => {
            let number = app.catalog.number(tool).ok_or(Unresolved::UnknownTool)?;
            let action = app.catalog.action(number).map_err(|_| Unresolved::UnknownTool)?;
            let toolset = app.api().domains.get(usize::from(action.domain)).map(|domain| domain.toolset);
            if toolset.is_some_and(|toolset| app.offer.pinned.contains(&toolset)) {
                individual::resolve(app, tool, arguments)
            } else {
                Err(Unresolved::UnknownTool)
            }
        }
    }
}

/// Names of the toolsets of which anything is offered.
fn offered(app: &App) -> Vec<&str> {
    let names = app.api().toolsets.iter().map(|toolset| &*toolset.name);
    names.filter(|name| numbers(app, name).any(|number| app.offer.has(number))).collect()
}

/// The actions of a toolset.
fn numbers<'a>(app: &'a App, name: &str) -> impl Iterator<Item = usize> + use<'a> {
    let api = app.api();
    let place = api.toolsets.iter().position(|toolset| toolset.name == name);
    let domains = api.domains.iter().filter(move |domain| Some(usize::from(domain.toolset)) == place);
    domains.flat_map(|domain| domain.first as usize..(domain.first + domain.count) as usize)
}

fn toolset(app: &App, arguments: &mut Map<String, Value>) -> Result<Option<String>, Failure> {
    let name = match arguments.remove("toolset") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(name)) if name.is_empty() => return Ok(None),
        Some(value) => value.as_str().unwrap_or_default().to_owned(),
    };
    let names = offered(app);
    if names.contains(&&*name) {
        return Ok(Some(name));
    }
    let refusal = match numbers(app, &name).next().and_then(|number| app.offer.removed(number)) {
        Some(reason) => Failure::new(Code::Removed, format!("The toolset `{name}` is not offered here: {}.", reason.trim_end_matches('.'))),
        None => Failure::new(Code::InvalidArguments, "There is no such toolset."),
    };
    Err(refusal.next(format!("Toolsets: {}.", names.join(", "))))
}
