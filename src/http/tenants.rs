//! The tenants file: workspaces, and the tokens that work in them. Read at start and again on SIGHUP; a file with a mistake in it is
//! refused whole, with all its mistakes, and the one in force stays.

use super::desk::AtOnce;
use super::file::{self, Scope, TokenEntry, WorkspaceEntry};
use super::token::{Digest, Hasher};
use crate::app::App;
use crate::offer::Narrowing;
use crate::upstream::{Credential, Settings, Upstream};
use callslip_catalog::model::Api;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A place to work: one upstream with one credential, counted together.
#[derive(Debug)]
pub struct Workspace {
    /// Its name.
    pub name: String,
    /// The way to its API.
    pub upstream: Upstream,
    /// Default environment, where the file names one.
    pub environment: Option<String>,
    /// The only environments that may be named, within those of the server; empty: any of those.
    pub environments: Vec<String>,
    /// Environments in which only reading actions run, besides those of the server.
    pub read_only_environments: Vec<String>,
    /// Most calls an hour.
    pub calls: Option<u64>,
    /// Credits for paid actions, in all.
    pub credits: u64,
    /// Places of calls that run at a time.
    pub at_once: Option<Arc<AtOnce>>,
}

/// What a token gives.
#[derive(Debug)]
pub struct Grant {
    /// Name of the token, for records.
    pub name: String,
    /// Where it works.
    pub workspace: Arc<Workspace>,
    /// What it takes away from what the server offers.
    pub narrowing: Narrowing,
    /// Tells grants apart, also those of an earlier reading of the file.
    pub serial: u64,
    /// The stored form of the token.
    pub digest: Digest,
}

/// Serials that were given out.
static SERIALS: AtomicU64 = AtomicU64::new(1);

/// Everyone with a token.
#[derive(Debug)]
pub struct Tenants {
    grants: Vec<Arc<Grant>>,
    hasher: Hasher,
}

impl Tenants {
    /// Reads the file. `variable` reads the environment, where keys may stand.
    pub fn read(path: &Path, key: &SecretString, app: &App, variable: &dyn Fn(&str) -> Option<String>) -> anyhow::Result<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).map_err(|error| anyhow::anyhow!("{shown} cannot be read: {error}"))?;
        let parsed: file::Tenants = toml::from_str(&text).map_err(|error| anyhow::anyhow!("{shown}: {}", error.to_string().trim_end()))?;
        let mut problems = Vec::new();
        let mut workspaces = BTreeMap::new();
        for (name, entry) in parsed.workspaces {
            match workspace(&name, entry, app, variable) {
                Ok(made) => {
                    workspaces.insert(name, Arc::new(made));
                }
                Err(problem) => problems.push(format!("{shown}: workspaces.{name}: {problem}")),
            }
        }
        let mut grants: Vec<Arc<Grant>> = Vec::new();
        for (number, entry) in parsed.tokens.into_iter().enumerate() {
            let label = format!("{shown}: token {} `{}`", number + 1, entry.name);
            match grant(entry, &workspaces, app.api()) {
                Ok(made) if grants.iter().any(|known| known.digest.same(&made.digest)) => {
                    problems.push(format!("{label}: another token has the same digest"));
                }
                Ok(made) => grants.push(Arc::new(made)),
                Err(problem) => problems.push(format!("{label}: {problem}")),
            }
        }
        if problems.is_empty() { Ok(Self { grants, hasher: Hasher::new(key) }) } else { Err(anyhow::anyhow!(problems.join("\n"))) }
    }

    /// What a token gives. Every digest is looked at, whichever fits, so that the time tells nothing.
    pub fn grant(&self, token: &str) -> Option<Arc<Grant>> {
        let digest = self.hasher.digest(token);
        let mut found = None;
        for grant in &self.grants {
            if grant.digest.same(&digest) {
                found = Some(grant);
            }
        }
        found.cloned()
    }

    /// One way to each upstream there is, for asking whether it answers.
    pub fn upstreams(&self) -> Vec<Upstream> {
        let mut by_url: BTreeMap<Option<&str>, &Upstream> = BTreeMap::new();
        for grant in &self.grants {
            let upstream = &grant.workspace.upstream;
            by_url.entry(upstream.settings().url.as_deref()).or_insert(upstream);
        }
        by_url.into_values().cloned().collect()
    }
}

