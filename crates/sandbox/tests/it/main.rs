//! The sandbox as a client sees it.
#![expect(clippy::unwrap_used, reason = "a test says what it expects")]

mod conditions;
mod every;
mod faults;
mod library;
mod lists;
mod refusals;
mod sockets;
mod state;
mod streams;

use std::sync::Once;

use callslip_sandbox::{Options, Sandbox, Seed};
use reqwest::{Client, Method, Response};
use serde_json::Value;

/// A client as plain as can be: no retries, no redirects, no decompression.
pub(crate) fn client() -> Client {
    static PROVIDER: Once = Once::new();
    PROVIDER.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy().no_gzip().build().unwrap()
}

/// A sandbox and a client that holds its key.
pub(crate) struct Test {
    pub sandbox: Sandbox,
    pub client: Client,
}

impl Test {
    pub async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub async fn seeded(seed: Seed) -> Self {
        Self::with(Options { seed, ..Options::default() }).await
    }

    pub async fn with(options: Options) -> Self {
        Self { sandbox: Sandbox::start(options).await.unwrap(), client: client() }
    }

    pub async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Response {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, format!("{}/api{path}", self.sandbox.url()));
        request = request.header("x-api-key", self.sandbox.api_key());
        if let Some(body) = body {
            request = request.json(&body);
        }
        request.send().await.unwrap()
    }

    /// Status and JSON.
    pub async fn json(&self, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
        let response = self.send(method, path, body).await;
        (response.status().as_u16(), response.json().await.unwrap_or(Value::Null))
    }

    pub async fn get(&self, path: &str) -> Value {
        let (status, value) = self.json("GET", path, None).await;
        assert_eq!(status, 200, "{path}: {value}");
        value
    }

    pub async fn post(&self, path: &str) -> Value {
        let (status, value) = self.json("POST", path, None).await;
        assert_eq!(status, 200, "{path}: {value}");
        value
    }
}
