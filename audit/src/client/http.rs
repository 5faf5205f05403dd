//! A server at an address: streamable HTTP, each message a POST, answered with JSON or with events.

use super::{PROTOCOL, Road};
use anyhow::{Context, Result, bail};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

pub struct Post {
    runtime: tokio::runtime::Runtime,
    client: reqwest::Client,
    url: String,
    session: Option<HeaderValue>,
}

impl Post {
    pub fn new(url: &str, headers: &[(String, String)]) -> Result<Self> {
        let mut own = HeaderMap::new();
        for (name, value) in headers {
            own.insert(HeaderName::try_from(name.as_str())?, HeaderValue::try_from(value.as_str())?);
        }
        own.insert("accept", HeaderValue::from_static("application/json, text/event-stream"));
        let client = reqwest::Client::builder().tls_backend_preconfigured(tls()?).default_headers(own).timeout(PATIENCE).build()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(Self { runtime, client, url: url.to_owned(), session: None })
    }

    /// Status, content type and body of the answer.
    fn post(&mut self, message: &Value) -> Result<(String, String)> {
        let mut request = self.client.post(&self.url).header("mcp-protocol-version", PROTOCOL).json(message);
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session.clone());
        }
        let url = self.url.clone();
        let (session, kind, status, body) = self.runtime.block_on(async move {
            let response = request.send().await.with_context(|| format!("{url} cannot be reached"))?;
            let header = |name: &str| response.headers().get(name).cloned();
            let session = header("mcp-session-id");
            let kind = header("content-type").and_then(|kind| kind.to_str().ok().map(str::to_owned)).unwrap_or_default();
            let status = response.status();
            anyhow::Ok((session, kind, status, response.text().await?))
        })?;
        self.session = session.or(self.session.take());
        if !status.is_success() {
            bail!("{} answers {status}: {}", self.url, body.chars().take(200).collect::<String>());
        }
        Ok((kind, body))
    }
}

impl Road for Post {
    fn ask(&mut self, id: u64, message: &Value) -> Result<Value> {
        let (kind, body) = self.post(message)?;
        let messages = if kind.starts_with("text/event-stream") { events(&body) } else { vec![body] };
        let mut parsed = messages.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
        parsed.find(|message| message["id"] == id).with_context(|| format!("{} answers without an answer", self.url))
    }

    fn tell(&mut self, message: &Value) -> Result<()> {
        self.post(message).map(|_| ())
    }
}

/// The data of each event.
fn events(body: &str) -> Vec<String> {
    let body = body.replace("\r\n", "\n");
    let data = |event: &str| {
        let lines = event.lines().filter_map(|line| line.strip_prefix("data:"));
        lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
    };
    body.split("\n\n").map(data).filter(|data| !data.is_empty()).collect()
}

/// Mozilla's roots, as the server itself uses.
pub fn tls() -> Result<rustls::ClientConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let roots = rustls::RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let builder = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    Ok(builder.with_root_certificates(roots).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::events;

    #[test]
    fn events_are_read_whole() {
        let body = "event: message\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\n: keep\n\ndata:{}\n\n";
        assert_eq!(events(body), ["{\"a\":\n1}", "{}"]);
    }
}
