//! Arguments as models really send them, each with what becomes of it.

use super::{Checked, Given, check, nearest, object};
use crate::error::{Code, Failure};
use crate::sample::{self, Build};
use callslip_catalog::model::{Action, Fill, Kind, Place};
use serde_json::{Value, json};

fn run(action: &Action<'_>, arguments: Value) -> Result<Checked, Failure> {
    let Value::Object(arguments) = arguments else { panic!("the arguments of a test are an object") };
    check(&sample::api(), action, arguments, &|_| None)
}

fn accepted(action: &Action<'_>, arguments: Value) -> (Value, String) {
    let checked = run(action, arguments).unwrap_or_else(|failure| panic!("refused: {}", failure.message));
    (Value::Object(checked.arguments), checked.notes.join(" "))
}

fn refused(action: &Action<'_>, arguments: Value) -> String {
    match run(action, arguments) {
        Ok(checked) => panic!("accepted: {checked:?}"),
        Err(failure) => {
            assert_eq!(failure.code, Code::InvalidArguments);
            failure.message
        }
    }
}

/// An action with a parameter of every kind.
fn every_kind(kind: Kind) -> Action<'static> {
    sample::action("thing.change")
        .kind(kind)
        .param("thingId", Place::Path, true, &json!({"type": "string"}))
        .param("count", Place::Query, false, &json!({"type": "integer", "minimum": 1, "maximum": 9}))
        .param("ratio", Place::Query, false, &json!({"type": "number"}))
        .param("force", Place::Query, false, &json!({"type": "boolean"}))
        .param("mode", Place::Query, false, &json!({"type": "string", "enum": ["fast", "slow"]}))
        .param("names", Place::Body, false, &json!({"type": "array", "items": {"type": "string"}}))
        .param("ports", Place::Body, false, &json!({"type": "array", "items": {"type": "integer"}}))
        .param("labels", Place::Body, false, &json!({"type": "object", "additionalProperties": {"type": "string"}}))
        .param("free", Place::Body, false, &json!({"type": "object"}))
        .param("until", Place::Body, false, &json!({"type": "string", "format": "date-time"}))
        .param(
            "syncs",
            Place::Body,
            false,
            &json!({"type": "array", "minItems": 1, "items": {"type": "object", "required": ["branch"],
                "properties": {"branch": {"type": "string", "minLength": 1}, "depth": {"type": "integer"}}}}),
        )
}

#[test]
fn the_slash_before_the_name_of_a_container_is_no_part_of_it() {
    let action = every_kind(Kind::Write);
    let (arguments, note) = accepted(&action, json!({"thingId": "/web"}));
    assert_eq!(arguments, json!({"thingId": "web"}));
    assert!(note.contains("`thingId` began with a slash"), "{note}");
    for wrong in ["/", "//web", "/a/b", "a/b"] {
        assert!(refused(&action, json!({ "thingId": wrong })).contains("has a `/` in it"), "{wrong}");
    }
    let hint = refused(&every_kind(Kind::Destructive), json!({"thingId": "/web"}));
    assert!(hint.contains("`thingId` begins with a slash; leave it out."), "{hint}");
}

#[test]
fn clear_slips_are_repaired_and_said() {
    let action = every_kind(Kind::Write);
    for (given, meant) in [
        (json!({"count": "5"}), json!({"count": 5})),
        (json!({"count": 5.0}), json!({"count": 5})),
        (json!({"labels": {"a": 1}}), json!({"labels": {"a": "1"}})),
        (json!({"ratio": "0.5"}), json!({"ratio": 0.5})),
        (json!({"force": "true"}), json!({"force": true})),
        (json!({"names": "web"}), json!({"names": ["web"]})),
        (json!({"names": "[\"web\",\"db\"]"}), json!({"names": ["web", "db"]})),
        (json!({"ports": 80}), json!({"ports": [80]})),
        (json!({"ports": "80"}), json!({"ports": [80]})),
        (json!({"ports": ["80", 81]}), json!({"ports": [80, 81]})),
        (json!({"labels": "{\"a\":\"b\"}"}), json!({"labels": {"a": "b"}})),
        (json!({"count": null}), json!({})),
        (json!({"syncs": {"branch": "main"}}), json!({"syncs": [{"branch": "main"}]})),
        (json!({"syncs": [{"branch": "main", "depth": "3"}]}), json!({"syncs": [{"branch": "main", "depth": 3}]})),
        (json!({"syncs": [{"branch": "main", "depth": null}]}), json!({"syncs": [{"branch": "main"}]})),
    ] {
        let mut given = given;
        let mut meant = meant;
        given["thingId"] = "web".into();
        let (arguments, notes) = accepted(&action, given.clone());
        meant["thingId"] = "web".into();
        assert_eq!(arguments, meant, "{given}");
        assert!(!notes.is_empty(), "{given}");
        let message = refused(&every_kind(Kind::Destructive), given.clone());
        assert!(message.contains("must be") || message.contains("leave it out"), "{given}: {message}");
    }
}

