//! A list: a line that counts, a line that leads on, and a table of what identifies and describes.

use super::cell::Cell;
use super::columns::{self, Columns};
use super::table::Table;
use super::{Context, Shown, free_name};
use crate::fence::{self, Sieve};
use crate::page::{self, Page};
use crate::rows::Row;
use crate::untrusted;
use callslip_catalog::model::PagingStyle;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt::Write;

/// Where the rows stand in the structured channel.
pub const ITEMS: &str = "items";

/// About what a row takes as JSON.
const ROW: usize = 400;

/// Most names of left-out fields in a note.
const MOST_NAMES: usize = 40;

/// Shows a page of a list, and what the upstream says beside it.
pub fn show(context: Context<'_>, mut page: Page<Row<'_>>, extras: Map<String, Value>) -> Shown {
    let Context { action, call, .. } = context;
    let hidden = context.sieve.map_or(0, |sieve| sift(sieve, &mut page.rows));
    let objects = !page.rows.is_empty() && page.rows.iter().all(Row::is_object);
    let columns =
        if objects { columns::choose(action, &call.own.fields, &page.rows) } else { Columns { shown: Vec::new(), left_out: Vec::new() } };
    let names = if objects { columns::present(&page.rows).into_iter().map(str::to_owned).collect() } else { Vec::new() };
    let most = context.most_text / 2;
    let (items, table) = if objects { objects_in(&page.rows, &columns.shown, most) } else { values_in(&page.rows, most) };
    let (text, rows) = table.finish();

    let mut shown = Shown { head: page.count_line(), ..Shown::default() };
    shown.notes.extend((hidden > 0).then(|| fence::note(hidden)));
    if rows < page.rows.len() {
        // One way on, after the last row that is in the text: the page after this one would lose those between.
        let _ = write!(shown.head, "\n{}", read_on(context, &page, rows));
    } else if let Some((name, value)) = &page.next {
        let place = untrusted::quote(&format!("{name}: {value}"), 2_000);
        // A cursor is upstream text too: one that is more than a word has a line of its own.
        let _ = match value {
            Value::String(text) if !untrusted::is_id(text) => write!(shown.head, "\nNext page, everything else as before:\n- {place}"),
            _ => write!(shown.head, "\nNext page: {place}, everything else as before."),
        };
    }
    if !columns.left_out.is_empty() {
        shown.notes.push(left_out(context, &columns.left_out));
    }

    shown.body = text;
    if !page.rows.is_empty() {
        shown.untrusted.push(ITEMS.into());
    }
    shown.structured.insert(ITEMS.into(), Value::Null);
    shown.items = Some(items);
    shown.structured.extend(page.block().map(|block| ("paging".into(), block)));
    show_extras(&mut shown, extras);
    super::tell_strange(context, &names, &mut shown);
    shown
}

/// Objects in both channels, reduced to the shown columns.
fn objects_in(rows: &[Row<'_>], columns: &[String], most: usize) -> (Vec<u8>, Table) {
    let mut table = Table::of_objects(columns, most);
    let keys: Vec<String> = columns.iter().map(|name| format!("{}:", Value::from(name.as_str()))).collect();
    let mut items = Vec::with_capacity(ROW * rows.len().min(100));
    items.push(b'[');
    for row in rows {
        let cells: Vec<_> = columns.iter().map(|name| row.member(name).map(Cell::new)).collect();
        let mut places = Vec::with_capacity(cells.len());
        items.push(b'{');
        for (key, cell) in keys.iter().zip(&cells) {
            let Some(cell) = cell else {
                places.push(0..0);
                continue;
            };
            items.extend_from_slice(key.as_bytes());
            let start = items.len();
            cell.write(&mut items);
            places.push(start..items.len());
            items.push(b',');
        }
        close(&mut items, b'}');
        items.push(b',');
        table.row(columns.iter().zip(&cells).zip(places).map(|((name, cell), place)| match cell {
            Some(cell) => cell.shown(name, &items[place]),
            None => "".into(),
        }));
    }
    close(&mut items, b']');
    (items, table)
}

/// Plain values in both channels.
fn values_in(rows: &[Row<'_>], most: usize) -> (Vec<u8>, Table) {
    let mut table = Table::of_values(most);
    let mut items = vec![b'['];
    for row in rows {
        let cell = Cell::Value(Cow::Owned(row.clone().whole()));
        let start = items.len();
        cell.write(&mut items);
        table.row(std::iter::once(cell.shown("", &items[start..])));
        items.push(b',');
    }
    close(&mut items, b']');
    (items, table)
}

/// Ends an object or a list, in place of the comma after its last part.
fn close(json: &mut Vec<u8>, end: u8) {
    if json.ends_with(b",") {
        json.pop();
    }
    json.push(end);
}

/// Takes out what may not be seen.
fn sift(sieve: Sieve<'_>, rows: &mut Vec<Row<'_>>) -> usize {
    let mut whole = std::mem::take(rows).into_iter().map(Row::whole).collect();
    let hidden = sieve.rows(&mut whole);
    rows.extend(whole.into_iter().map(Row::from));
    hidden
}

fn left_out(context: Context<'_>, names: &[String]) -> String {
    let known: Vec<_> = names.iter().filter_map(|name| columns::known(context.action, name)).take(MOST_NAMES).collect();
    let mut note = String::from("Left out of each item: ");
    match (known.len(), names.len() - known.len()) {
        (0, others) => {
            let _ = write!(note, "{others} field(s), which `fields: [\"*\"]` names");
        }
        (_, 0) => note.push_str(&columns::named(known)),
        (_, others) => {
            let _ = write!(note, "{} and {others} more", columns::named(known));
        }
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
fn read_on(context: Context<'_>, page: &Page<Row<'_>>, rows: usize) -> String {
    let all = page.rows.len();
    // Not every client shows the structured channel to its model.
    let whole = if context.text_only { "" } else { "; `structuredContent` has all of them" };
    let shown = format!("{rows} of these {all} rows are in the text{whole}.");
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
        let marked = !super::object::marked(&Map::from_iter([(name.clone(), value.clone())])).is_empty();
        let name = free_name(&shown.structured, &name);
        shown.untrusted.extend(marked.then(|| name.clone()));
        shown.structured.insert(name, value);
    }
    if !lines.is_empty() {
        shown.body.push_str(if shown.body.is_empty() { "" } else { "\n" });
        shown.body.push_str("Beside the rows:\n\n");
        shown.body.push_str(&lines);
    }
}
