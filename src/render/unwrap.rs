//! The useful part of a JSON answer: out of its envelope, rows found where the catalog says.
//!
//! Servers of other versions wrap what was bare and the reverse, leave blocks out, or answer `null` for an empty list; all of that is
//! read as what it means.

use callslip_catalog::model::{Action, Api, Envelope, PagingStyle, Shape};
use serde_json::{Map, Value};

/// What an answer holds.
#[derive(Debug, PartialEq)]
pub struct Found {
    /// An array for a list, else whatever came.
    pub data: Value,
    /// What stands beside the rows of a list: counts, groups, limits.
    pub extras: Map<String, Value>,
}

/// Takes an answer apart. What is useful is moved out, since an answer may be large; in `body` stays what stands around its lists.
pub fn unwrap(api: &Api<'_>, action: &Action<'_>, body: &mut Value) -> Found {
    let envelope = api.envelope.as_ref().filter(|envelope| is_wrapped(envelope, action, body));
    let place = match envelope {
        Some(envelope) => body.get_mut(&*envelope.data),
        None => Some(&mut *body),
    };
    let data = place.map_or(Value::Null, |place| {
        let data = place.take();
        if action.returns.shape == Shape::List {
            *place = without_lists(&data);
        }
        data
    });
    if action.returns.shape != Shape::List {
        let mut data = data;
        if let Some(object) = data.as_object_mut() {
            object.shift_remove("$schema");
        }
        return Found { data, extras: Map::new() };
    }
    let mut extras = envelope.map_or_else(Map::new, |envelope| beside(envelope, body));
    let data = match data {
        Value::Null => Value::Array(Vec::new()),
        Value::Object(object) => rows_inside(action, object, &mut extras),
        Value::Array(rows) => Value::Array(rows),
        scalar => Value::Array(vec![scalar]),
    };
    drop_paging(api, action, &mut extras);
    extras.shift_remove("$schema");
    Found { data, extras }
}

/// What stands beside the rows of a list whose rows have been taken out; `None`: the list is no list of rows, but a field of some thing.
pub fn around(api: &Api<'_>, action: &Action<'_>, body: &Value) -> Option<Map<String, Value>> {
    let mut extras = match body {
        Value::Array(_) => Map::new(),
        _ => beside(api.envelope.as_ref().filter(|envelope| is_wrapped(envelope, action, body))?, body),
    };
    drop_paging(api, action, &mut extras);
    extras.shift_remove("$schema");
    Some(extras)
}

/// The members of an envelope that are none of its own.
fn beside(envelope: &Envelope<'_>, body: &Value) -> Map<String, Value> {
    let own = [&*envelope.data, &*envelope.success];
    let others = body.as_object().into_iter().flatten().filter(|(name, _)| !own.contains(&name.as_str()));
    others.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// A value with its lists emptied: where it goes on may be said beside them.
fn without_lists(value: &Value) -> Value {
    match value {
        Value::Array(_) => Value::Array(Vec::new()),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), without_lists(value))).collect::<Map<_, _>>().into(),
        scalar => scalar.clone(),
    }
}

/// Whether the answer stands in the envelope.
fn is_wrapped(envelope: &Envelope<'_>, action: &Action<'_>, body: &Value) -> bool {
    let Some(members) = body.as_object() else { return false };
    let has_success = !envelope.success.is_empty() && members.contains_key(&*envelope.success);
    if !members.contains_key(&*envelope.data) {
        // `{"success": true}` alone says that it was done and nothing else.
        return has_success && members.len() == 1 && !action.returns.bare;
    }
    // An object may have a field of the envelope's name; then only the other mark of the envelope tells.
    let is_field = action.returns.fields.iter().any(|field| field.name == envelope.data);
    has_success || !is_field
}

/// The rows of a list that stand inside an object, the rest of which are extras.
fn rows_inside(action: &Action<'_>, mut object: Map<String, Value>, extras: &mut Map<String, Value>) -> Value {
    let mut names = action.returns.items.split('.').filter(|name| !name.is_empty()).peekable();
    let mut rows = None;
    if names.peek().is_some() {
        let mut inner = &mut object;
        while let Some(name) = names.next() {
            if names.peek().is_none() {
                rows = inner.shift_remove(name);
                break;
            }
            match inner.get_mut(name).and_then(Value::as_object_mut) {
                Some(next) => inner = next,
                None => break,
            }
        }
    }
    if rows.is_none() {
        let mut lists = object.iter().filter(|(_, value)| value.is_array()).map(|(name, _)| name.clone());
        if let (Some(only), None) = (lists.next(), lists.next()) {
            rows = object.shift_remove(&only);
        }
    }
    match rows {
        Some(Value::Array(rows)) => {
            extras.extend(object);
            Value::Array(rows)
        }
        Some(_) => {
            extras.extend(object);
            Value::Array(Vec::new())
        }
        // Nothing at all is no row.
        None if object.is_empty() => Value::Array(Vec::new()),
        // One thing where a list was expected: it is the list.
        None => Value::Array(vec![object.into()]),
    }
}

/// The paging block is shown as ours.
fn drop_paging(api: &Api<'_>, action: &Action<'_>, extras: &mut Map<String, Value>) {
    let Some(paging) = action.returns.paging.and_then(|number| api.paging.get(usize::from(number))) else { return };
    let style = match &paging.style {
        PagingStyle::Offset { start } => [&**start, ""],
        PagingStyle::Page { page } => [&**page, ""],
        PagingStyle::Cursor { cursor, next } => [&**cursor, &**next],
    };
    for path in [&*paging.total, &*paging.limit, style[0], style[1]] {
        extras.shift_remove(path.split('.').next().unwrap_or_default());
    }
}
