//! Fences: which environments may be named at all, and in which only reading runs. They hold wherever an environment is named, be it in
//! the path, the query, the body or by default, since a fence with one gap is none.

mod sieve;

pub use sieve::{Sieve, note};

use crate::app::App;
use crate::error::{Code, Failure};
use callslip_catalog::model::{Action, Fill, Kind};
use serde_json::{Map, Value};

/// The server option whose value is an environment.
const OPTION: &str = "environment";

/// Refuses a checked call that names an environment it must not.
pub fn allow(app: &App, action: &Action<'_>, arguments: &Map<String, Value>) -> Result<(), Failure> {
    let config = &app.config;
    if config.environments.is_empty() && config.read_only_environments.is_empty() {
        return Ok(());
    }
    let writes = action.kind != Kind::Read;
    if writes && app.profile.everywhere(&action.id, arguments) {
        return Err(refusal(&format!("`{}` may change every environment, and this server keeps to some.", action.id))
            .next("Name the environments, where the action takes them, or ask whoever runs this server."));
    }
    if !config.environments.is_empty() && app.profile.mixed().contains(&&*action.id) {
        return Err(refusal(&format!("`{}` answers about every environment at once, and this server keeps to some.", action.id))
            .next("Ask about one environment with another action."));
    }
    for id in named(action, arguments) {
        if !admits(app, &id) {
            return Err(refusal(&format!("The environment `{}` is outside what this server may touch.", shown(&id)))
                .next(format!("Name one of these: {}.", list(&config.environments))));
        }
        // Case is ignored on this side: a spelling that the API might take for the same must not slip through.
        let fenced = config.read_only_environments.iter().any(|known| known.eq_ignore_ascii_case(id.trim()));
        if writes && fenced {
            return Err(refusal(&format!(
                "Only reading actions run in the environment `{}`; `{}` changes something.",
                shown(&id),
                action.id
            ))
            .next("Ask whoever runs this server, or work in another environment."));
        }
    }
    Ok(())
}

/// Whether an environment may be named.
pub fn admits(app: &App, id: &str) -> bool {
    app.config.environments.is_empty() || app.config.environments.iter().any(|known| known == id)
}

/// The environment that is meant when none is named: the configured one, or the only one there may be.
pub fn default(app: &App) -> Option<String> {
    match (&app.config.environment, app.config.environments.as_slice()) {
        (Some(id), _) => Some(id.clone()),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    }
}

/// Whether a parameter of that name holds the id of an environment, or several.
pub fn is_environment(name: &str) -> bool {
    let folded: String = name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    folded.strip_suffix('s').unwrap_or(&folded).strip_suffix("id").is_some_and(|rest| rest.ends_with(OPTION))
}

/// Every environment that the arguments name.
fn named(action: &Action<'_>, arguments: &Map<String, Value>) -> Vec<String> {
    let mut ids = Vec::new();
    for (name, value) in arguments {
        let filled = action.param(name).is_some_and(|param| matches!(&param.fill, Fill::Option { option, .. } if option == OPTION));
        walk(filled || is_environment(name), value, &mut ids);
    }
    ids
}

fn walk(is_id: bool, value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| walk(is_environment(name), value, ids)),
        Value::Array(items) => items.iter().for_each(|item| walk(is_id, item, ids)),
        // Several ids may stand in one text.
        Value::String(text) if is_id => ids.extend(text.split(',').filter(|id| !id.is_empty()).map(str::to_owned)),
        Value::Number(number) if is_id => ids.push(number.to_string()),
        _ => {}
    }
}

fn refusal(message: &str) -> Failure {
    Failure::new(Code::Removed, format!("{message} Nothing was sent."))
}

fn shown(id: &str) -> String {
    crate::untrusted::line(id, 64).replace('`', "'")
}

fn list(ids: &[String]) -> String {
    ids.iter().map(|id| format!("`{}`", shown(id))).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_of_environments() {
        for name in ["environmentId", "environment_id", "sourceEnvironmentId", "environmentIds", "targetEnvironmentIDs"] {
            assert!(is_environment(name), "{name}");
        }
        for name in ["environment", "environmentName", "containerId", "ids", "id", ""] {
            assert!(!is_environment(name), "{name}");
        }
    }

    #[test]
    fn ids_are_found_wherever_they_stand() {
        let mut ids = Vec::new();
        let body = json!({ "assignments": [{ "roleId": "r", "environmentId": "a" }], "environmentIds": ["b", "c,d"], "environmentId": 0, "name": "e" });
        walk(false, &body, &mut ids);
        assert_eq!(ids, ["a", "b", "c", "d", "0"]);
    }
}
