//! Every fault does what it says.

use std::time::{Duration, Instant};

use callslip_sandbox::Fault;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::Test;

const PATH: &str = "/environments/0/containers";

/// The raw bytes of an answer, until the connection ends or nothing more comes.
async fn raw(test: &Test, limit: usize) -> (Vec<u8>, bool) {
    let mut stream = TcpStream::connect(test.sandbox.address()).await.unwrap();
    let request = format!("GET /api{PATH} HTTP/1.1\r\nHost: x\r\nX-API-Key: {}\r\n\r\n", test.sandbox.api_key());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut all = Vec::new();
    let mut buffer = vec![0; 65_536];
    while all.len() < limit {
        match tokio::time::timeout(Duration::from_millis(500), stream.read(&mut buffer)).await {
            Err(_) | Ok(Ok(0)) => return (all, false),
            Ok(Err(_)) => return (all, true),
            Ok(Ok(count)) => all.extend_from_slice(&buffer[..count]),
        }
    }
    (all, false)
}

#[tokio::test]
async fn other_answers() {
    let test = Test::new().await;
    test.sandbox.fault(Some("list-containers"), Fault::Html(502));
    let response = test.send("GET", PATH, None).await;
    assert_eq!((response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()), (502, "text/html; charset=utf-8"));
    assert_eq!(test.send("GET", "/environments/0/images", None).await.status(), 200);
    test.sandbox.clear_faults();
    test.sandbox.fault_times(None, Fault::problem(503, "later"), 2);
    for status in [503, 503, 200] {
        assert_eq!(test.send("GET", PATH, None).await.status().as_u16(), status);
    }
    test.sandbox.fault(None, Fault::Redirect("http://192.0.2.1/".to_owned()));
    assert_eq!(test.send("GET", PATH, None).await.status(), 302);
    // What was answered otherwise was not done.
    test.sandbox.clear_faults();
    test.sandbox.fault_times(None, Fault::problem(500, "no"), 1);
    test.send("POST", "/environments/0/containers/web/stop", None).await;
    assert_eq!(test.get("/environments/0/containers/web").await["data"]["state"]["running"], true);
}

#[tokio::test]
async fn spoiled_bodies() {
    let test = Test::new().await;
    let read = || async { test.send("GET", PATH, None).await.text().await };
    let whole = read().await.unwrap();
    test.sandbox.fault_times(None, Fault::TruncatedJson, 1);
    assert_eq!(read().await.unwrap().len(), whole.len() / 2);
    test.sandbox.fault_times(None, Fault::EmptyBody, 1);
    assert_eq!(read().await.unwrap(), "");
    test.sandbox.fault_times(None, Fault::InvalidUtf8, 1);
    assert!(std::str::from_utf8(&test.send("GET", PATH, None).await.bytes().await.unwrap()).is_err());
    test.sandbox.fault_times(None, Fault::WrongLength(7), 1);
    assert!(read().await.is_err());
    test.sandbox.fault_times(None, Fault::WrongLength(-7), 1);
    assert_eq!(read().await.unwrap().len(), whole.len() - 7);
}

#[tokio::test]
async fn broken_connections() {
    let test = Test::new().await;
    test.sandbox.fault_times(None, Fault::ResetAfter(300), 1);
    let (bytes, reset) = raw(&test, usize::MAX).await;
    assert!(reset && bytes.len() <= 300, "{} bytes, reset: {reset}", bytes.len());
    test.sandbox.fault_times(None, Fault::Reset, 1);
    assert_eq!(raw(&test, usize::MAX).await, (Vec::new(), true));
    let garbled = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n".to_vec();
    test.sandbox.fault_times(None, Fault::Raw(garbled.clone()), 1);
    assert_eq!(raw(&test, usize::MAX).await, (garbled, false));
    assert_eq!(test.sandbox.requests().len(), 3);
}

#[tokio::test]
async fn slow_and_endless() {
    let test = Test::new().await;
    let pause = Duration::from_millis(150);
    test.sandbox.fault_times(None, Fault::DelayHeaders(pause), 1);
    let begin = Instant::now();
    let response = test.send("GET", PATH, None).await;
    assert!(begin.elapsed() >= pause && response.status() == 200);
    test.sandbox.fault_times(None, Fault::DelayBody(pause), 1);
    let begin = Instant::now();
    let response = test.send("GET", PATH, None).await;
    assert!(begin.elapsed() < pause);
    response.bytes().await.unwrap();
    assert!(begin.elapsed() >= pause);
    test.sandbox.fault_times(None, Fault::EndlessBody, 1);
    let (bytes, _) = raw(&test, 3_000_000).await;
    assert!(bytes.len() >= 3_000_000);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(test.sandbox.requests().last().unwrap().aborted);
    test.sandbox.fault_times(None, Fault::Trickle { chunk: 5_000, pause: Duration::from_millis(20) }, 1);
    assert!(test.send("GET", PATH, None).await.text().await.unwrap().ends_with('}'));
}

#[tokio::test]
async fn a_bomb_is_small_on_the_wire() {
    let test = Test::new().await;
    test.sandbox.fault_times(None, Fault::GzipBomb(100_000_000), 1);
    let response = test.send("GET", PATH, None).await;
    assert_eq!(response.headers()["content-encoding"], "gzip");
    assert!(response.bytes().await.unwrap().len() < 700_000);
    // A client that unpacks gets what was announced before it meets the wrong checksum.
    test.sandbox.fault_times(None, Fault::GzipBomb(1_000_000), 1);
    let url = format!("{}/api{PATH}", test.sandbox.url());
    let unpacking = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut response = unpacking.get(url).header("x-api-key", test.sandbox.api_key()).send().await.unwrap();
    let mut size = 0;
    while let Ok(Some(bytes)) = response.chunk().await {
        size += bytes.len();
    }
    assert!(size > 900_000, "{size}");
}
