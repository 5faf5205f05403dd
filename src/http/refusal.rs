//! A request that is turned away before any tool hears of it: an HTTP status and one sentence, as a JSON-RPC error so that clients show it.

use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use serde_json::json;
use serde_json::value::RawValue;
use std::time::Duration;

/// Code of such errors: one that JSON-RPC leaves to servers.
const CODE: i32 = -32_000;

/// Why a request is turned away.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    code: i32,
    message: String,
    wait: Option<Duration>,
}

impl Refusal {
    /// A refusal with a status and a sentence.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, code: CODE, message: message.into(), wait: None }
    }

    /// The body is no request; says what it is instead.
    pub fn no_request(body: &[u8]) -> Self {
        let (code, message) = match serde_json::from_slice::<&RawValue>(body) {
            Err(error) => (-32_700, format!("The body is not JSON: {error}.")),
            Ok(value) if value.get().starts_with('[') => {
                (-32_600, "Send one JSON-RPC message a request; batches are not taken.".to_owned())
            }
            Ok(_) => {
                (-32_600, "The body is JSON, but no JSON-RPC message: it needs `jsonrpc`, `id`, `method` and perhaps `params`.".to_owned())
            }
        };
        Self { code, ..Self::new(StatusCode::BAD_REQUEST, message) }
    }

    /// The caller did not say who they are.
    pub fn unauthorized(message: String) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, message)
    }

    /// The caller has to wait.
    pub fn wait(message: &str, wait: Duration) -> Self {
        let seconds = wait.as_secs() + 1;
        Self { wait: Some(wait), ..Self::new(StatusCode::TOO_MANY_REQUESTS, format!("{message} Try again in {seconds} s.")) }
    }

    /// A mistake of our own; what it was stands nowhere a caller can read.
    pub fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "callslip made a mistake of its own. Nothing was sent.")
    }

    /// The response.
    pub fn response(self) -> Response<Body> {
        let body = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": self.code, "message": self.message } });
        let mut response = Response::new(Body::from(body.to_string()));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        if let Some(wait) = self.wait {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(wait.as_secs() + 1));
        }
        response
    }
}
