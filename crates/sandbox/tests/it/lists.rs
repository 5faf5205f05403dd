//! Paging, with its clamps and its unstable order.

use serde_json::json;

use crate::Test;

#[tokio::test]
async fn paging_rules() {
    let test = Test::seeded(callslip_sandbox::Seed::Rows(150)).await;
    let items = |path: &str| {
        let path = path.to_owned();
        let test = &test;
        async move {
            let value = test.get(&path).await;
            (value["data"].as_array().unwrap().len(), value["pagination"].clone())
        }
    };
    assert_eq!(items("/environments/0/containers").await.0, 20);
    assert_eq!(items("/environments/0/containers?limit=-1").await.0, 150);
    assert_eq!(items("/environments/0/containers?limit=0").await.0, 150);
    assert_eq!(items("/environments/0/images?limit=0").await.0, 20);
    assert_eq!(items("/environments/0/volumes?limit=120").await.0, 120);
    let (rows, paging) = items("/events?limit=500").await;
    assert_eq!((rows, &paging["itemsPerPage"]), (100, &json!(100)));
    assert_eq!(items("/events?limit=-1").await.0, 20);
    let (rows, paging) = items("/environments/0/containers?start=145&limit=10&sort=name&order=desc").await;
    assert_eq!((rows, &paging["currentPage"]), (5, &json!(15)));
    let first = test.get("/environments/0/volumes?limit=1").await["data"][0]["name"].clone();
    assert_eq!(test.get("/environments/0/volumes?limit=1").await["data"][0]["name"], first);
    test.sandbox.switch(|switches| switches.unstable_order = true);
    assert_ne!(test.get("/environments/0/volumes?limit=1").await["data"][0]["name"], first);
}
