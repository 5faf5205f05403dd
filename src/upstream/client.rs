//! The HTTP clients, made when the first request is sent: a server that only lists tools never pays for them.

use crate::error::{Code, Failure};
use crate::upstream::{Settings, tls};
use std::sync::OnceLock;
use std::time::Duration;

/// One client for requests and one, on HTTP/1.1 alone, for sockets: an upgrade does not exist on HTTP/2.
#[derive(Debug, Default)]
pub struct Clients {
    requests: OnceLock<Result<reqwest::Client, Failure>>,
    sockets: OnceLock<Result<reqwest::Client, Failure>>,
}

impl Clients {
    /// The client for requests.
    pub fn requests(&self, settings: &Settings) -> Result<reqwest::Client, Failure> {
        self.requests.get_or_init(|| client(settings, &[b"h2", b"http/1.1"])).clone()
    }

    /// The client for sockets.
    pub fn sockets(&self, settings: &Settings) -> Result<reqwest::Client, Failure> {
        self.sockets.get_or_init(|| client(settings, &[b"http/1.1"])).clone()
    }
}

fn client(settings: &Settings, protocols: &[&[u8]]) -> Result<reqwest::Client, Failure> {
    let mut config = tls::config(settings)?;
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .user_agent(concat!("callslip/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(settings.connect_timeout)
        // Credentials must not travel to where a redirect points; the failure says where that is.
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        // What may be sent again is decided in one place, see `exchange`.
        .retry(reqwest::retry::never())
        .pool_idle_timeout(Duration::from_secs(50))
        .tcp_keepalive(Duration::from_secs(30));
    let builder = if protocols.len() == 1 { builder.http1_only() } else { builder };
    builder.build().map_err(|error| Failure::new(Code::Internal, format!("The HTTP client cannot be made: {error}.")))
}
