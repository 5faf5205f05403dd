//! The handle by which a caller starts, watches and disturbs a sandbox.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, MutexGuard, PoisonError},
};

use tokio::{net::TcpListener, task::JoinHandle};

use crate::{
    fault::Fault,
    host,
    journal::Recorded,
    operation::role,
    options::{DEFAULT_API_KEY, Options, Switches},
    serve::{self, Shared},
    session,
    wire::{Connections, Door},
};

/// A running stand-in. It stops, and every connection to it ends, when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    shared: Arc<Shared>,
    address: SocketAddr,
    base_path: String,
    api_key: String,
    connections: Connections,
    server: JoinHandle<()>,
}

impl Sandbox {
    /// Listens, and serves on the runtime of the caller.
    pub async fn start(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind(options.address).await?;
        let address = listener.local_addr()?;
        let connections = Connections::default();
        let base_path = match options.base_path.trim_matches('/') {
            "" => String::new(),
            path => format!("/{path}"),
        };
        let api_key = options.api_key.unwrap_or_else(|| DEFAULT_API_KEY.to_owned());
        let shared = Arc::new(Shared::new(base_path.clone(), options.seed, options.switches));
        serve::lock(&shared.accounts).add_key(&api_key, None);
        let door = Door { listener, connections: connections.clone() };
        let service = serve::router(Arc::clone(&shared));
        let server = tokio::spawn(async move {
            // Accepting goes on for ever; the handle ends it.
            let _ = axum::serve(door, service).await;
        });
        Ok(Self { shared, address, base_path, api_key, connections, server })
    }

    /// The address to give a client: with the base path, without `/api`.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.base_path)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A key that may do everything.
    pub fn api_key(&self) -> &str {
        &self.api_key
    }

    /// Accepts another key that holds these permissions alone.
    pub fn add_key(&self, key: &str, permissions: &[&str]) {
        let held = permissions.iter().map(|permission| (*permission).to_owned()).collect();
        serve::lock(&self.shared.accounts).add_key(key, Some(held));
    }

    /// Accepts another key that holds what a built-in role grants (`role_viewer`, `role_editor`, …); false for a role
    /// that does not exist.
    pub fn add_role_key(&self, key: &str, name: &str) -> bool {
        let Some(permissions) = role(name) else {
            return false;
        };
        serve::lock(&self.shared.accounts).add_key(key, Some(permissions.iter().cloned().collect()));
        true
    }

    /// A new session token with every permission, as a sign-in would give it.
    pub fn session_token(&self) -> String {
        serve::lock(&self.shared.accounts).issue_token(false)
    }

    /// Updates the server: with the switch `version_bumped`, every session token so far must be renewed.
    pub fn end_sessions(&self) {
        serve::lock(&self.shared.accounts).end_sessions();
    }

    /// The user name and password that sign in.
    pub fn user(&self) -> (&'static str, &'static str) {
        (session::USERNAME, session::PASSWORD)
    }

    /// The id of the edge environment, asleep unless `edge_awake`.
    pub fn edge_environment(&self) -> String {
        host::edge_id()
    }

    /// The id of the environment that is switched off.
    pub fn disabled_environment(&self) -> String {
        host::disabled_id()
    }

    /// What has been asked so far.
    pub fn requests(&self) -> Vec<Recorded> {
        self.shared.journal.all()
    }

    /// Forgets what has been asked, and the counts behind the rate limits.
    pub fn clear(&self) {
        self.shared.journal.clear();
        serve::lock(&self.shared.counts).clear();
    }

    /// Connections that are open now.
    pub fn open_connections(&self) -> usize {
        self.connections.count()
    }

    /// Changes the switches.
    pub fn switch(&self, change: impl FnOnce(&mut Switches)) {
        change(&mut serve::lock(&self.shared.switches));
    }

    /// Puts the state back to the seed; the log, the switches, keys and faults stay.
    pub fn reset(&self) {
        *self.world() = host::World::new(self.shared.seed);
    }

    /// Makes every call of an operation (`None`: of all) go wrong.
    pub fn fault(&self, operation: Option<&str>, fault: Fault) {
        self.shared.faults.add(operation, fault, None);
    }

    /// Makes the next `times` calls go wrong.
    pub fn fault_times(&self, operation: Option<&str>, fault: Fault, times: usize) {
        self.shared.faults.add(operation, fault, Some(times));
    }

    /// Ends all faults.
    pub fn clear_faults(&self) {
        self.shared.faults.clear();
    }

    fn world(&self) -> MutexGuard<'_, host::World> {
        self.shared.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.server.abort();
        self.connections.break_all();
    }
}
