//! The path of a request. An id comes from a model or from upstream data, so a segment that could lead elsewhere is refused, not encoded.

use super::build::{plain, value};
use crate::error::{Code, Failure};
use callslip_catalog::model::{Action, Api, Param, Place};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

/// Everything but the unreserved characters and the colon: image ids (`sha256:…`) must keep it, as servers that do not decode path
/// parameters look the text up as it stands.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b':');

/// A path as it is sent and, when a segment is secret, as it is shown.
pub(super) struct Built {
    pub sent: String,
    pub shown: String,
}

pub(super) fn build(api: &Api<'_>, action: &Action<'_>, arguments: &Map<String, Value>) -> Result<Built, Failure> {
    let mut sent = format!("{}{}", api.base_path, action.path);
    let mut shown = sent.clone();
    let mut secret = false;
    for param in action.params.iter().filter(|param| param.place == Place::Path) {
        let Some(given) = value(param, arguments) else {
            let message = format!("`{}` is missing: `{}` needs it in its path.", param.name, action.id);
            return Err(with_list(Failure::new(Code::InvalidArguments, message), action, param));
        };
        let text = plain(&given);
        if let Some(problem) = problem(&text) {
            let message = format!("`{}` {problem}, so it cannot be a part of the path; nothing was sent.", param.name);
            return Err(with_list(Failure::new(Code::InvalidArguments, message), action, param));
        }
        let placeholder = format!("{{{}}}", param.name);
        let encoded = utf8_percent_encode(&text, ENCODED).to_string();
        sent = sent.replace(&placeholder, &encoded);
        shown = shown.replace(&placeholder, if param.secret { "***" } else { &encoded });
        secret |= param.secret;
    }
    Ok(Built { sent, shown: if secret { shown } else { String::new() } })
}

/// Adds what makes arguments unfit for the path; the answer has where fit ones are listed.
pub fn problems(action: &Action<'_>, arguments: &Map<String, Value>, problems: &mut Vec<String>) -> Vec<String> {
    let mut lists = Vec::new();
    for param in action.params.iter().filter(|param| param.place == Place::Path) {
        let Some(problem) = arguments.get(&*param.name).map(plain).as_deref().and_then(problem) else { continue };
        problems.push(format!("`{}` {problem}, so it cannot be a part of the path.", param.name));
        lists.push(list(action, param));
    }
    lists
}

/// What is wrong with a path segment, if anything.
fn problem(text: &str) -> Option<&'static str> {
    match text {
        "" => return Some("is empty"),
        "." | ".." => return Some("is a relative path"),
        _ => {}
    }
    let unsafe_at = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | '?' | '#');
    match text.chars().find(|letter| unsafe_at(*letter))? {
        '/' => Some("has a `/` in it"),
        '\\' => Some("has a `\\` in it"),
        '?' => Some("has a `?` in it"),
        '#' => Some("has a `#` in it"),
        _ => Some("has a control character in it"),
    }
}

fn with_list(failure: Failure, action: &Action<'_>, param: &Param<'_>) -> Failure {
    failure.next(list(action, param))
}

fn list(action: &Action<'_>, param: &Param<'_>) -> String {
    // The environment of a call is listed by an action of its own domain, whatever the call itself is about.
    let domain = if param.name == "environmentId" { "environment" } else { action.domain_name() };
    let own = format!("{domain}.list");
    let list = action.related.iter().find(|id| **id == own).or_else(|| action.related.iter().find(|id| id.ends_with(".list")));
    let list = if param.name == "environmentId" { own.as_str() } else { list.map_or(own.as_str(), |id| id.as_ref()) };
    format!("Use an id as the API gives it, not a name with a path: `{list}` lists valid ones.")
}
