//! The books of the library, its one account, and what is answered about them.

use serde_json::{Map, Value, json};

use crate::reply::Reply;

/// Credits of a fresh account.
const CREDITS: i64 = 12;
/// Books on the shelves.
const BOOKS: usize = 47;

/// Everything that changes.
#[derive(Debug)]
pub(super) struct Shelves {
    books: Vec<Value>,
    credits: i64,
    next: usize,
}

/// An error as this API writes it.
pub(super) fn refuse(status: u16, code: &str, message: &str) -> Reply {
    Reply::json(status, &json!({ "error": { "code": code, "message": message } }))
}

impl Shelves {
    pub fn new() -> Self {
        Self { books: (1..=BOOKS).map(book).collect(), credits: CREDITS, next: BOOKS + 1 }
    }

    pub fn answer(&mut self, operation: &str, id: &str, pairs: &[(String, String)], body: &Value) -> Reply {
        match operation {
            "getAccount" => {
                return Reply::json(200, &json!({ "name": "Reading room", "credits": self.credits }));
            }
            "listBooks" => return self.list(pairs, None),
            "searchBooks" => {
                return match pairs.iter().find(|(name, value)| name == "q" && !value.is_empty()) {
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
                let text = format!("{title}\n\nIt was a quiet morning in the reading room, and nobody had yet asked for this book.\n");
                Reply::bytes(200, "text/plain; charset=utf-8", text.into_bytes())
            }
            _ => self.summarize(place, body),
        }
    }

    fn list(&self, pairs: &[(String, String)], wanted: Option<&str>) -> Reply {
        let all = |name: &str| pairs.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str()).collect::<Vec<_>>();
        let first = |name: &str| all(name).first().copied();
        let Ok(limit) = first("limit").map_or(Ok(20), str::parse::<usize>) else {
            return refuse(400, "invalid_request", "`limit` is a number");
        };
        if !(1..=100).contains(&limit) {
            return refuse(400, "invalid_request", "`limit` is between 1 and 100");
        }
        // A cursor is opaque to the client; here it is the number of rows already seen.
        let Some(start) = first("cursor").map_or(Some(0), |cursor| cursor.strip_prefix("c_")?.parse::<usize>().ok()) else {
            return refuse(400, "invalid_cursor", "this cursor was not given out here");
        };
        let genres = all("genre");
        let wanted = wanted.map(str::to_lowercase);
        let holds = |value: &Value, text: &str| value.as_str().is_some_and(|value| value.to_lowercase().contains(text));
        let found: Vec<&Value> = self
            .books
            .iter()
            .filter(|book| genres.is_empty() || genres.iter().any(|genre| book["genre"] == *genre))
            .filter(|book| {
                first("available").is_none_or(|wanted| book["available"].as_bool().is_some_and(|have| have.to_string() == *wanted))
            })
            .filter(|book| wanted.as_ref().is_none_or(|text| holds(&book["title"], text) || holds(&book["author"], text)))
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
            return refuse(402, "no_credits", &format!("this costs {cost} credits, {} are left", self.credits));
        }
        self.credits -= cost;
        let text = format!("{} in short: somebody leaves, somebody stays.", self.books[place]["title"].as_str().unwrap_or_default());
        Reply::json(200, &json!({ "summary": text, "credits_spent": cost, "credits_left": self.credits }))
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
    match ["title", "author"].iter().find(|name| whole && !map.contains_key(**name)) {
        Some(name) => Err(format!("`{name}` is required")),
        None => Ok(map),
    }
}

fn book(number: usize) -> Value {
    const FIRST: [&str; 8] = ["The Lighthouse", "A Garden", "Letters", "Winter", "The Clockmaker", "Salt", "A Map", "The Ferry"];
    const SECOND: [&str; 6] = ["of the North", "in Autumn", "for Nobody", "and Rain", "by the River", "after Dark"];
    const GENRES: [&str; 3] = ["novel", "essay", "poetry"];
    const AUTHORS: [&str; 7] = ["Ines Falk", "Tom Aldous", "Mara Lind", "Yusuf Kaya", "Clara Voss", "Henrik Dahl", "Ruth Okoye"];
    json!({
        "id": format!("bk_{number:03}"),
        "title": format!("{} {}", FIRST[number % FIRST.len()], SECOND[number % SECOND.len()]),
        "author": AUTHORS[number % AUTHORS.len()],
        "year": 1900 + number * 13 % 125,
        "genre": GENRES[number % GENRES.len()],
        "available": !number.is_multiple_of(4)
    })
}
