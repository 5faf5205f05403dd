//! Command line and environment → one checked [`Config`], once, at start. Nothing reads the environment later.

use crate::cli::{Confirm, Options, Results, SurfaceName};
use crate::render::MOST_TEXT;
use crate::upstream::{Credential, Settings};
use callslip_catalog::model::Api;
use callslip_catalog::project::Surface;
use secrecy::SecretString;
use std::path::PathBuf;
use std::time::Duration;

/// Environment variables after `<NAME>_MCP_`, one an option. Flags take `1`, `true`, `0` or `false`; lists are comma-separated.
pub const VARIABLES: [&str; 18] = [
    "TOOL_SURFACE",
    "READ_ONLY",
    "EXCLUDE",
    "INCLUDE",
    "TOOLSETS",
    "ONLY_TOOLSETS",
    "SPLIT_READ",
    "RESULTS",
    "MAX_TEXT",
    "ENVIRONMENT",
    "TIMEOUT",
    "CA_FILE",
    "CLIENT_CERT",
    "INSECURE",
    "ALLOW_PATH",
    "CONFIRM",
    "ENVIRONMENTS",
    "READ_ONLY_ENVIRONMENTS",
];

/// What the program runs on.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Config {
    /// How the catalog is shown.
    pub surface: Surface,
    /// Only reads stay.
    pub read_only: bool,
    /// Patterns taken out.
    pub exclude: Vec<String>,
    /// Toolsets put in.
    pub include: Vec<String>,
    /// Toolsets announced natively.
    pub toolsets: Vec<String>,
    /// Search and calls are restricted to them.
    pub only_toolsets: bool,
    /// `dynamic` has a reading twin.
    pub split_read: bool,
    /// Text alone fills a result.
    pub text_only: bool,
    /// Most characters of the text of an answer.
    pub most_text: usize,
    /// Value of the server option `environment`.
    pub environment: Option<String>,
    /// Whose word a destructive call needs.
    pub confirm: Confirm,
    /// The only environments that may be named; empty: any.
    pub environments: Vec<String>,
    /// Environments in which only reading actions run.
    pub read_only_environments: Vec<String>,
    /// Signs questions that travel through a client, so that replicas accept each other's; empty: one is made at start.
    pub state_key: SecretString,
    /// Where the API is and how it is spoken to.
    pub upstream: Settings,
    /// Variables that gave a credential, for messages.
    pub credentials: Vec<String>,
}

/// A mistake in options or environment; the message names the fix.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Misuse(pub String);

impl Config {
    /// Resolves options and environment for one API. `variable` reads the environment.
    pub fn resolve(options: &Options, api: &Api<'_>, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Misuse> {
        let prefix = api.name.to_uppercase();
        let env = Environment { prefix: &prefix, variable };
        let credentials = credentials(api, &env)?;
        Ok(Self {
            surface: surface(options.tool_surface, &env)?,
            read_only: options.read_only || env.flag("READ_ONLY")?,
            exclude: env.list(&options.exclude, "EXCLUDE"),
            include: env.list(&options.include, "INCLUDE"),
            toolsets: env.list(&options.toolsets, "TOOLSETS"),
            only_toolsets: options.only_toolsets || env.flag("ONLY_TOOLSETS")?,
            split_read: options.split_read || env.flag("SPLIT_READ")?,
            text_only: text_only(options.results, &env)?,
            most_text: most_text(options.max_text, &env)?,
            confirm: confirm(options.confirm, &env)?,
            environments: env.list(&options.environments, "ENVIRONMENTS"),
            read_only_environments: env.list(&options.read_only_environments, "READ_ONLY_ENVIRONMENTS"),
            state_key: state_key(&env)?,
            environment: options.environment.clone().or_else(|| env.option("ENVIRONMENT")),
            upstream: Settings {
                url: env.plain("URL"),
                credentials: credentials.iter().map(|(_, credential)| credential.clone()).collect(),
                refresh_token: secret(&env, "REFRESH_TOKEN")?.map(|(_, token)| token.into()),
                ca_file: options.ca_file.clone().or_else(|| env.option("CA_FILE").map(PathBuf::from)),
                client_cert: options.client_cert.clone().or_else(|| env.option("CLIENT_CERT").map(PathBuf::from)),
                insecure: options.insecure || env.flag("INSECURE")?,
                timeout: timeout(options.timeout, &env)?,
                allow_paths: match options.allow_path.as_slice() {
                    [] => env.list(&[], "ALLOW_PATH").into_iter().map(PathBuf::from).collect(),
                    given => given.to_vec(),
                },
                ..Settings::default()
            },
            credentials: credentials.into_iter().map(|(variable, _)| variable).collect(),
        })
    }
}

/// The environment of one API: what its variables say.
pub struct Environment<'e> {
    /// Name of the API in capitals.
    pub prefix: &'e str,
    /// Reads a variable.
    pub variable: &'e dyn Fn(&str) -> Option<String>,
}

impl Environment<'_> {
    /// `<NAME>_<KEY>`; an empty value is none.
    pub fn plain(&self, key: &str) -> Option<String> {
        (self.variable)(&format!("{}_{key}", self.prefix)).filter(|value| !value.trim().is_empty())
    }

    /// `<NAME>_MCP_<KEY>`.
    pub fn option(&self, key: &str) -> Option<String> {
        self.plain(&format!("MCP_{key}"))
    }

    /// `<NAME>_MCP_<KEY>` as a switch; none is off.
    pub fn flag(&self, key: &str) -> Result<bool, Misuse> {
        match self.option(key).as_deref().map(str::trim) {
            None | Some("0" | "false" | "no") => Ok(false),
            Some("1" | "true" | "yes") => Ok(true),
            Some(other) => Err(Misuse(format!("{}_MCP_{key} is `{other}`; write 1 or 0", self.prefix))),
        }
    }

    /// What was given on the command line, else `<NAME>_MCP_<KEY>` split at commas.
    pub fn list(&self, given: &[String], key: &str) -> Vec<String> {
        let texts = if given.is_empty() { self.option(key).into_iter().collect() } else { given.to_vec() };
        let parts = texts.iter().flat_map(|text| text.split(',')).map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    }
}

