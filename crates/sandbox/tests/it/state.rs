//! What is done stays done.

use serde_json::{Value, json};

use crate::Test;

const E: &str = "/environments/0";

#[tokio::test]
async fn containers_live_and_die() {
    let test = Test::new().await;
    let web = || test.get("/environments/0/containers/web");
    assert_eq!(web().await["data"]["state"]["running"], true);
    let said = test.post(&format!("{E}/containers/web/stop")).await;
    assert!(said["data"]["activityId"].is_string());
    assert_eq!(web().await["data"]["state"]["status"], "exited");
    let list = test.get(&format!("{E}/containers?search=web&sort=name")).await;
    assert_eq!(list["data"][0]["state"], "exited");
    assert_eq!(list["counts"]["stoppedContainers"], 3);
    let (status, kill) = test.json("POST", &format!("{E}/containers/web/kill"), None).await;
    assert_eq!(status, 500);
    assert!(kill["detail"].as_str().unwrap().contains("is not running"));
    test.post(&format!("{E}/containers/web/start")).await;
    let (status, refused) = test.json("DELETE", &format!("{E}/containers/web"), None).await;
    assert_eq!(status, 500, "{refused}");
    let (status, _) = test.json("DELETE", &format!("{E}/containers/web?force=true"), None).await;
    assert_eq!(status, 200);
    let (status, gone) = test.json("GET", &format!("{E}/containers/web"), None).await;
    assert_eq!(status, 404);
    assert!(gone["detail"].as_str().unwrap().contains("No such container: web"));
    let (status, gone) = test.json("POST", &format!("{E}/containers/web/start"), None).await;
    assert_eq!(status, 500);
    assert_eq!(gone["detail"], "Failed to start container: Error response from daemon: No such container: web");
    test.sandbox.reset();
    assert_eq!(web().await["data"]["name"], "web");
}

#[tokio::test]
async fn pausing() {
    let test = Test::new().await;
    test.post(&format!("{E}/containers/redis/pause")).await;
    assert_eq!(test.get(&format!("{E}/containers/redis")).await["data"]["state"]["status"], "paused");
    let (status, _) = test.json("POST", &format!("{E}/containers/redis/start"), None).await;
    assert_eq!(status, 500);
    test.post(&format!("{E}/containers/redis/unpause")).await;
    let all = test.post(&format!("{E}/system/containers/stop-all")).await;
    assert_eq!(all["data"]["stopped"].as_array().unwrap().len(), 11);
}

