//! `dynamic`: find and execute.

use super::{Asked, Executing, Find, Unresolved, limit, query};
use crate::app::App;
use crate::own;
use serde_json::{Map, Value};

pub fn resolve(app: &App, tool: &str, mut arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
    let Some(tool) = tool.strip_prefix(&*app.api().name).and_then(|rest| rest.strip_prefix('_')) else {
        return Err(Unresolved::UnknownTool);
    };
    match tool {
        "find_action" => {
            let query = query(&mut arguments, true)?;
            let limit = limit(&mut arguments)?;
            own::finish(&arguments, &["query", "limit"])?;
            Ok(Asked::Find(Find { query, toolset: None, offset: 0, limit, tool_names: false }))
        }
        "execute_action" => Executing { name: "action", holder: "params", domain: None, reads: false }.resolve(app, arguments),
        "read_action" if app.config.split_read && !app.offer.read_only => {
            Executing { name: "action", holder: "params", domain: None, reads: true }.resolve(app, arguments)
        }
        _ => Err(Unresolved::UnknownTool),
    }
}
