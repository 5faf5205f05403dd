//! Options and environment → how this server serves HTTP; checked once, at start.

use super::options::{HttpOptions, QuotaLost};
use crate::config::{Environment, Misuse};
use secrecy::{ExposeSecret, SecretString};
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

/// Environment variables after `<NAME>_MCP_`, one an option of serving over HTTP.
pub const VARIABLES: [&str; 13] = [
    "HTTP",
    "TLS_CERT",
    "TLS_KEY",
    "TENANTS",
    "PASS_THROUGH",
    "ALLOW_HOST",
    "ALLOW_ORIGIN",
    "TRUSTED_PROXY",
    "QUOTA_STORE",
    "QUOTA_LOST",
    "AUDIT_LOG",
    "AUDIT_ARGUMENTS",
    "MAX_CONNECTIONS",
];

/// Secrets after `<NAME>_MCP_`; each may also be read from the file that `…_FILE` names.
pub const SECRETS: [&str; 2] = ["SERVER_KEY", "METRICS_TOKEN"];

/// How HTTP is served.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where to listen.
    pub address: SocketAddr,
    /// Certificate chain and key of this server.
    pub tls: Option<(PathBuf, PathBuf)>,
    /// Who may call, and what.
    pub access: Access,
    /// Host names answered to besides the server's own; `*`: any.
    pub hosts: Vec<String>,
    /// Origins of web pages let in.
    pub origins: Vec<String>,
    /// Balancers that are believed about who calls.
    pub proxies: Vec<IpAddr>,
    /// Address of the shared quota store; `None`: memory.
    pub store: Option<SecretString>,
    /// Calls go through while the store is lost.
    pub lost_allows: bool,
    /// File of the audit trail; `None`: stderr.
    pub audit_log: Option<PathBuf>,
    /// What was sent stands in the audit trail.
    pub audit_arguments: bool,
    /// Most connections at a time.
    pub connections: usize,
    /// What `/metrics` asks for where strangers can reach it.
    pub metrics_token: Option<SecretString>,
    /// Bounds that have no switch.
    pub limits: Limits,
}

/// Who may call.
#[derive(Debug, Clone)]
pub enum Access {
    /// Whoever reaches the address, with the server's own credential unless the caller brings one.
    Local,
    /// Whoever brings a credential for the API; the API judges it.
    PassThrough,
    /// Whoever has a token.
    Tenants {
        /// The file that says who and what.
        file: PathBuf,
        /// Key under which tokens are stored.
        key: SecretString,
    },
}

/// Bounds on what one client can take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Largest request body.
    pub body: usize,
    /// Most bytes of a request's head.
    pub head: usize,
    /// Most requests answered at a time.
    pub requests: usize,
    /// How long a request's head may take, and an idle connection is kept.
    pub head_time: Duration,
    /// How long a request's body may take.
    pub body_time: Duration,
    /// How long a reader may take nothing of what is written to it.
    pub stall: Duration,
    /// How long running requests may take to end after the server was told to stop.
    pub grace: Duration,
    /// Failed authentications of one address in a minute before it has to wait.
    pub failures: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body: 4 << 20,
            head: 64 << 10,
            requests: 512,
            head_time: Duration::from_secs(30),
            body_time: Duration::from_secs(30),
            stall: Duration::from_secs(30),
            grace: Duration::from_secs(30),
            failures: 20,
        }
    }
}

impl Settings {
    /// The settings, or `None` where stdio is to be served.
    pub fn resolve(
        options: &HttpOptions,
        name: &str,
        own_credential: bool,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Self>, Misuse> {
        let prefix = name.to_uppercase();
        let env = Environment { prefix: &prefix, variable };
        let Some(address) = options.http.clone().or_else(|| env.option("HTTP")) else {
            return match options.stray() {
                Some(name) => Err(Misuse(format!("{name} is about serving over HTTP; give --http ADDRESS with it"))),
                None => Ok(None),
            };
        };
        let address = socket(&address)?;
        let access = access(options, &env)?;
        if !address.ip().is_loopback() && matches!(access, Access::Local) {
            return Err(open_to_strangers(address, &prefix, own_credential));
        }
        let path = |given: &Option<PathBuf>, key: &str| given.clone().or_else(|| env.option(key).map(PathBuf::from));
        let tls = match (path(&options.tls_cert, "TLS_CERT"), path(&options.tls_key, "TLS_KEY")) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => return Err(Misuse("--tls-cert and --tls-key go together; give both or none".into())),
        };
        let store = options.quota_store.clone().or_else(|| env.option("QUOTA_STORE")).filter(|store| store != "memory");
        if store.as_ref().is_some_and(|store| !store.starts_with("redis://") && !store.starts_with("rediss://")) {
            return Err(Misuse("--quota-store is `memory`, `redis://…` or `rediss://…`".into()));
        }
        let proxies = env.list(&options.trusted_proxy, "TRUSTED_PROXY");
        Ok(Some(Self {
            address,
            tls,
            access,
            hosts: env.list(&options.allow_host, "ALLOW_HOST").iter().map(|host| host.to_lowercase()).collect(),
            origins: origins(&env.list(&options.allow_origin, "ALLOW_ORIGIN"))?,
            proxies: proxies
                .iter()
                .map(|text| text.parse().map_err(|_| Misuse(format!("--trusted-proxy {text}: write IP addresses"))))
                .collect::<Result<_, _>>()?,
            store: store.map(SecretString::from),
            lost_allows: lost(options.quota_lost, &env)?,
            audit_log: path(&options.audit_log, "AUDIT_LOG"),
            audit_arguments: options.audit_arguments || env.flag("AUDIT_ARGUMENTS")?,
            connections: connections(options.max_connections, &env)?,
            metrics_token: secret(&env, "METRICS_TOKEN")?,
            limits: Limits::default(),
        }))
    }
}

