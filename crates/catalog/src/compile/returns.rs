//! The `returns` of an action → [`Returns`].

use super::action::qualified;
use super::api::Root;
use super::reader::Table;
use crate::model::{Field, Returns, Shape, Text};

/// Reads it; an action without it is a problem.
pub fn read(table: &Table<'_>, domain: &str, api: &Root) -> Returns<'static> {
    let mut returns = Returns {
        shape: Shape::Object,
        fields: Vec::new(),
        columns: Vec::new(),
        item: Text::default(),
        items: Text::default(),
        paging: None,
        sort: Text::default(),
        order: Text::default(),
        bare: false,
        content_type: Text::default(),
    };
    let Some(inner) = table.table("returns", format!("`returns` of {}", table.what())) else {
        table.problem(format!("{} has no `returns`; state the shape of its result", table.what()));
        return returns;
    };
    let text = |key: &str| inner.text(key).map(|placed| placed.text).unwrap_or_default();
    returns.shape = inner.need_choice("kind", &Shape::NAMES, "say what shape the result has").unwrap_or(Shape::Object);
    returns.fields = fields(&inner);
    returns.columns = inner.texts("columns").into_iter().map(|column| column.text.into()).collect();
    returns.item = qualified(domain, &text("item"));
    returns.items = text("items").into();
    returns.sort = text("sort").into();
    returns.order = inner.choice("order", &[("asc", "asc"), ("desc", "desc")]).unwrap_or_default().into();
    if !returns.order.is_empty() && returns.sort.is_empty() {
        inner.problem_at(inner.place("order"), "`order` stands beside `sort`, the column it orders by");
    }
    returns.bare = inner.flag("bare").unwrap_or_default();
    returns.content_type = text("type").into();
    if let Some(style) = inner.text("paging") {
        let number = api.api.paging.iter().position(|paging| paging.name == style.text);
        if number.is_none() {
            inner.problem_at(style.at, format!("paging style {:?} is not in catalog.toml", style.text));
        }
        returns.paging = number.and_then(|number| u16::try_from(number).ok());
    }
    inner.finish(&["kind", "fields", "columns", "item", "items", "paging", "sort", "order", "bare", "type"]);
    for column in &returns.columns {
        if !returns.fields.iter().any(|field| field.name == *column) {
            inner.problem(format!("column `{column}` is not among the fields of {}", table.what()));
        }
    }
    if returns.shape == Shape::List && returns.columns.is_empty() && !returns.fields.is_empty() {
        inner.problem(format!("{} is a list without `columns`; name the fields that identify an item", table.what()));
    }
    returns
}

fn fields(returns: &Table<'_>) -> Vec<Field<'static>> {
    const KINDS: [&str; 7] = ["string", "integer", "number", "boolean", "object", "array", "any"];
    let Some(table) = returns.table("fields", "fields") else { return Vec::new() };
    let mut fields = Vec::new();
    for (name, kind) in table.values() {
        let kind = kind.as_str().unwrap_or_default().to_owned();
        if !KINDS.contains(&kind.as_str()) {
            table.problem_at(name.at, format!("field `{}` has no known type; choose one of {}", name.text, KINDS.join(", ")));
        }
        fields.push(Field { name: name.text.into(), kind: kind.into() });
    }
    fields
}
