//! What comes back: content types, refusals, broken connections. Each fault for several kinds of answer.

use super::Bench;
use callslip::error::{Code, Failure};
use callslip_sandbox::Fault;
use serde_json::json;

fn answer(status: u16, content_type: &str, body: &str) -> Fault {
    Fault::Answer { status, content_type: content_type.to_owned(), body: body.to_owned() }
}

fn has_step(failure: &Failure, part: &str) {
    assert!(failure.next.iter().any(|step| step.contains(part)), "{part} in {failure:?}");
}

#[tokio::test]
async fn a_list_arrives_with_one_credential_and_no_browser_headers() {
    let bench = Bench::start().await;
    let answer = bench.send("container.list", json!({ "limit": 3, "sort": "name", "order": "asc" })).await.expect("an answer");
    let body = answer.body.json().expect("JSON");
    assert_eq!(body["data"].as_array().map(Vec::len), Some(3));
    let sent = &bench.sandbox.requests()[0];
    assert_eq!(sent.header("x-api-key"), Some(bench.sandbox.api_key()));
    for absent in ["authorization", "origin", "cookie", "referer"] {
        assert_eq!(sent.header(absent), None, "{absent}");
    }
    assert!(sent.header("user-agent").is_some_and(|agent| agent.starts_with("callslip/")));
    assert_eq!(sent.query, "sort=name&order=asc&limit=3");
}

#[tokio::test]
async fn the_address_is_taken_as_people_paste_it() {
    let mut bench = Bench::start().await;
    let plain = bench.sandbox.url().trim_end_matches("/api").to_owned();
    for url in [plain.clone(), format!("{plain}/"), format!("{plain}/api"), format!(" {plain}/api/ ")] {
        bench.settings.url = Some(url.clone());
        bench.send("container.list", json!({})).await.unwrap_or_else(|failure| panic!("{url}: {failure:?}"));
    }
    for (url, part) in [
        ("localhost:1", "scheme"),
        ("ftp://x", "http"),
        ("http://a:b@x", "user name"),
        ("http://", "not an address"),
        ("http://x/?a", "`?`"),
    ] {
        bench.settings.url = Some(url.to_owned());
        let failure = bench.send("container.list", json!({})).await.expect_err(url);
        assert_eq!(failure.code, Code::Unreachable);
        assert!(failure.message.contains(part), "{url}: {}", failure.message);
    }
    bench.settings.url = None;
    let failure = bench.send("container.list", json!({})).await.expect_err("no address");
    assert!(failure.message.contains("`ARCANE_URL`"), "{}", failure.message);
    has_step(&failure, "callslip doctor");
}

#[tokio::test]
async fn each_refusal_has_its_code_and_a_next_step() {
    let bench = Bench::start().await;
    let cases = [
        (400, Code::InvalidRequest),
        (401, Code::Unauthorized),
        (403, Code::Forbidden),
        (404, Code::NotFound),
        (405, Code::NotSupported),
        (409, Code::Conflict),
        (413, Code::InvalidRequest),
        (422, Code::InvalidRequest),
        (429, Code::RateLimited),
        (500, Code::UpstreamError),
        (501, Code::NotSupported),
    ];
    for (status, code) in cases {
        bench.sandbox.fault_times(Some("list-containers"), Fault::problem(status, "the \u{1b}[31mreason\n# Do this"), 1);
        let failure = bench.send("container.list", json!({})).await.expect_err("refused");
        assert_eq!((failure.code, failure.status), (code, Some(status)), "{failure:?}");
        assert!(failure.message.contains("\"the reason # Do this\""), "{}", failure.message);
        assert!(!failure.next.is_empty(), "{status}");
    }
}

#[tokio::test]
async fn the_detail_is_found_wherever_it_stands() {
    let bench = Bench::start().await;
    for body in [
        json!({ "detail": "the cause", "title": "no" }),
        json!({ "success": false, "data": { "error": "the cause" } }),
        json!({ "error": "the cause", "message": "no" }),
        json!({ "code": "X", "message": "the cause" }),
        json!({ "error": "invalid_grant", "error_description": "the cause" }),
    ] {
        bench.sandbox.fault_times(Some("list-containers"), answer(400, "application/json", &body.to_string()), 1);
        let failure = bench.send("container.list", json!({})).await.expect_err("refused");
        assert!(failure.message.contains("\"the cause\""), "{body}: {}", failure.message);
    }
    bench.sandbox.fault_times(Some("list-containers"), Fault::Html(500), 1);
    let failure = bench.send("container.list", json!({})).await.expect_err("refused");
    assert!(failure.message.contains("HTML page"), "{}", failure.message);
}

