//! The HTTP request of a call as plain data: built and shown before anything is sent, so that a refusal can show what it held back.

mod body;
mod build;
mod file;
mod path;
mod shown;

pub use build::build;
pub use path::problems as path_problems;
pub use shown::is_secret_name;

use callslip_catalog::model::Method;
use serde_json::Value;
use std::path::PathBuf;

/// A request that is complete but for the credential and the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// HTTP method.
    pub method: Method,
    /// Path from the root of the server, encoded, base path included.
    pub path: String,
    /// Query, names and values not yet encoded, in the order of the catalog.
    pub query: Vec<(String, String)>,
    /// Headers that are parameters.
    pub headers: Vec<(String, String)>,
    /// Body.
    pub body: Body,
    /// What must not be shown.
    pub mask: Mask,
}

/// What a request holds that must not be shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mask {
    /// Names on the wire of the secret parameters.
    pub names: Vec<String>,
    /// Anything that is named like a secret is one too.
    pub by_name: bool,
    /// The path with its secret segments replaced; empty: there is none.
    pub path: String,
    /// The secret texts themselves, to be taken out of whatever the upstream echoes.
    pub texts: Vec<String>,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// None.
    None,
    /// JSON.
    Json(Value),
    /// `application/x-www-form-urlencoded`.
    Form(Vec<(String, String)>),
    /// `multipart/form-data`.
    Multipart(Vec<Part>),
    /// Raw bytes, `application/octet-stream`.
    Bytes(Source),
}

/// One part of a multipart body.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Name of the field.
    pub name: String,
    /// File name, for files.
    pub file_name: Option<String>,
    /// Content type; empty: none is sent.
    pub content_type: String,
    /// Its bytes.
    pub source: Source,
}

/// Where bytes come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// Here they are.
    Bytes(Vec<u8>),
    /// A local file, opened when the request is sent and only below an allowed directory.
    File(PathBuf),
}
