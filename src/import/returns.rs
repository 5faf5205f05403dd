//! Answers: their shape, the fields that identify a row, and how lists go on, as far as the document's words show it.

use super::document::Document;
use super::draft::{Draft, Params};
use super::report::Report;
use super::schema::{Schemas, kind};
use super::toml::Writer;
use serde_json::{Map, Value};

/// Properties that hold the rows of a list.
const ROWS: [&str; 12] =
    ["items", "data", "results", "records", "rows", "entries", "values", "value", "list", "content", "elements", "hits"];
/// Fields that identify or describe a row, in this order.
const TELLING: [&str; 18] = [
    "id",
    "uuid",
    "key",
    "slug",
    "code",
    "number",
    "name",
    "title",
    "displayName",
    "display_name",
    "label",
    "status",
    "state",
    "type",
    "kind",
    "email",
    "createdAt",
    "created_at",
];
/// Columns of a list.
const COLUMNS: usize = 5;
/// Fields that are named of an answer.
const FIELDS: usize = 60;
const LIMITS: [&str; 13] = [
    "limit",
    "per_page",
    "perPage",
    "page_size",
    "pageSize",
    "pagesize",
    "page[size]",
    "page[limit]",
    "size",
    "max_results",
    "maxResults",
    "$top",
    "top",
];
const OFFSETS: [&str; 6] = ["offset", "skip", "$skip", "start", "startIndex", "page[offset]"];
const PAGES: [&str; 5] = ["page", "page_number", "pageNumber", "pageNum", "page[number]"];
const CURSORS: [&str; 11] = [
    "cursor",
    "page_token",
    "pageToken",
    "next_token",
    "nextToken",
    "after",
    "starting_after",
    "continuation",
    "continuationToken",
    "marker",
    "page[cursor]",
];
const NEXT: [&str; 12] = [
    "next_cursor",
    "nextCursor",
    "next_page_token",
    "nextPageToken",
    "next_token",
    "nextToken",
    "cursor",
    "next",
    "continuationToken",
    "continuation",
    "marker",
    "end_cursor",
];
const TOTALS: [&str; 10] = [
    "total",
    "totalCount",
    "total_count",
    "totalItems",
    "total_items",
    "totalResults",
    "total_results",
    "totalElements",
    "totalRecords",
    "count",
];
/// Properties that paging facts stand in, beside the answer itself.
const HOLDERS: [&str; 6] = ["", "meta", "pagination", "paging", "page", "page_info"];

/// How a list goes on: parameters in our names, places in the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paging {
    style: &'static str,
    /// The parameter with the place.
    place: String,
    limit: String,
    next: String,
    total: String,
}

/// What an operation answers with.
#[derive(Debug, Default)]
pub struct Answer {
    shape: &'static str,
    fields: Vec<(String, String)>,
    columns: Vec<String>,
    /// Where the rows stand.
    items: String,
    item: String,
    content_type: String,
    paging: Option<Paging>,
    /// It stands in the envelope of the catalog.
    wrapped: bool,
    /// Name of the paging style, once they are settled.
    style: String,
    /// It stands without the envelope that the others have, once that is settled.
    bare: bool,
}

impl Answer {
    /// Whether it is rows.
    pub fn is_list(&self) -> bool {
        self.shape == "list"
    }

    /// `returns` of an action: on its line when it is short, else a table.
    pub fn write(&self, action: &str, out: &mut Writer) {
        let mut returns = Map::from_iter([("kind".to_owned(), Value::from(self.shape))]);
        let texts = [("items", &self.items), ("paging", &self.style), ("item", &self.item), ("type", &self.content_type)];
        for (key, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
            returns.insert((*key).to_owned(), text.as_str().into());
        }
        if self.bare {
            returns.insert("bare".into(), true.into());
        }
        if !self.columns.is_empty() {
            returns.insert("columns".into(), self.columns.clone().into());
        }
        if !self.fields.is_empty() {
            returns.insert(
                "fields".into(),
                self.fields.iter().map(|(name, kind)| (name.clone(), Value::from(kind.as_str()))).collect::<Map<_, _>>().into(),
            );
        }
        if self.shape == "list" && returns.len() > 2 {
            out.table(&[action, "returns"], false);
            returns.iter().for_each(|(key, value)| out.value(key, value));
        } else {
            out.value("returns", &returns.into());
        }
    }
}

