//! The operations of a document → drafts.

use super::document::Document;
use super::draft::Draft;
use super::names::{self, Wish, words};
use super::parameters::{self, placeholders};
use super::report::Report;
use super::{body, groups, prose, returns};
use callslip_catalog::model::Kind;
use serde_json::Value;
use std::collections::BTreeSet;

/// Methods that a catalog knows: name, key in the document, kind at least, repeatable, word for it.
const METHODS: [(&str, &str, &str, bool, &str); 6] = [
    ("GET", "get", "read", true, "get"),
    ("HEAD", "head", "read", true, "head"),
    ("POST", "post", "write", false, "create"),
    ("PUT", "put", "write", true, "set"),
    ("PATCH", "patch", "write", false, "update"),
    ("DELETE", "delete", "destructive", true, "delete"),
];

/// Every operation that a catalog can express.
pub fn all(document: &Document, catalog: &str, report: &mut Report) -> Vec<Draft> {
    let habits = Habits { repeats: parameters::repeats(document), enveloped: returns::has_envelope(document) };
    let mut drafts = Vec::new();
    let mut requests = BTreeSet::new();
    let mut operations = BTreeSet::new();
    for (path, item) in document.root("paths").as_object().into_iter().flatten() {
        let Some(item) = document.resolve(item) else {
            report.left_out(path, "the reference of the path leads nowhere within the document");
            continue;
        };
        for method in ["options", "trace"].iter().filter(|method| item.get(**method).is_some()) {
            report.left_out(&format!("{} {path}", method.to_uppercase()), "a catalog has no such method");
        }
        for method in METHODS {
            let Some(operation) = item.get(method.1).filter(|operation| operation.is_object()) else { continue };
            if let Some(draft) = one(document, path, item, method, operation, habits, report) {
                if !requests.insert(shape(&draft)) {
                    report.left_out(
                        &draft.at,
                        "another operation makes the same request: the paths differ in the names of placeholders only",
                    );
                    continue;
                }
                drafts.push(named(draft, operation, &mut operations, report));
            }
        }
    }
    if document.root("webhooks").as_object().is_some_and(|webhooks| !webhooks.is_empty()) {
        report.left_out("", "webhooks are requests that the API makes; they are no actions");
    }
    let mut domains = names::Domains::default();
    for draft in &mut drafts {
        draft.domain = domains.of(&draft.group);
    }
    let wishes: Vec<_> = drafts.iter().map(wish).collect();
    for (draft, name) in drafts.iter_mut().zip(names::actions(catalog, &wishes)) {
        draft.name = name;
    }
    drafts
}

/// Method and path without the names of placeholders.
fn shape(draft: &Draft) -> String {
    let path = placeholders(&draft.path).iter().fold(draft.path.clone(), |path, name| path.replace(&format!("{{{name}}}"), "{}"));
    format!("{} {path}", draft.method)
}

/// What most operations of the document do alike.
#[derive(Clone, Copy)]
struct Habits {
    /// Arrays in the query repeat their key.
    repeats: bool,
    /// Answers stand in an envelope.
    enveloped: bool,
}

type Method = (&'static str, &'static str, &'static str, bool, &'static str);

