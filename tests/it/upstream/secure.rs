//! TLS: who is trusted, and what is said of who is not. The certificates are for these tests alone and valid for a century.

use super::call;
use callslip::answer::Content;
use callslip::catalog::Catalog;
use callslip::error::{Code, Failure};
use callslip::request;
use callslip::upstream::{Settings, Upstream};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const BODY: &str = r#"{"success":true,"data":[]}"#;

pub fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/upstream/certificates").join(name)
}

/// How a server with our certificate speaks TLS.
pub fn configuration(asks_for_client: bool) -> ServerConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions().expect("versions");
    let builder = if asks_for_client {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_file(certificate("authority.pem")).expect("a certificate")).expect("a root");
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().expect("a verifier");
        builder.with_client_cert_verifier(verifier)
    } else {
        builder.with_no_client_auth()
    };
    let chain = vec![CertificateDer::from_pem_file(certificate("server.pem")).expect("a certificate")];
    let key = PrivateKeyDer::from_pem_file(certificate("server.pem")).expect("a key");
    builder.with_single_cert(chain, key).expect("a configuration")
}

/// A server that answers every request with an empty list; its port.
pub fn serve(asks_for_client: bool) -> u16 {
    let config = Arc::new(configuration(asks_for_client));
    listen(move |stream| {
        let connection = ServerConnection::new(Arc::clone(&config)).expect("a connection");
        answer(StreamOwned::new(connection, stream));
    })
}

pub fn listen(handle: impl Fn(std::net::TcpStream) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let handle = Arc::new(handle);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let handle = Arc::clone(&handle);
            std::thread::spawn(move || handle(stream));
        }
    });
    port
}

fn answer(mut stream: impl Read + Write) {
    let mut asked = Vec::new();
    let mut buffer = [0; 1024];
    while !asked.ends_with(b"\r\n\r\n") {
        match stream.read(&mut buffer) {
            Ok(count) if count > 0 => asked.extend_from_slice(&buffer[..count]),
            _ => return,
        }
    }
    let head =
        format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{BODY}", BODY.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.flush());
}

async fn ask(url: String, change: impl Fn(&mut Settings)) -> Result<Content, Failure> {
    let catalog = Catalog::embedded().expect("a catalog");
    let call = call(&catalog, "container.list", json!({}));
    let request = request::build(catalog.api(), &call.action, &call.arguments).expect("a request");
    let mut settings = Settings { url: Some(url), timeout: Duration::from_secs(2), ..Settings::default() };
    change(&mut settings);
    Upstream::new(settings).send(&catalog, &call, &request, None).await.map(|answer| answer.body)
}

#[tokio::test]
async fn an_unknown_authority_is_refused_until_it_is_given() {
    let port = serve(false);
    let url = || format!("https://localhost:{port}");
    let failure = ask(url(), |_| {}).await.expect_err("not trusted");
    assert_eq!(failure.code, Code::Unreachable);
    assert!(failure.told().contains("not trusted") && failure.next[0].contains("--ca-file"), "{failure:?}");
    ask(url(), |settings| settings.ca_file = Some(certificate("authority.pem"))).await.expect("trusted");
    ask(url(), |settings| settings.insecure = true).await.expect("unchecked");
    let failure = ask(format!("https://127.0.0.1:{port}"), |settings| settings.ca_file = Some(certificate("authority.pem"))).await;
    assert!(failure.expect_err("another name").message.contains("another name"));
    let failure = ask(url(), |settings| settings.ca_file = Some("no-such.pem".into())).await.expect_err("no file");
    assert!(failure.told().contains("no-such.pem"), "{failure:?}");
}

#[tokio::test]
async fn a_client_certificate_is_sent_where_it_is_asked_for() {
    let port = serve(true);
    let url = || format!("https://localhost:{port}");
    let trusted = |settings: &mut Settings| settings.ca_file = Some(certificate("authority.pem"));
    let failure = ask(url(), trusted).await.expect_err("no client certificate");
    assert!(failure.next.iter().any(|step| step.contains("--client-cert")), "{failure:?}");
    let with_client = |settings: &mut Settings| {
        trusted(settings);
        settings.client_cert = Some(certificate("client.pem"));
    };
    ask(url(), with_client).await.expect("accepted");
}

#[tokio::test]
async fn what_speaks_no_tls_is_named() {
    let port = listen(answer);
    let failure = ask(format!("https://localhost:{port}"), |_| {}).await.expect_err("no TLS");
    assert!(matches!(failure.code, Code::Unreachable | Code::Timeout), "{failure:?}");
    ask(format!("http://localhost:{port}"), |_| {}).await.expect("plain HTTP");
}

#[tokio::test]
async fn a_handshake_that_stops_half_way_ends_in_time() {
    let port = listen(|mut stream| {
        let _ = stream.read(&mut [0; 64]);
        std::thread::sleep(Duration::from_secs(20));
    });
    let started = Instant::now();
    let failure =
        ask(format!("https://localhost:{port}"), |settings| settings.connect_timeout = Duration::from_millis(300)).await.expect_err("half");
    assert!(started.elapsed() < Duration::from_secs(4), "{failure:?}");
    assert!(!failure.next.is_empty(), "{failure:?}");
}
