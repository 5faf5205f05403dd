//! What a request has to pass before any tool hears of it, and what the server says of itself.

use super::served::{Folder, PATIENCE, Served, block_on, http, trusting_none};
use crate::support::{Upstream, run};
use serde_json::{Value, json};

#[test]
fn an_address_that_strangers_reach_needs_authentication() {
    for own in [&[][..], &[("ARCANE_API_KEY".to_owned(), "arc_key".to_owned())][..]] {
        let (code, _, said) = run(&["--http", "0.0.0.0:0"], own);
        assert_eq!(code, 2);
        assert!(said.contains("without authentication") && said.contains("--tenants") && said.contains("--pass-through"), "{said}");
    }
}

#[test]
fn wrong_options_are_named() {
    for (arguments, word) in [
        (&["--http", "nonsense"][..], "ADDRESS:PORT"),
        (&["--http", "127.0.0.1:0", "--tls-cert", "a.pem"], "--tls-key"),
        (&["--http", "127.0.0.1:0", "--tenants", "t.toml"], "ARCANE_MCP_SERVER_KEY"),
        (&["--http", "127.0.0.1:0", "--quota-store", "etcd://a"], "--quota-store"),
        (&["--http", "127.0.0.1:0", "--allow-origin", "app"], "--allow-origin"),
        (&["--http", "127.0.0.1:0", "--trusted-proxy", "balancer"], "--trusted-proxy"),
        (&["--tenants", "t.toml"], "--http"),
    ] {
        let (code, _, said) = run(arguments, &[]);
        assert_eq!(code, 2, "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}

#[test]
fn the_main_job_over_http() {
    let upstream = Upstream::start();
    let served = Served::start(&[], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        assert_eq!(client.tools().await, ["arcane_find_action", "arcane_execute_action"]);
        let found = client.ask("tools/call", json!({ "name": "arcane_find_action", "arguments": { "query": "restart container" } })).await;
        assert_eq!(found["structuredContent"]["items"][0]["id"], "container.restart");
        assert!(upstream.requests().is_empty(), "finding sends nothing");
        let done = client.execute("container.restart", json!({ "containerId": "web" })).await;
        assert_eq!(done["isError"], false, "{done}");
        let (status, answer) = client.try_ask("tools/call", json!({ "name": "no_such_tool", "arguments": {} })).await;
        assert_eq!((status, answer["error"]["code"].as_i64()), (200, Some(-32602)));
    });
    assert_eq!(upstream.requests()[0].path, "/api/environments/0/containers/web/restart");
}

#[test]
fn a_list_is_the_compiled_bytes_whatever_the_id() {
    let served = Served::start(&["--tool-surface", "individual"], &[]);
    let told = run(&["tools", "--json", "--tool-surface", "individual"], &[]).1;
    let tools = told.trim().strip_prefix("{\"tools\":").and_then(|rest| rest.strip_suffix('}')).unwrap();
    block_on(async {
        for id in [json!(7), json!("\"tools\":[]"), json!("é")] {
            let (status, headers, text) =
                served.client(&[]).post(json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" }).to_string()).await;
            assert_eq!(status, 200);
            assert_eq!(headers["content-length"], text.len().to_string().as_str());
            assert!(text.contains(&format!("\"tools\":{tools}")), "the bytes of `callslip tools`");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["id"], id);
        }
    });
}

#[test]
fn hosts_origins_methods_and_sizes() {
    let served = Served::start(&["--allow-host", "mcp.example.com", "--allow-origin", "https://app.example.com"], &[]);
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    block_on(async {
        let status = async |headers: &[(&str, &str)]| served.client(headers).post(list.clone()).await.0;
        assert_eq!(status(&[("host", "mcp.example.com")]).await, 200);
        assert_eq!(status(&[("host", "evil.example")]).await, 403);
        assert_eq!(status(&[("origin", "https://evil.example")]).await, 403);
        assert_eq!(status(&[("origin", "null")]).await, 403);
        let (code, headers, _) = served.client(&[("origin", "https://app.example.com")]).post(list.clone()).await;
        assert_eq!((code, headers["access-control-allow-origin"].to_str().unwrap()), (200, "https://app.example.com"));
        for (origin, code) in [("https://app.example.com", 204), ("https://evil.example", 403)] {
            let asked = http(None).request(reqwest::Method::OPTIONS, &served.url).header("origin", origin);
            let answer = asked.header("access-control-request-method", "POST").send().await.unwrap();
            assert_eq!(answer.status(), code, "{origin}");
            assert_eq!(answer.headers().contains_key("access-control-allow-headers"), code == 204);
        }
        let (_, headers, _) = served.client(&[]).post(list.clone()).await;
        assert!(!headers.contains_key("access-control-allow-origin"), "CORS is closed by default");
        for method in [reqwest::Method::GET, reqwest::Method::DELETE, reqwest::Method::PUT] {
            let answer = http(None).request(method, &served.url).header("accept", "text/event-stream").send().await.unwrap();
            assert_eq!(answer.status(), 405);
        }
        let (code, _, text) = served.client(&[]).post("x".repeat(5 << 20)).await;
        assert_eq!(code, 413, "{text}");
        let long = "y".repeat(100_000);
        let answer = http(None).post(&served.url).header("x-long", long).body(list.clone()).send().await;
        assert!(answer.is_err() || answer.unwrap().status() == 431, "a head has its bound");
        let (code, _, text) = served.client(&[]).post("{ not json".into()).await;
        assert!((400..500).contains(&code), "{code} {text}");
        assert_eq!(http(None).get(served.at("/elsewhere")).send().await.unwrap().status(), 404);
    });
}

#[test]
fn health_readiness_and_figures() {
    let upstream = Upstream::start();
    let served = Served::start(&[], &upstream.environment());
    let dead = Served::start(&[], &[("ARCANE_URL".into(), "http://127.0.0.1:9".into())]);
    block_on(async {
        let get = async |url: String| {
            let answer = http(None).get(url).send().await.unwrap();
            (answer.status().as_u16(), answer.text().await.unwrap())
        };
        assert_eq!(get(served.at("/healthz")).await.0, 200);
        for _ in 0..3 {
            assert_eq!(get(served.at("/readyz")).await.0, 200);
        }
        assert_eq!(upstream.requests().len(), 1, "what was found out is kept for a moment");
        assert_eq!((get(dead.at("/healthz")).await.0, get(dead.at("/readyz")).await.0), (200, 503));
        let client = served.client(&[]);
        client.execute("container.list", json!({})).await;
        client.execute("container.get", json!({ "containerId": "nowhere" })).await;
        client.execute("container.get", json!({ "no": "such" })).await;
        client.ask("tools/call", json!({ "name": "arcane_find_action", "arguments": { "query": "logs" } })).await;
        let (_, text) = get(served.at("/metrics")).await;
        for line in [
            "callslip_calls_total{action=\"container.list\",kind=\"read\",outcome=\"ok\",tenant=\"\"} 1",
            "callslip_calls_total{action=\"container.get\",kind=\"read\",outcome=\"not_found\",tenant=\"\"} 1",
            "callslip_calls_total{action=\"container.get\",kind=\"read\",outcome=\"invalid_arguments\",tenant=\"\"} 1",
            "callslip_find_duration_seconds_count 1",
            "callslip_call_duration_seconds_count{kind=\"read\"} 3",
            "callslip_http_requests_total{status=\"200\"} 4",
        ] {
            assert!(text.lines().any(|known| known == line), "{line} in {text}");
        }
        dead.client(&[]).execute("container.list", json!({})).await;
        let (_, lost) = get(dead.at("/metrics")).await;
        assert!(lost.contains("callslip_upstream_errors_total{code=\"unreachable\"} 1"), "{lost}");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            assert!(line.rsplit_once(' ').is_some_and(|(_, number)| number.parse::<f64>().is_ok()), "{line}");
        }
    });
}

#[test]
fn the_trail_has_one_line_a_call_and_no_secret() {
    let upstream = Upstream::start();
    let folder = Folder::new("trail");
    let path = folder.path("audit.jsonl");
    let mut served = Served::start(&["--audit-log", path.to_str().unwrap(), "--audit-arguments"], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        client.execute("container.restart", json!({ "containerId": "web" })).await;
        client.execute("container.get", json!({ "containerId": "nowhere" })).await;
        client.execute("user.create", json!({ "username": "ann", "password": "Hunter2-hunter2" })).await;
        client.ask("tools/call", json!({ "name": "arcane_find_action", "arguments": { "query": "logs" } })).await;
    });
    served.signal("TERM");
    assert!(served.wait().success());
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(
        (&lines[0]["action"], &lines[0]["outcome"], &lines[0]["kind"]),
        (&json!("container.restart"), &json!("ok"), &json!("write"))
    );
    assert_eq!((&lines[1]["outcome"], &lines[1]["status"]), (&json!("not_found"), &json!(404)));
    assert!(lines[0]["request"]["path"].as_str().unwrap().ends_with("/containers/web/restart"));
    assert!(lines[0]["time"].as_str().unwrap().ends_with('Z') && lines[0]["duration_ms"].is_number());
    assert!(!text.contains("hunter2"), "{text}");
    assert!(!text.contains(upstream.sandbox.api_key()));
}

