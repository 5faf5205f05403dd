//! Related actions, the action behind a row of a list, and the columns of lists.

use super::{catalog, each_action, find};
use callslip_catalog::model::{Kind, Method, Shape};

#[test]
fn related_actions_are_two_to_five_and_said_on_both_sides() {
    each_action(|action, breach| {
        if !(2..=5).contains(&action.related.len()) {
            breach(format!("{} related actions", action.related.len()));
        }
        for id in &action.related {
            if find(id).is_none_or(|other| !other.related.contains(&action.id)) {
                breach(format!("`{id}` does not name it in turn"));
            }
            if action.related.iter().filter(|other| *other == id).count() > 1 {
                breach(format!("`{id}` stands twice"));
            }
        }
    });
}

#[test]
fn lists_name_the_columns_that_identify_an_item() {
    each_action(|action, breach| {
        let returns = &action.returns;
        if returns.shape == Shape::List {
            let known = !returns.fields.is_empty();
            if known && !(2..=7).contains(&returns.columns.len()) && returns.columns.len() != returns.fields.len() {
                breach(format!("{} columns", returns.columns.len()));
            }
        } else if !returns.columns.is_empty() || !returns.item.is_empty() || !returns.sort.is_empty() {
            breach("columns, item or sort, but it is no list".into());
        }
    });
}

#[test]
fn lists_name_the_action_that_returns_one_item_whole() {
    each_action(|action, breach| {
        if action.returns.shape != Shape::List || action.method != Method::Get {
            return;
        }
        let one = format!("{}/{{", action.path);
        let whole = catalog().actions.iter().find(|other| {
            other.method == Method::Get
                && other.returns.shape == Shape::Object
                && other.path.strip_prefix(&one).is_some_and(|rest| rest.ends_with('}') && !rest.contains('/'))
        });
        if let Some(whole) = whole
            && action.returns.item.is_empty()
        {
            breach(format!("`{}` returns one item; name it as `item`", whole.id));
        }
        if let Some(item) = find(&action.returns.item)
            && item.kind != Kind::Read
        {
            breach(format!("its item `{}` is not a read", item.id));
        }
    });
}

#[test]
fn paged_lists_are_sorted_so_that_pages_do_not_overlap() {
    each_action(|action, breach| {
        if action.param("sort").is_none() || action.returns.shape != Shape::List || !action.returns.sort.is_empty() {
            return;
        }
        // Running ones first, whatever the column: this list has an order of its own.
        if action.id != "activity.list" {
            breach("can be sorted, but states no `sort`".into());
        }
    });
}
