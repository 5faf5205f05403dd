//! The HTTP request of a call as plain data: built and shown before anything is sent.

use callslip_catalog::model::Method;
use serde_json::Value;

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
    Bytes(Vec<u8>),
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
    pub bytes: Vec<u8>,
}
