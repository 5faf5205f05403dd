//! Three processes as one service: any of them answers any request, and together they count exactly. Needs a Redis or Valkey server.

use super::served::{Client, Folder, PATIENCE, Served, block_on, token, with_key};
use crate::support::Upstream;
use serde_json::json;
use std::process::{Child, Command, Stdio};
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
        let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port();
        let child = Command::new(program)
            .args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir"])
            .arg(folder.path("."))
            .stdout(Stdio::null())
            .spawn()
            .expect("the store starts");
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
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