fn surface(given: Option<SurfaceName>, env: &Environment<'_>) -> Result<Surface, Misuse> {
    if let Some(given) = given {
        return Ok(match given {
            SurfaceName::Dynamic => Surface::Dynamic,
            SurfaceName::Meta => Surface::Meta,
            SurfaceName::Individual => Surface::Individual,
            SurfaceName::Progressive => Surface::Progressive,
        });
    }
    let Some(name) = env.option("TOOL_SURFACE") else { return Ok(Surface::Dynamic) };
    Surface::NAMES.iter().find(|(known, _)| *known == name.trim()).map(|(_, surface)| *surface).ok_or_else(|| {
        let known: Vec<_> = Surface::NAMES.iter().map(|(name, _)| *name).collect();
        Misuse(format!("{}_MCP_TOOL_SURFACE is `{name}`; choose one of {}", env.prefix, known.join(", ")))
    })
}

fn text_only(given: Option<Results>, env: &Environment<'_>) -> Result<bool, Misuse> {
    if let Some(given) = given {
        return Ok(given == Results::Text);
    }
    match env.option("RESULTS").as_deref().map(str::trim) {
        None | Some("full") => Ok(false),
        Some("text") => Ok(true),
        Some(other) => Err(Misuse(format!("{}_MCP_RESULTS is `{other}`; write full or text", env.prefix))),
    }
}

/// Below this the notes of an answer would fill its text.
const LEAST_TEXT: usize = 4_000;

fn most_text(given: Option<usize>, env: &Environment<'_>) -> Result<usize, Misuse> {
    let most = match (given, env.option("MAX_TEXT")) {
        (Some(most), _) => most,
        (None, Some(text)) => text
            .trim()
            .parse()
            .map_err(|_| Misuse(format!("{}_MCP_MAX_TEXT is `{text}`; write a whole number of characters", env.prefix)))?,
        (None, None) => MOST_TEXT,
    };
    if (LEAST_TEXT..=1_000_000).contains(&most) {
        return Ok(most);
    }
    Err(Misuse(format!("the text of an answer has between {LEAST_TEXT} and 1000000 characters, not {most}")))
}

fn confirm(given: Option<Confirm>, env: &Environment<'_>) -> Result<Confirm, Misuse> {
    match (given, env.option("CONFIRM").as_deref().map(str::trim)) {
        (Some(given), _) => Ok(given),
        (None, None | Some("model")) => Ok(Confirm::Model),
        (None, Some("human")) => Ok(Confirm::Human),
        (None, Some(other)) => Err(Misuse(format!("{}_MCP_CONFIRM is `{other}`; write model or human", env.prefix))),
    }
}

/// Fewest bytes of a signing key.
const KEY_LENGTH: usize = 32;

/// `<NAME>_MCP_STATE_KEY`: from the environment alone, like every secret.
fn state_key(env: &Environment<'_>) -> Result<SecretString, Misuse> {
    match env.option("STATE_KEY") {
        Some(key) if key.len() < KEY_LENGTH => {
            Err(Misuse(format!("{}_MCP_STATE_KEY is too short; give at least {KEY_LENGTH} random characters", env.prefix)))
        }
        key => Ok(key.unwrap_or_default().into()),
    }
}

/// Seconds a call may take when nothing says otherwise.
const TIMEOUT: u64 = 60;

fn timeout(given: Option<u64>, env: &Environment<'_>) -> Result<Duration, Misuse> {
    let seconds = match (given, env.option("TIMEOUT")) {
        (Some(seconds), _) => seconds,
        (None, Some(text)) => {
            text.trim().parse().map_err(|_| Misuse(format!("{}_MCP_TIMEOUT is `{text}`; write a whole number of seconds", env.prefix)))?
        }
        (None, None) => TIMEOUT,
    };
    if seconds == 0 || seconds > 86_400 {
        return Err(Misuse("the timeout is between 1 and 86400 seconds".into()));
    }
    Ok(Duration::from_secs(seconds))
}

/// Every configured credential with the variable it came from, in the catalog's order.
fn credentials(api: &Api<'_>, env: &Environment<'_>) -> Result<Vec<(String, Credential)>, Misuse> {
    let mut found = Vec::new();
    for known in &api.credentials {
        if let Some((variable, value)) = secret(env, &known.variable)? {
            found.push((variable, Credential::new(known, &value)));
        }
    }
    Ok(found)
}

/// `<NAME>_<KEY>` or what stands in the file that `<NAME>_<KEY>_FILE` names, with the name of the variable.
fn secret(env: &Environment<'_>, key: &str) -> Result<Option<(String, String)>, Misuse> {
    let file_key = format!("{key}_FILE");
    let value = match (env.plain(key), env.plain(&file_key)) {
        (Some(value), _) => value,
        (None, Some(path)) => std::fs::read_to_string(&path)
            .map_err(|error| Misuse(format!("{}_{file_key} names {path}, which cannot be read: {error}", env.prefix)))?,
        (None, None) => return Ok(None),
    };
    let variable = format!("{}_{key}", env.prefix);
    let value = value.trim();
    if value.is_empty() || !value.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        return Err(Misuse(format!("{variable} holds no usable credential; it must be one word of plain characters")));
    }
    Ok(Some((variable, value.to_owned())))
}
