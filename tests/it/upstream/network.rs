//! The way to the server: HTTP/2, proxies, IPv6, a path prefix. Everything stays on this machine.

use super::{Bench, secure};
use crate::support::{Upstream, run};
use callslip::answer::Content;
use callslip_sandbox::Options;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// TLS in front of a sandbox; the protocols that were agreed on, one a connection.
async fn secured(sandbox: SocketAddr) -> (u16, Arc<Mutex<Vec<String>>>) {
    let mut config = secure::configuration(false);
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let agreed = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&agreed);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, noted) = (acceptor.clone(), Arc::clone(&noted));
            tokio::spawn(async move {
                let Ok(mut outer) = acceptor.accept(stream).await else { return };
                let protocol = outer.get_ref().1.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
                noted.lock().expect("notes").push(protocol.unwrap_or_default());
                let Ok(mut inner) = tokio::net::TcpStream::connect(sandbox).await else { return };
                let _ = tokio::io::copy_bidirectional(&mut outer, &mut inner).await;
            });
        }
    });
    (port, agreed)
}

#[tokio::test]
async fn requests_share_an_http_2_connection_and_sockets_have_http_1() {
    let mut bench = Bench::start().await;
    let (port, agreed) = secured(bench.sandbox.address()).await;
    bench.settings.url = Some(format!("https://localhost:{port}"));
    bench.settings.ca_file = Some(secure::certificate("authority.pem"));
    let upstream = callslip::upstream::Upstream::new(bench.settings.clone());
    let send = async |id: &str, arguments: Value| {
        let call = bench.call(id, arguments);
        let request = callslip::request::build(bench.catalog.api(), &call.action, &call.arguments).expect("a request");
        upstream.send(&bench.catalog, &call, &request, None).await.unwrap_or_else(|failure| panic!("{id}: {failure:?}"))
    };
    for _ in 0..3 {
        send("container.list", json!({})).await;
    }
    send("container.restart", json!({ "containerId": "web" })).await;
    let answer = send("image.pull", json!({ "imageName": "nginx" })).await;
    assert!(matches!(answer.body, Content::Log { .. }));
    assert_eq!(*agreed.lock().expect("notes"), ["h2"], "one connection for all of them");
    send("container.logs", json!({ "containerId": "web", "tail": "5" })).await;
    assert_eq!(*agreed.lock().expect("notes"), ["h2", "http/1.1"]);
}

#[tokio::test]
async fn an_address_may_be_ipv6() {
    let address = SocketAddr::from((Ipv6Addr::LOCALHOST, 0));
    if TcpListener::bind(address).is_err() {
        eprintln!("this machine has no IPv6; skipped");
        return;
    }
    let bench = Bench::with(Options { address, ..Options::default() }).await;
    assert!(bench.settings.url.as_deref().is_some_and(|url| url.starts_with("http://[::1]:")), "{:?}", bench.settings.url);
    bench.send("container.list", json!({})).await.expect("a list");
    bench.send("container.logs", json!({ "containerId": "web", "tail": "5" })).await.expect("a log");
}

#[tokio::test]
async fn an_address_may_have_a_path_prefix() {
    let mut bench = Bench::with(Options { base_path: "/tools/arcane".into(), ..Options::default() }).await;
    let url = bench.sandbox.url();
    for url in [url.clone(), format!("{url}/"), format!("{url}/api"), format!("{url}/api/")] {
        bench.sandbox.clear();
        bench.settings.url = Some(url.clone());
        bench.send("container.list", json!({})).await.unwrap_or_else(|failure| panic!("{url}: {failure:?}"));
        assert_eq!(bench.sandbox.requests()[0].path, "/tools/arcane/api/environments/0/containers", "{url}");
        bench
            .send("container.logs", json!({ "containerId": "web", "tail": "5" }))
            .await
            .unwrap_or_else(|failure| panic!("{url}: {failure:?}"));
    }
}