/// A call on the revision on which a question comes back with the call.
fn modern(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" }
    });
    params
}

#[test]
fn calls_that_come_to_nothing_leave_a_line_too() {
    let upstream = Upstream::start();
    let folder = Folder::new("nothing");
    let path = folder.path("audit.jsonl");
    let mut served = Served::start(&["--audit-log", path.to_str().unwrap(), "--exclude", "container.kill"], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        client.execute("no.such\u{1b}[31m\naction", json!({ "password": "Hunter2-hunter2" })).await;
        client.try_ask("tools/call", json!({ "name": "no_such_tool", "arguments": { "action": "x" } })).await;
        let own = json!({ "name": "arcane_volume_creat", "arguments": { "name": "hunter2-hunter2" } });
        client.pinned("surface=individual").try_ask("tools/call", own).await;
        client.execute("container.kill", json!({ "containerId": "web" })).await;
        client.execute("container.get", json!({})).await;
        let delete =
            json!({ "name": "arcane_execute_action", "arguments": { "action": "container.delete", "params": { "containerId": "web" } } });
        client.ask("tools/call", delete.clone()).await;
        let modern_client =
            served.client(&[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "arcane_execute_action")]);
        let question = modern_client.ask("tools/call", modern(delete.clone())).await;
        assert_eq!(question["resultType"], "input_required", "{question}");
        let mut answer = modern(delete);
        answer["requestState"] = question["requestState"].clone();
        answer["inputResponses"] = json!({ "confirm": { "action": "decline" } });
        assert_eq!(modern_client.ask("tools/call", answer).await["isError"], true);
    });
    let figures = block_on(async { http(None).get(served.at("/metrics")).send().await.unwrap().text().await.unwrap() });
    served.signal("TERM");
    assert!(served.wait().success());
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<_> = lines.iter().map(|line| (line["action"].as_str().unwrap(), line["outcome"].as_str().unwrap())).collect();
    let expected = [
        ("", "unknown"),
        ("", "unknown"),
        ("", "unknown"),
        ("container.kill", "removed"),
        ("container.get", "invalid_arguments"),
        ("container.delete", "confirm_required"),
        ("container.delete", "asked"),
        ("container.delete", "refused"),
    ];
    assert_eq!(told, expected, "{text}");
    assert_eq!(lines[0]["asked"], "arcane_execute_action no.such action");
    assert!(lines[..3].iter().all(|line| line["kind"].is_null()), "{text}");
    assert!(!text.contains("hunter2"), "no argument but the name: {text}");
    assert!(figures.contains("callslip_calls_total{action=\"\",kind=\"\",outcome=\"unknown\",tenant=\"\"} 3"), "{figures}");
    assert!(!figures.contains("no.such"), "what a caller makes up is no label: {figures}");
    assert!(upstream.requests().is_empty());
}

