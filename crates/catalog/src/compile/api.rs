//! `catalog.toml` → [`Api`], and the parameters that actions share.

use super::param;
use super::reader::{Placed, Table};
use crate::lexicon::SearchTable;
use crate::model::{Absent, Api, Credential, Envelope, Fill, Paging, PagingStyle, Param, Place, Toolset};

/// What `catalog.toml` says, with the parts that only the compiler needs.
pub struct Root {
    /// The API, its domains still empty.
    pub api: Api<'static>,
    /// Parameters that any path may use without declaring them.
    pub shared: Vec<Param<'static>>,
    /// Parameters of each paging style, by its number in [`Api::paging`].
    pub paging_params: Vec<Vec<Param<'static>>>,
    /// Toolset names with their places, for the check that each has a domain.
    pub toolset_places: Vec<Placed>,
    /// The `[search]` table: words for the index.
    pub search: SearchTable,
}

const KEYS: [&str; 14] = [
    "name",
    "title",
    "about",
    "profile",
    "base_path",
    "version_path",
    "query_arrays",
    "credentials",
    "envelope",
    "shared",
    "paging",
    "toolsets",
    "absent",
    "search",
];

/// Reads `catalog.toml`.
pub fn read(root: &Table<'_>) -> Root {
    let text = |key: &str| root.text(key).map(|placed| placed.text).unwrap_or_default().into();
    let (toolsets, toolset_places) = toolsets(root);
    let (paging, paging_params) = paging(root);
    let shared = shared(root);
    let defaulted = shared.iter().filter(|param| matches!(param.fill, Fill::Option { .. }));
    let api = Api {
        name: root.need_text("name", "it begins every tool name, such as name = \"arcane\"").into(),
        title: root.need_text("title", "give the name people know the API by").into(),
        about: root.need_text("about", "say in one line what the API manages").into(),
        profile: text("profile"),
        base_path: text("base_path"),
        version_path: text("version_path"),
        repeat_arrays: root.choice("query_arrays", &[("comma", false), ("repeat", true)]).unwrap_or_default(),
        credentials: credentials(root),
        envelope: envelope(root),
        defaulted: defaulted.map(|param| param.name.clone()).collect(),
        paging,
        toolsets,
        domains: Vec::new().into(),
        absent: absent(root),
    };
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let starts_with_letter = api.name.bytes().next().is_none_or(|byte| byte.is_ascii_lowercase());
    if !(starts_with_letter && api.name.bytes().all(legal)) {
        root.problem_at(root.place("name"), "`name` begins tool names; use lower-case letters and digits, a letter first");
    }
    let search = search(root);
    root.finish(&KEYS);
    Root { api, shared, paging_params, toolset_places, search }
}

fn search(root: &Table<'_>) -> SearchTable {
    let Some(value) = root.value("search") else { return SearchTable::default() };
    serde_json::from_value(value).unwrap_or_else(|error| {
        root.problem_at(root.place("search"), format!("[search] is not understood: {error}"));
        SearchTable::default()
    })
}

