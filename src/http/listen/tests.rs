//! Bounds in time, with patience short enough to wait for.

use super::*;
use crate::app::App;
use crate::catalog::Catalog;
use crate::cli::Options;
use crate::config::Config;
use crate::http::access::Callers;
use crate::http::audit::Trail;
use crate::http::desk::Books;
use crate::http::metrics::Metrics;
use crate::http::options::HttpOptions;
use crate::http::quota::Store;
use crate::http::settings::Settings;
use std::sync::atomic::AtomicBool;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_util::sync::CancellationToken;

const SHORT: Duration = Duration::from_millis(150);
/// Far beyond it: whoever waits so long is not bounded.
const LONG: Duration = Duration::from_secs(20);

struct Running {
    address: SocketAddr,
    door: Arc<Door>,
    leave: CancellationToken,
    serving: tokio::task::JoinHandle<()>,
}

async fn start() -> Running {
    let catalog = Catalog::embedded().unwrap();
    let config = Config::resolve(&Options::default(), catalog.api(), &|_| None).unwrap();
    let app = App::new(catalog, config).unwrap();
    let http = HttpOptions { http: Some("127.0.0.1:0".into()), ..HttpOptions::default() };
    let mut settings = Settings::resolve(&http, &app.api().name, false, &|_| None).unwrap().unwrap();
    settings.limits = Limits { head_time: SHORT, body_time: SHORT, stall: SHORT, grace: SHORT, ..settings.limits };
    let books = Arc::new(Books {
        metrics: Metrics::default(),
        trail: Trail::open(None, false).unwrap(),
        store: Store::memory(),
        lost_allows: false,
        lost: AtomicBool::new(false),
    });
    let callers = Callers::new(app.clone(), settings.access.clone(), 20, Arc::clone(&books)).unwrap();
    let door = Arc::new(Door::new(app, callers, books, &settings));
    let listener = TcpListener::bind(settings.address).await.unwrap();
    let address = listener.local_addr().unwrap();
    let leave = CancellationToken::new();
    let listening = Listening { listener, door: Arc::clone(&door), tls: None, connections: 8, limits: settings.limits };
    let serving = tokio::spawn(listening.serve(leave.clone().cancelled_owned()));
    Running { address, door, leave, serving }
}

fn head(address: SocketAddr, length: usize) -> String {
    format!(
        "POST /mcp?surface=individual HTTP/1.1\r\nHost: {address}\r\nAccept: application/json, text/event-stream\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    )
}

async fn gone(running: &Running) {
    let count = || running.door.metrics().connections.load(Ordering::Relaxed);
    tokio::time::timeout(LONG, async {
        while count() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await
    .expect("the connection is given up");
}

#[tokio::test]
async fn heads_bodies_and_readers_that_do_not_come_are_given_up() {
    let running = start().await;
    // Nothing, what may become either version, half a head, an answer after which nothing is asked, and a head after which nothing comes.
    let idle = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for begun in ["", "P", "PRI * HTTP/2.0\r\n", "POST /mcp HT", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-", idle] {
        let mut stream = TcpStream::connect(running.address).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        tokio::time::timeout(LONG, stream.read_to_end(&mut answer)).await.expect("closed in time").unwrap_or(0);
    }
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(head(running.address, 100).as_bytes()).await.unwrap();
    stream.write_all(b"{").await.unwrap();
    let mut answer = [0; 12];
    tokio::time::timeout(LONG, stream.read_exact(&mut answer)).await.expect("answered in time").unwrap();
    assert_eq!(&answer, b"HTTP/1.1 408");
    drop(stream);
    gone(&running).await;
    // A reader that asks and asks and takes nothing: more than any buffer between holds.
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let asked = format!("{}{list}", head(running.address, list.len())).repeat(100);
    stream.write_all(asked.as_bytes()).await.unwrap();
    gone(&running).await;
    drop(stream);
    running.leave.cancel();
    tokio::time::timeout(LONG, running.serving).await.expect("it ends").unwrap();
}

#[tokio::test]
async fn an_end_waits_for_what_runs_but_not_for_ever() {
    let running = start().await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    stream.write_all(head(running.address, 100).as_bytes()).await.unwrap();
    while running.door.metrics().running.load(Ordering::Relaxed) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running.leave.cancel();
    tokio::time::timeout(LONG, running.serving).await.expect("it ends").unwrap();
    assert!(TcpStream::connect(running.address).await.is_err(), "no one is let in any more");
}
