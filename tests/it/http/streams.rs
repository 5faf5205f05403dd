//! What takes time: progress as it happens, a client that goes away, readers that do not read, more connections than there are places.

use super::served::{Folder, Served, block_on, token, with_key};
use crate::support::Upstream;
use callslip_sandbox::Fault;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

fn call(action: &str, params: &Value, meta: &Value) -> String {
    let arguments = json!({ "action": action, "params": params });
    let params = json!({ "name": "arcane_execute_action", "arguments": arguments, "_meta": meta });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string()
}

#[test]
fn progress_turns_the_answer_into_a_stream() {
    let upstream = Upstream::start();
    upstream.sandbox.fault(Some("pull-image"), Fault::Trickle { chunk: 64, pause: Duration::from_millis(60) });
    let served = Served::start(&[], &upstream.environment());
    let pull = json!({ "imageName": "nginx", "tag": "1.27" });
    block_on(async {
        let (_, headers, text) = served.client(&[]).post(call("image.pull", &pull, &json!({ "progressToken": "p" }))).await;
        assert!(headers["content-type"].to_str().unwrap().starts_with("text/event-stream"), "{text}");
        let messages: Vec<Value> =
            text.lines().filter_map(|line| line.strip_prefix("data:")).map(|data| serde_json::from_str(data.trim()).unwrap()).collect();
        let (answer, news) = messages.split_last().unwrap();
        assert_eq!(answer["result"]["structuredContent"]["outcome"], "done", "{text}");
        assert!(
            !news.is_empty() && news.iter().all(|one| one["method"] == "notifications/progress" && one["params"]["progressToken"] == "p")
        );
        let done: Vec<_> = news.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
        assert!(done.is_sorted(), "{done:?}");
        let (_, headers, _) = served.client(&[]).post(call("image.pull", &pull, &json!({}))).await;
        assert_eq!(headers["content-type"], "application/json", "no one asked for progress");
    });
}

#[test]
fn a_client_that_goes_away_cancels_its_call() {
    let upstream = Upstream::start();
    upstream.sandbox.fault(None, Fault::DelayHeaders(Duration::from_secs(20)));
    let served = Served::start(&[], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        let running = tokio::spawn(async move { client.execute("container.list", json!({})).await });
        while upstream.requests().is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        running.abort();
    });
    let line: Value = serde_json::from_str(&served.hear("\"outcome\":\"cancelled\"")).unwrap();
    assert_eq!(line["action"], "container.list");
}

#[test]
fn live_resources_count_and_those_of_the_catalog_do_not() {
    let upstream = Upstream::start();
    let folder = Folder::new("resources");
    let (held, entry) = token("ci", "main", "read", "");
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\ncalls_an_hour = 1\n{entry}"));
    let served = Served::start(&["--tenants", &file], &with_key(upstream.environment()));
    block_on(async {
        let client = served.client(&[("authorization", &format!("Bearer {held}"))]);
        let read = async |uri: &str| client.try_ask("resources/read", json!({ "uri": uri })).await.1.to_string();
        for uri in ["arcane://tools", "arcane://tools/container.list", "arcane://tools"] {
            assert!(read(uri).await.contains("container.list"), "{uri}");
        }
        assert!(read("arcane://environments/0/containers").await.contains("web"));
        assert!(read("arcane://environments/0/containers").await.contains("used up"));
    });
    assert_eq!(upstream.requests().iter().filter(|request| request.path.ends_with("/containers")).count(), 1);
}

#[test]
fn connections_have_their_number_and_slow_readers_keep_no_one_out() {
    let served = Served::start(&["--max-connections", "9", "--tool-surface", "individual"], &[]);
    let address = served.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {address}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        list.len()
    );
    let mut slow: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(list.as_bytes())).unwrap();
            stream
        })
        .collect();
    block_on(async {
        assert!(served.client(&[]).tools().await.len() > 300, "the ninth is answered while eight do not read");
    });
    std::thread::sleep(Duration::from_millis(200));
    let _ninth = TcpStream::connect(&address).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    let mut tenth = TcpStream::connect(&address).unwrap();
    tenth.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    assert_eq!(tenth.read(&mut [0; 16]).unwrap_or(0), 0, "the tenth is turned away");
    let mut text = vec![0; 12];
    slow[0].read_exact(&mut text).unwrap();
    assert_eq!(text, b"HTTP/1.1 200");
}
