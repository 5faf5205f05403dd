//! Arguments to request. Pure: the arguments are checked already, nothing is read and nothing is sent.

use super::{Mask, Request, body, path, shown};
use crate::error::{Code, Failure};
use callslip_catalog::model::{Action, Api, Fill, Param, Place};
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The request of an action with these arguments.
pub fn build(api: &Api<'_>, action: &Action<'_>, arguments: &Map<String, Value>) -> Result<Request, Failure> {
    let mut query = Vec::new();
    let mut headers = Vec::new();
    for param in &action.params {
        let Some(value) = value(param, arguments) else { continue };
        match param.place {
            Place::Query => query_values(api.repeat_arrays, &param.wire, &value, &mut query),
            Place::Header => headers.push(header(param, &value)?),
            _ => {}
        }
    }
    let path::Built { sent, shown } = path::build(api, action, arguments)?;
    let body = body::build(action, arguments)?;
    Ok(Request { method: action.method, path: sent, query, headers, body, mask: mask(action, arguments, shown) })
}

/// What is sent for a parameter: the argument, else its fill; `None`: nothing.
pub(super) fn value<'a>(param: &Param<'_>, arguments: &'a Map<String, Value>) -> Option<Cow<'a, Value>> {
    if let Some(value) = arguments.get(&*param.name) {
        // A null is sent only where the API takes it to mean something; elsewhere it stands for "not given".
        let meant = matches!(param.place, Place::Body | Place::Whole | Place::JsonPart(_));
        if !value.is_null() || meant {
            return Some(Cow::Borrowed(value));
        }
    }
    match &param.fill {
        Fill::Nothing => None,
        Fill::Json(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        Fill::Option { default, .. } if default.is_empty() => None,
        Fill::Option { default, .. } => Some(Cow::Owned(Value::from(default.as_ref()))),
    }
}

/// A scalar as it stands in a path, a query, a form or a header.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn query_values(repeat: bool, wire: &str, value: &Value, query: &mut Vec<(String, String)>) {
    match value {
        Value::Array(items) if repeat => query.extend(items.iter().map(|item| (wire.to_owned(), plain(item)))),
        Value::Array(items) if items.is_empty() => {}
        Value::Array(items) => {
            let joined = items.iter().map(plain).collect::<Vec<_>>().join(",");
            query.push((wire.to_owned(), joined));
        }
        Value::Null => {}
        other => query.push((wire.to_owned(), plain(other))),
    }
}

fn header(param: &Param<'_>, value: &Value) -> Result<(String, String), Failure> {
    let text = plain(value);
    if text.chars().any(|letter| letter.is_control() || !letter.is_ascii()) {
        let message = format!("`{}` is sent as a header: only printable ASCII characters can be in it.", param.name);
        return Err(Failure::new(Code::InvalidArguments, message));
    }
    Ok((param.wire.to_string(), text))
}

fn mask(action: &Action<'_>, arguments: &Map<String, Value>, path: String) -> Mask {
    let secret = || action.params.iter().filter(|param| param.secret);
    let mut texts: Vec<String> =
        secret().filter_map(|param| arguments.get(&*param.name)).flat_map(shown::texts).filter(|text| text.len() >= 6).collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    Mask { names: secret().map(|param| param.wire.to_string()).collect(), by_name: action.secret_params, path, texts }
}
