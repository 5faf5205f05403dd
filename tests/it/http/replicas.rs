//! Three processes as one service: any of them answers any request, and together they count exactly. Needs a Redis or Valkey server.

use super::served::{Client, Folder, PATIENCE, Served, block_on, token, with_key};
use crate::support::Upstream;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// A Redis of this test alone.
struct Redis {
    child: Child,
    url: String,
}

impl Redis {
    /// Starts one where one is installed; says clearly where not. With `CALLSLIP_DEMAND_REDIS` set it must be.
    fn start(folder: &Folder) -> Option<Self> {
        let program = ["redis-server", "valkey-server"]
            .into_iter()
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
        let Some(program) = program else {
            assert!(std::env::var_os("CALLSLIP_DEMAND_REDIS").is_none(), "neither redis-server nor valkey-server is installed");
            eprintln!("skipped: neither redis-server nor valkey-server is installed here, so shared quotas were not tested");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
        let child = Command::new(program)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(folder.path("."))
            .stdout(Stdio::null())
            .spawn()
            .expect("the store starts");
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < PATIENCE, "the store does not listen");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(Self { child, url: format!("redis://127.0.0.1:{port}") })
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const CALLERS: usize = 32;
const CALLS_AN_HOUR: usize = 300;

#[test]
fn three_replicas_count_exactly_and_outlive_one() {
    let folder = Folder::new("replicas");
    let Some(redis) = Redis::start(&folder) else { return };
    let upstream = Upstream::start();
    let ((held, entry), (free, free_entry)) = (token("ci", "main", "full", ""), token("free", "free", "full", ""));
    let file = folder
        .write("tenants.toml", &format!("[workspaces.main]\ncalls_an_hour = {CALLS_AN_HOUR}\n[workspaces.free]\n{entry}{free_entry}"));
    let environment = with_key(upstream.environment());
    let mut replicas: Vec<_> = (0..3)
        .map(|_| Served::start(&["--tenants", &file, "--quota-store", &redis.url, "--audit-log", "/dev/null"], &environment))
        .collect();
    let clients = |token: &str| -> Vec<Client> {
        replicas.iter().map(|served| served.client(&[("authorization", &format!("Bearer {token}"))])).collect()
    };

    // One client, its requests spread over all: what one replica said is true at the next.
    let round = clients(&free);
    block_on(async {
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        round[0].ask("initialize", hello).await;
        let mut lists = Vec::new();
        for number in 0..9 {
            let client = &round[number % 3];
            lists.push(client.ask("tools/list", json!({})).await);
            let result = client.execute("container.get", json!({ "containerId": "web" })).await;
            assert_eq!(result["isError"], false, "{result}");
        }
        assert!(lists.windows(2).all(|pair| pair[0] == pair[1]));
    });
    upstream.sandbox.clear();

    // More calls than there are, from many at once: exactly as many as there are come through.
    let spread = clients(&held);
    let admitted = runtime().block_on(async {
        let callers: Vec<_> = (0..CALLERS)
            .map(|caller| {
                let spread = spread.clone();
                tokio::spawn(async move {
                    let mut admitted = 0;
                    for number in 0..14 {
                        let result = spread[(caller + number) % 3].execute("container.counts", json!({})).await;
                        if result["isError"] == true {
                            assert_eq!(result["structuredContent"]["error"]["code"], "quota", "{result}");
                        } else {
                            admitted += 1;
                        }
                    }
                    admitted
                })
            })
            .collect();
        let mut admitted = 0;
        for caller in callers {
            admitted += caller.await.unwrap();
        }
        admitted
    });
    assert_eq!((admitted, upstream.requests().len()), (CALLS_AN_HOUR, CALLS_AN_HOUR));

    // One dies while calls run: only what was in flight there is lost.
    let survivors = clients(&free);
    let mut dying = replicas.remove(0);
    let (lost, elsewhere) = runtime().block_on(async {
        let callers: Vec<_> = (0..CALLERS).map(|caller| tokio::spawn(outlive(survivors.clone(), caller))).collect();
        tokio::time::sleep(Duration::from_millis(100)).await;
        dying.kill();
        let (mut lost, mut elsewhere) = (0, 0);
        for caller in callers {
            let (at_the_dead, answered) = caller.await.unwrap();
            lost += at_the_dead;
            elsewhere += answered;
        }
        (lost, elsewhere)
    });
    assert_eq!(lost + elsewhere, CALLERS * 12, "every call was answered or lost at the one that died");
    assert!(elsewhere >= CALLERS * 8, "{elsewhere}");
}

/// Between a server and its store: whatever goes to the store arrives; what comes back is lost while `deaf`.
struct Line {
    url: String,
    deaf: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Line {
    fn to(store: &Redis) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("redis://{}", listener.local_addr().unwrap());
        let target = store.url.trim_start_matches("redis://").to_owned();
        let (deaf, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (is_deaf, count) = (Arc::clone(&deaf), Arc::clone(&asked));
        std::thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let far = TcpStream::connect(&target).unwrap();
                let (count, is_deaf) = (Arc::clone(&count), Arc::clone(&is_deaf));
                let (from, to) = (near.try_clone().unwrap(), far.try_clone().unwrap());
                std::thread::spawn(move || {
                    carry(from, &to, |_| {
                        count.fetch_add(1, Ordering::SeqCst);
                        true
                    });
                });
                // A connection that has lost an answer is of no use afterwards: it ends.
                std::thread::spawn(move || carry(far, &near, |_| !is_deaf.load(Ordering::SeqCst)));
            }
        });
        Self { url, deaf, asked }
    }
}

