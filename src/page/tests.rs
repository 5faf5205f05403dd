//! Pages of every style, and answers that do not keep to it.

use super::{Page, is_cut_here, prepare, turn};
use crate::sample::{self, Build};
use callslip_catalog::model::{Action, Kind, Place};
use serde_json::{Map, Value, json};

fn list() -> Action<'static> {
    sample::action("thing.list").list(&["id"], &[("id", "integer")])
}

fn arguments(action: &Action<'_>, given: &Value) -> Map<String, Value> {
    let mut arguments = given.as_object().cloned().unwrap_or_default();
    prepare(&sample::api(), action, &mut arguments);
    arguments
}

fn page(action: &Action<'_>, given: &Value, body: &Value, rows: std::ops::Range<u64>) -> Page {
    turn(&sample::api(), action, &arguments(action, given), body, rows.map(Value::from).collect())
}

fn total(total: u64) -> Value {
    json!({"pagination": {"totalItems": total}})
}

#[test]
fn a_page_size_and_a_stable_sort_are_sent() {
    let mut action = list().paged(0).param("sort", Place::Query, false, &json!({"type": "string"}));
    action.returns.sort = "name".into();
    assert_eq!(Value::Object(arguments(&action, &json!({}))), json!({"sort": "name", "limit": 25}));
    let given = json!({"sort": "id", "limit": 7, "start": 3});
    assert_eq!(Value::Object(arguments(&action, &given)), given);
    // Newest first, where the list says so; what the caller gives wins.
    let mut newest = action.clone().param("order", Place::Query, false, &json!({"type": "string"}));
    newest.returns.order = "desc".into();
    assert_eq!(Value::Object(arguments(&newest, &json!({}))), json!({"sort": "name", "order": "desc", "limit": 25}));
    assert_eq!(arguments(&newest, &json!({"order": "asc"}))["order"], "asc");
    // Nothing is added to what is no list, nor to a list that the API does not page.
    assert!(arguments(&sample::action("thing.get"), &json!({})).is_empty());
    assert!(arguments(&list(), &json!({})).is_empty());
    // An API with a lower bound is not asked for more than it gives.
    let small = list().paged(1);
    let mut small = small;
    small.params[1].schema = r#"{"type":"integer","maximum":10}"#.into();
    assert_eq!(arguments(&small, &json!({}))["limit"], 10);
}

#[test]
fn an_offset_goes_on_by_the_rows_received() {
    let action = list().paged(0);
    for (given, body, rows, next, line) in [
        (json!({}), total(80), 0..25, Some(25), "25 item(s) — 80 total, page 1 of 4"),
        (json!({"start": 75}), total(80), 0..5, None, "5 item(s) — 80 total, page 4 of 4"),
        (json!({"limit": 500}), total(350), 0..100, Some(100), "100 item(s) — 350 total, page 1 of 4"),
        (json!({"limit": 500, "start": 300}), total(350), 0..50, None, "50 item(s) — 350 total, rows 301 to 350"),
        (json!({}), json!({}), 0..25, Some(25), "25 item(s) — more follow"),
        (json!({}), json!({}), 0..3, None, "3 item(s)"),
        (json!({}), total(0), 0..0, None, "0 item(s) — 0 total"),
        // Past the end: never an endless walk.
        (json!({"start": 100}), total(80), 0..0, None, "0 item(s) — 80 total"),
    ] {
        let page = page(&action, &given, &body, rows);
        assert_eq!(page.next, next.map(|next: u64| ("start".to_owned(), next.into())), "{given}");
        assert_eq!(page.count_line(), line, "{given}");
    }
    let block = page(&action, &json!({}), &total(80), 0..25).block();
    assert_eq!(block, Some(json!({"has_more": true, "total": 80, "start": 25, "next": {"start": 25}})));
    assert_eq!(page(&action, &json!({}), &total(3), 0..3).block(), Some(json!({"has_more": false, "total": 3})));
}