#[test]
fn right_arguments_pass_untouched_without_a_note() {
    let given = json!({"thingId": "web", "count": 3, "free": {"a": null, "b": [1, {"c": "5"}]}, "until": "2026-01-31T12:00:00Z"});
    for kind in [Kind::Read, Kind::Write, Kind::Destructive] {
        assert_eq!(accepted(&every_kind(kind), given.clone()), (given.clone(), String::new()));
    }
}

#[test]
fn what_is_wrong_is_named_by_its_place() {
    let action = every_kind(Kind::Write);
    for (given, said) in [
        (json!({"count": "five"}), "`count` must be an integer, not a string."),
        (json!({"count": 0}), "`count` must be at least 1."),
        (json!({"count": 10}), "`count` must be at most 9."),
        (json!({"count": "007"}), "`count` must be an integer"),
        (json!({"thingId": 1.5}), "`thingId` must be a string, not a number; write it in quotes."),
        (json!({"mode": "fest"}), "`mode` must be one of `fast`, `slow`; did you mean `fast`?"),
        (json!({"force": 1}), "`force` must be a boolean, not an integer."),
        (json!({"labels": {"a": 1.5}}), "`labels.a` must be a string"),
        (json!({"syncs": []}), "`syncs` must have at least one item."),
        (json!({"syncs": [{"branch": ""}]}), "`syncs[0].branch` must not be empty."),
        (json!({"syncs": [{}]}), "`syncs[0].branch` is missing."),
        (json!({"syncs": [{"brnch": "x"}]}), "`syncs[0].brnch` is unknown; did you mean `branch`?"),
        (json!({"until": "tomorrow"}), "`until` must be a date and time with a zone"),
        (json!({"conut": 5}), "`conut` is not a parameter; did you mean `count`?"),
        (json!({"zzz": 5}), "`zzz` is not a parameter."),
        (json!({"confirm": true}), "`confirm` stands beside the parameters"),
        (json!({"fields": ["id"]}), "`fields` stands beside the parameters"),
        (json!({"x`\u{202e}\n# y": 5}), "`x' # y` is not a parameter."),
    ] {
        let mut given = given;
        if given.get("thingId").is_none() {
            given["thingId"] = "web".into();
        }
        let message = refused(&action, given.clone());
        assert!(message.contains(said), "{given}: {message}");
    }
}

#[test]
fn all_problems_come_at_once_with_what_is_accepted() {
    let failure = run(&every_kind(Kind::Write), json!({"count": "x", "mode": 1, "nmaes": []})).expect_err("three problems");
    for said in ["`thingId` is missing", "`count`", "`mode`", "`nmaes`"] {
        assert!(failure.message.contains(said), "{}", failure.message);
    }
    assert_eq!(failure.required, ["thingId"]);
    assert_eq!(failure.accepted.len(), 11);
    assert!(failure.accepted[0].starts_with("thingId: string, required"));
}

#[test]
fn a_spelling_variant_of_the_one_missing_id_is_taken_for_it() {
    let action = every_kind(Kind::Write);
    for name in ["id", "thing_id", "ThingID", "thing-id"] {
        let (arguments, notes) = accepted(&action, json!({ name: "web" }));
        assert_eq!(arguments, json!({"thingId": "web"}));
        assert!(notes.contains("was taken for `thingId`"), "{notes}");
        assert!(refused(&every_kind(Kind::Destructive), json!({ name: "web" })).contains("is called `thingId` here"));
    }
    // The id is there already, or two names fight for it, or it is not an id.
    assert!(refused(&action, json!({"thingId": "web", "thing_id": "db"})).contains("did you mean `thingId`?"));
    assert!(refused(&action, json!({"id": "web", "thing_id": "db"})).contains("is missing"));
    assert!(refused(&action, json!({"id": {"a": 1}})).contains("`thingId`"));
    assert!(refused(&action, json!({"thingId": "web", "Count": 1})).contains("did you mean `count`?"));
}

#[test]
fn two_missing_ids_leave_a_bare_id_ambiguous() {
    let action = every_kind(Kind::Write).param("networkId", Place::Body, true, &json!({"type": "string"}));
    assert!(refused(&action, json!({"id": "web"})).contains("did you mean `thingId` or `networkId`?"));
    let (arguments, _) = accepted(&action, json!({"thing_id": "web", "network_id": "lan"}));
    assert_eq!(arguments, json!({"thingId": "web", "networkId": "lan"}));
}

#[test]
fn a_repair_that_makes_a_call_destructive_is_refused() {
    let action = every_kind(Kind::Write).destroys_when("force", &json!(true)).destroys_when("count", &json!(5));
    assert!(refused(&action, json!({"thingId": "web", "force": "true"})).contains("`force` must be a boolean, not a string"));
    assert!(refused(&action, json!({"thingId": "web", "count": 5.0})).contains("`count` must be an integer"));
    assert_eq!(accepted(&action, json!({"thingId": "web", "force": "false"})).0["force"], false);
}

