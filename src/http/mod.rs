//! Serving many: streamable HTTP for clients that need not start a process of their own, one or many replicas of it.
//!
//! `listen` takes connections, `door` lets requests in, `access` makes the API of each caller, `desk` counts and records what they do.
//! Between two requests nothing is kept but counts: any replica answers any request.

mod access;
mod audit;
mod budget;
mod clock;
mod desk;
mod door;
pub(crate) mod file;
mod held;
mod histogram;
mod listen;
mod metrics;
mod opening;
pub mod options;
mod origin;
mod pins;
mod quota;
mod ready;
mod refusal;
pub mod settings;
pub mod splice;
mod stall;
mod tally;
mod tenants;
mod tls;
pub mod token;

pub use settings::Settings;

use crate::app::App;
use access::Callers;
use anyhow::{Context, Result};
use audit::Trail;
use desk::Books;
use door::Door;
use listen::Listening;
use metrics::Metrics;
use quota::Store;
use secrecy::ExposeSecret;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// Serves until the process is told to end.
pub async fn serve(app: App, settings: Settings) -> Result<()> {
    let store = match &settings.store {
        None => Store::memory(),
        Some(url) => Store::shared(url.expose_secret(), &app.api().name)?,
    };
    let books = Arc::new(Books {
        metrics: Metrics::default(),
        trail: Trail::open(settings.audit_log.clone(), settings.audit_arguments)?,
        store,
        lost_allows: settings.lost_allows,
        lost: AtomicBool::new(false),
    });
    let tls = settings.tls.as_ref().map(|(certificate, key)| tls::acceptor(certificate, key)).transpose()?;
    let callers = Callers::new(app.clone(), settings.access.clone(), settings.limits.failures, Arc::clone(&books))?;
    let door = Arc::new(Door::new(app, callers, Arc::clone(&books), &settings));
    let listener = TcpListener::bind(settings.address).await.with_context(|| format!("{} cannot be listened on", settings.address))?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    eprintln!("callslip: serving MCP at {scheme}://{}/mcp", listener.local_addr()?);
    tokio::spawn(reload_on_hangup(Arc::clone(&door)));
    let leave = told_to_end()?;
    Listening { listener, door, tls, connections: settings.connections, limits: settings.limits }.serve(leave).await;
    books.trail.close();
    Ok(())
}

async fn reload_on_hangup(door: Arc<Door>) {
    let Ok(mut hangups) = signal(SignalKind::hangup()) else { return };
    while hangups.recv().await.is_some() {
        let door = Arc::clone(&door);
        // Reading files blocks; requests must not wait for it.
        let _ = tokio::task::spawn_blocking(move || door.reload()).await;
    }
}

fn told_to_end() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        eprintln!("callslip: ending; running requests are finished first");
    })
}