/// The answer of an operation. `enveloped`: see [`has_envelope`].
pub fn read(document: &Document, of: &Operation<'_>, params: &Params, enveloped: bool, report: &mut Report) -> Answer {
    let Some((media, stated)) = content(document, of.stated) else {
        return Answer { shape: "empty", ..Answer::default() };
    };
    let plain = media.split(';').next().unwrap_or_default().trim();
    let schema = Schemas::answered(document).merged(&stated["schema"]).unwrap_or_default();
    let binary = schema.get("format").is_some_and(|format| format == "binary");
    let reading = Reading { document, method: of.method, params };
    match (rank(media), kind(&schema)) {
        (0, Some("string" | "boolean" | "integer" | "number")) if !binary => {
            Answer { shape: "text", content_type: plain.to_owned(), ..Answer::default() }
        }
        (0, _) if !binary => match Some(&schema).filter(|schema| enveloped && is_envelope(document, schema)) {
            Some(envelope) => Answer { wrapped: true, ..reading.wrapped(envelope) },
            None => reading.bare(&schema, &schema),
        },
        (1, _) if !binary => {
            if plain == "text/event-stream" {
                report.simplified(of.at, "its answer is a stream of events; it is shown as text once it has ended");
            }
            Answer { shape: "text", content_type: plain.to_owned(), ..Answer::default() }
        }
        _ => Answer {
            shape: "binary",
            content_type: if plain == "*/*" { "application/octet-stream" } else { plain }.to_owned(),
            ..Answer::default()
        },
    }
}

/// An operation as far as its answer is concerned.
pub struct Operation<'a> {
    /// Method and path, for the report.
    pub at: &'a str,
    /// Its method.
    pub method: &'a str,
    /// What the document states.
    pub stated: &'a Value,
}

/// Media type and content of the answer when all is well: what there is beside 204 comes first, JSON before anything else.
fn content<'d>(document: &'d Document, operation: &'d Value) -> Option<(&'d String, &'d Value)> {
    let responses = operation["responses"].as_object()?;
    let mut codes: Vec<_> = responses.keys().filter(|code| code.starts_with('2')).collect();
    codes.sort();
    let with_content = codes.iter().find(|code| document.resolve(&responses[**code]).is_some_and(has_content));
    let code = with_content.or(codes.first()).copied().or_else(|| responses.keys().find(|code| *code == "default"))?;
    document.resolve(&responses[code])?["content"].as_object()?.iter().min_by_key(|(media, _)| rank(media))
}

/// Whether most JSON answers of the document are an object with `success` and `data`: what is useful stands in `data` then.
pub fn has_envelope(document: &Document) -> bool {
    let (mut all, mut wrapped) = (0, 0);
    for item in document.root("paths").as_object().into_iter().flat_map(Map::values) {
        for operation in item.as_object().into_iter().flat_map(Map::values) {
            let Some((media, stated)) = content(document, operation) else { continue };
            if rank(media) == 0 {
                all += 1;
                let schema = Schemas::answered(document).merged(&stated["schema"]).unwrap_or_default();
                wrapped += usize::from(is_envelope(document, &schema));
            }
        }
    }
    wrapped * 2 > all
}

fn is_envelope(document: &Document, schema: &Map<String, Value>) -> bool {
    let success = schema.get("properties").and_then(|properties| properties.get("success"));
    let says = success.and_then(|success| document.resolve(success)).and_then(Value::as_object).and_then(kind) == Some("boolean");
    says && schema.get("properties").is_some_and(|properties| properties.get("data").is_some())
}

fn has_content(response: &Value) -> bool {
    response["content"].as_object().is_some_and(|content| !content.is_empty())
}

