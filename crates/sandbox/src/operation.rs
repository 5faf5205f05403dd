//! The table of operations: read from the committed data on first use, since a server that never starts a sandbox
//! should not pay for it. The data is one line an operation (path, kind, credential, permission, parameters, shapes in
//! the notation of [`shape`](crate::shape)) and is edited by hand: facts about the API, no sentences.

use std::sync::OnceLock;

use serde_json::Value;

use crate::{
    release,
    shape::{Shape, ShapeKind},
};

/// Facts alone, about 190 KB; linked into the binary for the demo.
const DATA: &str = include_str!("../data/operations.json");

/// What an operation answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One object.
    Object,
    /// Rows with paging.
    Paginated,
    /// All rows at once.
    List,
    /// Bytes.
    Binary,
    /// Plain text.
    Text,
    /// Nothing.
    Empty,
    /// Lines of JSON, the last of which is the outcome.
    Stream,
    /// A WebSocket.
    Socket,
}

/// Which credential an operation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// A key or a session token.
    Any,
    /// A session token only.
    Session,
    /// None is needed.
    Public,
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Path,
    Query,
    Header,
}

/// A parameter outside the body.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub place: Place,
    pub required: bool,
    pub shape: Shape,
}

/// A request body.
#[derive(Debug)]
pub(crate) struct Body {
    pub content_type: String,
    pub required: bool,
    pub shape: Shape,
    /// Multipart: the parts that hold JSON text.
    pub parts: Vec<(String, Shape)>,
    /// The name of the file part that may stand instead of the JSON body.
    pub upload: Option<String>,
}

/// One operation of the API.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that are independent of each other")]
pub struct Operation {
    /// The operationId.
    pub id: String,
    /// The HTTP method.
    pub method: String,
    /// The path below `/api`, with placeholders.
    pub path: String,
    /// What it answers.
    pub kind: Kind,
    /// The status of success.
    pub status: u16,
    /// Which credential it takes.
    pub access: Access,
    /// The permission the caller must hold.
    pub permission: Option<String>,
    /// Only a global administrator may call it.
    pub admin: bool,
    /// Answered by the manager, never forwarded to an agent.
    pub manager: bool,
    /// An edge agent carries it out.
    pub edge: bool,
    /// The first version that has it, as written: `2.8.0`, `after 2.8.1`, `by 2.14.0`.
    pub since: String,
    /// The content type of a text or binary answer.
    pub content_type: Option<String>,
    /// The answer carries an `activityId`.
    pub activity: bool,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
    pub(crate) response: Option<Shape>,
    segments: Vec<String>,
}

struct Table {
    shapes: Vec<Shape>,
    operations: Vec<Operation>,
    roles: Vec<(String, Vec<String>)>,
}

fn table() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| read(DATA).expect("the committed table is whole: a test reads it"))
}

/// Every operation the sandbox answers.
pub fn operations() -> &'static [Operation] {
    &table().operations
}

/// The operation with this operationId.
pub fn operation(id: &str) -> Option<&'static Operation> {
    operations().iter().find(|operation| operation.id == id)
}

/// The permissions of a built-in role.
pub(crate) fn role(name: &str) -> Option<&'static [String]> {
    table().roles.iter().find(|(role, _)| role == name).map(|(_, permissions)| permissions.as_slice())
}

/// Follows pointers into the shared shapes.
pub(crate) fn resolve(shape: &'static Shape) -> &'static Shape {
    let mut shape = shape;
    while let ShapeKind::Shared(index) = shape.kind {
        match table().shapes.get(index) {
            Some(next) => shape = next,
            None => break,
        }
    }
    shape
}

/// The operation that a method and the path below `/api` belong to, and the values of its placeholders as written. What a server of
/// this version does not have yet is found only if nothing older takes its path for an id: to 2.8 `images/patches` is an image.
pub(crate) fn route(method: &str, path: &str, version: &str) -> Option<(&'static Operation, Vec<(&'static str, String)>)> {
    let wanted: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
    let fits = |operation: &&'static Operation| {
        operation.method == method
            && operation.segments.len() == wanted.len()
            && operation.segments.iter().zip(&wanted).all(
                |(template, segment)| {
                    if template.starts_with('{') { !segment.is_empty() } else { template == segment }
                },
            )
    };
    // A literal segment wins over a placeholder, the leftmost first: `containers/counts` is no container named "counts".
    let operation = operations().iter().filter(fits).min_by_key(|operation| {
        let placeholders: Vec<_> = operation.segments.iter().map(|template| template.starts_with('{')).collect();
        (!release::known(&operation.since, version), placeholders)
    })?;
    let values = operation
        .segments
        .iter()
        .zip(&wanted)
        .filter_map(|(template, segment)| {
            let name = template.strip_prefix('{')?.strip_suffix('}')?;
            Some((name, (*segment).to_owned()))
        })
        .collect();
    Some((operation, values))
}

