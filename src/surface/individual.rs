//! `individual`: the tool is the action. A removed action has no tool.

use super::{Asked, Unresolved, call};
use crate::app::App;
use crate::own;
use crate::params::Given;
use serde_json::{Map, Value};

pub fn resolve(app: &App, tool: &str, mut arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
    let known = app.catalog.number(tool).filter(|number| app.offer.has(*number)).ok_or(Unresolved::UnknownTool)?;
    let action = app.catalog.action(known).map_err(|_| Unresolved::UnknownTool)?;
    if action.tool_name(&app.api().name) != tool {
        return Err(Unresolved::UnknownTool);
    }
    let mut beside = Vec::new();
    let own = own::take(&mut arguments, &mut beside);
    Ok(Asked::Call(Box::new(call(app, tool, Given { arguments, as_text: false, beside }, own)?)))
}