/// JSON before text before bytes.
fn rank(media: &str) -> u8 {
    let plain = media.split(';').next().unwrap_or_default().trim();
    match plain {
        "application/json" | "*/*" => 0,
        plain if plain.ends_with("+json") => 0,
        plain
            if plain.starts_with("text/")
                || ["application/xml", "application/yaml", "application/x-yaml"].contains(&plain)
                || plain.ends_with("+xml") =>
        {
            1
        }
        _ => 2,
    }
}

struct Reading<'d, 'r> {
    document: &'d Document,
    method: &'r str,
    params: &'r Params,
}

impl Reading<'_, '_> {
    /// What stands in the envelope, which may say itself how it goes on.
    fn wrapped(&self, envelope: &Map<String, Value>) -> Answer {
        let data = envelope.get("properties").and_then(|properties| properties.get("data"));
        let inner = data.and_then(|data| Schemas::answered(self.document).merged(data)).unwrap_or_default();
        self.bare(&inner, envelope)
    }

    /// `whole`: where the facts of paging are looked for.
    fn bare(&self, schema: &Map<String, Value>, whole: &Map<String, Value>) -> Answer {
        let merged = |value: &Value| Schemas::answered(self.document).merged(value).unwrap_or_default();
        let paging = paging(self.document, whole, self.params);
        if kind(schema) == Some("array") {
            return list(self.document, schema, String::new(), paging);
        }
        // One property that holds rows by its name, or the only array there is beside what pages it.
        let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let arrays: Vec<_> = properties.filter(|(_, value)| kind(&merged(value)) == Some("array")).collect();
        let lone = || arrays.first().filter(|_| arrays.len() == 1 && paging.is_some());
        let rows = arrays.iter().find(|(name, _)| ROWS.contains(&name.as_str())).or_else(lone);
        if let Some((name, value)) = rows.filter(|_| self.method == "GET" || self.method == "POST" && paging.is_some()) {
            return list(self.document, &merged(value), (*name).clone(), paging);
        }
        Answer { shape: "object", fields: fields(self.document, schema), ..Answer::default() }
    }
}

fn list(document: &Document, array: &Map<String, Value>, items: String, paging: Option<Paging>) -> Answer {
    let row = array.get("items").and_then(|items| Schemas::answered(document).merged(items)).unwrap_or_default();
    let fields = fields(document, &row);
    let scalar = |name: &&String| fields.iter().any(|(known, kind)| known == *name && !["object", "array", "any"].contains(&kind.as_str()));
    let mut columns: Vec<String> = Vec::new();
    let names = || fields.iter().map(|(name, _)| name);
    let telling = TELLING.iter().filter_map(|wanted| names().find(|name| name == wanted));
    for name in telling.chain(names().filter(scalar)).chain(names()) {
        if columns.len() < COLUMNS && !columns.contains(name) {
            columns.push(name.clone());
        }
    }
    Answer { shape: "list", fields, columns, items, paging, ..Answer::default() }
}

/// Name and type of every field of an object.
fn fields(document: &Document, schema: &Map<String, Value>) -> Vec<(String, String)> {
    let properties = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    let known =
        properties.filter(|(_, value)| document.resolve(value).is_none_or(|value| value["writeOnly"] != true)).map(|(name, value)| {
            let merged = Schemas::answered(document).merged(value);
            (name.clone(), merged.as_ref().and_then(kind).unwrap_or("any").to_owned())
        });
    known.take(FIELDS).collect()
}