fn credentials(root: &Table<'_>) -> Vec<Credential<'static>> {
    let tables = root.tables("credentials", "this credential");
    tables
        .iter()
        .map(|table| {
            let credential = Credential {
                variable: table.need_text("variable", "name the environment variable, such as \"API_KEY\"").into(),
                header: table.need_text("header", "name the header it is sent in").into(),
                scheme: table.text("scheme").map(|placed| placed.text).unwrap_or_default().into(),
                session: table.flag("session").unwrap_or_default(),
            };
            table.finish(&["variable", "header", "scheme", "session"]);
            credential
        })
        .collect()
}

fn envelope(root: &Table<'_>) -> Option<Envelope<'static>> {
    let table = root.table("envelope", "the envelope")?;
    let envelope = Envelope {
        data: table.need_text("data", "name the property with the data").into(),
        success: table.text("success").map(|placed| placed.text).unwrap_or_default().into(),
    };
    table.finish(&["data", "success"]);
    Some(envelope)
}

fn shared(root: &Table<'_>) -> Vec<Param<'static>> {
    let Some(table) = root.table("shared", "[shared]") else { return Vec::new() };
    let found = table.named_tables(|name| format!("parameter `{name}`"));
    let params = found.iter().map(|(name, inner)| Param { shared: true, ..param::read_shared(&name.text, inner) }).collect();
    table.finish(&[]);
    params
}

fn paging(root: &Table<'_>) -> (Vec<Paging<'static>>, Vec<Vec<Param<'static>>>) {
    let Some(table) = root.table("paging", "[paging]") else { return (Vec::new(), Vec::new()) };
    let found = table.named_tables(|name| format!("paging style `{name}`"));
    let styles = found.iter().map(|(name, style)| {
        let word = |key: &str, hint: &str| style.need_text(key, hint).into();
        let kind = style.need_choice("style", &[("offset", 0), ("page", 1), ("cursor", 2)], "say offset, page or cursor");
        let limit = word("limit", "name the parameter with the number of rows");
        let total = style.text("total").map(|placed| placed.text).unwrap_or_default().into();
        let kind = match kind.unwrap_or_default() {
            0 => PagingStyle::Offset { start: word("start", "name the parameter with the offset") },
            1 => PagingStyle::Page { page: word("page", "name the parameter with the page number") },
            _ => PagingStyle::Cursor {
                cursor: word("cursor", "name the parameter with the cursor"),
                next: word("next", "say where the answer gives the next cursor"),
            },
        };
        let params = style.table("params", format!("the parameters of paging style `{}`", name.text)).map(|inner| {
            let params = param::read_all(&inner, &Place::Query);
            params.into_iter().map(|(param, _)| Param { shared: true, ..param }).collect()
        });
        style.finish(&["style", "start", "page", "cursor", "next", "limit", "total", "params"]);
        (Paging { name: name.text.clone().into(), style: kind, limit, total }, params.unwrap_or_default())
    });
    let read = styles.unzip();
    table.finish(&[]);
    read
}

fn toolsets(root: &Table<'_>) -> (Vec<Toolset<'static>>, Vec<Placed>) {
    let Some(table) = root.table("toolsets", "[toolsets]") else {
        root.problem("there are no [toolsets]; give at least one, such as [toolsets.all]");
        return (Vec::new(), Vec::new());
    };
    let found = table.named_tables(|name| format!("toolset `{name}`"));
    let read = found
        .iter()
        .map(|(name, inner)| {
            let toolset = Toolset {
                name: name.text.clone().into(),
                title: inner.need_text("title", "give the name people see").into(),
                line: inner.need_text("line", "say in one line what is in it").into(),
                pin: inner.text("pin").map(|placed| placed.text).unwrap_or_default().into(),
                default: inner.flag("default").unwrap_or(true),
                reason: inner.text("reason").map(|placed| placed.text).unwrap_or_default().into(),
            };
            if !toolset.default && toolset.reason.is_empty() {
                inner.problem(format!("toolset `{}` is left out by default; say why with `reason`", name.text));
            }
            inner.finish(&["title", "line", "pin", "default", "reason"]);
            (toolset, name.clone())
        })
        .unzip();
    table.finish(&[]);
    read
}

fn absent(root: &Table<'_>) -> Vec<Absent<'static>> {
    let tables = root.tables("absent", "this absent entry");
    tables
        .iter()
        .map(|table| {
            let ask: Vec<_> = table.texts("ask").into_iter().map(|placed| placed.text.into()).collect();
            if ask.is_empty() {
                table.problem("this absent entry has no `ask`; list how people ask for it");
            }
            let advice = table.need_text("advice", "say what to do instead").into();
            table.finish(&["ask", "advice"]);
            Absent { ask, advice }
        })
        .collect()
}
