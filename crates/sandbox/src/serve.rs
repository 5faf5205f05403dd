//! The road of a request: log, route, credential, limits, environment, permission, validation, Docker, state, example.
//! The order is Arcane's, since a client sees which check speaks first.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use axum::{
    Router,
    body::Bytes,
    extract::{ConnectInfo, FromRequestParts, Request, State, WebSocketUpgrade, connect_info::IntoMakeServiceWithConnectInfo},
    http::{HeaderMap, request::Parts},
    response::Response,
};
use serde_json::{Value, json};

use crate::{
    call::Call,
    credential::{Accounts, authorize},
    fault::{Fault, Faults},
    generic,
    host::{self, LOCAL, World},
    journal::{Entry, Journal, Recorded},
    mask,
    operation::{Kind, Operation, route},
    options::{Seed, Switches},
    problem::{problem, proxy, tunnel, unknown_route},
    query, read, release,
    reply::{Content, Reply},
    session, socket, stream,
    wire::Line,
};

/// Bodies beyond this are cut off: the largest real one is an upload chunk of 50 MiB.
const LARGEST_BODY: usize = 64 * 1_024 * 1_024;
/// Rows of a list without state.
const FEW: usize = 3;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    base_path: String,
    pub seed: Seed,
    pub world: Mutex<World>,
    pub accounts: Mutex<Accounts>,
    pub switches: Mutex<Switches>,
    pub counts: Mutex<BTreeMap<String, u32>>,
    pub faults: Faults,
    pub journal: Journal,
    turn: AtomicUsize,
}

impl Shared {
    pub fn new(base_path: String, seed: Seed, switches: Switches) -> Self {
        Self {
            base_path,
            seed,
            world: Mutex::new(World::new(seed)),
            accounts: Mutex::default(),
            switches: Mutex::new(switches),
            counts: Mutex::default(),
            faults: Faults::default(),
            journal: Journal::default(),
            turn: AtomicUsize::new(0),
        }
    }
}

/// A lock that outlives a panic in a test's closure.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Every path leads to one handler: the table of operations does the routing.
pub(crate) fn router(shared: Arc<Shared>) -> IntoMakeServiceWithConnectInfo<Router, Line> {
    Router::new().fallback(handle).with_state(shared).into_make_service_with_connect_info::<Line>()
}

/// What a call comes to.
enum Outcome {
    Reply(Reply),
    Socket(Box<socket::Opened>),
}

async fn handle(State(shared): State<Arc<Shared>>, ConnectInfo(Line(control)): ConnectInfo<Line>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, LARGEST_BODY).await.unwrap_or_default();
    let path = parts.uri.path().to_owned();
    let below = path.strip_prefix(&shared.base_path).and_then(|path| path.strip_prefix("/api"));
    let version = lock(&shared.switches).version.clone();
    let routed = below.and_then(|below| route(parts.method.as_str(), below, &version));
    let id = routed.as_ref().map(|(operation, _)| operation.id.as_str());
    let entry = shared.journal.add(recorded(&parts, &bytes, id));
    let fault = shared.faults.take(id);
    let instead = fault.as_ref().and_then(Fault::instead);
    let outcome = match (instead, below, routed) {
        (Some(reply), ..) => Outcome::Reply(reply),
        (None, None, _) => Outcome::Reply(page()),
        (None, Some(below), None) => Outcome::Reply(unrouted(below)),
        (None, Some(below), Some((operation, values))) => {
            respond(&shared, operation, values, &parts, bytes, below).unwrap_or_else(|reply| Outcome::Reply(*reply))
        }
    };
    let reply = match outcome {
        Outcome::Reply(reply) => reply,
        Outcome::Socket(opened) => match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
            Ok(upgrade) => {
                if let Some(fault) = fault.clone() {
                    fault.spoil(Reply::empty(101), &control).await;
                }
                entry.status(101);
                return upgrade.on_upgrade(|socket| async move {
                    match fault {
                        Some(fault) => socket::spoilt(socket, *opened, fault).await,
                        None => socket::serve(socket, *opened).await,
                    }
                });
            }
            Err(_) => Reply::bytes(400, "text/plain; charset=utf-8", b"Bad Request\n".to_vec()),
        },
    };
    let reply = match fault {
        Some(fault) => fault.spoil(reply, &control).await,
        None => reply,
    };
    entry.status(reply.status);
    watched(reply, entry).into_response()
}

pub(crate) fn recorded(parts: &Parts, bytes: &Bytes, operation: Option<&'static str>) -> Recorded {
    let header = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
        (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    Recorded {
        method: parts.method.as_str().to_owned(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers.iter().map(header).collect(),
        body: bytes.to_vec(),
        operation,
        status: 0,
        aborted: false,
    }
}

/// Tells the log of a stream that was dropped before its end.
struct Watch(Option<Entry>);

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(entry) = self.0.take() {
            entry.aborted();
        }
    }
}

/// Notes in the log when a client leaves before the last piece.
fn watched(reply: Reply, entry: Entry) -> Reply {
    let Content::Chunks(chunks) = reply.content else {
        return reply;
    };
    let watch = Watch(Some(entry));
    let chunks = futures_util::stream::unfold((chunks, watch), |(mut chunks, mut watch)| async move {
        let next = futures_util::StreamExt::next(&mut chunks).await;
        if next.is_none() {
            watch.0 = None;
        }
        next.map(|bytes| (bytes, (chunks, watch)))
    });
    Reply { content: Content::Chunks(Box::pin(chunks)), ..reply }
}