/// The paging of a list, where both its parameters and its answer show it.
fn paging(document: &Document, schema: &Map<String, Value>, params: &Params) -> Option<Paging> {
    // Words are compared by what is sent, and named as a caller names them.
    let param = |words: &[&str]| {
        words.iter().find_map(|word| {
            let wire =
                |(name, schema): &&(String, super::schema::Portable)| schema.get("wire").and_then(Value::as_str).unwrap_or(name) == *word;
            params
                .iter()
                .find(wire)
                .filter(|(_, schema)| schema.get("type").is_none_or(|kind| kind != "array"))
                .map(|(name, _)| name.clone())
        })
    };
    let found = |words: &[&str], wanted: &[&str]| {
        HOLDERS.iter().find_map(|holder| {
            let inside = if holder.is_empty() {
                Some(schema.clone())
            } else {
                Schemas::answered(document).merged(schema.get("properties")?.get(*holder)?)
            };
            let properties = inside?.get("properties")?.as_object()?.clone();
            let fits = |word: &&&str| {
                properties
                    .get(**word)
                    .and_then(|value| Schemas::answered(document).merged(value))
                    .is_some_and(|value| kind(&value).is_some_and(|kind| wanted.contains(&kind)))
            };
            let word = words.iter().find(fits)?;
            Some(if holder.is_empty() { (*word).to_owned() } else { format!("{holder}.{word}") })
        })
    };
    let limit = param(&LIMITS)?;
    let total = found(&TOTALS, &["integer", "number"]).unwrap_or_default();
    let next = found(&NEXT, &["string"]);
    let style =
        |style: &'static str, place: String, next: String| Paging { style, place, limit: limit.clone(), next, total: total.clone() };
    match (param(&CURSORS), next, param(&OFFSETS), param(&PAGES)) {
        (Some(cursor), Some(next), ..) => Some(style("cursor", cursor, next)),
        (_, _, Some(offset), _) => Some(style("offset", offset, String::new())),
        (_, _, None, Some(page)) => Some(style("page", page, String::new())),
        _ => None,
    }
}

/// What the answers of a catalog share.
#[derive(Debug, Default)]
pub struct Settled {
    envelope: bool,
    paging: Vec<(String, Paging)>,
}

/// Names the paging styles, and links every list to the action that gets one of its rows.
pub fn settle(drafts: &mut [Draft]) -> Settled {
    let mut settled = Settled { envelope: drafts.iter().any(|draft| draft.answer.wrapped), ..Settled::default() };
    let single: Vec<_> = drafts
        .iter()
        .filter(|draft| draft.method == "GET" && draft.answer.shape == "object")
        .map(|draft| (shape(&draft.path), draft.id()))
        .collect();
    for draft in drafts {
        draft.answer.bare = settled.envelope && !draft.answer.wrapped && ["list", "object"].contains(&draft.answer.shape);
        if let Some(paging) = &draft.answer.paging {
            draft.answer.style = settled.name(paging);
        }
        if draft.answer.shape == "list" {
            let of_one = format!("{}/{{}}", shape(&draft.path));
            draft.answer.item = single.iter().find(|(path, _)| *path == of_one).map(|(_, id)| id.clone()).unwrap_or_default();
        }
    }
    settled
}

/// A path without the names of its placeholders.
fn shape(path: &str) -> String {
    path.split('/').map(|part| if part.starts_with('{') { "{}" } else { part }).collect::<Vec<_>>().join("/")
}

impl Settled {
    fn name(&mut self, paging: &Paging) -> String {
        if let Some((name, _)) = self.paging.iter().find(|(_, known)| known == paging) {
            return name.clone();
        }
        let same = self.paging.iter().filter(|(_, known)| known.style == paging.style).count();
        let name = if same == 0 { paging.style.to_owned() } else { format!("{}{}", paging.style, same + 1) };
        self.paging.push((name.clone(), paging.clone()));
        name
    }

    /// `[envelope]` and `[paging]`.
    pub fn write(&self, out: &mut Writer) {
        if self.envelope {
            out.table(&["envelope"], false);
            out.pair("data", "data");
            out.pair("success", "success");
        }
        for (name, paging) in &self.paging {
            out.table(&["paging", name], false);
            out.pair("style", paging.style);
            let place = if paging.style == "offset" { "start" } else { paging.style };
            out.pair(place, &paging.place);
            out.pair("limit", &paging.limit);
            out.pair("next", &paging.next);
            out.pair("total", &paging.total);
        }
    }
}
