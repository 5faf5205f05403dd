//! What came of a list, and where it goes on.

use super::{DEFAULT, Window, is_cut_here, number, style};
use callslip_catalog::model::{Action, Api, Paging, PagingStyle};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// One page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T = Value> {
    /// The rows of this page.
    pub rows: Vec<T>,
    /// How many rows are before it, where that is known.
    pub first: Option<u64>,
    /// Rows a page has.
    pub size: u64,
    /// Rows in all, where the answer says.
    pub total: Option<u64>,
    /// Parameter and value that ask for the next page; none: this is the last.
    pub next: Option<(String, Value)>,
    /// The list is shown in pages at all.
    pub paged: bool,
}

impl<T> Page<T> {
    /// The same page of other rows.
    pub fn with<U>(self, rows: impl FnOnce(Vec<T>) -> Vec<U>) -> Page<U> {
        let Self { rows: given, first, size, total, next, paged } = self;
        Page { rows: rows(given), first, size, total, next, paged }
    }

    /// The `paging` block of the structured channel. The value to pass stands under the parameter's own name, and once more in `next`, the
    /// object that can be merged into the parameters as it is.
    pub fn block(&self) -> Option<Value> {
        if !self.paged {
            return None;
        }
        let mut block = Map::new();
        block.insert("has_more".into(), self.next.is_some().into());
        if let Some(total) = self.total {
            block.insert("total".into(), total.into());
        }
        if let Some((name, value)) = &self.next {
            block.insert(name.clone(), value.clone());
            block.insert("next".into(), json!({ name: value }));
        }
        Some(block.into())
    }

    /// `3 item(s) — 12 total, page 1 of 4`.
    pub fn count_line(&self) -> String {
        let mut line = format!("{} item(s)", self.rows.len());
        let Some(total) = self.total else {
            if self.next.is_some() {
                line.push_str(" — more follow");
            }
            return line;
        };
        let _ = write!(line, " — {total} total");
        let Some(first) = self.first.filter(|first| self.size > 0 && *first < total) else { return line };
        // Between two page borders (a server's smaller pages, an offset of the caller's choice) a page number would be wrong.
        if first % self.size == 0 {
            let _ = write!(line, ", page {} of {}", first / self.size + 1, total.div_ceil(self.size));
        } else {
            let _ = write!(line, ", rows {} to {}", first + 1, first + self.rows.len() as u64);
        }
        line
    }
}

/// The page in an answer. `body` is the whole answer, `rows` the list found in it, `arguments` what was asked.
pub fn turn<T>(api: &Api<'_>, action: &Action<'_>, arguments: &Map<String, Value>, body: &Value, rows: Vec<T>) -> Page<T> {
    match style(api, action) {
        Some(paging) => asked(api, paging, arguments, body, rows),
        None if is_cut_here(action) => cut(action, arguments, rows),
        None => Page { size: rows.len() as u64, rows, first: None, total: None, next: None, paged: false },
    }
}

/// A page that the API made.
fn asked<T>(api: &Api<'_>, paging: &Paging<'_>, arguments: &Map<String, Value>, body: &Value, mut rows: Vec<T>) -> Page<T> {
    let given = |name: &str| arguments.get(name).and_then(number);
    let limit = given(&paging.limit).unwrap_or(DEFAULT).max(1);
    let total = at(api, body, &paging.total).and_then(Value::as_u64);
    let received = rows.len() as u64;
    let (first, next) = match &paging.style {
        PagingStyle::Offset { start } => {
            let first = given(start).unwrap_or_default();
            if received > limit && total.is_none_or(|total| total <= received) {
                return ignored(start, first, limit, rows);
            }
            truncate(&mut rows, limit);
            let end = first + rows.len() as u64;
            // A server may give fewer rows than asked for and have more: only the total tells, and only the rows received count.
            let more = !rows.is_empty() && total.map_or(received >= limit, |total| end < total);
            (Some(first), more.then(|| (start.to_string(), end.into())))
        }
        PagingStyle::Page { page } => {
            let number = given(page).unwrap_or(1).max(1);
            // The size the server really used, where it says so.
            let size = at(api, body, &paging.limit).and_then(Value::as_u64).filter(|size| *size > 0).unwrap_or(limit);
            let first = (number - 1).saturating_mul(size);
            let more = received > 0 && total.map_or(received >= size, |total| first + received < total);
            let total = believable(total, first, received);
            return Page {
                rows,
                first: Some(first),
                size,
                total,
                next: more.then(|| (page.to_string(), (number + 1).into())),
                paged: true,
            };
        }
        PagingStyle::Cursor { cursor, next } => {
            let value = at(api, body, next).filter(|value| match value {
                Value::String(text) => !text.is_empty(),
                Value::Number(_) => true,
                _ => false,
            });
            (None, value.map(|value| (cursor.to_string(), value.clone())))
        }
    };
    let total = believable(total, first.unwrap_or_default(), rows.len() as u64);
    // A server that clamps has smaller pages than asked for; the last page may be short for another reason.
    let size = if next.is_some() { (rows.len() as u64).max(1) } else { limit };
    Page { rows, first, size, total, next, paged: true }
}

/// A total that is less than what came is no total.
fn believable(total: Option<u64>, first: u64, received: u64) -> Option<u64> {
    total.filter(|total| received == 0 || *total >= first + received)
}

/// The API gave the whole list whatever was asked: it is cut as one that knows no pages, in the API's own words.
fn ignored<T>(start: &str, first: u64, limit: u64, rows: Vec<T>) -> Page<T> {
    slice(start, Window { first, rows: limit }, rows, Value::from)
}

/// A list the API answers at once, cut here.
fn cut<T>(action: &Action<'_>, arguments: &Map<String, Value>, rows: Vec<T>) -> Page<T> {
    if action.param("limit").is_none() {
        return slice("cursor", Window::of(arguments), rows, |end| end.to_string().into());
    }
    let window = Window::of_widened(arguments);
    let received = rows.len() as u64;
    let full = received == window.first + window.rows;
    let mut page = slice("cursor", window, rows, |end| end.to_string().into());
    if full {
        // As many as asked for: how many there are, the answer does not say.
        page.total = None;
        page.next = Some(("cursor".into(), received.to_string().into()));
    }
    page
}

fn slice<T>(name: &str, window: Window, rows: Vec<T>, cursor: impl Fn(u64) -> Value) -> Page<T> {
    let total = rows.len() as u64;
    let first = usize::try_from(window.first).unwrap_or(usize::MAX);
    let size = usize::try_from(window.rows).unwrap_or(usize::MAX);
    let rows: Vec<_> = rows.into_iter().skip(first).take(size).collect();
    let end = window.first + rows.len() as u64;
    let next = (!rows.is_empty() && end < total).then(|| (name.to_owned(), cursor(end)));
    Page { rows, first: Some(window.first), size: window.rows, total: Some(total), next, paged: true }
}

fn truncate<T>(rows: &mut Vec<T>, limit: u64) {
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
}

/// The value at a dotted path of the answer, inside the envelope or beside it.
fn at<'v>(api: &Api<'_>, body: &'v Value, path: &str) -> Option<&'v Value> {
    if path.is_empty() {
        return None;
    }
    let walk = |value: &'v Value| path.split('.').try_fold(value, |value, name| value.get(name));
    walk(body).or_else(|| walk(body.get(&*api.envelope.as_ref()?.data)?))
}
