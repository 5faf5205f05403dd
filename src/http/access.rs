//! Who calls, and what API that makes for them: the server's own, narrowed by their credential and by their pins, sending with the
//! credential that is theirs.

use super::budget::Budget;
use super::desk::{Books, Desk};
use super::pins::Pins;
use super::refusal::Refusal;
use super::settings::Access;
use super::tenants::{Grant, Tenants};
use super::token;
use crate::app::App;
use crate::config::Config;
use crate::upstream::{Credential, Settings, Upstream};
use anyhow::Result;
use axum::http::{HeaderMap, header};
use callslip_catalog::model::Api;
use secrecy::SecretString;
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Instant;

/// Narrowed APIs that are kept; each may hold a tool list of half a megabyte.
const KEPT: usize = 128;

/// Everyone who may call.
pub struct Callers {
    base: App,
    way: Way,
    budget: Budget,
    books: Arc<Books>,
    kept: Mutex<HashMap<Key, App>>,
}

/// How callers say who they are.
enum Way {
    Local,
    PassThrough,
    Tenants { file: PathBuf, key: SecretString, known: RwLock<Arc<Tenants>> },
}

/// What a narrowed API depends on: the serial of the grant, or none, and the pins.
type Key = (u64, Pins);

impl Callers {
    /// Reads the tenants file, if there is one.
    pub fn new(mut base: App, access: Access, failures: u32, books: Arc<Books>) -> Result<Self> {
        if matches!(access, Access::PassThrough) {
            // Neither the server's own credential nor the files of its machine are for callers from elsewhere.
            let own = base.upstream.settings().clone();
            base.upstream = Upstream::new(Settings { credentials: Vec::new(), refresh_token: None, allow_paths: Vec::new(), ..own });
        }
        let way = match access {
            Access::Local => Way::Local,
            Access::PassThrough => Way::PassThrough,
            Access::Tenants { file, key } => {
                let known = RwLock::new(Arc::new(Tenants::read(&file, &key, &base, &variable)?));
                Way::Tenants { file, key, known }
            }
        };
        Ok(Self { base, way, budget: Budget::new(failures), books, kept: Mutex::default() })
    }

    /// Reads the tenants file again. Requests that are running keep what they began with.
    pub fn reload(&self) {
        let Way::Tenants { file, key, known } = &self.way else { return };
        match Tenants::read(file, key, &self.base, &variable) {
            Ok(read) => {
                *known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(read);
                self.kept().clear();
                eprintln!("callslip: {} was read again", file.display());
            }
            Err(error) => eprintln!("callslip: the tenants in force stay: {error:#}"),
        }
    }

    /// One way to each upstream there is.
    pub fn upstreams(&self, app: &App) -> Vec<Upstream> {
        match &self.way {
            Way::Local | Way::PassThrough => vec![app.upstream.clone()],
            Way::Tenants { known, .. } => known.read().unwrap_or_else(PoisonError::into_inner).upstreams(),
        }
    }

    /// The API of one request. Takes the credential out of the headers: no one behind this needs it.
    pub fn app(&self, headers: &mut HeaderMap, pins: Pins, from: IpAddr) -> Result<App, Refusal> {
        let api = self.base.api();
        let known = match &self.way {
            Way::Local | Way::PassThrough => {
                let brought = brought(api, headers);
                strip(api, headers);
                if brought.is_empty() && matches!(self.way, Way::PassThrough) {
                    let ways: Vec<_> = api.credentials.iter().map(|kind| format!("{}: {}…", kind.header, scheme(&kind.scheme))).collect();
                    return Err(Refusal::unauthorized(format!("Send your own credential for {}: {}.", api.title, ways.join(" or "))));
                }
                let mut app = self.narrowed(None, pins)?;
                if !brought.is_empty() || matches!(self.way, Way::PassThrough) {
                    app.upstream = app.upstream.with_credentials(brought);
                }
                app.watch = Some(Arc::new(Desk {
                    books: Arc::clone(&self.books),
                    tenant: String::new(),
                    token: String::new(),
                    allowance: None,
                    at_once: None,
                }));
                return Ok(app);
            }
            Way::Tenants { known, .. } => Arc::clone(&known.read().unwrap_or_else(PoisonError::into_inner)),
        };
        let Some(given) = bearer(headers) else {
            return Err(Refusal::unauthorized("Send one token of this server: `Authorization: Bearer csl_…`.".into()));
        };
        // A right token is let in whatever others do from its address; it is guessing that has to wait, and tokens are too long to guess.
        let Some(grant) = known.grant(&given) else {
            let now = Instant::now();
            if let Some(wait) = self.budget.wait(from, now) {
                return Err(Refusal::wait("Too many failed attempts to say who calls, from this address.", wait));
            }
            self.budget.fail(from, now);
            return Err(Refusal::unauthorized("That token is not known here.".into()));
        };
        strip(api, headers);
        self.narrowed(Some(&grant), pins)
    }