fn workspace(name: &str, entry: WorkspaceEntry, app: &App, variable: &dyn Fn(&str) -> Option<String>) -> Result<Workspace, String> {
    file::check_name(name)?;
    let own = app.upstream.settings();
    let mut credentials = Vec::new();
    for (session, env, path, what) in
        [(false, entry.key_env, entry.key_file, "key"), (true, entry.session_env, entry.session_file, "session")]
    {
        let Some(secret) = file::secret(env.as_deref(), path.as_deref(), what, variable)? else { continue };
        let kind = app.api().credentials.iter().find(|kind| kind.session == session);
        let kind = kind.ok_or_else(|| format!("{} takes no {what} as a credential", app.api().title))?;
        credentials.push(Credential::new(kind, &secret));
    }
    // The server's own credential goes to the server's own address and nowhere else.
    let own_place = entry.url.as_ref().is_none_or(|url| own.url.as_ref() == Some(url));
    if credentials.is_empty() && own_place {
        credentials.clone_from(&own.credentials);
    }
    // Files of this machine are for whoever owns it, not for callers from elsewhere.
    let settings =
        Settings { url: entry.url.or_else(|| own.url.clone()), credentials, refresh_token: None, allow_paths: Vec::new(), ..own.clone() };
    if settings.url.is_none() {
        return Err("`url` is missing, and the server has none of its own".into());
    }
    let fence = &app.config.environments;
    let environments = if entry.environments.is_empty() { fence.clone() } else { entry.environments };
    if let Some(outside) = environments.iter().find(|id| !fence.is_empty() && !fence.contains(id)) {
        return Err(format!("`environments` names `{outside}`, which is outside the fence of the server"));
    }
    if let Some(id) = entry.environment.as_ref().filter(|id| !environments.is_empty() && !environments.contains(id)) {
        return Err(format!("`environment` is `{id}`, which is not among `environments`"));
    }
    Ok(Workspace {
        name: name.to_owned(),
        upstream: Upstream::new(settings),
        environment: entry.environment,
        environments,
        read_only_environments: entry.read_only_environments,
        calls: entry.calls_an_hour,
        credits: entry.credits,
        at_once: entry.calls_at_once.map(|most| Arc::new(AtOnce::new(most.get()))),
    })
}

fn grant(entry: TokenEntry, workspaces: &BTreeMap<String, Arc<Workspace>>, api: &Api<'_>) -> Result<Grant, String> {
    file::check_name(&entry.name)?;
    let digest = Digest::parse(&entry.digest).ok_or("`digest` is not 64 hexadecimal digits; `callslip token new` makes it")?;
    let workspace = workspaces.get(&entry.workspace).ok_or_else(|| format!("there is no workspace `{}`", entry.workspace))?;
    if let Some(name) = entry.toolsets.iter().flatten().find(|name| !api.toolsets.iter().any(|known| known.name == **name)) {
        let known: Vec<_> = api.toolsets.iter().map(|known| &*known.name).collect();
        return Err(format!("there is no toolset `{name}`; there are {}", known.join(", ")));
    }
    let narrowing = Narrowing {
        read_only: entry.scope == Scope::Read,
        harmless: entry.scope != Scope::Full,
        toolsets: entry.toolsets,
        exclude: entry.exclude,
        ..Narrowing::default()
    };
    Ok(Grant { name: entry.name, workspace: Arc::clone(workspace), narrowing, serial: SERIALS.fetch_add(1, Ordering::Relaxed), digest })
}
