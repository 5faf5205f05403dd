//! A list: a line that counts, a line that leads on, and a table of what identifies and describes.

use super::columns::{self, Columns};
use super::{Context, MOST_TEXT, Shown, free_name, table};
use crate::fence::{self, Sieve};
use crate::page::{self, Page};
use crate::rows::Row;
use crate::untrusted;
use callslip_catalog::model::PagingStyle;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Most rows of a table.
const MOST_ROWS: usize = 50;

/// Most names of left-out fields in a note.
const MOST_NAMES: usize = 40;

/// Shows a page of a list, and what the upstream says beside it.
pub fn show(context: Context<'_>, mut page: Page<Row<'_>>, extras: Map<String, Value>) -> Shown {
    let Context { action, call, .. } = context;
    let hidden = context.sieve.map_or(0, |sieve| sift(sieve, &mut page.rows));
    let objects = !page.rows.is_empty() && page.rows.iter().all(Row::is_object);
    let columns =
        if objects { columns::choose(action, &call.own.fields, &page.rows) } else { Columns { shown: Vec::new(), left_out: Vec::new() } };
    let page = page.with(|rows| match objects {
        true => rows.iter().map(|row| columns::pick_row(row, &columns.shown)).collect(),
        false => rows.into_iter().map(Row::whole).collect(),
    });

    let mut shown = Shown { head: page.count_line(), ..Shown::default() };
    shown.notes.extend((hidden > 0).then(|| fence::note(hidden)));
    if let Some((name, value)) = &page.next {
        // A cursor is upstream text too.
        let _ = write!(shown.head, "\nNext page: {}, everything else as before.", untrusted::quote(&format!("{name}: {value}"), 2_000));
    }
    if !columns.left_out.is_empty() {
        shown.notes.push(left_out(context, &columns.left_out));
    }

    let table = if objects {
        table::of_objects(&columns.shown, &page.rows, MOST_ROWS, MOST_TEXT / 2)
    } else {
        table::of_values(&page.rows, MOST_ROWS, MOST_TEXT / 2)
    };
    shown.body = table.text;
    if table.rows < page.rows.len() {
        // The structured channel has them all, but not every client shows it to its model.
        let _ = write!(shown.body, "\n{}\n", read_on(context, &page, table.rows));
    }
    let block = page.block();
    if !page.rows.is_empty() {
        shown.untrusted.push("items".into());
    }
    shown.structured.insert("items".into(), page.rows.into());
    shown.structured.extend(block.map(|block| ("paging".into(), block)));
    show_extras(&mut shown, extras);
    shown
}

/// Takes out what may not be seen.
fn sift(sieve: Sieve<'_>, rows: &mut Vec<Row<'_>>) -> usize {
    let mut whole = std::mem::take(rows).into_iter().map(Row::whole).collect();
    let hidden = sieve.rows(&mut whole);
    rows.extend(whole.into_iter().map(Row::from));
    hidden
}

fn left_out(context: Context<'_>, names: &[String]) -> String {
    let mut note = format!("Left out of each item: {}", columns::named(names.iter().take(MOST_NAMES).map(String::as_str)));
    if names.len() > MOST_NAMES {
        let _ = write!(note, " and {} more", names.len() - MOST_NAMES);
    }
    let item = &context.action.returns.item;
    if item.is_empty() || !(context.offered)(item) {
        note.push_str(". `fields` picks others.");
    } else {
        let _ = write!(note, ". `{item}` shows a whole item, `fields` picks others.");
    }
    note
}

/// How to see in the text the rows that the table has no room for.
fn read_on(context: Context<'_>, page: &Page<Value>, rows: usize) -> String {
    let all = page.rows.len();
    let shown = format!("{rows} of these {all} rows are in the text; `structuredContent` has all of them.");
    let arguments = &context.call.arguments;
    let first = page.first.unwrap_or_default() + rows as u64;
    match page::style(context.api, context.action) {
        Some(paging) => match &paging.style {
            PagingStyle::Offset { start } => format!("{shown} To read on: `{start}: {first}`, `{}: {rows}`.", paging.limit),
            PagingStyle::Page { page } if arguments.get(&**page).is_none_or(|page| page == 1) => {
                format!("{shown} To read on: `{page}: 2`, `{}: {rows}`.", paging.limit)
            }
            PagingStyle::Page { .. } | PagingStyle::Cursor { .. } => {
                format!("{shown} Ask with `{}: {rows}` for pages that fit.", paging.limit)
            }
        },
        None if page.paged => format!("{shown} To read on: `cursor: \"{first}\"`, `limit: {rows}`."),
        None => shown,
    }
}

/// What the upstream says beside the rows, small things in the text too.
fn show_extras(shown: &mut Shown, extras: Map<String, Value>) {
    let mut lines = String::new();
    for (name, value) in extras {
        if value.is_null() {
            continue;
        }
        lines.push_str(&super::object::line(&name, &value));
        let name = free_name(&shown.structured, &name);
        shown.structured.insert(name, value);
    }
    if !lines.is_empty() {
        shown.body.push_str(if shown.body.is_empty() { "" } else { "\n" });
        shown.body.push_str("Beside the rows:\n\n");
        shown.body.push_str(&lines);
    }
}
