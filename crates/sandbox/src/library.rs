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
use serde_json::{Map, Value, json};
use tokio::{net::TcpListener, task::JoinHandle};

use crate::{
    fault::{Fault, Faults},
    journal::{Journal, Recorded},
    query,
    reply::Reply,
    serve::lock,
    wire::{Connections, Door, Line},
};

/// The token that [`Library::token`] gives.
const TOKEN: &str = "lib_2f6c1e0a94d7";
/// Credits of a fresh account.
const CREDITS: i64 = 12;
/// Books on the shelves.
const BOOKS: usize = 47;
/// Names of the operations, as the log and the faults know them.
const OPERATIONS: [&str; 9] = [
    "listBooks",
    "getBook",
    "createBook",
    "updateBook",
    "deleteBook",
    "searchBooks",
    "getExcerpt",
    "summarizeBook",
    "getAccount",
];

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

#[derive(Debug)]
struct Shelves {
    books: Vec<Value>,
    credits: i64,
    next: usize,
}

impl Library {
    /// Listens on a free port and serves on the runtime of the caller.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let connections = Connections::default();
        let shared = Arc::new(Shared {
            shelves: Mutex::new(Shelves::new()),
            journal: Journal::default(),
            faults: Faults::default(),
        });
        let router = Router::new()
            .fallback(handle)
            .with_state(Arc::clone(&shared));
        let service = router.into_make_service_with_connect_info::<Line>();
        let door = Door {
            listener,
            connections: connections.clone(),
        };
        let server = tokio::spawn(async move {
            let _ = axum::serve(door, service).await;
        });
        Ok(Self {
            shared,
            address,
            connections,
            server,
        })
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

async fn handle(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(Line(control)): ConnectInfo<Line>,
    request: Request,
) -> Response {
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, 1_024 * 1_024)
        .await
        .unwrap_or_default();
    let segments: Vec<String> = parts
        .uri
        .path()
        .split('/')
        .skip(1)
        .map(query::decode_segment)
        .collect();
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let operation = route(parts.method.as_str(), &segments);
    let entry = shared
        .journal
        .add(crate::serve::recorded(&parts, &bytes, operation));
    let fault = shared.faults.take(operation);
    let authorized = parts
        .headers
        .get("authorization")
        .and_then(|value| value.to_str().ok())
        == Some(&format!("Bearer {TOKEN}"));
    let reply = match (fault.as_ref().and_then(Fault::instead), operation) {
        (Some(reply), _) => reply,
        (None, None) => refuse(404, "no_such_route", "there is nothing at this address"),
        (None, Some(_)) if !authorized => {
            refuse(401, "unauthorized", "a valid Bearer token is needed")
        }
        (None, Some(operation)) => {
            let pairs = query::parse(parts.uri.query().unwrap_or_default()).unwrap_or_default();
            let body = if bytes.is_empty() {
                Ok(Value::Null)
            } else {
                serde_json::from_slice(&bytes)
            };
            match body {
                Ok(body) => lock(&shared.shelves).answer(
                    operation,
                    segments.get(2).copied().unwrap_or_default(),
                    &pairs,
                    &body,
                ),
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

fn refuse(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(
        status,
        &json!({ "error": { "code": code, "message": message } }),
    )
}

impl Shelves {
    fn new() -> Self {
        Self {
            books: (1..=BOOKS).map(book).collect(),
            credits: CREDITS,
            next: BOOKS + 1,
        }
    }

    fn answer(
        &mut self,
        operation: &str,
        id: &str,
        pairs: &[(String, String)],
        body: &Value,
    ) -> Reply {
        match operation {
            "getAccount" => {
                return Reply::json(
                    200,
                    &json!({ "name": "Reading room", "credits": self.credits }),
                );
            }
            "listBooks" => return self.list(pairs, None),
            "searchBooks" => {
                return match pairs
                    .iter()
                    .find(|(name, value)| name == "q" && !value.is_empty())
                {
                    Some((_, wanted)) => self.list(pairs, Some(wanted)),
                    None => refuse(400, "invalid_request", "`q` is required"),
                };
            }
            "createBook" => return self.create(body),
            _ => {}
        }
        let Some(place) = self.books.iter().position(|book| book["id"] == id) else {
            return refuse(404, "not_found", &format!("no book has the id {id}"));
        };
        match operation {
            "getBook" => Reply::json(200, &self.books[place]),
            "updateBook" => match check(body, false) {
                Ok(changes) => {
                    for (name, value) in changes {
                        self.books[place][name.as_str()] = value.clone();
                    }
                    Reply::json(200, &self.books[place])
                }
                Err(text) => refuse(400, "invalid_request", &text),
            },
            "deleteBook" => {
                self.books.remove(place);
                Reply::empty(204)
            }
            "getExcerpt" => {
                let title = self.books[place]["title"].as_str().unwrap_or_default();
                let text = format!(
                    "{title}\n\nIt was a quiet morning in the reading room, and nobody had yet asked for this book.\n"
                );
                Reply::bytes(200, "text/plain; charset=utf-8", text.into_bytes())
            }
            _ => self.summarize(place, body),
        }
    }

    fn list(&self, pairs: &[(String, String)], wanted: Option<&str>) -> Reply {
        let all = |name: &str| {
            pairs
                .iter()
                .filter(|(known, _)| known == name)
                .map(|(_, value)| value.as_str())
                .collect::<Vec<_>>()
        };
        let first = |name: &str| all(name).first().copied();
        let Ok(limit) = first("limit").map_or(Ok(20), str::parse::<usize>) else {
            return refuse(400, "invalid_request", "`limit` is a number");
        };
        if !(1..=100).contains(&limit) {
            return refuse(400, "invalid_request", "`limit` is between 1 and 100");
        }
        // A cursor is opaque to the client; here it is the number of rows already seen.
        let Some(start) = first("cursor").map_or(Some(0), |cursor| {
            cursor.strip_prefix("c_")?.parse::<usize>().ok()
        }) else {
            return refuse(400, "invalid_cursor", "this cursor was not given out here");
        };
        let genres = all("genre");
        let wanted = wanted.map(str::to_lowercase);
        let holds = |value: &Value, text: &str| {
            value
                .as_str()
                .is_some_and(|value| value.to_lowercase().contains(text))
        };
        let found: Vec<&Value> = self
            .books
            .iter()
            .filter(|book| genres.is_empty() || genres.iter().any(|genre| book["genre"] == *genre))
            .filter(|book| {
                first("available").is_none_or(|wanted| {
                    book["available"]
                        .as_bool()
                        .is_some_and(|have| have.to_string() == *wanted)
                })
            })
            .filter(|book| {
                wanted
                    .as_ref()
                    .is_none_or(|text| holds(&book["title"], text) || holds(&book["author"], text))
            })
            .collect();
        let items: Vec<&&Value> = found.iter().skip(start).take(limit).collect();
        let mut answer = json!({ "items": items });
        if start + limit < found.len() {
            answer["next_cursor"] = json!(format!("c_{}", start + limit));
        }
        Reply::json(200, &answer)
    }

    fn create(&mut self, body: &Value) -> Reply {
        match check(body, true) {
            Ok(given) => {
                let mut book = book(self.next);
                book["genre"] = json!("novel");
                book["year"] = json!(2026);
                for (name, value) in given {
                    book[name.as_str()] = value.clone();
                }
                self.next += 1;
                self.books.push(book.clone());
                Reply::json(201, &book)
            }
            Err(text) => refuse(400, "invalid_request", &text),
        }
    }

    fn summarize(&mut self, place: usize, body: &Value) -> Reply {
        let cost = match body["length"].as_str() {
            Some("short") => 1,
            Some("long") => 5,
            _ => return refuse(400, "invalid_request", "`length` is `short` or `long`"),
        };
        if self.credits < cost {
            return refuse(
                402,
                "no_credits",
                &format!("this costs {cost} credits, {} are left", self.credits),
            );
        }
        self.credits -= cost;
        let text = format!(
            "{} in short: somebody leaves, somebody stays.",
            self.books[place]["title"].as_str().unwrap_or_default()
        );
        Reply::json(
            200,
            &json!({ "summary": text, "credits_spent": cost, "credits_left": self.credits }),
        )
    }
}

/// The properties of a body, or why it is refused.
fn check(body: &Value, whole: bool) -> Result<&Map<String, Value>, String> {
    let map = body.as_object().ok_or("the body is an object")?;
    for (name, value) in map {
        let fits = match name.as_str() {
            "title" | "author" => value.as_str().is_some_and(|text| !text.is_empty()),
            "year" => value.as_i64().is_some_and(|year| year >= 1450),
            "genre" => matches!(value.as_str(), Some("novel" | "essay" | "poetry")),
            _ => return Err(format!("`{name}` is not known")),
        };
        if !fits {
            return Err(format!("`{name}` does not fit"));
        }
    }
    match ["title", "author"]
        .iter()
        .find(|name| whole && !map.contains_key(**name))
    {
        Some(name) => Err(format!("`{name}` is required")),
        None => Ok(map),
    }
}

fn book(number: usize) -> Value {
    const FIRST: [&str; 8] = [
        "The Lighthouse",
        "A Garden",
        "Letters",
        "Winter",
        "The Clockmaker",
        "Salt",
        "A Map",
        "The Ferry",
    ];
    const SECOND: [&str; 6] = [
        "of the North",
        "in Autumn",
        "for Nobody",
        "and Rain",
        "by the River",
        "after Dark",
    ];
    const GENRES: [&str; 3] = ["novel", "essay", "poetry"];
    const AUTHORS: [&str; 7] = [
        "Ines Falk",
        "Tom Aldous",
        "Mara Lind",
        "Yusuf Kaya",
        "Clara Voss",
        "Henrik Dahl",
        "Ruth Okoye",
    ];
    json!({
        "id": format!("bk_{number:03}"),
        "title": format!("{} {}", FIRST[number % FIRST.len()], SECOND[number % SECOND.len()]),
        "author": AUTHORS[number % AUTHORS.len()],
        "year": 1900 + number * 13 % 125,
        "genre": GENRES[number % GENRES.len()],
        "available": !number.is_multiple_of(4)
    })
}
