//! Lines of JSON, and how they end badly.

use callslip_sandbox::Fault;
use serde_json::json;

use crate::Test;

async fn pull(test: &Test, name: &str) -> Vec<String> {
    let response = test.send("POST", "/environments/0/images/pull", Some(json!({ "imageName": name, "tag": "1" }))).await;
    assert_eq!((response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()), (200, "application/x-json-stream"));
    response.text().await.unwrap().lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn outcomes() {
    let test = Test::new().await;
    let lines = pull(&test, "memcached").await;
    assert!(lines[0].starts_with("{\"type\":\"activity\",\"activityId\":"));
    assert_eq!(lines.last().unwrap(), "{\"done\":true}");
    assert_eq!(test.get("/environments/0/images?search=memcached").await["data"][0]["tag"], "1");
    let lines = pull(&test, "example/missing").await;
    assert!(lines.last().unwrap().starts_with("{\"error\":\"pull access denied"));
    let activities = test.get("/environments/0/activities?limit=1").await;
    assert_eq!(activities["data"][0]["status"], "failed");
    let id = activities["data"][0]["id"].as_str().unwrap();
    assert!(lines[0].contains(id));
    assert_eq!(test.json("POST", &format!("/environments/0/activities/{id}/cancel"), None).await.0, 409);
}

#[tokio::test]
async fn bad_ends() {
    let test = Test::new().await;
    test.sandbox.fault_times(None, Fault::CutStream, 1);
    assert!(!pull(&test, "a").await.last().unwrap().contains("done"));
    test.sandbox.fault_times(None, Fault::InvalidErrorLine, 1);
    assert!(pull(&test, "a").await.last().unwrap().starts_with(r#"{"error":"\x1b"#));
    test.sandbox.fault_times(None, Fault::ErrorLine("no space left".to_owned()), 1);
    assert_eq!(pull(&test, "a").await.last().unwrap(), r#"{"error":"no space left"}"#);
    test.sandbox.fault_times(None, Fault::LongLine(1_000_000), 1);
    assert!(pull(&test, "a").await.iter().any(|line| line.len() > 1_000_000));
    test.sandbox.fault_times(None, Fault::ManyLines(10_000), 1);
    assert!(pull(&test, "a").await.len() > 10_000);
}
