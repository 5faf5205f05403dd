//! Arguments to request: paths that cannot be led astray, queries, every kind of body, and the masked dry look.

use super::build;
use callslip::error::Code;
use callslip::request::{Body, Source};
use serde_json::{Value, json};

#[test]
fn a_colon_stays_and_everything_else_is_encoded() {
    let request = build("image.get", json!({ "imageId": "sha256:ab c%é+" })).expect("a request");
    assert_eq!(request.path, "/api/environments/0/images/sha256:ab%20c%25%C3%A9%2B");
}

#[test]
fn a_segment_that_could_lead_elsewhere_is_refused_with_the_list_to_look_in() {
    for hostile in ["library/nginx", "..", ".", "", "a\\b", "a?b", "a#b", "a\nb", "../../0/system/containers/stop-all#"] {
        let failure = build("image.get", json!({ "imageId": hostile })).expect_err(hostile);
        assert_eq!(failure.code, Code::InvalidArguments, "{hostile}");
        assert!(failure.next.iter().any(|step| step.contains("`image.list`")), "{hostile}: {:?}", failure.next);
    }
    let failure = build("container.list", json!({ "environmentId": "a/b" })).expect_err("refused");
    assert!(failure.next[0].contains("`environment.list`"), "{:?}", failure.next);
}

#[test]
fn fills_are_sent_where_the_api_demands_a_value() {
    let Body::Json(body) = build("registry.update", json!({ "registryId": "1", "description": "x" })).expect("a request").body else {
        panic!("JSON")
    };
    assert_eq!(body["description"], "x");
    assert_eq!(body.get("token"), Some(&Value::Null), "null leaves it as it is");
    let Body::Json(body) = build("template.create", json!({ "name": "a", "content": "b" })).expect("a request").body else {
        panic!("JSON")
    };
    assert_eq!((&body["description"], &body["envContent"]), (&json!(""), &json!("")));
}

#[test]
fn parts_of_a_multipart_body() {
    let arguments = json!({
        "name": "web", "composeContent": "services: {}", "tags": ["a"], "envContent": "A=b",
        "files": ["aGVsbG8=", { "name": "dir/x.txt", "text": "plain" }, { "path": "/srv/files/y.bin" }],
    });
    let request = build("project.create", arguments).expect("a request");
    let shown = request.shown().to_string();
    assert!(!shown.contains("A=b") && shown.contains("\"envContent\":\"***\""), "{shown}");
    let Body::Multipart(parts) = request.body else { panic!("multipart") };
    let names: Vec<_> = parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["project", "manifest", "files", "files", "files"]);
    let Source::Bytes(project) = &parts[0].source else { panic!("bytes") };
    let project: Value = serde_json::from_slice(project).expect("JSON");
    assert_eq!(project["tags"], json!(["a"]));
    assert_eq!(parts[1].source, Source::Bytes(br#"{"fileChanges":[]}"#.to_vec()));
    assert_eq!(parts[2].source, Source::Bytes(b"hello".to_vec()));
    assert_eq!(parts[3].file_name.as_deref(), Some("x.txt"));
    assert_eq!(parts[4].source, Source::File("/srv/files/y.bin".into()));
}

#[test]
fn bad_files_are_refused() {
    for bad in
        [json!("*not base64*"), json!(5), json!({ "name": "x" }), json!({ "path": "a", "text": "b" }), json!({ "text": "a", "foo": 1 })]
    {
        let failure = build("profile.upload_avatar", json!({ "file": bad })).expect_err("refused");
        assert_eq!(failure.code, Code::InvalidArguments);
        assert!(!failure.next.is_empty());
    }
}

#[test]
fn secrets_are_masked_in_the_dry_look() {
    let shown = build("webhook.trigger", json!({ "token": "s3cret-token" })).expect("a request").shown();
    assert_eq!(shown["path"], "/api/webhooks/trigger/***");
    let shown = build("user.create", json!({ "username": "ann", "password": "hunter2hunter2" })).expect("a request").shown().to_string();
    assert!(shown.contains("ann") && !shown.contains("hunter2"), "{shown}");
}

#[test]
fn arrays_in_a_query_are_joined() {
    let request = build("container.list", json!({ "limit": 5, "sort": "name" })).expect("a request");
    assert_eq!(request.query, [("sort".into(), "name".into()), ("limit".into(), "5".into())]);
}

#[test]
fn a_command_is_shown_to_whoever_confirms_it() {
    let request = build("container.exec", json!({ "containerId": "web", "command": "ls /" })).expect("a request");
    assert_eq!(request.shown()["body"], "ls /");
}
