//! Logs, statistics and the terminal.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Error, Message, client::IntoClientRequest},
};

use callslip_sandbox::{Kind, operations};

use crate::Test;

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

async fn open(test: &Test, path: &str) -> Result<Socket, Error> {
    let url = format!("ws://{}/api{path}", test.sandbox.address());
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("x-api-key", test.sandbox.api_key().parse().unwrap());
    connect_async(request).await.map(|(socket, _)| socket)
}

/// Messages until nothing comes for a while; whether the socket was closed.
async fn drain(socket: &mut Socket) -> (Vec<Message>, bool) {
    let mut all = Vec::new();
    loop {
        match tokio::time::timeout(Duration::from_millis(120), socket.next()).await {
            Err(_) => return (all, false),
            Ok(None | Some(Err(_) | Ok(Message::Close(_)))) => return (all, true),
            Ok(Some(Ok(message))) => all.push(message),
        }
    }
}

#[tokio::test]
async fn every_socket_opens() {
    let test = Test::new().await;
    for operation in operations().iter().filter(|operation| operation.kind == Kind::Socket) {
        let mut socket = open(&test, &operation.sample().path).await.unwrap();
        let first = tokio::time::timeout(Duration::from_secs(2), socket.next()).await.unwrap().unwrap().unwrap();
        assert!(!first.into_data().is_empty(), "{}", operation.id);
        assert_eq!(test.sandbox.requests().last().unwrap().status, 101);
    }
    let plain = test.send("GET", "/environments/0/ws/system/stats", None).await;
    assert_eq!(plain.status(), 400);
}

#[tokio::test]
async fn logs() {
    let test = Test::new().await;
    let path = "/environments/0/ws/containers/web/logs";
    let mut socket = open(&test, &format!("{path}?follow=false&tail=5")).await.unwrap();
    let (lines, closed) = drain(&mut socket).await;
    assert_eq!((lines.len(), closed), (5, false));
    let mut socket = open(&test, &format!("{path}?follow=false&tail=120&batched=true")).await.unwrap();
    let (batches, _) = drain(&mut socket).await;
    assert_eq!(batches.len(), 3);
    let batch: Value = serde_json::from_str(batches[0].to_text().unwrap()).unwrap();
    assert_eq!(batch.as_array().unwrap().len(), 50);
    assert!(batch[0]["seq"].is_u64() && batch[0]["message"].is_string());
    let mut socket = open(&test, "/environments/0/ws/containers/nothing/logs").await.unwrap();
    let (lines, closed) = drain(&mut socket).await;
    // It has failed, and nobody closes it.
    assert!(!closed && lines[0].to_text().unwrap().starts_with("Failed to stream container logs: "));
    let mut socket = open(&test, "/environments/0/ws/containers/nothing/stats").await.unwrap();
    let (frames, _) = drain(&mut socket).await;
    let frame: Value = serde_json::from_str(frames[0].to_text().unwrap()).unwrap();
    assert!(frame["error"].as_str().unwrap().starts_with("Failed to stream container stats: "));
}

#[tokio::test]
async fn terminal() {
    let test = Test::new().await;
    let path = "/environments/0/ws/containers/web/terminal";
    let mut socket = open(&test, path).await.unwrap();
    socket.send(Message::text("cat /etc/os-release; echo END$?; exit\n")).await.unwrap();
    let (messages, closed) = drain(&mut socket).await;
    let shown: String = messages.into_iter().map(|message| String::from_utf8(message.into_data().to_vec()).unwrap()).collect();
    assert!(closed && shown.contains("ID=alpine") && shown.contains("\r\nEND0\r\n"), "{shown}");
    let mut socket = open(&test, "/environments/0/ws/containers/backup/terminal").await.unwrap();
    let (messages, closed) = drain(&mut socket).await;
    assert!(closed && messages[0].to_text().unwrap().starts_with("Error creating exec"));
    test.sandbox.add_role_key("arc_viewer", "role_viewer");
    let mut request = format!("ws://{}/api{path}", test.sandbox.address()).into_client_request().unwrap();
    request.headers_mut().insert("x-api-key", "arc_viewer".parse().unwrap());
    let Err(Error::Http(response)) = connect_async(request).await else { panic!("a viewer may not run commands") };
    assert_eq!(response.status(), 403);
}
