//! A second catalog with other habits, compiled from its folder at start: nothing outside `src/arcane/` may know Arcane.

use crate::support::{Session, error, run};
use callslip_sandbox::library::Library;
use serde_json::{Value, json};
use std::path::Path;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/library");

struct Shelves {
    library: Library,
    _runtime: tokio::runtime::Runtime,
}

impl Shelves {
    fn start() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let library = runtime.block_on(Library::start()).unwrap();
        Self { library, _runtime: runtime }
    }

    fn session(&self, more: &[&str]) -> Session {
        let environment = [("LIBRARY_URL".into(), self.library.url()), ("LIBRARY_TOKEN".into(), self.library.token().into())];
        Session::start(&[&["--catalog", FOLDER], more].concat(), &environment)
    }
}

fn execute(session: &mut Session, action: &str, params: &Value, confirm: bool) -> Value {
    session.call("library_execute_action", json!({ "action": action, "params": params, "confirm": confirm }))
}

#[test]
fn every_action_sends_its_request() {
    let cases = [
        (
            "book.list",
            json!({ "genre": ["essay", "novel"], "available": true }),
            "GET",
            "/v1/books",
            "genre=essay&genre=novel&available=true",
            json!(null),
        ),
        ("book.search", json!({ "query": "sea & sand" }), "GET", "/v1/search", "q=sea", json!(null)),
        ("book.get", json!({ "bookId": "bk_001" }), "GET", "/v1/books/bk_001", "", json!(null)),
        (
            "book.create",
            json!({ "title": "T", "author": "A", "year": 1999 }),
            "POST",
            "/v1/books",
            "",
            json!({ "title": "T", "author": "A", "year": 1999 }),
        ),
        ("book.update", json!({ "bookId": "bk_002", "title": "T" }), "PATCH", "/v1/books/bk_002", "", json!({ "title": "T" })),
        ("book.delete", json!({ "bookId": "bk_003" }), "DELETE", "/v1/books/bk_003", "", json!(null)),
        ("book.excerpt", json!({ "bookId": "bk_001" }), "GET", "/v1/books/bk_001/excerpt", "", json!(null)),
        ("account.get", json!({}), "GET", "/v1/account", "", json!(null)),
        (
            "account.summarize",
            json!({ "bookId": "bk_001", "length": "short" }),
            "POST",
            "/v1/books/bk_001/summary",
            "",
            json!({ "length": "short" }),
        ),
    ];
    let shelves = Shelves::start();
    let mut session = shelves.session(&[]);
    for (action, params, method, path, query, body) in &cases {
        shelves.library.clear();
        let result = execute(&mut session, action, params, true);
        assert_ne!(result["isError"], true, "{action}: {result}");
        let sent = shelves.library.requests();
        let request = sent.last().unwrap_or_else(|| panic!("{action} sent nothing"));
        assert_eq!((request.method.as_str(), request.path.as_str()), (*method, *path), "{action}");
        assert!(request.query.starts_with(query), "{action}: {}", request.query);
        let arrived: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        assert_eq!(&arrived, body, "{action}");
        assert!(request.header("authorization").is_some_and(|value| value.starts_with("Bearer ")));
    }
    let tools = run(&["tools", "--json", "--tool-surface", "individual", "--catalog", FOLDER], &[]).1;
    assert_eq!(tools.matches("\"inputSchema\"").count(), cases.len(), "every action of the catalog is in the table above");
}

#[test]
fn a_list_goes_on_by_its_cursor() {
    let shelves = Shelves::start();
    let mut session = shelves.session(&[]);
    let mut seen = Vec::new();
    let mut params = json!({ "limit": 20 });
    loop {
        let page = execute(&mut session, "book.list", &params, false);
        let structured = &page["structuredContent"];
        seen.extend(structured["items"].as_array().unwrap().iter().map(|item| item["id"].to_string()));
        if structured["paging"]["has_more"] != true {
            break;
        }
        params["cursor"] = structured["paging"]["next"]["cursor"].clone();
        assert!(params["cursor"].is_string(), "{structured}");
    }
    let total = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((seen.len(), total), (47, 47), "every book once");
}

#[test]
fn its_own_words_and_gate() {
    let shelves = Shelves::start();
    let mut session = shelves.session(&[]);
    let list = session.ask("tools/list", json!({}));
    assert_eq!(list["result"]["tools"][0]["name"], "library_find_action");
    let refused = execute(&mut session, "book.delete", &json!({ "bookId": "bk_003" }), false);
    assert_eq!(error(&refused)["code"], "confirm_required");
    assert!(shelves.library.requests().is_empty());
    let gone = execute(&mut session, "book.get", &json!({ "bookId": "bk_999" }), false);
    assert_eq!(error(&gone)["code"], "not_found");
    let text = gone.to_string();
    for word in ["Arcane", "arcane", "Docker", "environment"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
    let absent = session.call("library_find_action", json!({ "query": "borrow a book" }));
    assert!(absent["structuredContent"]["advice"].as_str().is_some_and(|advice| advice.contains("in person")), "{absent}");
}

#[test]
fn nothing_outside_its_folder_knows_arcane() {
    fn walk(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&source, &mut files);
    // The demo is the compiled-in API's; the command line names its variables as the example.
    let may = ["arcane", "cmd/demo.rs", "cli.rs"];
    for file in files {
        let name = file.strip_prefix(&source).unwrap().display().to_string();
        if may.iter().any(|allowed| name.starts_with(allowed)) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).filter(|line| line.to_lowercase().contains("arcane"));
        let known: Vec<_> = code.filter(|line| !line.contains("crate::arcane::Arcane") && !line.contains("pub mod arcane")).collect();
        assert!(known.is_empty(), "{name} knows Arcane: {known:?}");
    }
}