/// Outside `/api` stands the web application, which answers every path with its page.
fn page() -> Reply {
    let page = "<!doctype html>\n<html lang=\"en\"><head><title>Arcane</title></head><body><div id=\"app\"></div></body></html>\n";
    Reply::bytes(200, "text/html; charset=utf-8", page.as_bytes().to_vec())
}

/// What is not allowed through an agent.
const NOT_HERE: &str = "You don't have permission to perform this action on this environment";

fn unrouted(below: &str) -> Reply {
    match below {
        "/openapi.json" => Reply::json(
            200,
            &json!({
                "openapi": "3.1.0", "info": { "title": "Arcane sandbox", "version": "2.14.0" },
                // As exported: the address of somebody's own network.
                "servers": [{ "url": "http://192.0.2.10:3552/api" }], "paths": {}
            }),
        ),
        "/docs" => page(),
        _ => unknown_route(&format!("/api{below}")),
    }
}

fn respond(
    shared: &Shared,
    operation: &'static Operation,
    values: Vec<(&'static str, String)>,
    parts: &Parts,
    bytes: Bytes,
    below: &str,
) -> Result<Outcome, Box<Reply>> {
    let switches = lock(&shared.switches).clone();
    if !release::known(&operation.since, &switches.version) {
        // What stands before an agent asks for a permission that no unknown route has.
        let remote = operation.in_environment() && !operation.manager && values.first().is_some_and(|(_, id)| id != LOCAL);
        return Err(Box::new(if remote { proxy(403, NOT_HERE) } else { unknown_route(&format!("/api{below}")) }));
    }
    if switches.rate_limited || (switches.rate_limits && spent(shared, operation, below)) {
        return Err(Box::new(tunnel(429, "rate limit exceeded").header("retry-after", "60")));
    }
    if operation.writes() && foreign(&parts.headers) {
        return Err(Box::new(problem(403, "Cross-origin request blocked")));
    }
    let caller = lock(&shared.accounts).authenticate(operation, &parts.headers, &switches).map_err(|reply| {
        // The proxy checks first, and in its own words.
        let remote = operation.in_environment() && !operation.manager && values.first().is_some_and(|(_, id)| id != LOCAL);
        if remote && !has_credential(&parts.headers) {
            Box::new(proxy(401, "Authentication required to access remote environments"))
        } else {
            reply
        }
    })?;
    let environment = if operation.in_environment() {
        let id = values.first().map_or(LOCAL, |(_, id)| id.as_str());
        host::place(&lock(&shared.world), operation, id, &switches)?
    } else {
        LOCAL.to_owned()
    };
    let remote = environment != LOCAL && !operation.manager;
    authorize(operation, &caller).map_err(|reply| if remote { Box::new(proxy(403, NOT_HERE)) } else { reply })?;
    let mut call = Call {
        operation,
        path: values,
        query: Vec::new(),
        body: Value::Null,
        parts: Vec::new(),
        raw: bytes,
        environment,
        turn: shared.turn.fetch_add(1, Ordering::Relaxed),
        rows: match shared.seed {
            Seed::Small => FEW,
            Seed::Rows(rows) => rows,
            Seed::Empty => 0,
        },
        switches,
        stepped_up: parts.headers.contains_key("x-step-up-token"),
    };
    if call.switches.decode_paths {
        for (_, value) in &mut call.path {
            *value = query::decode_segment(value);
        }
    }
    read::fill(&mut call, parts)?;
    if call.switches.docker_down
        && let Some(reply) = mask::answer(&call)
    {
        return Err(Box::new(reply));
    }
    let swarm = operation.place().starts_with("/swarm/");
    if call.switches.swarm_off && swarm && !matches!(operation.id.as_str(), "get-swarm-status" | "init-swarm" | "join-swarm") {
        return Err(Box::new(problem(409, "Swarm mode is not enabled")));
    }
    let mut world = lock(&shared.world);
    if operation.kind == Kind::Socket {
        return Ok(Outcome::Socket(Box::new(socket::open(&mut world, call))));
    }
    let reply = session::answer(&mut lock(&shared.accounts), &call)
        .or_else(|| stream::answer(&mut world, &call))
        .or_else(|| host::answer(&mut world, &call))
        .unwrap_or_else(|| generic::answer(&call));
    Ok(Outcome::Reply(reply))
}

/// A browser's page from elsewhere, without a credential in the headers. Clients with one are not asked.
fn foreign(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text("host").unwrap_or_default();
    let origin = text("origin").and_then(|origin| origin.split_once("://"));
    !has_credential(headers) && origin.is_some_and(|(_, origin)| origin != host)
}

fn has_credential(headers: &HeaderMap) -> bool {
    headers.contains_key("x-api-key") || headers.contains_key("authorization")
}

/// Counts calls of the few limited routes. The bucket fills again only with `Sandbox::clear`, not with time.
fn spent(shared: &Shared, operation: &Operation, below: &str) -> bool {
    let burst = match operation.id.as_str() {
        "echo-federated-token" | "echo-webhook-trigger" => 10,
        "login"
        | "refresh-token"
        | "begin-passkey-login"
        | "finish-passkey-login"
        | "exchange-mobile-passkey-login"
        | "finish-mobile-passkey-login"
        | "begin-passkey-mfa"
        | "finish-passkey-mfa"
        | "use-passkey-recovery-code"
        | "handle-oidc-callback" => 5,
        _ => return false,
    };
    let mut counts = lock(&shared.counts);
    let count = counts.entry(below.to_owned()).or_default();
    *count += 1;
    *count > burst
}