#[tokio::test]
async fn creating() {
    let test = Test::new().await;
    let body = json!({
        "name": "cache", "image": "valkey:8", "env": ["A=B"],
        "hostConfig": { "portBindings": { "6379/tcp": [{ "hostPort": "6380" }] }, "binds": ["redis-data:/data"] }
    });
    let (status, made) = test.json("POST", &format!("{E}/containers"), Some(body.clone())).await;
    assert_eq!(status, 200, "{made}");
    let cache = test.get(&format!("{E}/containers/cache")).await;
    assert_eq!(cache["data"]["ports"][0]["publicPort"], 6380);
    assert_eq!(cache["data"]["config"]["env"], json!(["A=B"]));
    assert!(test.get(&format!("{E}/images?search=valkey")).await["data"][0]["inUse"].as_bool().unwrap());
    assert_eq!(test.json("POST", &format!("{E}/containers"), Some(body)).await.0, 409);
    let (status, _) = test.json("POST", &format!("{E}/volumes"), Some(json!({ "name": "extra" }))).await;
    assert_eq!(status, 200);
    assert_eq!(test.get(&format!("{E}/volumes/extra")).await["data"]["inUse"], false);
    let (_, network) = test.json("POST", &format!("{E}/networks"), Some(json!({ "name": "dmz", "options": {} }))).await;
    let id = network["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(test.get(&format!("{E}/networks/{id}")).await["data"]["name"], "dmz");
    let joined = json!({ "containerId": "cache" });
    assert_eq!(test.json("POST", &format!("{E}/networks/dmz/connect"), Some(joined)).await.0, 200);
    assert_eq!(test.get(&format!("{E}/networks/dmz")).await["data"]["containersList"][0]["name"], "cache");
    assert_eq!(test.json("DELETE", &format!("{E}/networks/dmz"), None).await.0, 500);
}

#[tokio::test]
async fn images_in_use_stay() {
    let test = Test::new().await;
    let list = test.get(&format!("{E}/images?search=nginx&sort=repo")).await;
    let id = |tag: &str| {
        let rows = list["data"].as_array().unwrap();
        rows.iter().find(|row| row["tag"] == tag).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let (status, refused) = test.json("DELETE", &format!("{E}/images/{}", id("1.27")), None).await;
    assert_eq!(status, 500, "{refused}");
    assert_eq!(test.json("DELETE", &format!("{E}/images/{}", id("1.25")), None).await.0, 200);
    let (status, gone) = test.json("GET", &format!("{E}/images/{}", id("1.25")), None).await;
    assert_eq!((status, gone["detail"].as_str().unwrap().starts_with("Image not found")), (404, true));
    let encoded = id("1.27").replace(':', "%3A");
    assert_eq!(test.json("GET", &format!("{E}/images/{encoded}"), None).await.0, 404);
    test.sandbox.switch(|switches| switches.decode_paths = true);
    assert_eq!(test.json("GET", &format!("{E}/images/{encoded}"), None).await.0, 200);
    let (_, pruned) = test.json("POST", &format!("{E}/images/prune"), Some(json!({ "mode": "all" }))).await;
    assert_eq!(pruned["data"]["imagesDeleted"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn volumes_and_networks() {
    let test = Test::new().await;
    let (status, used) = test.json("DELETE", &format!("{E}/volumes/web-db-data"), None).await;
    assert_eq!((status, used["detail"].as_str().unwrap().contains("volume is in use")), (500, true));
    let pruned = test.post(&format!("{E}/volumes/prune")).await;
    assert_eq!(pruned["data"]["volumesDeleted"], json!(["old-backups", "tmp-import"]));
    let counts = test.get(&format!("{E}/volumes/counts")).await;
    assert_eq!(counts["data"], json!({ "inuse": 8, "unused": 0, "total": 8 }));
    assert_eq!(test.json("DELETE", &format!("{E}/networks/bridge"), None).await.0, 500);
    assert_eq!(test.json("DELETE", &format!("{E}/networks/unused"), None).await.0, 200);
    assert_eq!(test.json("GET", &format!("{E}/networks/unused"), None).await.0, 404);
}

#[tokio::test]
async fn projects_go_up_and_down() {
    let test = Test::new().await;
    let list = test.get(&format!("{E}/projects?search=media")).await;
    assert_eq!(list["data"][0]["status"], "stopped");
    let id = list["data"][0]["id"].as_str().unwrap().to_owned();
    let lines = test.send("POST", &format!("{E}/projects/{id}/up"), Some(json!({}))).await.text().await.unwrap();
    assert!(lines.starts_with("{\"type\":\"activity\"") && lines.ends_with("{\"done\":true}\n"), "{lines}");
    assert_eq!(test.get(&format!("{E}/projects/{id}")).await["data"]["status"], "running");
    test.post(&format!("{E}/projects/{id}/down")).await;
    assert_eq!(test.json("GET", &format!("{E}/containers/jellyfin"), None).await.0, 404);
    assert_eq!(test.json("DELETE", &format!("{E}/projects/{id}/destroy"), None).await.0, 200);
    let (status, gone) = test.json("GET", &format!("{E}/projects/{id}"), None).await;
    assert_eq!((status, &gone["detail"]), (404, &json!("Project not found")));
}

#[tokio::test]
async fn a_project_from_its_parts() {
    let test = Test::new().await;
    let sample = callslip_sandbox::operation("create-project").unwrap().sample();
    let url = format!("{}/api{}", test.sandbox.url(), sample.path);
    let request = test.client.post(&url).header("x-api-key", test.sandbox.api_key());
    let made: Value =
        request.header("content-type", sample.content_type.unwrap()).body(sample.body).send().await.unwrap().json().await.unwrap();
    let id = made["data"]["id"].as_str().unwrap();
    let project = test.get(&format!("{E}/projects/{id}")).await;
    assert_eq!(project["data"]["runtimeServices"][0]["image"], "ghost:5");
}

#[tokio::test]
async fn uploads_by_chunks() {
    let test = Test::new().await;
    let size = 1_048_576 + 10;
    let (_, made) =
        test.json("POST", &format!("{E}/uploads/image"), Some(json!({ "filename": "i.tar", "size": size, "chunkSize": 1_048_576 }))).await;
    let id = made["data"]["id"].as_str().unwrap().to_owned();
    assert_eq!(made["data"]["totalChunks"], 2);
    let put = |index: usize, bytes: usize| {
        let url = format!("{}/api{E}/uploads/image/{id}/chunks/{index}", test.sandbox.url());
        test.client
            .put(url)
            .header("x-api-key", test.sandbox.api_key())
            .header("content-type", "application/octet-stream")
            .body(vec![0; bytes])
            .send()
    };
    assert_eq!(put(1, 10).await.unwrap().status(), 200);
    assert_eq!(put(0, 5).await.unwrap().status(), 400);
    assert_eq!(test.json("POST", &format!("{E}/images/upload"), Some(json!({ "uploadId": id }))).await.0, 409);
    let done: Value = put(0, 1_048_576).await.unwrap().json().await.unwrap();
    assert_eq!(done["data"]["complete"], true);
    assert_eq!(test.json("POST", &format!("{E}/images/upload"), Some(json!({ "uploadId": id }))).await.0, 200);
}

#[tokio::test]
async fn secrets_read_back_masked() {
    let test = Test::new().await;
    let value = |list: &Value, key: &str| {
        let rows = list.as_array().unwrap();
        rows.iter().find(|row| row["key"] == key).unwrap()["value"].clone()
    };
    let (_, said) = test.json("PUT", &format!("{E}/settings"), Some(json!({ "pollingEnabled": "false", "depotToken": "s3" }))).await;
    assert_eq!(value(&said["data"], "pollingEnabled"), "false");
    let list = test.get(&format!("{E}/settings")).await;
    assert_eq!(value(&list, "depotToken"), "XXXXXXXXXX");
    assert_eq!(value(&list, "pollingEnabled"), "false");
}

#[tokio::test]
async fn a_stale_workspace_is_refused() {
    let test = Test::new().await;
    let sample = callslip_sandbox::operation("update-volume-workspace").unwrap().sample();
    let kind = sample.content_type.clone().unwrap();
    for status in [200, 409] {
        let url = format!("{}/api{}", test.sandbox.url(), sample.path);
        let request = test.client.put(url).header("x-api-key", test.sandbox.api_key());
        let response = request.header("content-type", &kind).body(sample.body.clone()).send().await.unwrap();
        assert_eq!(response.status(), status);
    }
    assert_eq!(test.get(&sample.path).await["data"]["fileTreeRevision"], "2");
}