/// Carries bytes as long as `goes_on` says so, then swallows one piece and ends both ways.
fn carry(mut from: TcpStream, mut to: &TcpStream, goes_on: impl Fn(&[u8]) -> bool) {
    let mut piece = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut piece) {
        if !goes_on(&piece[..length]) || to.write_all(&piece[..length]).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}

/// The store counts, its answer is lost: a call that was refused for that is not counted, one that went through is counted once.
#[test]
fn an_answer_that_the_store_lost_miscounts_nothing() {
    let folder = Folder::new("deaf");
    let Some(redis) = Redis::start(&folder) else { return };
    let upstream = Upstream::start();
    for (what, left) in [("refuse", 5), ("allow", 4)] {
        let (held, entry) = token("ci", what, "full", "");
        let file = folder.write("tenants.toml", &format!("[workspaces.{what}]\ncalls_an_hour = 5\n{entry}"));
        let line = Line::to(&redis);
        let served =
            Served::start(&["--tenants", &file, "--quota-store", &line.url, "--quota-lost", what], &with_key(upstream.environment()));
        block_on(async {
            let client = served.client(&[("authorization", &format!("Bearer {held}"))]);
            let counts = async || client.execute("container.counts", json!({})).await;
            // The scripts are loaded, the connection stands.
            assert_eq!(counts().await["isError"], false);
            let raise = folder.write("tenants.toml", &format!("[workspaces.{what}]\ncalls_an_hour = 6\n{entry}"));
            assert_eq!(raise, file);
            served.signal("HUP");
            served.hear("was read again");
            line.deaf.store(true, Ordering::SeqCst);
            let asked = line.asked.load(Ordering::SeqCst);
            upstream.sandbox.clear();
            let result = counts().await;
            assert_eq!(result["isError"], what == "refuse", "{what}: {result}");
            assert_eq!(upstream.requests().is_empty(), what == "refuse");
            assert!(line.asked.load(Ordering::SeqCst) > asked, "the store was asked");
            line.deaf.store(false, Ordering::SeqCst);
            let mut admitted = 0;
            for _ in 0..12 {
                let result = counts().await;
                if result["isError"] == false {
                    admitted += 1;
                } else if result["structuredContent"]["error"]["retryAfterSeconds"].is_number() {
                    break;
                } else {
                    // The connection comes back in its own time.
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
            assert_eq!(admitted, left, "{what}");
        });
    }
}

/// A person's answer serves once, whichever replica it comes to.
#[test]
fn an_answer_of_a_person_counts_once_over_all_replicas() {
    let folder = Folder::new("once");
    let Some(redis) = Redis::start(&folder) else { return };
    let upstream = Upstream::start();
    let ((one, one_entry), (two, two_entry)) = (token("one", "main", "full", ""), token("two", "main", "full", ""));
    let file = folder.write("tenants.toml", &format!("[workspaces.main]\n{one_entry}{two_entry}"));
    let mut environment = with_key(upstream.environment());
    environment.push(("ARCANE_MCP_STATE_KEY".into(), "0123456789abcdef0123456789abcdef".into()));
    let line = Line::to(&redis);
    let replicas = [&redis.url, &line.url].map(|store| Served::start(&["--tenants", &file, "--quota-store", store], &environment));
    let client = |replica: usize, token: &str| {
        replicas[replica].client(&[
            ("authorization", &format!("Bearer {token}")),
            ("mcp-protocol-version", "2026-07-28"),
            ("mcp-method", "tools/call"),
            ("mcp-name", "arcane_execute_action"),
        ])
    };
    let call = json!({
        "name": "arcane_execute_action",
        "arguments": { "action": "container.delete", "params": { "containerId": "redis", "force": true } },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": { "elicitation": {} },
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" }
        }
    });
    let agreed = |question: &Value| {
        let mut again = call.clone();
        again["requestState"] = question["requestState"].clone();
        again["inputResponses"] = json!({ "confirm": { "action": "accept" } });
        again
    };
    let destroyed = || upstream.requests().iter().filter(|request| request.method == "DELETE").count();
    block_on(async {
        let question = client(0, &one).ask("tools/call", call.clone()).await;
        assert_eq!(question["resultType"], "input_required", "{question}");
        let stolen = client(1, &two).ask("tools/call", agreed(&question)).await;
        assert!(stolen.to_string().contains("another call"), "another token of the same workspace: {stolen}");
        let done = client(1, &one).ask("tools/call", agreed(&question)).await;
        assert_eq!((done["isError"].as_bool(), destroyed()), (Some(false), 1), "{done}");
        for replica in [0, 1] {
            let replayed = client(replica, &one).ask("tools/call", agreed(&question)).await;
            assert!(replayed.to_string().contains("used already"), "{replica}: {replayed}");
        }
        // Nobody can tell whether it was used: nothing is sent.
        let question = client(0, &one).ask("tools/call", call.clone()).await;
        line.deaf.store(true, Ordering::SeqCst);
        let unsure = client(1, &one).ask("tools/call", agreed(&question)).await;
        assert!(unsure.to_string().contains("cannot be checked"), "{unsure}");
    });
    assert_eq!(destroyed(), 1);
}

/// Calls in turn at all three; counts those that the first, which may be dead, did not answer.
async fn outlive(clients: Vec<Client>, caller: usize) -> (usize, usize) {
    let (mut lost, mut answered) = (0, 0);
    for number in 0..12 {
        let at = (caller + number) % 3;
        let client = clients[at].clone();
        let result = tokio::spawn(async move { client.execute("container.counts", json!({})).await }).await;
        if let Ok(result) = result {
            assert_eq!(result["isError"], false, "{result}");
            answered += 1;
        } else {
            assert_eq!(at, 0, "only the dead one loses anything");
            lost += 1;
        }
    }
    (lost, answered)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