#[test]
fn params_come_as_object_nothing_or_text() {
    assert_eq!(object("params", None), Ok(Given::default()));
    assert_eq!(object("params", Some(Value::Null)), Ok(Given::default()));
    let given = object("params", Some(json!("{\"thingId\": \"web\"}"))).expect("an object in a string");
    assert!(given.as_text);
    let checked = check(&sample::api(), &every_kind(Kind::Write), given.clone(), &|_| None).expect("repaired");
    assert!(checked.notes[0].contains("JSON string"));
    assert!(check(&sample::api(), &every_kind(Kind::Destructive), given, &|_| None).is_err());
    for wrong in [json!([]), json!(5), json!(true), json!("x"), json!("[1]")] {
        assert_eq!(object("params", Some(wrong)).expect_err("no object").code, Code::InvalidArguments);
    }
}

#[test]
fn an_option_fills_what_it_stands_for() {
    let option = || Fill::Option { option: "environment".into(), default: "0".into() };
    let action = sample::action("thing.list").param("environmentId", Place::Path, false, &json!({"type": "string"})).filled(option());
    let run = |arguments: Value, value: Option<&str>| {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        check(&sample::api(), &action, arguments, &|name| (name == "environment").then(|| value.map(str::to_owned)).flatten())
    };
    assert_eq!(run(json!({}), None).expect("default").arguments["environmentId"], "0");
    assert_eq!(run(json!({}), Some("7")).expect("option").arguments["environmentId"], "7");
    assert_eq!(run(json!({"environmentId": "9"}), Some("7")).expect("given").arguments["environmentId"], "9");
    assert!(run(json!({"environment": "9"}), None).expect_err("wrong name").message.contains("did you mean `environmentId`?"));
    let bare = sample::action("thing.list")
        .param("environmentId", Place::Path, false, &json!({"type": "string"}))
        .filled(Fill::Option { option: "environment".into(), default: "".into() });
    assert!(refused(&bare, json!({})).contains("--environment"));
}

#[test]
fn masked_values_are_never_written() {
    let action = sample::action("thing.update")
        .kind(Kind::Write)
        .param("token", Place::Body, false, &json!({"type": "string"}))
        .param("key", Place::Body, true, &json!({"type": "string"}))
        .param("filled", Place::Body, false, &json!({"type": "string"}))
        .filled(Fill::Json("\"\"".into()))
        .param("config", Place::Body, false, &json!({"type": "object"}));
    let mask = "XXXXXXXXXX";
    let (arguments, notes) = accepted(&action, json!({"key": "k", "token": mask}));
    assert_eq!(arguments, json!({"key": "k"}));
    assert!(notes.contains("`token` held the mask"), "{notes}");
    for (given, said) in [
        (json!({"key": mask}), "`key` holds the mask"),
        (json!({"key": "k", "filled": mask}), "`filled` holds the mask"),
        (json!({"key": "k", "config": {"a": [{"b": "********"}]}}), "`config.a[0].b` holds the mask"),
    ] {
        assert!(refused(&action, given).contains(said));
    }
    assert!(refused(&action.clone().kind(Kind::Destructive), json!({"key": "k", "token": mask})).contains("leave it out"));
    // A search for such text is no write.
    assert_eq!(accepted(&action.kind(Kind::Read), json!({"key": mask})).0, json!({"key": mask}));
}

#[test]
fn a_page_has_from_one_to_five_hundred_rows() {
    let paged = sample::action("thing.list").list(&["id"], &[("id", "string")]).paged(0);
    let whole = sample::action("thing.all").list(&["id"], &[("id", "string")]);
    for limit in [json!(0), json!(-1), json!(501)] {
        assert!(refused(&paged, json!({"limit": limit})).contains("from 1 to 500; go on with `start`"));
        assert!(refused(&whole, json!({"limit": limit})).contains("from 1 to 500; go on with `cursor`"));
    }
    assert_eq!(accepted(&paged, json!({"limit": 500})).0, json!({"limit": 500}));
    assert_eq!(accepted(&whole, json!({"limit": 5, "cursor": "25"})).0, json!({"limit": 5, "cursor": "25"}));
    assert!(refused(&whole, json!({"cursor": "next"})).contains("`cursor` must be the one"));
    assert!(refused(&whole, json!({"start": 5})).contains("`start` is not a parameter"));
    // To go on with a write would be to write again.
    assert!(refused(&whole.kind(Kind::Write), json!({"limit": 5})).contains("`limit` is not a parameter"));
}

#[test]
fn the_nearest_name_is_found_in_every_spelling() {
    let known = ["containerId", "environmentId", "limit", "follow"];
    for (given, near) in [("container", "containerId"), ("env", "environmentId"), ("limits", "limit"), ("Follow", "follow")] {
        assert_eq!(nearest(given, known), Some(near));
    }
    assert_eq!(nearest("zzz", known), None);
    assert_eq!(nearest("", known), None);
}
