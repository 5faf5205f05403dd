//! An answer before it becomes HTTP, so that a fault can still spoil it.

use std::{convert::Infallible, pin::Pin};

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, StatusCode},
    response::Response,
};
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};

/// The parts of a body that is sent bit by bit.
pub(crate) type Chunks = Pin<Box<dyn Stream<Item = Bytes> + Send>>;

/// What follows the headers.
pub(crate) enum Content {
    Whole(Vec<u8>),
    /// A finished stream, line by line, so that a fault can take its end away.
    Lines(Vec<Vec<u8>>),
    Chunks(Chunks),
}

/// Status, headers, content.
pub(crate) struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub content: Content,
}

impl Reply {
    pub fn bytes(status: u16, content_type: &str, bytes: Vec<u8>) -> Self {
        let headers = vec![("content-type", content_type.to_owned())];
        Self { status, headers, content: Content::Whole(bytes) }
    }

    pub fn json(status: u16, value: &Value) -> Self {
        Self::bytes(status, "application/json", value.to_string().into_bytes())
    }

    /// The usual envelope around `data`.
    pub fn data(data: &Value) -> Self {
        Self::json(200, &json!({ "success": true, "data": data }))
    }

    pub fn empty(status: u16) -> Self {
        Self { status, headers: Vec::new(), content: Content::Whole(Vec::new()) }
    }

    pub fn chunks(content_type: &str, chunks: Chunks) -> Self {
        let headers = vec![("content-type", content_type.to_owned())];
        Self { status: 200, headers, content: Content::Chunks(chunks) }
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub fn into_response(self) -> Response {
        let body = match self.content {
            Content::Whole(bytes) => Body::from(bytes),
            Content::Lines(lines) => Body::from_stream(stream::iter(lines.into_iter().map(|line| Ok::<_, Infallible>(Bytes::from(line))))),
            Content::Chunks(chunks) => Body::from_stream(chunks.map(Ok::<_, Infallible>)),
        };
        let mut response = Response::new(body);
        *response.status_mut() = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        for (name, value) in self.headers {
            // A header that HTTP cannot carry is left out; only a test could ask for one.
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(HeaderName::from_static(name), value);
            }
        }
        response
    }
}
