//! What can be typed about serving over HTTP. [`super::Settings`] is made of it.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Options of `serve`; each also has an environment variable.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Serving over HTTP")]
pub struct HttpOptions {
    /// Serve streamable HTTP at /mcp of this address, such as 127.0.0.1:8080, instead of stdio.
    #[arg(long, value_name = "ADDRESS")]
    pub http: Option<String>,
    /// Certificate chain of this server (PEM).
    #[arg(long, value_name = "FILE")]
    pub tls_cert: Option<PathBuf>,
    /// Private key of that certificate (PEM).
    #[arg(long, value_name = "FILE")]
    pub tls_key: Option<PathBuf>,
    /// Callers with tokens, their workspaces, scopes and quotas: a file that `docs/scaling.md` explains.
    #[arg(long, value_name = "FILE")]
    pub tenants: Option<PathBuf>,
    /// Callers bring their own credential for the API; the server's own is never used for them.
    #[arg(long)]
    pub pass_through: bool,
    /// Host names this server answers to besides its own address, or `*`.
    #[arg(long, value_name = "HOST,…", value_delimiter = ',')]
    pub allow_host: Vec<String>,
    /// Origins whose web pages may use this server, such as `https://app.example.com`.
    #[arg(long, value_name = "ORIGIN,…", value_delimiter = ',')]
    pub allow_origin: Vec<String>,
    /// Addresses of balancers whose `X-Forwarded-For` is believed.
    #[arg(long, value_name = "ADDRESS,…", value_delimiter = ',')]
    pub trusted_proxy: Vec<String>,
    /// Where calls are counted: `memory`, or `redis://…` for replicas to share [default: memory].
    #[arg(long, value_name = "STORE")]
    pub quota_store: Option<String>,
    /// What happens to calls with a quota while the store is lost [default: refuse].
    #[arg(long, value_enum, value_name = "WHAT")]
    pub quota_lost: Option<QuotaLost>,
    /// Write the audit trail here instead of to stderr.
    #[arg(long, value_name = "FILE")]
    pub audit_log: Option<PathBuf>,
    /// Write what was sent into the audit trail, secrets masked.
    #[arg(long)]
    pub audit_arguments: bool,
    /// Most connections at a time [default: 1024].
    #[arg(long, value_name = "N")]
    pub max_connections: Option<usize>,
}

/// What a lost quota store means for calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum QuotaLost {
    /// Calls with a quota are refused.
    Refuse,
    /// They go through uncounted.
    Allow,
}

impl HttpOptions {
    /// An option that means nothing without `--http`.
    pub fn stray(&self) -> Option<&'static str> {
        let given = [
            (self.tls_cert.is_some(), "--tls-cert"),
            (self.tls_key.is_some(), "--tls-key"),
            (self.tenants.is_some(), "--tenants"),
            (self.pass_through, "--pass-through"),
            (!self.allow_host.is_empty(), "--allow-host"),
            (!self.allow_origin.is_empty(), "--allow-origin"),
            (!self.trusted_proxy.is_empty(), "--trusted-proxy"),
            (self.quota_store.is_some(), "--quota-store"),
            (self.quota_lost.is_some(), "--quota-lost"),
            (self.audit_log.is_some(), "--audit-log"),
            (self.audit_arguments, "--audit-arguments"),
            (self.max_connections.is_some(), "--max-connections"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// These, and where nothing is said, those: options may stand before or after `serve`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let list = |these: Vec<String>, those| if these.is_empty() { those } else { these };
        Self {
            http: self.http.or(other.http),
            tls_cert: self.tls_cert.or(other.tls_cert),
            tls_key: self.tls_key.or(other.tls_key),
            tenants: self.tenants.or(other.tenants),
            pass_through: self.pass_through || other.pass_through,
            allow_host: list(self.allow_host, other.allow_host),
            allow_origin: list(self.allow_origin, other.allow_origin),
            trusted_proxy: list(self.trusted_proxy, other.trusted_proxy),
            quota_store: self.quota_store.or(other.quota_store),
            quota_lost: self.quota_lost.or(other.quota_lost),
            audit_log: self.audit_log.or(other.audit_log),
            audit_arguments: self.audit_arguments || other.audit_arguments,
            max_connections: self.max_connections.or(other.max_connections),
        }
    }
}

/// `callslip token`.
#[derive(Debug, Clone, Subcommand)]
pub enum TokenCommand {
    /// Make a token and the lines that `--tenants` needs for it. It is shown once.
    New {
        /// Workspace the token works in.
        #[arg(long, default_value = "main")]
        workspace: String,
        /// Name of the token in records; never the token itself.
        #[arg(long, default_value = "agent")]
        name: String,
        /// What it may do: read, write or full.
        #[arg(long, default_value = "read")]
        scope: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Make a server key, under which tokens are stored.
    Key,
}