/// A secret of the server itself, from a variable or from the file that its twin names.
pub fn secret(env: &Environment<'_>, key: &str) -> Result<Option<SecretString>, Misuse> {
    let file_key = format!("{key}_FILE");
    let text = match (env.option(key), env.option(&file_key)) {
        (Some(text), _) => text,
        (None, Some(path)) => std::fs::read_to_string(&path)
            .map_err(|error| Misuse(format!("{}_MCP_{file_key} names {path}, which cannot be read: {error}", env.prefix)))?,
        (None, None) => return Ok(None),
    };
    let text = text.trim();
    if text.len() < 16 {
        return Err(Misuse(format!("{}_MCP_{key} is too short to be a secret; `callslip token key` makes one", env.prefix)));
    }
    Ok(Some(text.into()))
}

fn socket(text: &str) -> Result<SocketAddr, Misuse> {
    // A port alone means this machine alone.
    let text = if text.chars().all(|letter| letter.is_ascii_digit()) { format!("127.0.0.1:{text}") } else { text.to_owned() };
    let found = text.to_socket_addrs().ok().and_then(|mut found| found.next());
    found.ok_or_else(|| Misuse(format!("--http {text}: write ADDRESS:PORT, such as 127.0.0.1:8080")))
}

fn access(options: &HttpOptions, env: &Environment<'_>) -> Result<Access, Misuse> {
    let pass_through = options.pass_through || env.flag("PASS_THROUGH")?;
    let Some(file) = options.tenants.clone().or_else(|| env.option("TENANTS").map(PathBuf::from)) else {
        return Ok(if pass_through { Access::PassThrough } else { Access::Local });
    };
    if pass_through {
        return Err(Misuse(
            "--tenants and --pass-through exclude each other: a caller has a token of this server or a credential of the API".into(),
        ));
    }
    Ok(Access::Tenants { file, key: server_key(env)? })
}

/// The key that tokens are stored under.
pub fn server_key(env: &Environment<'_>) -> Result<SecretString, Misuse> {
    let name = format!("{}_MCP_SERVER_KEY", env.prefix);
    let key = secret(env, "SERVER_KEY")?
        .ok_or_else(|| Misuse(format!("tokens are stored under a key: set {name} or {name}_FILE to one; `callslip token key` makes it")))?;
    if key.expose_secret().len() < 32 {
        return Err(Misuse(format!("{name} is shorter than 32 characters; `callslip token key` makes a good one")));
    }
    Ok(key)
}

fn open_to_strangers(address: SocketAddr, prefix: &str, own_credential: bool) -> Misuse {
    let what = if own_credential {
        format!("would act with this server's own credential for {prefix}")
    } else {
        "could use it without saying who they are".to_owned()
    };
    Misuse(format!(
        "--http {address} is refused: without authentication everyone who reaches that address {what}. Give --tenants FILE (callers have tokens) \
         or --pass-through (callers bring their own credential), or listen on 127.0.0.1"
    ))
}

fn origins(texts: &[String]) -> Result<Vec<String>, Misuse> {
    let checked = texts.iter().map(|text| {
        let url = reqwest::Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && matches!(url.path(), "" | "/"));
        let url = url.filter(|url| url.query().is_none() && url.fragment().is_none());
        url.map(|url| url.origin().ascii_serialization())
            .ok_or_else(|| Misuse(format!("--allow-origin {text}: write scheme, host and port, such as https://app.example.com")))
    });
    checked.collect()
}

fn lost(given: Option<QuotaLost>, env: &Environment<'_>) -> Result<bool, Misuse> {
    match (given, env.option("QUOTA_LOST").as_deref().map(str::trim)) {
        (Some(given), _) => Ok(given == QuotaLost::Allow),
        (None, None | Some("refuse")) => Ok(false),
        (None, Some("allow")) => Ok(true),
        (None, Some(other)) => Err(Misuse(format!("{}_MCP_QUOTA_LOST is `{other}`; write refuse or allow", env.prefix))),
    }
}

fn connections(given: Option<usize>, env: &Environment<'_>) -> Result<usize, Misuse> {
    let number = match (given, env.option("MAX_CONNECTIONS")) {
        (Some(number), _) => number,
        (None, Some(text)) => {
            text.trim().parse().map_err(|_| Misuse(format!("{}_MCP_MAX_CONNECTIONS is `{text}`; write a whole number", env.prefix)))?
        }
        (None, None) => 1024,
    };
    if number == 0 || number > 1_000_000 {
        return Err(Misuse("--max-connections is between 1 and 1000000".into()));
    }
    Ok(number)
}