    fn narrowed(&self, grant: Option<&Arc<Grant>>, pins: Pins) -> Result<App, Refusal> {
        if grant.is_none() && pins.is_empty() {
            return Ok(self.base.clone());
        }
        let key = (grant.map_or(0, |grant| grant.serial), pins);
        if let Some(app) = self.kept().get(&key) {
            return Ok(app.clone());
        }
        let app = self.narrow(grant, &key.1).map_err(|_| Refusal::broken())?;
        if !key.1.toolsets.iter().flatten().all(|name| app.offer.unknown.iter().all(|unknown| unknown != name)) {
            eprintln!("callslip: warning: a request pins toolsets that are not known: {}", app.offer.unknown.join(", "));
        }
        let mut kept = self.kept();
        if kept.len() >= KEPT {
            kept.clear();
        }
        kept.insert(key, app.clone());
        Ok(app)
    }

    fn narrow(&self, grant: Option<&Arc<Grant>>, pins: &Pins) -> Result<App> {
        let catalog = &self.base.catalog;
        let mut config = Config::clone(&self.base.config);
        config.surface = pins.surface_or(config.surface);
        let mut offer = match grant {
            Some(grant) => self.base.offer.narrow(catalog, &grant.narrowing)?,
            None => self.base.offer.as_ref().clone(),
        };
        offer = offer.narrow(catalog, &pins.narrowing())?;
        if let Some(workspace) = grant.map(|grant| &grant.workspace) {
            config.environments.clone_from(&workspace.environments);
            config.read_only_environments.extend(workspace.read_only_environments.iter().cloned());
            // The server's own default may be outside the fence of a workspace; then none is meant unless one is named.
            let own = config.environment.take().filter(|id| workspace.environments.is_empty() || workspace.environments.contains(id));
            config.environment = workspace.environment.clone().or(own);
        }
        let mut app = self.base.with(config, offer);
        app.private = pins.by_header || grant.is_some();
        if let Some(grant) = grant {
            let workspace = &grant.workspace;
            app.upstream = workspace.upstream.clone();
            app.caller = grant.digest.to_string().into();
            app.watch = Some(Arc::new(Desk {
                books: Arc::clone(&self.books),
                tenant: workspace.name.clone(),
                token: grant.name.clone(),
                allowance: Some((workspace.calls, workspace.credits)),
                at_once: workspace.at_once.clone(),
            }));
        }
        Ok(app)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, HashMap<Key, App>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn scheme(scheme: &str) -> String {
    if scheme.is_empty() { String::new() } else { format!("{scheme} ") }
}

/// The caller's own credentials for the API, in the headers that the API itself reads.
fn brought(api: &Api<'_>, headers: &HeaderMap) -> Vec<Credential> {
    let found = api.credentials.iter().filter_map(|kind| {
        let mut values = headers.get_all(&*kind.header).iter();
        let value = values.next()?.to_str().ok()?.trim();
        if values.next().is_some() {
            return None;
        }
        let secret = if kind.scheme.is_empty() {
            value
        } else {
            let (scheme, secret) = value.split_once(' ')?;
            scheme.eq_ignore_ascii_case(&kind.scheme).then_some(secret.trim())?
        };
        let usable = !secret.is_empty() && secret.bytes().all(|byte| (0x21..0x7f).contains(&byte));
        usable.then(|| Credential::new(kind, secret))
    });
    found.collect()
}

/// The token of this server that a request brings. Clients that can only send a key may send it as one. Two are none: whoever put the
/// second one there may not be whoever put the first.
fn bearer(headers: &HeaderMap) -> Option<String> {
    let mut given = ["authorization", "x-api-key"].iter().flat_map(|name| headers.get_all(*name).iter().map(move |value| (*name, value)));
    let (name, value) = given.next()?;
    if given.next().is_some() {
        return None;
    }
    let value = value.to_str().ok()?.trim();
    let given = match name {
        "authorization" => value.split_once(' ').filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))?.1.trim(),
        _ => value,
    };
    // Anything longer is no token, and is not worth a digest.
    (given.len() <= 4 * token::PREFIX.len() + 128).then(|| given.to_owned())
}

fn strip(api: &Api<'_>, headers: &mut HeaderMap) {
    headers.remove(header::AUTHORIZATION);
    headers.remove("x-api-key");
    for kind in &api.credentials {
        headers.remove(&*kind.header);
    }
}
