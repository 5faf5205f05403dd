//! Searching, filtering, sorting and paging as Arcane does it, with its two kinds of lists: those kept in memory have
//! no upper bound, those in the database are clamped without a word.

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::{call::Call, reply::Reply};

/// The default of `limit`, and the bound of database lists.
const DEFAULT_LIMIT: usize = 20;
const DATABASE_BOUND: usize = 100;

/// One page.
pub(crate) struct Page {
    pub rows: Value,
    pub pagination: Value,
}

/// Applies everything the query says to all rows.
pub(crate) fn page(call: &Call, mut rows: Vec<Value>) -> Page {
    let everything = rows.len();
    if let Some(search) = call.query("search") {
        let wanted = search.to_lowercase();
        rows.retain(|row| mentions(row, &wanted));
    }
    filter(call, &mut rows);
    match call.query("sort") {
        Some(column) => {
            rows.sort_by(|left, right| compare(cell(left, column), cell(right, column)));
            if call.query("order") == Some("desc") {
                rows.reverse();
            }
        }
        None if call.switches.unstable_order && !rows.is_empty() => {
            let by = call.turn * 7 % rows.len();
            rows.rotate_left(by);
        }
        None => {}
    }
    let total = rows.len();
    let start = call.query("start").and_then(|text| text.parse().ok()).unwrap_or(0_usize);
    let limit = limit(call).unwrap_or(total);
    let page: Vec<Value> = rows.into_iter().skip(start).take(limit).collect();
    let mut pagination = json!({
        "totalPages": total.div_ceil(limit.max(1)).max(1),
        "totalItems": total,
        "currentPage": start / limit.max(1) + 1,
        "itemsPerPage": limit,
    });
    if everything > 0 {
        pagination["grandTotalItems"] = json!(everything);
    }
    // An empty host says `null` where a list is meant.
    let rows = if everything == 0 { Value::Null } else { Value::Array(page) };
    Page { rows, pagination }
}

/// Rows per page; `None` is all of them.
fn limit(call: &Call) -> Option<usize> {
    let Some(asked) = call.query("limit").and_then(|text| text.parse::<i64>().ok()) else {
        return Some(DEFAULT_LIMIT);
    };
    let place = call.operation.place();
    let within = |word: &str| place.starts_with(word);
    let database = within("/images/builds") || within("/images/patch") || place.contains("/backups");
    let zero_is_all = within("/containers") || within("/networks") || within("/ports") || within("/swarm");
    let memory = zero_is_all || within("/images") || within("/volumes") || within("/vulnerabilities");
    match usize::try_from(asked) {
        Err(_) if memory && !database => None,
        Ok(0) if zero_is_all => None,
        Ok(0) | Err(_) => Some(DEFAULT_LIMIT),
        Ok(limit) if memory && !database => Some(limit),
        Ok(limit) => Some(limit.min(DATABASE_BOUND)),
    }
}

/// Filters are extra query names that the rows have as properties; several values are separated by commas.
fn filter(call: &Call, rows: &mut Vec<Value>) {
    const PAGING: [&str; 5] = ["search", "sort", "order", "start", "limit"];
    for (name, value) in call.query.iter().filter(|(name, value)| !PAGING.contains(&name.as_str()) && !value.is_empty()) {
        let declared = call.operation.parameters.iter().any(|parameter| parameter.name == *name);
        if !declared || !rows.iter().any(|row| row.get(name).is_some()) {
            continue;
        }
        rows.retain(|row| {
            let have: Vec<String> = match row.get(name) {
                Some(Value::Array(list)) => list.iter().map(|item| plain(item.get("name").unwrap_or(item))).collect(),
                Some(value) => vec![plain(value)],
                None => Vec::new(),
            };
            value.split(',').any(|wanted| have.iter().any(|have| wanted.eq_ignore_ascii_case(have)))
        });
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn mentions(value: &Value, wanted: &str) -> bool {
    match value {
        Value::String(text) => text.to_lowercase().contains(wanted),
        Value::Array(list) => list.iter().any(|item| mentions(item, wanted)),
        _ => value.as_object().is_some_and(|map| {
            // Labels, mounts and settings are not searched.
            map.iter().any(|(_, item)| matches!(item, Value::String(_) | Value::Array(_)) && mentions(item, wanted))
        }),
    }
}

/// The value of a column; containers have `names` where other rows have `name`.
fn cell<'row>(row: &'row Value, column: &str) -> Option<&'row Value> {
    row.get(column).or_else(|| row.get(format!("{column}s"))?.get(0))
}

fn compare(left: Option<&Value>, right: Option<&Value>) -> Ordering {
    match (left, right) {
        (Some(Value::String(left)), Some(Value::String(right))) => {
            left.to_lowercase().cmp(&right.to_lowercase()).then_with(|| left.cmp(right))
        }
        (Some(Value::Number(left)), Some(Value::Number(right))) => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal),
        (Some(Value::Bool(left)), Some(Value::Bool(right))) => left.cmp(right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

/// A paginated answer with extra members beside the rows.
pub(crate) fn reply(call: &Call, rows: Vec<Value>, extras: &[(&str, Value)]) -> Reply {
    let page = page(call, rows);
    let mut body = json!({ "success": true, "data": page.rows });
    for (name, value) in extras {
        body[*name] = value.clone();
    }
    body["pagination"] = page.pagination;
    Reply::json(200, &body)
}
