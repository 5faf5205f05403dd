//! A lending library's API: everything that Arcane's is not. Tests of a second catalog run against it, so that nothing in
//! the client comes to rely on Arcane's habits.
//!
//! Base path `/v1`. Every call needs `Authorization: Bearer <token>`. Answers have no envelope. Errors are
//! `{"error": {"code": "not_found", "message": "…"}}`. Lists are walked with a cursor: `limit` (1 to 100, 20 by default)
//! and `cursor` in the query, `next_cursor` in the answer, absent on the last page. Arrays in the query are repeated
//! (`genre=essay&genre=novel`).
//!
//! | operation | request | parameters | answer |
//! |---|---|---|---|
//! | `listBooks` | `GET /books` | `cursor`, `limit`, `genre` (array: `novel` `essay` `poetry`), `available` (boolean) | `{items: [book], next_cursor?}` |
//! | `getBook` | `GET /books/{book_id}` | | book |
//! | `createBook` | `POST /books` | body: `title`*, `author`*, `year` (integer, 1450 or later), `genre` | book, 201 |
//! | `updateBook` | `PATCH /books/{book_id}` | body: any of the above | book |
//! | `deleteBook` | `DELETE /books/{book_id}` | | nothing, 204 |
//! | `searchBooks` | `GET /search` | `q`*, `cursor`, `limit` | `{items: [book], next_cursor?}` |
//! | `getExcerpt` | `GET /books/{book_id}/excerpt` | | `text/plain` |
//! | `summarizeBook` | `POST /books/{book_id}/summary` | body: `length`* (`short` costs 1 credit, `long` 5) | `{summary, credits_spent, credits_left}`; 402 when spent |
//! | `getAccount` | `GET /account` | | `{name, credits}` |
//!
//! A book is `{id, title, author, year, genre, available}`; ids are `bk_001`, `bk_002`, … Unknown body properties are
//! refused with 400 `invalid_request`.

mod shelves;

use self::shelves::{Shelves, refuse};
use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    extract::{ConnectInfo, Request, State},
    response::Response,
};
use serde_json::Value;
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{
    fault::{Fault, Faults},
    journal::{Journal, Recorded},
    query,
    serve::lock,
    wire::{Connections, Door, Line},
};

/// The token that [`Library::token`] gives.
const TOKEN: &str = "lib_2f6c1e0a94d7";
/// Names of the operations, as the log and the faults know them.
const OPERATIONS: [&str; 9] =
    ["listBooks", "getBook", "createBook", "updateBook", "deleteBook", "searchBooks", "getExcerpt", "summarizeBook", "getAccount"];

/// A running library; it stops when dropped.
#[derive(Debug)]
pub struct Library {
    shared: Arc<Shared>,
    address: SocketAddr,
    connections: Connections,
    server: JoinHandle<()>,
}

#[derive(Debug)]
struct Shared {
    shelves: Mutex<Shelves>,
    journal: Journal,
    faults: Faults,
}

impl Library {
    /// Listens on a free port and serves on the runtime of the caller.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let connections = Connections::default();
        let shared = Arc::new(Shared { shelves: Mutex::new(Shelves::new()), journal: Journal::default(), faults: Faults::default() });
        let router = Router::new().fallback(handle).with_state(Arc::clone(&shared));
        let service = router.into_make_service_with_connect_info::<Line>();
        let door = Door { listener, connections: connections.clone() };
        let server = tokio::spawn(async move {
            let _ = axum::serve(door, service).await;
        });
        Ok(Self { shared, address, connections, server })
    }

    /// The address to give a client, without `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The Bearer token that is accepted.
    pub fn token(&self) -> &'static str {
        TOKEN
    }

    /// The names of the operations.
    pub fn operations() -> &'static [&'static str] {
        &OPERATIONS
    }

    /// What has been asked so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.journal.all()
    }

    /// Forgets what has been asked.
    pub fn clear(&self) {
        self.shared.journal.clear();
    }

    /// Puts books and credits back to what they were at the start.
    pub fn reset(&self) {
        *lock(&self.shared.shelves) = Shelves::new();
    }

    /// Makes every call of an operation (`None`: of all) go wrong.
    pub fn fault(&self, operation: Option<&str>, fault: Fault) {
        self.shared.faults.add(operation, fault, None);
    }

    /// Makes the next `times` calls go wrong.
    pub fn fault_times(&self, operation: Option<&str>, fault: Fault, times: usize) {
        self.shared.faults.add(operation, fault, Some(times));
    }

    /// Ends all faults.
    pub fn clear_faults(&self) {
        self.shared.faults.clear();
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        self.server.abort();
        self.connections.break_all();
    }
}

async fn handle(State(shared): State<Arc<Shared>>, ConnectInfo(Line(control)): ConnectInfo<Line>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, 1_024 * 1_024).await.unwrap_or_default();
    let segments: Vec<String> = parts.uri.path().split('/').skip(1).map(query::decode_segment).collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let operation = route(parts.method.as_str(), &segments);
    let entry = shared.journal.add(crate::serve::recorded(&parts, &bytes, operation));
    let fault = shared.faults.take(operation);
    let authorized = parts.headers.get("authorization").and_then(|value| value.to_str().ok()) == Some(&format!("Bearer {TOKEN}"));
    let reply = match (fault.as_ref().and_then(Fault::instead), operation) {
        (Some(reply), _) => reply,
        (None, None) => refuse(404, "no_such_route", "there is nothing at this address"),
        (None, Some(_)) if !authorized => refuse(401, "unauthorized", "a valid Bearer token is needed"),
        (None, Some(operation)) => {
            let pairs = query::parse(parts.uri.query().unwrap_or_default()).unwrap_or_default();
            let body = if bytes.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&bytes) };
            match body {
                Ok(body) => lock(&shared.shelves).answer(operation, segments.get(2).copied().unwrap_or_default(), &pairs, &body),
                Err(_) => refuse(400, "invalid_request", "the body is no JSON"),
            }
        }
    };
    let reply = match fault {
        Some(fault) => fault.spoil(reply, &control).await,
        None => reply,
    };
    entry.status(reply.status);
    reply.into_response()
}

fn route(method: &str, segments: &[&str]) -> Option<&'static str> {
    let name = match (method, segments) {
        ("GET", ["v1", "books"]) => "listBooks",
        ("POST", ["v1", "books"]) => "createBook",
        ("GET", ["v1", "books", _]) => "getBook",
        ("PATCH", ["v1", "books", _]) => "updateBook",
        ("DELETE", ["v1", "books", _]) => "deleteBook",
        ("GET", ["v1", "books", _, "excerpt"]) => "getExcerpt",
        ("POST", ["v1", "books", _, "summary"]) => "summarizeBook",
        ("GET", ["v1", "search"]) => "searchBooks",
        ("GET", ["v1", "account"]) => "getAccount",
        _ => return None,
    };
    Some(name)
}