#[test]
fn a_server_that_ignores_paging_is_cut() {
    let action = list().paged(0);
    let first = page(&action, &json!({"limit": 10}), &json!({}), 0..32);
    assert_eq!((first.rows.len(), first.total, first.next), (10, Some(32), Some(("start".into(), 10.into()))));
    let last = page(&action, &json!({"limit": 10, "start": 30}), &total(32), 0..32);
    assert_eq!((last.rows, last.next), (vec![30.into(), 31.into()], None));
    // It has its own smallest page.
    let more = page(&action, &json!({"limit": 5}), &total(90), 0..20);
    assert_eq!((more.rows.len(), more.next), (5, Some(("start".into(), 5.into()))));
}

#[test]
fn pages_have_numbers() {
    let action = list().paged(1);
    for (given, body, rows, next) in [
        (json!({}), json!({"total": 60}), 0..25, Some(2)),
        (json!({"page": 3}), json!({"total": 60}), 0..10, None),
        (json!({"page": 2, "limit": 500}), json!({"total": 350, "limit": 100}), 0..100, Some(3)),
        (json!({"page": 2}), json!({"data": {"total": 60}}), 0..25, Some(3)),
        (json!({}), json!({}), 0..25, Some(2)),
        (json!({}), json!({}), 0..24, None),
        (json!({"page": 9}), json!({"total": 60}), 0..0, None),
    ] {
        let page = page(&action, &given, &body, rows);
        assert_eq!(page.next, next.map(|next: u64| ("page".to_owned(), next.into())), "{given} {body}");
    }
    assert_eq!(page(&action, &json!({"page": 2}), &json!({"total": 60}), 0..25).count_line(), "25 item(s) — 60 total, page 2 of 3");
}

#[test]
fn a_cursor_is_handed_on_as_it_came() {
    let action = list().paged(2);
    let next = |body: Value| page(&action, &json!({}), &body, 0..25).next;
    assert_eq!(next(json!({"meta": {"next": "abc"}})), Some(("cursor".into(), "abc".into())));
    assert_eq!(next(json!({"data": {"meta": {"next": 7}}})), Some(("cursor".into(), 7.into())));
    for none in [json!({}), json!({"meta": {"next": null}}), json!({"meta": {"next": ""}}), json!({"meta": 5}), json!([])] {
        assert_eq!(next(none), None);
    }
}

#[test]
fn a_list_without_pages_is_cut_and_continued_by_our_cursor() {
    let action = list();
    let mut seen = Vec::new();
    let mut given = json!({"limit": 30});
    loop {
        let page = page(&action, &given, &json!({}), 0..80);
        assert_eq!(page.total, Some(80));
        seen.extend(page.rows);
        let Some((name, value)) = page.next else { break };
        given[name] = value;
    }
    assert_eq!(seen, (0..80).map(Value::from).collect::<Vec<_>>());
    assert_eq!(page(&action, &json!({}), &json!({}), 0..80).rows.len(), 25);
    assert!(page(&action, &json!({"cursor": "900"}), &json!({}), 0..80).rows.is_empty());
}

#[test]
fn a_list_with_a_limit_of_its_own_is_asked_for_what_is_skipped_too() {
    let action = list().param("limit", Place::Query, false, &json!({"type": "integer", "default": 50}));
    assert!(is_cut_here(&action));
    assert_eq!(arguments(&action, &json!({}))["limit"], 25);
    let first = page(&action, &json!({}), &json!({}), 0..25);
    assert_eq!((first.rows.len(), first.total, first.next.clone()), (25, None, Some(("cursor".into(), "25".into()))));
    assert_eq!(arguments(&action, &json!({"cursor": "25"}))["limit"], 50);
    let last = page(&action, &json!({"cursor": "25"}), &json!({}), 0..40);
    assert_eq!((last.rows.len(), last.total, last.next), (15, Some(40), None));
}

#[test]
fn a_list_that_a_write_answers_with_is_never_cut() {
    let action = list().kind(Kind::Write);
    let page = page(&action, &json!({}), &json!({}), 0..80);
    assert_eq!((page.rows.len(), page.block()), (80, None));
}

#[test]
fn a_total_below_the_rows_received_is_not_repeated() {
    assert_eq!(page(&list().paged(0), &json!({}), &total(1), 0..2).total, None);
    assert_eq!(page(&list().paged(1), &json!({"page": 2}), &json!({"total": 20}), 0..5).count_line(), "5 item(s)");
}
