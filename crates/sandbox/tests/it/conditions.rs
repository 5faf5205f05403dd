//! Refusals that come from the state of the world: agents, Docker, the swarm, limits.

use serde_json::{Value, json};

use crate::Test;

#[tokio::test]
async fn environments() {
    let test = Test::new().await;
    let (edge, disabled) = (test.sandbox.edge_environment(), test.sandbox.disabled_environment());
    let error = |value: &Value| value["data"]["error"].as_str().unwrap_or_default().to_owned();
    let (status, value) = test.json("GET", &format!("/environments/{edge}/containers"), None).await;
    assert_eq!((status, error(&value)), (502, "Edge agent is not connected".to_owned()));
    let (status, value) = test.json("GET", &format!("/environments/{disabled}/containers"), None).await;
    assert_eq!((status, error(&value)), (400, "Environment is disabled".to_owned()));
    let (status, value) = test.json("GET", "/environments/nowhere/containers", None).await;
    assert_eq!((status, error(&value)), (404, "Environment not found".to_owned()));
    let (status, value) = test.json("POST", &format!("/environments/{edge}/test"), None).await;
    assert_eq!((status, &value["detail"]), (500, &json!("unexpected error occurred")));
    assert!(value["errors"][0]["message"].as_str().unwrap().starts_with("connection failed: "));
    assert_eq!(test.post("/environments/0/test").await["data"]["status"], "online");
    test.sandbox.switch(|switches| switches.edge_awake = true);
    assert_eq!(test.get(&format!("/environments/{edge}/containers")).await["data"][0]["names"][0], "/mosquitto");
    let (status, value) = test.json("POST", &format!("/environments/{edge}/containers/mosquitto/kill"), None).await;
    assert_eq!((status, &value["error"]), (502, &json!("unsupported edge command")));
    let (_, made) = test.json("POST", "/environments", Some(json!({ "apiUrl": "http://192.0.2.9:3553", "name": "far" }))).await;
    let far = made["data"]["id"].as_str().unwrap();
    let (status, value) = test.json("GET", &format!("/environments/{far}/images"), None).await;
    assert_eq!((status, error(&value).starts_with("Proxy request failed: ")), (502, true));
}

#[tokio::test]
async fn docker_down() {
    let test = Test::new().await;
    test.sandbox.switch(|switches| switches.docker_down = true);
    for (method, path, status, start) in [
        ("GET", "/environments/0/containers/web", 404, "Failed to retrieve container: failed to create Docker client"),
        ("GET", "/environments/0/images/sha256:abc", 404, "Image not found: "),
        ("GET", "/environments/0/volumes/x", 404, "Volume not found: "),
        ("GET", "/environments/0/containers", 500, "Failed to list containers: "),
        ("POST", "/environments/0/containers/web/start", 500, "Failed to start container: "),
        ("GET", "/environments/0/system/docker/info", 500, "Failed to connect to Docker: "),
        ("GET", "/environments/0/swarm/stacks/x", 500, "Failed to inspect swarm stack"),
        ("GET", "/environments/0/swarm/stacks/x/source", 404, "Swarm stack source not found"),
        ("GET", "/environments/0/ports", 500, "failed to list ports"),
        ("GET", "/environments/0/networks/topology", 500, "failed to build network topology"),
    ] {
        let (have, value) = test.json(method, path, None).await;
        assert_eq!(have, status, "{path}");
        assert!(value["detail"].as_str().unwrap().starts_with(start), "{path}: {value}");
    }
    let pull = test.send("POST", "/environments/0/images/pull", Some(json!({ "imageName": "nginx" }))).await;
    assert_eq!(pull.status(), 200);
    assert!(pull.text().await.unwrap().starts_with("{\"error\":"));
    assert_eq!(test.json("GET", "/users", None).await.0, 200);
}

#[tokio::test]
async fn swarm_and_limits() {
    let test = Test::new().await;
    test.sandbox.switch(|switches| switches.swarm_off = true);
    let (status, value) = test.json("GET", "/environments/0/swarm/nodes", None).await;
    assert_eq!((status, &value["detail"]), (409, &json!("Swarm mode is not enabled")));
    for _ in 0..5 {
        assert_eq!(test.json("POST", "/auth/login", Some(json!({ "username": "x", "password": "y" }))).await.0, 401);
    }
    let limited = test.send("POST", "/auth/login", Some(json!({ "username": "x", "password": "y" }))).await;
    assert_eq!((limited.status().as_u16(), limited.headers()["retry-after"].to_str().unwrap()), (429, "60"));
    test.sandbox.clear();
    assert_eq!(test.json("POST", "/auth/login", Some(json!({ "username": "x", "password": "y" }))).await.0, 401);
}
