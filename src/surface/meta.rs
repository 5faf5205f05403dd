//! `meta`: the tool is a domain, `action` picks within it.

use super::{Asked, Executing, Unresolved};
use crate::app::App;
use serde_json::{Map, Value};

pub fn resolve(app: &App, tool: &str, arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
    let api = app.api();
    let domain = tool.strip_prefix(&*api.name).and_then(|rest| rest.strip_prefix('_')).ok_or(Unresolved::UnknownTool)?;
    // A domain of which nothing is offered has no tool in the list, but a call of it is told why.
    api.domains.iter().find(|known| known.name == domain).ok_or(Unresolved::UnknownTool)?;
    Executing { name: "action", holder: "params", domain: Some(domain), reads: false }.resolve(app, arguments)
}
