//! Every way in which Arcane says no.

use callslip_sandbox::{Options, operations};
use serde_json::{Value, json};

use crate::Test;

#[tokio::test]
async fn credentials() {
    let test = Test::new().await;
    let url = format!("{}/api/environments/0/containers", test.sandbox.url());
    let detail = |response: reqwest::Response| async {
        (
            response.status().as_u16(),
            response.json::<Value>().await.unwrap()["detail"]
                .as_str()
                .unwrap()
                .to_owned(),
        )
    };
    let none = test.client.get(&url).send().await.unwrap();
    assert_eq!(none.headers()["content-type"], "application/problem+json");
    assert_eq!(
        detail(none).await,
        (
            401,
            "Unauthorized: valid authentication required".to_owned()
        )
    );
    let token = test.sandbox.session_token();
    let both = test
        .client
        .get(&url)
        .header("x-api-key", "arc_bad")
        .bearer_auth(&token)
        .send()
        .await
        .unwrap();
    assert_eq!(
        detail(both).await,
        (401, "Unauthorized: invalid API key".to_owned())
    );
    assert_eq!(
        test.client
            .get(&url)
            .bearer_auth(&token)
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
    let (status, session) = test.json("GET", "/auth/me/mfa", None).await;
    assert_eq!(
        (status, &session["detail"]),
        (401, &json!("Unauthorized: valid authentication required"))
    );
    test.sandbox
        .switch(|switches| switches.version_bumped = true);
    let old = test
        .client
        .get(&url)
        .bearer_auth(&token)
        .send()
        .await
        .unwrap();
    assert_eq!(
        detail(old).await,
        (
            401,
            "Application has been updated. Refreshing session.".to_owned()
        )
    );
    let (user, password) = test.sandbox.user();
    let (_, login) = test
        .json(
            "POST",
            "/auth/login",
            Some(json!({ "username": user, "password": password })),
        )
        .await;
    let fresh = login["data"]["token"].as_str().unwrap();
    assert_eq!(
        test.client
            .get(&url)
            .bearer_auth(fresh)
            .send()
            .await
            .unwrap()
            .status(),
        200
    );
    let (_, second) = test
        .json(
            "POST",
            "/auth/login",
            Some(json!({ "username": "grace", "password": password })),
        )
        .await;
    assert!(second["data"]["token"].is_null() && second["data"]["mfa"].is_object());
}

#[tokio::test]
async fn permissions() {
    let test = Test::new().await;
    assert!(test.sandbox.add_role_key("arc_viewer", "role_viewer"));
    assert!(!test.sandbox.add_role_key("arc_x", "role_nobody"));
    let send = |method: reqwest::Method, path: &str| {
        let url = format!("{}/api{path}", test.sandbox.url());
        let request = test
            .client
            .request(method, url)
            .header("x-api-key", "arc_viewer");
        async { request.send().await.unwrap() }
    };
    assert_eq!(
        send(reqwest::Method::GET, "/environments/0/containers")
            .await
            .status(),
        200
    );
    let refused = send(reqwest::Method::POST, "/environments/0/containers/web/stop").await;
    assert_eq!(refused.status(), 403);
    assert_eq!(
        refused.json::<Value>().await.unwrap()["detail"],
        "permission denied: containers:stop"
    );
    let admin = send(reqwest::Method::DELETE, "/roles/x")
        .await
        .json::<Value>()
        .await
        .unwrap();
    assert_eq!(admin["detail"], "permission denied: global admin required");
}

#[tokio::test]
async fn validation() {
    let test = Test::new().await;
    let (status, value) = test
        .json(
            "POST",
            "/environments/0/volumes",
            Some(json!({ "name": "x", "foo": 1 })),
        )
        .await;
    assert_eq!(
        (status, &value["detail"]),
        (422, &json!("validation failed"))
    );
    assert_eq!(
        value["errors"][0],
        json!({ "message": "unexpected property", "location": "body.foo", "value": 1 })
    );
    let (_, value) = test
        .json(
            "PUT",
            "/container-registries/x",
            Some(json!({ "description": "x" })),
        )
        .await;
    assert_eq!(value["errors"].as_array().unwrap().len(), 10);
    let (_, value) = test
        .json(
            "POST",
            "/environments/0/containers",
            Some(json!({ "name": "x", "image": "y", "env": { "A": "B" } })),
        )
        .await;
    assert_eq!(value["errors"][0]["message"], "expected array");
    let (status, value) = test
        .json("GET", "/environments/0/containers?limit=ten", None)
        .await;
    assert_eq!(
        (status, &value["errors"][0]["location"]),
        (422, &json!("query.limit"))
    );
    assert_eq!(test.json("GET", "/templates/fetch", None).await.0, 422);
    let (status, value) = test
        .json(
            "POST",
            "/environments/0/uploads/other",
            Some(json!({ "filename": "a", "size": 1 })),
        )
        .await;
    assert_eq!(
        (status, &value["errors"][0]["location"]),
        (422, &json!("path.kind"))
    );
    assert_eq!(
        test.json("POST", "/api-keys", Some(json!({ "name": "x" })))
            .await
            .0,
        422
    );
    let url = format!("{}/api/environments/0/volumes", test.sandbox.url());
    let broken = test
        .client
        .post(url)
        .header("x-api-key", test.sandbox.api_key())
        .body("{")
        .send()
        .await
        .unwrap();
    assert_eq!(broken.status(), 400);
}

#[tokio::test]
async fn unknown_routes_and_versions() {
    let test = Test::new().await;
    for path in [
        "/nothing",
        "/environments/0/containers/web/logs",
        "/environments/0/images/library/nginx",
        "/containers/",
    ] {
        let (status, value) = test.json("GET", path, None).await;
        assert_eq!(
            (status, &value),
            (
                404,
                &json!({ "success": false, "error": format!("API endpoint not found: /api{path}") })
            )
        );
    }
    test.sandbox
        .switch(|switches| "2.8.0".clone_into(&mut switches.version));
    assert_eq!(test.get("/app-version").await["currentVersion"], "2.8.0");
    let newer = operations()
        .iter()
        .find(|operation| operation.since.starts_with("by") && operation.method == "GET")
        .unwrap();
    assert_eq!(test.json("GET", &newer.sample().path, None).await.0, 404);
    assert_eq!(
        test.send("HEAD", "/environments/0/system/health", None)
            .await
            .status(),
        500
    );
}

#[tokio::test]
async fn environments() {
    let test = Test::new().await;
    let (edge, disabled) = (
        test.sandbox.edge_environment(),
        test.sandbox.disabled_environment(),
    );
    let error = |value: &Value| {
        value["data"]["error"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let (status, value) = test
        .json("GET", &format!("/environments/{edge}/containers"), None)
        .await;
    assert_eq!(
        (status, error(&value)),
        (502, "Edge agent is not connected".to_owned())
    );
    let (status, value) = test
        .json("GET", &format!("/environments/{disabled}/containers"), None)
        .await;
    assert_eq!(
        (status, error(&value)),
        (400, "Environment is disabled".to_owned())
    );
    let (status, value) = test
        .json("GET", "/environments/nowhere/containers", None)
        .await;
    assert_eq!(
        (status, error(&value)),
        (404, "Environment not found".to_owned())
    );
    let (status, value) = test
        .json("POST", &format!("/environments/{edge}/test"), None)
        .await;
    assert_eq!(
        (status, &value["detail"]),
        (500, &json!("unexpected error occurred"))
    );
    assert!(
        value["errors"][0]["message"]
            .as_str()
            .unwrap()
            .starts_with("connection failed: ")
    );
    assert_eq!(
        test.post("/environments/0/test").await["data"]["status"],
        "online"
    );
    test.sandbox.switch(|switches| switches.edge_awake = true);
    assert_eq!(
        test.get(&format!("/environments/{edge}/containers")).await["data"][0]["names"][0],
        "/mosquitto"
    );
    let (status, value) = test
        .json(
            "POST",
            &format!("/environments/{edge}/containers/mosquitto/kill"),
            None,
        )
        .await;
    assert_eq!(
        (status, &value["error"]),
        (502, &json!("unsupported edge command"))
    );
    let (_, made) = test
        .json(
            "POST",
            "/environments",
            Some(json!({ "apiUrl": "http://192.0.2.9:3553", "name": "far" })),
        )
        .await;
    let far = made["data"]["id"].as_str().unwrap();
    let (status, value) = test
        .json("GET", &format!("/environments/{far}/images"), None)
        .await;
    assert_eq!(
        (status, error(&value).starts_with("Proxy request failed: ")),
        (502, true)
    );
}

#[tokio::test]
async fn docker_down() {
    let test = Test::new().await;
    test.sandbox.switch(|switches| switches.docker_down = true);
    for (method, path, status, start) in [
        (
            "GET",
            "/environments/0/containers/web",
            404,
            "Failed to retrieve container: failed to create Docker client",
        ),
        (
            "GET",
            "/environments/0/images/sha256:abc",
            404,
            "Image not found: ",
        ),
        (
            "GET",
            "/environments/0/volumes/x",
            404,
            "Volume not found: ",
        ),
        (
            "GET",
            "/environments/0/containers",
            500,
            "Failed to list containers: ",
        ),
        (
            "POST",
            "/environments/0/containers/web/start",
            500,
            "Failed to start container: ",
        ),
        (
            "GET",
            "/environments/0/system/docker/info",
            503,
            "Failed to connect to Docker: ",
        ),
        (
            "GET",
            "/environments/0/swarm/stacks/x",
            404,
            "Swarm stack not found",
        ),
    ] {
        let (have, value) = test.json(method, path, None).await;
        assert_eq!(have, status, "{path}");
        assert!(
            value["detail"].as_str().unwrap().starts_with(start),
            "{path}: {value}"
        );
    }
    let pull = test
        .send(
            "POST",
            "/environments/0/images/pull",
            Some(json!({ "imageName": "nginx" })),
        )
        .await;
    assert_eq!(pull.status(), 200);
    assert!(pull.text().await.unwrap().starts_with("{\"error\":"));
    assert_eq!(test.json("GET", "/users", None).await.0, 200);
}

#[tokio::test]
async fn swarm_and_limits() {
    let test = Test::new().await;
    test.sandbox.switch(|switches| switches.swarm_off = true);
    let (status, value) = test.json("GET", "/environments/0/swarm/nodes", None).await;
    assert_eq!(
        (status, &value["detail"]),
        (409, &json!("Swarm mode is not enabled"))
    );
    for _ in 0..5 {
        assert_eq!(
            test.json(
                "POST",
                "/auth/login",
                Some(json!({ "username": "x", "password": "y" }))
            )
            .await
            .0,
            401
        );
    }
    let limited = test
        .send(
            "POST",
            "/auth/login",
            Some(json!({ "username": "x", "password": "y" })),
        )
        .await;
    assert_eq!(
        (
            limited.status().as_u16(),
            limited.headers()["retry-after"].to_str().unwrap()
        ),
        (429, "60")
    );
    test.sandbox.clear();
    assert_eq!(
        test.json(
            "POST",
            "/auth/login",
            Some(json!({ "username": "x", "password": "y" }))
        )
        .await
        .0,
        401
    );
}

#[tokio::test]
async fn the_log() {
    let test = Test::with(Options {
        base_path: "/p".to_owned(),
        ..Options::default()
    })
    .await;
    test.json(
        "POST",
        "/environments/0/volumes?x=a%20b",
        Some(json!({ "name": "v" })),
    )
    .await;
    let requests = test.sandbox.requests();
    let request = requests.last().unwrap();
    assert_eq!(
        (
            request.method.as_str(),
            request.path.as_str(),
            request.query.as_str()
        ),
        ("POST", "/p/api/environments/0/volumes", "x=a%20b")
    );
    assert_eq!(request.header("x-api-key"), Some(test.sandbox.api_key()));
    assert_eq!(
        (request.text(), request.status, request.operation),
        ("{\"name\":\"v\"}".to_owned(), 200, Some("create-volume"))
    );
    test.sandbox.clear();
    assert!(test.sandbox.requests().is_empty());
}
