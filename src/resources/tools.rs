//! The catalog as resources: what there is and how the active surface calls it, and one action whole.

use super::{Contents, JSON, Listed, Unread};
use crate::app::App;
use crate::error::{Code, Failure};
use crate::{describe, lookup};
use callslip_catalog::model::{Action, Kind};
use callslip_catalog::project::Surface;
use serde_json::{Value, json};

pub fn listed(app: &App) -> Listed {
    Listed {
        uri: format!("{}://tools", app.api().name),
        name: "tools".into(),
        title: format!("All {} actions", app.api().title),
        description: "Every action offered here, with the tool that runs it.".into(),
        mime: JSON,
    }
}

pub fn template(app: &App) -> Listed {
    Listed {
        uri: format!("{}://tools/{{id}}", app.api().name),
        name: "tool".into(),
        title: "One action".into(),
        description: "An action whole: usage, request, input and output schema; or why it is not offered.".into(),
        mime: JSON,
    }
}

/// Every offered action.
pub fn all(app: &App) -> Result<Contents, Unread> {
    let actions = app.offered().map_err(|error| Unread::Failed(Box::new(Failure::new(Code::Internal, error.to_string()))))?;
    let entries: Vec<_> = actions.iter().map(|action| entry(app, action)).collect();
    let value = json!({ "surface": app.config.surface.name(), "count": entries.len(), "actions": entries });
    Ok(Contents { mime: JSON, text: value.to_string(), fixed: true })
}

fn entry(app: &App, action: &Action<'_>) -> Value {
    let (tool, call) = way(app, action);
    json!({
        "id": action.id,
        "title": action.title,
        "tool": tool,
        "call": call,
        "mutating": action.kind != Kind::Read,
        "destructive": action.may_destroy(),
    })
}

/// The tool of the active surface that runs an action, and the arguments that name the action.
fn way(app: &App, action: &Action<'_>) -> (String, Value) {
    let name = &app.api().name;
    let own = action.tool_name(name);
    match app.config.surface {
        Surface::Dynamic => (format!("{name}_execute_action"), json!({ "action": action.id })),
        Surface::Meta => (format!("{name}_{}", action.domain_name()), json!({ "action": action.action_name() })),
        Surface::Individual => (own, json!({})),
        Surface::Progressive if app.pinned(action) => (own, json!({})),
        Surface::Progressive => (if action.kind == Kind::Read { "read_tool" } else { "run_tool" }.to_owned(), json!({ "name": own })),
    }
}

/// One action whole, or the reason it was removed.
pub fn one(app: &App, name: &str) -> Result<Contents, Unread> {
    let (number, action) = lookup::action(app, name).map_err(|failure| match failure.code {
        Code::UnknownAction => Unread::NotFound(format!("{} {}", failure.message, failure.next.first().map_or("", String::as_str))),
        _ => Unread::Failed(Box::new(failure)),
    })?;
    let value = if let Some(reason) = app.offer.removed(number) {
        json!({ "id": action.id, "title": action.title, "removed": reason })
    } else {
        let mut value = describe::value(app, &action);
        let (tool, call) = way(app, &action);
        value["tool"] = tool.into();
        value["call"] = call;
        value
    };
    Ok(Contents { mime: JSON, text: value.to_string(), fixed: true })
}