fn one(
    document: &Document,
    path: &str,
    item: &Value,
    method: Method,
    operation: &Value,
    habits: Habits,
    report: &mut Report,
) -> Option<Draft> {
    let (method, _, least, idempotent, _) = method;
    let at = format!("{method} {path}");
    if path.contains(['?', '#']) || !path.starts_with('/') {
        report.left_out(&at, "its path has a query or a fragment in it, or does not begin with /");
        return None;
    }
    if operation["servers"].as_array().or(item["servers"].as_array()).is_some_and(|servers| !servers.is_empty()) {
        report.simplified(&at, "it names servers of its own; it is sent where all others are");
    }
    if operation["callbacks"].as_object().is_some_and(|callbacks| !callbacks.is_empty()) {
        report.simplified(&at, "its callbacks are requests that the API makes; they are not shown");
    }
    let mut read = parameters::Read { document, at: &at, report, path: path.to_owned(), taken: BTreeSet::new(), repeats: habits.repeats };
    let params = read.all(item, operation)?;
    let (path, taken) = (read.path, read.taken);
    let bodyless = method == "GET" || method == "HEAD";
    let body = if bodyless {
        if operation.get("requestBody").is_some() {
            report.simplified(&at, format!("{method} requests carry no body; that of the document is not offered"));
        }
        None
    } else {
        body::read(document, &at, operation, &taken, report)
    };
    let answer = returns::read(document, &returns::Operation { at: &at, method, stated: operation }, &params, habits.enveloped, report);
    let stated = operation["summary"].as_str().unwrap_or_default();
    let title = prose::title(stated, &title(operation, method, &path));
    let description =
        [operation["description"].as_str(), operation["summary"].as_str()].into_iter().flatten().map(|text| prose::line(text, 300));
    let description = description
        .into_iter()
        .find(|text| !text.is_empty())
        .unwrap_or_else(|| if title.ends_with('…') { title.clone() } else { format!("{title}.") });
    Some(Draft {
        group: groups::label(operation, &path),
        domain: String::new(),
        name: String::new(),
        title,
        description,
        usage: if operation["deprecated"] == true { "Deprecated." } else { "" },
        kind: kind(operation, method, least, &at, report),
        idempotent,
        method,
        path,
        operation: String::new(),
        public: is_public(document, operation),
        params,
        body,
        answer,
        at,
    })
}

/// Words of the operationId, or of method and path, the first one capital.
fn title(operation: &Value, method: &str, path: &str) -> String {
    let stated = operation["operationId"].as_str().unwrap_or_default();
    let mut all = words(stated);
    if all.is_empty() {
        all = words(method);
        all.extend(groups::parts(path).flat_map(words));
    }
    let text = all.join(" ");
    prose::line(&text.chars().take(1).flat_map(char::to_uppercase).chain(text.chars().skip(1)).collect::<String>(), 60)
}

/// The kind that the method says at least, or what the document says in our words; a DELETE never only reads.
fn kind(operation: &Value, method: &str, least: &'static str, at: &str, report: &mut Report) -> &'static str {
    let Some(stated) = operation.get("x-callslip-kind") else { return least };
    let known = Kind::NAMES.iter().map(|(name, _)| *name).find(|name| stated == name);
    match known {
        Some("read") if method == "DELETE" => {
            report.simplified(at, "`x-callslip-kind` says that a DELETE only reads; it stays destructive");
            least
        }
        Some(kind) => kind,
        None => {
            report.simplified(at, format!("`x-callslip-kind` is {stated}; read, write, paid and destructive are known, {least} is taken"));
            least
        }
    }
}

/// Whether no credential is asked for.
fn is_public(document: &Document, operation: &Value) -> bool {
    let asked = operation.get("security").and_then(Value::as_array);
    let has_schemes = document.root("components")["securitySchemes"].as_object().is_some_and(|schemes| !schemes.is_empty());
    has_schemes
        && asked.is_some_and(|asked| asked.is_empty() || asked.iter().any(|way| way.as_object().is_some_and(serde_json::Map::is_empty)))
}

/// With the operationId, or method and path where it has none of its own.
fn named(mut draft: Draft, operation: &Value, operations: &mut BTreeSet<String>, report: &mut Report) -> Draft {
    let stated = operation["operationId"].as_str().map(str::trim).filter(|id| !id.is_empty());
    match stated {
        Some(id) if operations.insert(id.to_owned()) => id.clone_into(&mut draft.operation),
        Some(id) => {
            report.simplified(&draft.at, format!("the operationId {id:?} stands twice; this one goes by its method and path"));
            draft.operation.clone_from(&draft.at);
        }
        None => draft.operation.clone_from(&draft.at),
    }
    draft
}

fn wish(draft: &Draft) -> Wish {
    let placeholders: Vec<_> = placeholders(&draft.path).iter().flat_map(|name| words(name)).collect();
    let verb = METHODS.iter().find(|(name, ..)| *name == draft.method).map_or("call", |(.., verb)| *verb);
    let verb = if verb == "get" && draft.answer.is_list() { "list" } else { verb };
    let named = if draft.operation == draft.at {
        let path = draft.at.split_once(' ').map_or("", |(_, path)| path);
        let mut all = vec![verb.to_owned()];
        all.extend(groups::parts(path).flat_map(words));
        all
    } else {
        words(&draft.operation)
    };
    Wish { domain: draft.domain.clone(), words: if named.is_empty() { vec![verb.to_owned()] } else { named }, placeholders, verb }
}
