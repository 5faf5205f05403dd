//! Whatever a model sends and whatever a server answers: never a panic, always both channels.

use callslip::answer::{Answer, Content};
use callslip::call::{Call, Own};
use callslip::catalog::Catalog;
use callslip::rows::Rows;
use callslip::{page, params, render};
use callslip_catalog::model::{Action, Shape};
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

static CATALOG: LazyLock<Catalog> = LazyLock::new(|| Catalog::embedded().expect("the catalog"));
static ACTIONS: LazyLock<Vec<Action<'static>>> = LazyLock::new(|| CATALOG.actions().expect("its actions"));

/// Names that mean something somewhere, and others.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(vec![
            "id", "name", "data", "success", "items", "notes", "paging", "untrusted", "pagination", "totalItems", "total", "limit", "start",
            "cursor", "page", "created", "createdAt", "size", "runs", "jobs", "error", "message", "activityId", "$schema", "confirm", "",
        ]).prop_map(str::to_owned),
        1 => ".{0,8}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (1_700_000_000_i64..1_800_000_000).prop_map(Value::from),
        ".{0,20}".prop_map(Value::from),
        prop::sample::select(vec![
            "5",
            "true",
            "[1]",
            "{\"a\":1}",
            "XXXXXXXXXX",
            "2026-01-31T12:00:00Z",
            "0001-01-01T00:00:00Z",
            "\u{1b}[31m",
            "```\n# x"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..6).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Arguments of an action: some of its own names, some others, any values.
fn arguments(action: &'static Action<'static>) -> impl Strategy<Value = Map<String, Value>> {
    let own: Vec<String> = action.params.iter().map(|param| param.name.to_string()).collect();
    let own = if own.is_empty() { name().boxed() } else { prop::sample::select(own).boxed() };
    prop::collection::vec((prop_oneof![5 => own, 1 => name()], value()), 0..6).prop_map(|members| members.into_iter().collect())
}

fn called() -> impl Strategy<Value = (&'static Action<'static>, Map<String, Value>)> {
    (0..ACTIONS.len()).prop_flat_map(|number| (Just(&ACTIONS[number]), arguments(&ACTIONS[number])))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arguments_are_accepted_for_good_or_refused_with_reasons((action, given) in called(), as_text in any::<bool>()) {
        let given = params::Given { arguments: given, as_text, beside: Vec::new() };
        match params::check(CATALOG.api(), action, given, &|_| None) {
            Ok(checked) => {
                // What was repaired is right: it needs no second repair.
                let again = params::check(CATALOG.api(), action, checked.arguments.clone(), &|_| None).expect("accepted before");
                prop_assert_eq!(&again.arguments, &checked.arguments);
                prop_assert!(again.notes.is_empty(), "{:?}", again.notes);
                prop_assert!(checked.notes.is_empty() || !action.destroys(&checked.arguments));
            }
            Err(failure) => {
                prop_assert!(!failure.told().is_empty() && !failure.next.is_empty());
                let shown = render::failure(&failure);
                prop_assert!(shown.is_error && shown.structured.is_object());
            }
        }
    }

    #[test]
    fn any_answer_is_shown((action, arguments) in called(), body in value(), status in prop::sample::select(vec![200_u16, 202, 204])) {
        let mut arguments = arguments;
        page::prepare(CATALOG.api(), action, &mut arguments);
        let call = Call { number: 0, action: action.clone(), arguments, as_text: false, beside: Vec::new(), own: Own::default(), notes: vec!["Repaired.".into()] };
        for body in [body.clone(), json!({ "success": true, "data": body })] {
            let show = |body| render::outcome(render::Setting::of(CATALOG.api()), &call, Answer { status, body, notes: Vec::new() });
            let rows = Rows::find(body.to_string(), "data").ok().filter(|_| action.returns.shape == Shape::List);
            let shown = show(Content::Json(body));
            if let Some(rows) = rows {
                prop_assert_eq!(&show(Content::Rows(rows)), &shown);
            }
            prop_assert!(shown.structured.is_object());
            prop_assert!(!shown.text.is_empty() && shown.text.chars().count() <= render::MOST_TEXT);
            prop_assert!(shown.is_error || shown.text.contains("Repaired."));
        }
    }
}
