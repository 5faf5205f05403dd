//! The second API.

use callslip_sandbox::{Fault, library::Library};
use reqwest::Method;
use serde_json::{Value, json};

use crate::client;

async fn call(library: &Library, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
    let mut request = client().request(method, format!("{}/v1{path}", library.url())).bearer_auth(library.token());
    if let Some(body) = body {
        request = request.json(&body);
    }
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap_or(Value::Null))
}

#[tokio::test]
async fn cursors() {
    let library = Library::start().await.unwrap();
    let mut cursor = String::new();
    let mut seen = Vec::new();
    loop {
        let (status, page) = call(&library, Method::GET, &format!("/books?limit=20{cursor}"), None).await;
        assert_eq!(status, 200);
        seen.extend(page["items"].as_array().unwrap().iter().map(|book| book["id"].to_string()));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(seen.len(), 47);
    let (_, filtered) = call(&library, Method::GET, "/books?limit=100&genre=essay&genre=poetry", None).await;
    assert_eq!(filtered["items"].as_array().unwrap().len(), 32);
    assert_eq!(call(&library, Method::GET, "/books?cursor=zzz", None).await.0, 400);
    assert_eq!(call(&library, Method::GET, "/search?q=winter", None).await.1["items"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn things_and_credits() {
    let library = Library::start().await.unwrap();
    let (status, book) = call(&library, Method::POST, "/books", Some(json!({ "title": "New", "author": "Me" }))).await;
    assert_eq!((status, &book["id"]), (201, &json!("bk_048")));
    let (status, error) = call(&library, Method::POST, "/books", Some(json!({ "title": "New", "author": "Me", "pages": 3 }))).await;
    assert_eq!((status, &error["error"]["code"]), (400, &json!("invalid_request")));
    assert_eq!(call(&library, Method::PATCH, "/books/bk_048", Some(json!({ "year": 1999 }))).await.1["year"], 1999);
    assert_eq!(call(&library, Method::DELETE, "/books/bk_048", None).await.0, 204);
    assert_eq!(call(&library, Method::GET, "/books/bk_048", None).await.0, 404);
    for status in [200, 200, 402] {
        assert_eq!(call(&library, Method::POST, "/books/bk_001/summary", Some(json!({ "length": "long" }))).await.0, status);
    }
    assert_eq!(call(&library, Method::GET, "/account", None).await.1["credits"], 2);
    library.fault_times(Some("getBook"), Fault::Html(502), 1);
    assert_eq!(call(&library, Method::GET, "/books/bk_001", None).await.0, 502);
    assert_eq!(library.requests().last().unwrap().operation, Some("getBook"));
    let anonymous = client().get(format!("{}/v1/account", library.url())).send().await.unwrap();
    assert_eq!(anonymous.status(), 401);
}
