//! What is configured about the upstream: decided once at start, nothing here costs anything.

use callslip_catalog::model;
use secrecy::{ExposeSecret, SecretString};
use std::path::PathBuf;
use std::time::Duration;

/// Where the API is and how to speak to it.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Address of the server, with or without the base path of the API; `None`: not configured.
    pub url: Option<String>,
    /// Credentials that are configured, in the catalog's order. Exactly one is sent with a request.
    pub credentials: Vec<Credential>,
    /// Swapped for a new session token, once, when the server says that the session has ended.
    pub refresh_token: Option<SecretString>,
    /// PEM file with certificate authorities to trust besides the bundled ones.
    pub ca_file: Option<PathBuf>,
    /// PEM file with a client certificate, its chain and its key.
    pub client_cert: Option<PathBuf>,
    /// Server certificates are not checked.
    pub insecure: bool,
    /// How long a call may take, unless its action is known to take longer.
    pub timeout: Duration,
    /// How long a connection may take to come about.
    pub connect_timeout: Duration,
    /// How long an answer may pause while it arrives.
    pub read_timeout: Duration,
    /// Directories below which files may be read for uploads and written for downloads; empty: none.
    pub allow_paths: Vec<PathBuf>,
    /// Largest file that a download writes.
    pub largest_file: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: None,
            credentials: Vec::new(),
            refresh_token: None,
            ca_file: None,
            client_cert: None,
            insecure: false,
            timeout: Duration::from_secs(60),
            connect_timeout: Duration::from_secs(10),
            read_timeout: Duration::from_secs(30),
            allow_paths: Vec::new(),
            largest_file: 64 << 30,
        }
    }
}

/// A configured credential.
#[derive(Debug, Clone)]
pub struct Credential {
    /// Header it is sent in.
    pub header: String,
    /// Value of that header, scheme included.
    pub value: SecretString,
    /// It is a session token.
    pub session: bool,
}

impl Credential {
    /// The secret of a caller in the header that the catalog says.
    pub fn new(kind: &model::Credential<'_>, secret: &str) -> Self {
        let secret = secret.trim();
        let value = if kind.scheme.is_empty() { secret.to_owned() } else { format!("{} {secret}", kind.scheme) };
        Self { header: kind.header.to_string(), value: value.into(), session: kind.session }
    }

    /// The same kind of credential with another secret.
    pub(super) fn with_secret(&self, secret: &str) -> Self {
        let value = self.value.expose_secret();
        let value = value.rsplit_once(' ').map_or_else(|| secret.to_owned(), |(scheme, _)| format!("{scheme} {secret}"));
        Self { value: value.into(), ..self.clone() }
    }

    /// The secret itself, without the scheme.
    pub(super) fn bare(&self) -> &str {
        let value = self.value.expose_secret();
        value.rsplit_once(' ').map_or(value, |(_, secret)| secret)
    }
}