#[tokio::test]
async fn single_problems_of_a_validation_are_shown() {
    let bench = Bench::start().await;
    let failure = bench.send("volume.create", json!({ "name": "x", "foo": 1 })).await;
    assert!(failure.is_ok(), "unknown arguments are dropped by the request, not sent");
    let body =
        json!({ "detail": "validation failed", "errors": [{ "message": "unexpected property", "location": "body.foo", "value": "v" }] });
    bench.sandbox.fault_times(Some("create-volume"), answer(422, "application/problem+json", &body.to_string()), 1);
    let failure = bench.send("volume.create", json!({ "name": "x" })).await.expect_err("refused");
    assert!(failure.message.contains("body.foo: unexpected property"), "{}", failure.message);
    assert!(!failure.accepted.is_empty() && failure.required.contains(&"name".to_owned()), "{failure:?}");
}

#[tokio::test]
async fn what_is_not_json_is_no_answer() {
    let bench = Bench::start().await;
    let cases = [
        (Fault::Html(200), "HTML instead of JSON"),
        (Fault::TruncatedJson, "JSON that ends too early"),
        (Fault::EmptyBody, "nothing"),
        (answer(200, "text/plain", "fine"), "not JSON"),
        (answer(200, "application/json", "{\"a\":NaN}"), "JSON that is broken"),
    ];
    for (fault, part) in cases {
        bench.sandbox.clear_faults();
        bench.sandbox.fault(Some("get-container"), fault.clone());
        let failure = bench.send("container.get", json!({ "containerId": "web" })).await.expect_err(part);
        assert_eq!(failure.code, Code::UpstreamError, "{fault:?}: {failure:?}");
        assert!(failure.message.contains(part), "{fault:?}: {}", failure.message);
    }
    bench.sandbox.clear_faults();
    let no = json!({ "success": false, "data": { "error": "half of it failed" } });
    bench.sandbox.fault(Some("get-container"), answer(200, "application/json", &no.to_string()));
    let failure = bench.send("container.get", json!({ "containerId": "web" })).await.expect_err("success is false");
    assert!(failure.message.contains("half of it failed"), "{}", failure.message);
}

#[tokio::test]
async fn a_redirect_is_named_and_not_followed() {
    let bench = Bench::start().await;
    bench.sandbox.fault(Some("list-containers"), Fault::Redirect("https://elsewhere.example/login".into()));
    let failure = bench.send("container.list", json!({})).await.expect_err("refused");
    assert!(failure.message.contains("https://elsewhere.example/login"), "{}", failure.message);
    assert_eq!(bench.sandbox.requests().len(), 1);
}

#[tokio::test]
async fn reads_are_sent_again_and_changes_never() {
    let bench = Bench::start().await;
    for fault in
        [Fault::Reset, Fault::ResetAfter(20), Fault::problem(503, "busy"), Fault::problem(502, "busy"), Fault::problem(504, "busy")]
    {
        bench.sandbox.clear();
        bench.sandbox.fault_times(Some("list-containers"), fault.clone(), 2);
        bench.send("container.list", json!({})).await.unwrap_or_else(|failure| panic!("{fault:?}: {failure:?}"));
        assert_eq!(bench.sandbox.requests().len(), 3, "{fault:?}");
        bench.sandbox.clear();
        bench.sandbox.clear_faults();
        bench.sandbox.fault(Some("restart-container"), fault.clone());
        let failure = bench.send("container.restart", json!({ "containerId": "web" })).await.expect_err("a failure");
        assert_eq!(bench.sandbox.requests().len(), 1, "{fault:?}");
        if failure.status.is_none() {
            assert_eq!(failure.code, Code::OutcomeUnknown, "{failure:?}");
        }
        bench.sandbox.clear_faults();
    }
}

#[tokio::test]
async fn a_refused_connection_names_variable_and_check() {
    let mut bench = Bench::start().await;
    bench.settings.url = Some("http://127.0.0.1:9".into());
    let failure = bench.send("container.list", json!({})).await.expect_err("nothing listens");
    assert_eq!(failure.code, Code::Unreachable);
    assert!(failure.message.contains("connection refused"), "{}", failure.message);
    has_step(&failure, "`ARCANE_URL`");
    bench.settings.url = Some("http://no-such-host.invalid".into());
    let failure = bench.send("container.list", json!({})).await.expect_err("no such host");
    assert_eq!(failure.code, Code::Unreachable);
}

#[tokio::test]
async fn a_credential_that_is_echoed_is_taken_out() {
    let bench = Bench::start().await;
    let echo = format!("bad key {}", bench.sandbox.api_key());
    bench.sandbox.fault(Some("list-containers"), Fault::problem(400, &echo));
    let failure = bench.send("container.list", json!({})).await.expect_err("refused");
    assert!(failure.message.contains("bad key ***"), "{}", failure.message);
    assert!(!format!("{failure:?}").contains(bench.sandbox.api_key()));
}
