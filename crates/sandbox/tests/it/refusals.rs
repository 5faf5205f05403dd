//! Every way in which Arcane says no.

use callslip_sandbox::{Options, operations};
use serde_json::{Value, json};

use crate::Test;

#[tokio::test]
async fn credentials() {
    let test = Test::new().await;
    let url = format!("{}/api/environments/0/containers", test.sandbox.url());
    let detail = |response: reqwest::Response| async {
        (response.status().as_u16(), response.json::<Value>().await.unwrap()["detail"].as_str().unwrap().to_owned())
    };
    let none = test.client.get(&url).send().await.unwrap();
    assert_eq!(none.headers()["content-type"], "application/problem+json");
    assert_eq!(detail(none).await, (401, "Unauthorized: valid authentication required".to_owned()));
    let token = test.sandbox.session_token();
    let both = test.client.get(&url).header("x-api-key", "arc_bad").bearer_auth(&token).send().await.unwrap();
    assert_eq!(detail(both).await, (401, "Unauthorized: invalid API key".to_owned()));
    assert_eq!(test.client.get(&url).bearer_auth(&token).send().await.unwrap().status(), 200);
    let (status, session) = test.json("GET", "/auth/me/mfa", None).await;
    assert_eq!((status, &session["detail"]), (401, &json!("Unauthorized: valid authentication required")));
    test.sandbox.switch(|switches| switches.version_bumped = true);
    let old = test.client.get(&url).bearer_auth(&token).send().await.unwrap();
    assert_eq!(detail(old).await, (401, "Application has been updated. Refreshing session.".to_owned()));
    let (user, password) = test.sandbox.user();
    let (_, login) = test.json("POST", "/auth/login", Some(json!({ "username": user, "password": password }))).await;
    let fresh = login["data"]["token"].as_str().unwrap();
    assert_eq!(test.client.get(&url).bearer_auth(fresh).send().await.unwrap().status(), 200);
    let (_, second) = test.json("POST", "/auth/login", Some(json!({ "username": "grace", "password": password }))).await;
    assert!(second["data"]["token"].is_null() && second["data"]["mfa"].is_object());
}

#[tokio::test]
async fn pages_from_elsewhere() {
    let test = Test::new().await;
    let url = format!("{}/api/auth/login", test.sandbox.url());
    let send = |origin: String| {
        let (username, password) = test.sandbox.user();
        let body = json!({ "username": username, "password": password });
        test.client.post(&url).header("origin", origin).json(&body).send()
    };
    assert_eq!(send("https://evil.example".to_owned()).await.unwrap().status(), 403);
    assert_eq!(send(test.sandbox.url()).await.unwrap().status(), 200);
}

#[tokio::test]
async fn permissions() {
    let test = Test::new().await;
    assert!(test.sandbox.add_role_key("arc_viewer", "role_viewer"));
    assert!(!test.sandbox.add_role_key("arc_x", "role_nobody"));
    let send = |method: reqwest::Method, path: &str| {
        let url = format!("{}/api{path}", test.sandbox.url());
        let request = test.client.request(method, url).header("x-api-key", "arc_viewer");
        async { request.send().await.unwrap() }
    };
    assert_eq!(send(reqwest::Method::GET, "/environments/0/containers").await.status(), 200);
    let refused = send(reqwest::Method::POST, "/environments/0/containers/web/stop").await;
    assert_eq!(refused.status(), 403);
    assert_eq!(refused.json::<Value>().await.unwrap()["detail"], "permission denied: containers:stop");
    let admin = send(reqwest::Method::DELETE, "/roles/x").await.json::<Value>().await.unwrap();
    assert_eq!(admin["detail"], "permission denied: global admin required");
}

#[tokio::test]
async fn validation() {
    let test = Test::new().await;
    let (status, value) = test.json("POST", "/environments/0/volumes", Some(json!({ "name": "x", "foo": 1 }))).await;
    assert_eq!((status, &value["detail"]), (422, &json!("validation failed")));
    assert_eq!(value["errors"][0], json!({ "message": "unexpected property", "location": "body.foo", "value": 1 }));
    let (_, value) = test.json("PUT", "/container-registries/x", Some(json!({ "description": "x" }))).await;
    assert_eq!(value["errors"].as_array().unwrap().len(), 10);
    let (_, value) = test.json("POST", "/environments/0/containers", Some(json!({ "name": "x", "image": "y", "env": { "A": "B" } }))).await;
    assert_eq!(value["errors"][0]["message"], "expected array");
    let (status, value) = test.json("GET", "/environments/0/containers?limit=ten", None).await;
    assert_eq!((status, &value["errors"][0]["location"]), (422, &json!("query.limit")));
    assert_eq!(test.json("GET", "/templates/fetch", None).await.0, 422);
    let (status, value) = test.json("POST", "/environments/0/uploads/other", Some(json!({ "filename": "a", "size": 1 }))).await;
    assert_eq!((status, &value["errors"][0]["location"]), (422, &json!("path.kind")));
    assert_eq!(test.json("POST", "/api-keys", Some(json!({ "name": "x" }))).await.0, 422);
    let url = format!("{}/api/environments/0/volumes", test.sandbox.url());
    let broken = test.client.post(url).header("x-api-key", test.sandbox.api_key()).body("{").send().await.unwrap();
    assert_eq!(broken.status(), 400);
}

#[tokio::test]
async fn unknown_routes_and_versions() {
    let test = Test::new().await;
    for path in ["/nothing", "/environments/0/containers/web/logs", "/environments/0/images/library/nginx", "/containers/"] {
        let (status, value) = test.json("GET", path, None).await;
        assert_eq!((status, &value), (404, &json!({ "success": false, "error": format!("API endpoint not found: /api{path}") })));
    }
    test.sandbox.switch(|switches| "2.8.0".clone_into(&mut switches.version));
    assert_eq!(test.get("/app-version").await["currentVersion"], "2.8.0");
    let newer = operations().iter().find(|operation| operation.since.starts_with("by") && operation.method == "GET").unwrap();
    assert_eq!(test.json("GET", &newer.sample().path, None).await.0, 404);
    assert_eq!(test.send("HEAD", "/environments/0/system/health", None).await.status(), 500);
}

#[tokio::test]
async fn the_log() {
    let test = Test::with(Options { base_path: "/p".to_owned(), ..Options::default() }).await;
    test.json("POST", "/environments/0/volumes?x=a%20b", Some(json!({ "name": "v" }))).await;
    let requests = test.sandbox.requests();
    let request = requests.last().unwrap();
    assert_eq!(
        (request.method.as_str(), request.path.as_str(), request.query.as_str()),
        ("POST", "/p/api/environments/0/volumes", "x=a%20b")
    );
    assert_eq!(request.header("x-api-key"), Some(test.sandbox.api_key()));
    assert_eq!((request.text(), request.status, request.operation), ("{\"name\":\"v\"}".to_owned(), 200, Some("create-volume")));
    test.sandbox.clear();
    assert!(test.sandbox.requests().is_empty());
}
