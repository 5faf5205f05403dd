//! `meta`: the tool is a domain, `action` picks within it.

use super::{Asked, Executing, Unresolved, needed_text};
use crate::app::App;
use crate::params;
use serde_json::{Map, Value};

pub fn resolve(app: &App, tool: &str, arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
    let api = app.api();
    let domain = tool.strip_prefix(&*api.name).and_then(|rest| rest.strip_prefix('_')).ok_or(Unresolved::UnknownTool)?;
    let known = api.domains.iter().find(|known| known.name == domain).ok_or(Unresolved::UnknownTool)?;
    let mut numbers = known.first as usize..(known.first + known.count) as usize;
    if !numbers.any(|number| app.offer.has(number)) {
        return Err(Unresolved::UnknownTool);
    }
    if arguments.get("action").and_then(Value::as_str) == Some("describe") && app.catalog.number(&format!("{domain}.describe")).is_none() {
        let mut given = params::object(arguments.get("params").cloned())?.arguments;
        let name = needed_text(&mut given, "action")?;
        let own = format!("{domain}.{name}");
        return Ok(Asked::Describe(if app.catalog.number(&own).is_some() { own } else { name }));
    }
    Executing { name: "action", holder: "params", domain: Some(domain), reads: false }.resolve(app, arguments)
}