#[test]
fn what_runs_is_finished_when_the_server_is_told_to_end() {
    let upstream = Upstream::start();
    upstream.sandbox.fault(None, callslip_sandbox::Fault::DelayHeaders(std::time::Duration::from_millis(800)));
    let mut served = Served::start(&[], &upstream.environment());
    block_on(async {
        let client = served.client(&[]);
        let running = tokio::spawn(async move { client.execute("container.list", json!({})).await });
        while upstream.requests().is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
        served.signal("TERM");
        assert_eq!(running.await.unwrap()["isError"], false);
    });
    assert!(served.wait().success());
}

/// More at a time than there are places: the one answer that is HTTP 429, and gone as soon as there is a place again.
#[test]
fn a_flood_is_turned_away_and_told_when_to_come_again() {
    let served = Served::start(&[], &[]);
    block_on(async {
        let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
        let mut waiting = Vec::new();
        for _ in 0..8 {
            let client = reqwest::Client::builder().http2_prior_knowledge().tls_backend_preconfigured(trusting_none()).build().unwrap();
            for _ in 0..64 {
                // A body that does not come.
                let body = reqwest::Body::wrap_stream(futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>());
                let request = client.post(&served.url).header("accept", "application/json, text/event-stream");
                waiting.push(tokio::spawn(request.header("content-type", "application/json").body(body).send()));
            }
        }
        running(&served, 512).await;
        let (status, headers, text) = served.client(&[]).post(list).await;
        assert_eq!((status, headers["retry-after"].to_str().unwrap()), (429, "1"), "{text}");
        assert!(text.contains("more requests to answer than it can"), "{text}");
        waiting.iter().for_each(tokio::task::JoinHandle::abort);
        drop(waiting);
        running(&served, 0).await;
        assert_eq!(served.client(&[]).tools().await.len(), 2);
    });
}

/// Waits until so many requests are being answered.
async fn running(served: &Served, count: usize) {
    let wanted = format!("callslip_http_requests_running {count}\n");
    let reached = tokio::time::timeout(PATIENCE, async {
        while !http(None).get(served.at("/metrics")).send().await.unwrap().text().await.unwrap().contains(&wanted) {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    reached.await.unwrap_or_else(|_| panic!("never {wanted}"));
}

#[test]
fn tls_is_spoken_with_the_given_certificate() {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let folder = Folder::new("tls");
    let certificate = folder.write("cert.pem", &made.cert.pem());
    let key = folder.write("key.pem", &made.signing_key.serialize_pem());
    let served = Served::start(&["--tls-cert", &certificate, "--tls-key", &key], &[]);
    assert!(served.url.starts_with("https://"));
    block_on(async {
        let url = served.at("/healthz").replace("127.0.0.1", "localhost");
        let client = http(Some(made.cert.der()));
        let answer = client.get(&url).send().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.version()), (200, reqwest::Version::HTTP_2));
        assert!(http(None).get(&url).send().await.is_err(), "a stranger's certificate is not trusted");
    });
}
