//! Every operation is routed, takes its sample and answers as declared.

use callslip_sandbox::{Access, Kind, Operation, Options, Sandbox, Seed, operations};
use reqwest::Method;
use serde_json::Value;

use crate::{Test, client};

#[tokio::test]
async fn answers_as_declared() {
    let test = Test::new().await;
    let token = test.sandbox.session_token();
    let mut wrong = Vec::new();
    for operation in operations() {
        test.sandbox.reset();
        test.sandbox.clear();
        if operation.kind == Kind::Socket {
            continue;
        }
        let sample = operation.sample();
        let path = &sample.path;
        let method = Method::from_bytes(sample.method.as_bytes()).unwrap();
        let mut request = test.client.request(method, format!("{}/api{path}", test.sandbox.url())).query(&sample.query);
        // Some take nothing but a fresh proof beside the session.
        request = request.header("x-step-up-token", "t");
        request = match operation.access {
            Access::Session => request.bearer_auth(&token),
            Access::Any => request.header("x-api-key", test.sandbox.api_key()),
            Access::Public => request,
        };
        if let Some(kind) = &sample.content_type {
            request = request.header("content-type", kind);
        }
        if operation.id == "streamClient" {
            let mut response = request.send().await.unwrap();
            assert_eq!(response.status(), 200);
            assert!(response.chunk().await.unwrap().is_some());
            continue;
        }
        let response = request.body(sample.body).send().await.unwrap();
        let status = response.status().as_u16();
        let kind = response.headers().get("content-type").map(|value| value.to_str().unwrap().to_owned());
        let body = response.text().await.unwrap();
        if status != operation.status {
            wrong.push(format!("{} {} {}: {status} {body}", operation.id, sample.method, path));
            continue;
        }
        let logged = test.sandbox.requests();
        let last = logged.last().unwrap();
        assert_eq!((last.operation, last.status), (Some(operation.id.as_str()), status));
        inspect(operation, kind.as_deref(), &body, &mut wrong);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The form of an answer, after its status.
fn inspect(operation: &'static Operation, kind: Option<&str>, body: &str, wrong: &mut Vec<String>) {
    match operation.kind {
        Kind::Object | Kind::Paginated | Kind::List => {
            assert_eq!(kind, Some("application/json"), "{}", operation.id);
            let value: Value = serde_json::from_str(body).unwrap();
            let mut misfits = operation.misfits(&value);
            // Real servers send it, their document does not say so.
            misfits.retain(|misfit| !misfit.contains("maxImageUploadSize"));
            if !misfits.is_empty() {
                wrong.push(format!("{}: {}", operation.id, misfits.join("; ")));
            }
            if operation.kind == Kind::Paginated {
                assert!(value["data"].is_array() && value["pagination"]["totalItems"].is_u64(), "{}: {value}", operation.id);
            }
        }
        Kind::Stream => assert!(body.ends_with("{\"done\":true}\n"), "{}: {body}", operation.id),
        Kind::Empty => assert!(body.is_empty()),
        Kind::Binary | Kind::Text | Kind::Socket => {
            assert!(!body.is_empty(), "{}", operation.id);
        }
    }
}

#[tokio::test]
async fn the_same_every_time() {
    let mut first = String::new();
    for round in 0..2 {
        let test = Test::new().await;
        let mut all = String::new();
        for operation in operations().iter().filter(|operation| operation.method == "GET" && operation.path.len() < 60) {
            if matches!(operation.kind, Kind::Socket | Kind::Stream) {
                continue;
            }
            let response = test.send("GET", &operation.sample().path, None).await;
            all.push_str(&String::from_utf8_lossy(&response.bytes().await.unwrap()));
        }
        if round == 0 {
            first = all;
        } else {
            assert!(first == all);
        }
    }
}

#[tokio::test]
async fn rows_as_many_as_asked_for() {
    let test = Test::seeded(Seed::Rows(500)).await;
    for operation in operations().iter().filter(|operation| operation.kind == Kind::Paginated && operation.method == "GET") {
        let path = operation.sample().path;
        let value = test.get(&format!("{path}?limit=-1")).await;
        assert!(value["pagination"]["totalItems"].as_u64().unwrap() >= 500, "{}: {}", operation.id, value["pagination"]);
    }
}

#[tokio::test]
async fn a_fresh_host_has_null_lists() {
    let test = Test::seeded(Seed::Empty).await;
    let value = test.get("/environments/0/containers").await;
    assert_eq!(value["data"], Value::Null);
    assert_eq!(value["pagination"]["totalItems"], 0);
    assert!(value["pagination"].get("grandTotalItems").is_none());
}

#[tokio::test]
async fn base_path_and_the_end() {
    let sandbox = Sandbox::start(Options { base_path: "/ops/".to_owned(), ..Options::default() }).await.unwrap();
    let url = sandbox.url();
    assert!(url.ends_with("/ops"));
    let client = client();
    let health = client.get(format!("{url}/api/health")).send().await.unwrap();
    assert_eq!(health.status(), 200);
    let page = client.get(format!("{url}/health")).send().await.unwrap().text().await.unwrap();
    assert!(page.starts_with("<!doctype html>"));
    assert!(sandbox.open_connections() > 0);
    drop(sandbox);
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    assert!(client.get(format!("{url}/api/health")).send().await.is_err());
}