/// A proxy that leads everything to one place; the first line of each request it was asked.
fn proxy(to: SocketAddr) -> (String, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&asked);
    let port = secure::listen(move |mut client: TcpStream| {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            match client.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                _ => return,
            }
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        let (first, rest) = head.split_once("\r\n").expect("a line");
        noted.lock().expect("notes").push(first.to_owned());
        let Ok(mut server) = TcpStream::connect(to) else { return };
        if first.starts_with("CONNECT ") {
            let _ = client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n");
        } else {
            // `GET http://host/path HTTP/1.1`: the server wants the path alone.
            let mut words = first.split(' ');
            let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
            let path = target.splitn(4, '/').nth(3).unwrap_or_default();
            let _ = server.write_all(format!("{method} /{path} HTTP/1.1\r\n{rest}").as_bytes());
        }
        let (mut from, mut back) = (client.try_clone().expect("a half"), server.try_clone().expect("a half"));
        std::thread::spawn(move || std::io::copy(&mut from, &mut back));
        let _ = std::io::copy(&mut server, &mut client);
        let _ = client.shutdown(std::net::Shutdown::Both);
    });
    (format!("http://127.0.0.1:{port}"), asked)
}

#[test]
fn a_proxy_carries_requests_and_sockets() {
    let upstream = Upstream::start();
    let (proxy, asked) = proxy(upstream.sandbox.address());
    // A name that only the proxy knows.
    let mut environment = upstream.environment();
    environment[0].1 = "http://arcane.invalid".into();
    environment.push(("HTTP_PROXY".into(), proxy));
    let (code, out, complaint) = run(&["call", "container.list", "--json"], &environment);
    assert_eq!(code, 0, "{out}{complaint}");
    let logs = ["call", "container.logs", "--param", "containerId=web", "--param", "tail=5"];
    let (code, out, complaint) = run(&logs, &environment);
    assert_eq!(code, 0, "{out}{complaint}");
    let asked = std::mem::take(&mut *asked.lock().expect("notes"));
    assert!(asked[0].starts_with("GET http://arcane.invalid/api/environments/0/containers"), "{asked:?}");
    assert!(asked[1].contains("arcane.invalid"), "{asked:?}");
    assert_eq!(upstream.requests().len(), 2);
}

#[test]
fn a_proxy_is_a_tunnel_for_tls_and_can_be_left_out() {
    let port = secure::serve(false);
    let (proxy, asked) = proxy(SocketAddr::from(([127, 0, 0, 1], port)));
    let authority = secure::certificate("authority.pem").display().to_string();
    let arguments = ["call", "container.list", "--json", "--ca-file", &authority];
    let mut environment = vec![
        ("ARCANE_URL".to_owned(), format!("https://localhost:{port}")),
        ("ARCANE_API_KEY".to_owned(), "arc_x".to_owned()),
        ("HTTPS_PROXY".to_owned(), proxy),
    ];
    let (code, out, complaint) = run(&arguments, &environment);
    assert_eq!(code, 0, "{out}{complaint}");
    let connect = asked.lock().expect("notes").clone();
    assert_eq!(connect, [format!("CONNECT localhost:{port} HTTP/1.1")], "nothing of the request is seen on the way");
    environment.push(("NO_PROXY".into(), "localhost,127.0.0.1".into()));
    assert_eq!(run(&arguments, &environment).0, 0);
    assert_eq!(asked.lock().expect("notes").len(), 1, "left out");
}

#[test]
fn an_unchecked_certificate_is_warned_about() {
    let port = secure::serve(false);
    let environment = [("ARCANE_URL".to_owned(), format!("https://localhost:{port}")), ("ARCANE_API_KEY".to_owned(), "arc_x".to_owned())];
    let (code, _, complaint) = run(&["call", "container.list", "--insecure"], &environment);
    assert_eq!(code, 0, "{complaint}");
    assert!(complaint.contains("certificates are not checked"), "{complaint}");
}