impl Operation {
    /// Whether it changes something.
    pub fn writes(&self) -> bool {
        !matches!(self.method.as_str(), "GET" | "HEAD")
    }

    /// Whether its path names an environment as the place of the work.
    pub fn in_environment(&self) -> bool {
        self.path.starts_with("/environments/{id}/")
    }

    /// The path below the environment, or the whole one.
    pub(crate) fn place(&self) -> &str {
        self.path.strip_prefix("/environments/{id}").filter(|rest| !rest.is_empty()).unwrap_or(&self.path)
    }
}

fn read(data: &str) -> Result<Table, String> {
    let document: Value = serde_json::from_str(data).map_err(|error| error.to_string())?;
    let list = |key: &str| document.get(key).and_then(Value::as_array).ok_or_else(|| format!("no `{key}`"));
    let shapes = list("shapes")?.iter().map(Shape::parse).collect::<Result<_, _>>()?;
    let operations = list("operations")?.iter().map(read_operation).collect::<Result<_, _>>()?;
    let roles = document.get("roles").and_then(Value::as_object).ok_or("no `roles`")?;
    let roles = roles.iter().map(|(name, permissions)| (name.clone(), words(permissions))).collect();
    Ok(Table { shapes, operations, roles })
}

fn words(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect()
}

fn read_operation(value: &Value) -> Result<Operation, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let need = |key: &str| text(key).ok_or_else(|| format!("an operation without `{key}`: {value}"));
    let flag = |key: &str| value.get(key).is_some();
    let path = need("path")?;
    let parameters = value.get("params").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    Ok(Operation {
        id: need("id")?,
        method: need("method")?,
        kind: match need("kind")?.as_str() {
            "object" => Kind::Object,
            "paginated" => Kind::Paginated,
            "list" => Kind::List,
            "binary" => Kind::Binary,
            "text" => Kind::Text,
            "empty" => Kind::Empty,
            "stream" => Kind::Stream,
            "socket" => Kind::Socket,
            other => return Err(format!("unknown kind `{other}`")),
        },
        status: value.get("status").and_then(Value::as_u64).map_or(Ok(200), u16::try_from).map_err(|_| "bad status")?,
        access: match text("auth").as_deref() {
            None => Access::Any,
            Some("session") => Access::Session,
            Some("none") => Access::Public,
            Some(other) => return Err(format!("unknown auth `{other}`")),
        },
        permission: text("permission"),
        admin: flag("admin"),
        manager: flag("manager"),
        edge: !flag("no_edge"),
        since: text("since").unwrap_or_else(|| "2.8.0".to_owned()),
        content_type: text("type"),
        activity: flag("activity"),
        parameters: parameters.iter().map(read_parameter).collect::<Result<_, _>>()?,
        body: value.get("body").map(read_body).transpose()?,
        response: value.get("response").map(Shape::parse).transpose()?,
        segments: path.trim_start_matches('/').split('/').map(str::to_owned).collect(),
        path,
    })
}

fn read_parameter(value: &Value) -> Result<Parameter, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).ok_or_else(|| format!("a parameter without `{key}`"));
    Ok(Parameter {
        name: text("name")?.to_owned(),
        place: match text("in")? {
            "path" => Place::Path,
            "query" => Place::Query,
            _ => Place::Header,
        },
        required: value.get("required").is_some(),
        shape: value.get("shape").map_or_else(|| Shape::parse(&Value::from("str")), Shape::parse)?,
    })
}

fn read_body(value: &Value) -> Result<Body, String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut parts = Vec::new();
    for (name, shape) in value.get("parts").and_then(Value::as_object).into_iter().flatten() {
        parts.push((name.clone(), Shape::parse(shape)?));
    }
    Ok(Body {
        content_type: text("type").unwrap_or_else(|| "application/json".to_owned()),
        required: value.get("required").is_some(),
        shape: Shape::parse(value.get("shape").ok_or("a body without a shape")?)?,
        parts,
        upload: text("upload"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        assert_eq!(operations().len(), 416);
        assert!(role("role_viewer").is_some());
        for (number, operation) in operations().iter().enumerate() {
            assert!(operations()[..number].iter().all(|other| other.id != operation.id), "{} twice", operation.id);
        }
    }

    #[test]
    fn a_literal_segment_wins() {
        let id = |method, path| route(method, path, "2.14.0").map(|(operation, _)| operation.id.as_str());
        assert_eq!(id("GET", "/environments/0/containers/counts"), Some("container-status-counts"));
        assert_eq!(id("GET", "/environments/0/containers/web"), Some("get-container"));
        assert_eq!(id("GET", "/environments/0/containers/"), None);
        assert_eq!(id("GET", "/environments/0/images/library/nginx"), None);
    }
}
