//! Lists in pages: what is asked for, what came, and how to go on.
//!
//! Every list is shown in pages of 25 rows unless the caller says otherwise, 500 at most. An API that pages is asked in its own words.
//! One that answers everything at once is cut here, and continued by `limit` and `cursor`: two words of ours that stand among the
//! parameters of such an action (as those of the API do elsewhere), are never sent, and are read again when the answer is shown. Only
//! reading actions are cut: to continue one is to run it again.

mod turn;

#[cfg(test)]
mod tests;

pub use turn::{Page, turn};

use callslip_catalog::model::{Action, Api, Kind, Paging, PagingStyle, Shape};
use serde_json::{Map, Value};

/// Rows of a page when the caller does not say.
pub const DEFAULT: u64 = 25;

/// Most rows of a page.
pub const MOST: u64 = 500;

/// Our own paging words.
pub const OWN: [&str; 2] = ["limit", "cursor"];

/// The paging style of an action, where the API pages it.
pub fn style<'a>(api: &'a Api<'_>, action: &Action<'_>) -> Option<&'a Paging<'a>> {
    api.paging.get(usize::from(action.returns.paging?))
}

/// Whether the list is cut here, since the API answers it at once.
pub fn is_cut_here(action: &Action<'_>) -> bool {
    action.returns.shape == Shape::List
        && action.returns.paging.is_none()
        && action.kind == Kind::Read
        // An own cursor of the API that no style describes: it would be taken for ours.
        && action.param("cursor").is_none()
}

/// Our own paging words that the action takes beside its parameters.
pub fn own_names(action: &Action<'_>) -> &'static [&'static str] {
    match (is_cut_here(action), action.param("limit").is_some()) {
        (false, _) => &[],
        (true, true) => &OWN[1..],
        (true, false) => &OWN,
    }
}

/// The lines that tell of them.
pub fn own_params(action: &Action<'_>) -> Vec<&'static str> {
    own_names(action)
        .iter()
        .map(
            |name| {
                if *name == "limit" { "limit: integer, default 25; most 500" } else { "cursor: string; from `paging` of the page before" }
            },
        )
        .collect()
}

/// The parameter with the number of rows, whose bounds are ours to say.
pub fn limit_name<'a>(api: &'a Api<'_>, action: &Action<'_>) -> Option<&'a str> {
    match style(api, action) {
        Some(paging) => Some(&*paging.limit).filter(|limit| action.param(limit).is_some()),
        None => is_cut_here(action).then_some("limit"),
    }
}

/// Completes checked arguments: a page size where the caller gave none, the sort without which pages overlap, and its order.
/// Called once, between the check and the request; the same arguments are read again when the answer is shown.
pub fn prepare(api: &Api<'_>, action: &Action<'_>, arguments: &mut Map<String, Value>) {
    if action.returns.shape != Shape::List {
        return;
    }
    for (name, value) in [("sort", &action.returns.sort), ("order", &action.returns.order)] {
        if !value.is_empty() && action.param(name).is_some() {
            arguments.entry(name).or_insert_with(|| value.to_string().into());
        }
    }
    let Some(limit) = limit_name(api, action) else { return };
    let most = action.param(limit).and_then(|param| serde_json::from_str::<Value>(&param.schema).ok()?["maximum"].as_u64()).unwrap_or(MOST);
    if style(api, action).is_some() {
        arguments.entry(limit).or_insert_with(|| DEFAULT.min(most).into());
    } else if action.param("limit").is_some() {
        // The API bounds this list but cannot skip: to show the rows after the cursor, those before it are asked for too.
        let asked = Window::of(arguments);
        arguments.insert("limit".into(), (asked.first + asked.rows).min(most).into());
    }
}

/// The part of a list that is shown, where it is cut here.
#[derive(Debug, Clone, Copy)]
struct Window {
    first: u64,
    rows: u64,
}

impl Window {
    fn of(arguments: &Map<String, Value>) -> Self {
        let given = |name: &str| arguments.get(name).and_then(number);
        Self { first: given("cursor").unwrap_or_default().min(u64::from(u32::MAX)), rows: given("limit").unwrap_or(DEFAULT).clamp(1, MOST) }
    }

    /// The window of arguments that [`prepare`] has widened for a list with a `limit` of its own.
    fn of_widened(arguments: &Map<String, Value>) -> Self {
        let first = Self::of(arguments).first;
        let asked = arguments.get("limit").and_then(number).unwrap_or(first + DEFAULT);
        Self { first, rows: asked.saturating_sub(first).clamp(1, MOST) }
    }
}

/// Refuses a page of no rows or of too many, and a cursor that is none of ours.
pub fn check_bounds(api: &Api<'_>, action: &Action<'_>, arguments: &Map<String, Value>, problems: &mut Vec<String>) {
    let Some(limit) = limit_name(api, action) else { return };
    let own = is_cut_here(action);
    if let Some(value) = arguments.get(limit) {
        let fits = number(value).is_some_and(|rows| (1..=MOST).contains(&rows));
        // A wrong type of a declared parameter is the schema's to say.
        if !fits && (own || value.is_i64() || value.is_u64()) {
            problems.push(format!("`{limit}` must be a whole number from 1 to {MOST}; {}.", way_on(api, action)));
        }
    }
    if own && arguments.get("cursor").is_some_and(|value| number(value).is_none()) {
        problems.push("`cursor` must be the one that `paging` of the page before gave.".into());
    }
}

fn way_on(api: &Api<'_>, action: &Action<'_>) -> String {
    let word = match style(api, action).map(|paging| &paging.style) {
        Some(PagingStyle::Offset { start }) => start,
        Some(PagingStyle::Page { page }) => page,
        Some(PagingStyle::Cursor { cursor, .. }) => cursor,
        None => "cursor",
    };
    format!("go on with `{word}`")
}

/// A number, also one in quotes: our own words are not in the schema, so nothing has repaired them.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
