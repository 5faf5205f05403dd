//! Whatever is thrown at the server: it answers with a refusal that says why and tells nothing, or closes, and goes on for everyone else.

use super::served::{Folder, Served, block_on, http, token, with_key};
use crate::support::{Upstream, error};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;

fn address(served: &Served) -> String {
    served.url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned()
}

/// Sends bytes as they are and gives what came back; empty: the connection was closed without a word. `end`: says that no more follow,
/// which to a server means that nobody waits for its answer.
fn raw(served: &Served, bytes: &[u8], end: bool) -> String {
    let mut stream = TcpStream::connect(address(served)).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    // A server that has heard enough may close before all is written.
    let _ = stream.write_all(bytes);
    if end {
        let _ = stream.shutdown(std::net::Shutdown::Write);
    }
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> Option<u16> {
    answer.strip_prefix("HTTP/1.")?.get(2..5)?.parse().ok()
}

/// It refuses or closes, and the next caller is served as ever.
fn refuses(served: &Served, what: &str, bytes: &[u8]) {
    let answer = raw(served, bytes, true);
    assert!(answer.is_empty() || status(&answer).is_some_and(|status| (400..500).contains(&status)), "{what}: {answer}");
    block_on(async { assert_eq!(served.client(&[]).tools().await.len(), 2, "after {what}") });
}

fn post(head: &str, body: &str) -> Vec<u8> {
    let accept = "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n";
    format!("POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{accept}{head}\r\n{body}").into_bytes()
}

fn sized(body: &str) -> Vec<u8> {
    post(&format!("Content-Length: {}\r\n", body.len()), body)
}

#[test]
fn heads_that_are_none_are_refused() {
    let served = Served::start(&[], &[]);
    let many = "x-many: y\r\n".repeat(400);
    let plain = |line: &str, head: &str| format!("{line}\r\n{head}Connection: close\r\n\r\n").into_bytes();
    let cases = [
        ("garbage", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec()),
        ("no request", b"\r\n\r\n\r\n\r\n".to_vec()),
        ("half a line", b"POST /mcp HT".to_vec()),
        ("no host", plain("POST /mcp HTTP/1.1", "")),
        ("two hosts", plain("POST /mcp HTTP/1.1", "Host: localhost\r\nHost: evil.example\r\n")),
        ("another host", plain("POST /mcp HTTP/1.1", "Host: localhost@evil.example\r\n")),
        ("an address of elsewhere", plain("POST http://evil.example/mcp HTTP/1.1", "Host: localhost\r\n")),
        ("a header without a name", plain("POST /mcp HTTP/1.1", "Host: localhost\r\n: x\r\n")),
        ("a header that is folded", plain("POST /mcp HTTP/1.1", "Host: localhost\r\nX: a\r\n b\r\n")),
        ("a head of 100 kB", post(&format!("X-Long: {}\r\n", "y".repeat(100_000)), "")),
        ("400 headers", post(&many, "")),
        ("an address of 100 kB", plain(&format!("POST /mcp?{} HTTP/1.1", "y".repeat(100_000)), "Host: localhost\r\n")),
        ("two lengths", post("Content-Length: 46\r\nContent-Length: 3\r\n", LIST)),
        ("a negative length", post("Content-Length: -1\r\n", LIST)),
        ("chunks that are none", post("Transfer-Encoding: chunked\r\n", "zz\r\nabc\r\n")),
        ("a body that breaks off", post("Content-Length: 400\r\n", LIST)),
        ("a coding of its own", post("Transfer-Encoding: rot13\r\n", LIST)),
        ("CONNECT", plain("CONNECT localhost:22 HTTP/1.1", "Host: localhost\r\n")),
        ("TRACE", plain("TRACE /mcp HTTP/1.1", "Host: localhost\r\n")),
    ];
    for (what, bytes) in cases {
        refuses(&served, what, &bytes);
    }
    // A length beside chunks smuggles nothing: what follows the body is not taken for a request of its own.
    let smuggled = post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
    assert!(!raw(&served, &smuggled, false).contains("callslip_calls_total"));
}

#[test]
fn bodies_that_are_no_request_are_refused() {
    let served = Served::start(&[], &[]);
    let call = |arguments: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"arcane_find_action","arguments":{arguments}}}}}"#)
    };
    for (what, body) in [
        ("nothing", String::new()),
        ("half of it", LIST[..20].to_owned()),
        ("no JSON", "<xml/>".into()),
        ("a batch", format!("[{LIST},{LIST}]")),
        ("an empty batch", "[]".into()),
        ("a text", "\"tools/list\"".into()),
        ("null", "null".into()),
        ("no method", r#"{"jsonrpc":"2.0","id":1}"#.into()),
        ("another version", r#"{"jsonrpc":"1.0","id":1,"method":"tools/list"}"#.into()),
        ("an id that is an object", r#"{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}"#.into()),
        ("deep nesting", call(&format!("{}{}", "[".repeat(50_000), "]".repeat(50_000)))),
        ("half a character", r#"{"jsonrpc":"2.0","id":1,"method":"\ud800"}"#.into()),
        ("two documents", format!("{LIST}{LIST}")),
    ] {
        let (code, _, text) = block_on(async { served.client(&[]).post(body).await });
        let answer: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{what}: {error}: {text}"));
        assert_eq!(code, 400, "{what}: {text}");
        assert!([-32_700, -32_600].contains(&answer["error"]["code"].as_i64().unwrap()), "{what}: {text}");
        assert!(!text.contains("panicked") && !text.contains(".rs:"), "{what}: {text}");
    }
    let mut broken = sized(LIST);
    let place = broken.len() - 4;
    broken[place] = 0xff;
    refuses(&served, "a body that is no UTF-8", &broken);
    // Arguments that are none are a result that says so, not an end of the talk.
    for arguments in
        ["[]", "\"x\"", "3", r#"{"query":{"a":[1e999]}}"#, r#"{"query":"x","query":"y","limit":-1}"#, r#"{"limit":1e300,"query":"\u0000"}"#]
    {
        let (code, _, text) = block_on(async { served.client(&[]).post(call(arguments)).await });
        assert!(code < 500 && (text.contains("\"error\"") || text.contains("\"isError\":true")), "{arguments}: {code} {text}");
    }
    block_on(async {
        let send = async |name: &'static str, value: &'static str| {
            let request = http(None)
                .post(&served.url)
                .header("content-type", "application/json")
                .header("accept", "application/json, text/event-stream");
            let mut request = request.body(LIST).build().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
            http(None).execute(request).await.unwrap().status().as_u16()
        };
        assert_eq!(send("content-type", "text/plain").await, 415);
        assert_eq!(send("content-type", "application/x-www-form-urlencoded").await, 415, "what a page can send unasked is not taken");
        assert_eq!(send("accept", "text/html").await, 406);
        assert_eq!(send("mcp-protocol-version", "1999-01-01").await, 400);
        // There are no sessions to be guessed or taken over.
        assert_eq!(send("mcp-session-id", "../../etc/passwd").await, 200);
        assert_eq!(send("last-event-id", "999999").await, 200);
        for path in ["/mcp/", "/MCP", "//mcp", "/mcp/../metrics", "/mcp%2f", "/%6dcp", "/.env", "/metrics/", "/healthz/x"] {
            let answer = raw(&served, format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").as_bytes(), false);
            assert!(status(&answer).is_some_and(|status| (400..500).contains(&status)), "{path}: {answer}");
        }
        assert_eq!(served.client(&[]).tools().await.len(), 2);
    });
}

#[test]
fn addresses_of_resources_lead_nowhere_else() {
    let upstream = Upstream::start();
    let served = Served::start(&[], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        for uri in [
            "arcane://environments/../containers",
            "arcane://environments/%2e%2e/containers",
            "arcane://environments/0%2f..%2f..%2fusers%3f/containers",
            "arcane://environments/0/../../users/containers",
            "arcane://environments/0/containers/../../../users",
            "arcane://environments/a%0d%0aX-Evil:%201/containers",
            "arcane://environments/%00/containers",
            "arcane://environments//containers",
            "arcane://guides/../../Cargo.toml",
            "arcane://guides/%2e%2e%2fusing-arcane",
            "arcane://tools/../environments",
            "skill://using-arcane/../../../etc/passwd",
            "file:///etc/passwd",
            "http://127.0.0.1:1/",
            "ARCANE://tools",
            "",
        ] {
            let (_, answer) = client.try_ask("resources/read", json!({ "uri": uri })).await;
            assert!(answer["error"]["message"].is_string(), "{uri}: {answer}");
        }
    });
    let paths: Vec<_> = upstream.requests().iter().map(|request| request.path.clone()).collect();
    assert!(paths.is_empty(), "{paths:?}");
}

#[test]
fn callers_from_elsewhere_reach_no_file_of_this_machine() {
    let upstream = Upstream::start();
    let folder = Folder::new("files");
    let secret = folder.write("secret.txt", "the-text-of-a-file");
    let (held, entry) = token("ci", "main", "full", "");
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\n{entry}"));
    let allow = folder.path(".").display().to_string();
    let bearer = format!("Bearer {held}");
    let doors = [
        (vec!["--allow-path", &*allow, "--tenants", &*file], ("authorization", &*bearer)),
        (vec!["--allow-path", &*allow, "--pass-through"], ("x-api-key", upstream.sandbox.api_key())),
    ];
    for (options, credential) in doors {
        let served = Served::start(&options, &with_key(upstream.environment()));
        block_on(async {
            let client = served.client(&[credential]);
            let uploaded = client.execute("profile.upload_avatar", json!({ "file": { "path": secret } })).await;
            assert_eq!(uploaded["isError"], true, "{uploaded}");
            let saved = folder.path("saved.png").display().to_string();
            let arguments = json!({ "action": "app_image.favicon", "saveTo": saved });
            let result = client.ask("tools/call", json!({ "name": "arcane_execute_action", "arguments": arguments })).await;
            assert!(result["isError"] == true || result["structuredContent"]["path"].is_null(), "{result}");
            assert!(!folder.path("saved.png").exists());
        });
    }
    let sent = upstream.requests().iter().any(|request| request.text().contains("the-text-of-a-file"));
    assert!(!sent, "no file left this machine");
}

#[test]
fn no_credential_is_heard_again() {
    let upstream = Upstream::start();
    let folder = Folder::new("echo");
    let (held, entry) = token("ci", "main", "full", "");
    let (_, other) = token("other", "main", "read", "");
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\n{entry}{other}"));
    let served = Served::start(&["--tenants", &file, "--audit-arguments"], &with_key(upstream.environment()));
    let secrets = [&*held, "csl_wrong-but-somebodys-secret", upstream.sandbox.api_key()];
    let (right, wrong) = (format!("Bearer {held}"), format!("Bearer {}", secrets[1]));
    let silent = |text: &str| assert!(!secrets.iter().any(|secret| text.contains(secret)), "{text}");
    block_on(async {
        for headers in [
            vec![("authorization", &*wrong)],
            vec![("x-api-key", secrets[1])],
            vec![("authorization", secrets[1])],
            vec![("authorization", "Basic Y3NsOndyb25n")],
            vec![("authorization", &*right), ("authorization", &*wrong)],
            vec![("authorization", &*wrong), ("authorization", &*right)],
            vec![("authorization", &*right), ("x-api-key", secrets[1])],
        ] {
            let (status, answer_headers, text) = served.client(&headers).post(LIST.into()).await;
            assert_eq!(status, 401, "{headers:?}: {text}");
            silent(&text);
            silent(&format!("{answer_headers:?}"));
        }
        let client = served.client(&[("authorization", &*right)]);
        for fault in [callslip_sandbox::Fault::problem(401, &format!("bad key {}", secrets[2])), callslip_sandbox::Fault::Reset] {
            upstream.sandbox.clear_faults();
            upstream.sandbox.fault(None, fault);
            let result = client.execute("container.get", json!({ "containerId": "web" })).await;
            error(&result);
            silent(&result.to_string());
            assert!(!result.to_string().contains(&upstream.sandbox.address().to_string()), "nor where the API is: {result}");
        }
        let (_, _, text) = client.pinned(&format!("token={}", secrets[1])).post(LIST.into()).await;
        silent(&text);
    });
    served.hear("container.get");
    silent(&served.said().join("\n"));
}

/// Heads and bodies that come a byte at a time hold up no one but whoever sends them.
#[test]
fn those_who_dawdle_hold_up_nobody() {
    let served = Served::start(&[], &[]);
    let mut dawdling = Vec::new();
    for number in 0..200 {
        let mut stream = TcpStream::connect(address(&served)).unwrap();
        let begun = match number % 3 {
            0 => "POST /mcp HTTP/1.1\r\nHost: loc".to_owned(),
            1 => String::new(),
            _ => String::from_utf8(post("Content-Length: 46\r\n", "{")).unwrap(),
        };
        stream.write_all(begun.as_bytes()).unwrap();
        dawdling.push(stream);
    }
    block_on(async {
        for _ in 0..20 {
            assert_eq!(served.client(&[]).tools().await.len(), 2);
        }
        let figures = http(None).get(served.at("/metrics")).send().await.unwrap().text().await.unwrap();
        let open: Value = figures.lines().find_map(|line| line.strip_prefix("callslip_connections ")).unwrap().parse().unwrap();
        assert!(open.as_u64().unwrap() >= 200, "they are all still there: {open}");
    });
}

#[test]
fn arguments_that_are_no_object_are_answered_over_http_too() {
    let upstream = Upstream::start();
    let served = Served::start(&[], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        for stateless in [false, true] {
            let ask = async |arguments: Value| {
                let params = json!({ "name": "arcane_execute_action", "arguments": arguments });
                if stateless { client.ask_stateless("tools/call", params).await } else { client.ask("tools/call", params).await }
            };
            let refused = ask(json!([])).await;
            assert_eq!(error(&refused)["code"], "invalid_arguments", "{refused}");
            let read = ask(json!("{\"action\":\"container.counts\"}")).await;
            assert!(read["isError"] == false && read["structuredContent"]["notes"].to_string().contains("JSON string"), "{read}");
        }
    });
}
