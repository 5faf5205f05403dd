//! `callslip serve`: MCP on stdio until the client closes it, or over HTTP until the process is told to end.

use super::DONE;
use crate::app::App;
use crate::http::options::HttpOptions;
use crate::http::{self, Settings};
use crate::server::Server;
use crate::{stdio, transport};
use anyhow::Result;
use rmcp::service::{ServerInitializeError, serve_server};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long answers may take to leave once the client has closed its end.
const LEAVING: Duration = Duration::from_millis(150);

pub fn run(app: App, options: &HttpOptions) -> Result<u8> {
    let own_credential = !app.config.credentials.is_empty();
    match Settings::resolve(options, &app.api().name, own_credential, &|name| std::env::var(name).ok())? {
        Some(settings) => many(app, settings),
        None => one(app),
    }
}

fn many(app: App, settings: Settings) -> Result<u8> {
    // A server of many uses the cores there are; one client on stdio has nothing to share.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(http::serve(app, settings))?;
    runtime.shutdown_timeout(LEAVING);
    Ok(DONE)
}

fn one(app: App) -> Result<u8> {
    if std::io::stdin().is_terminal() {
        eprintln!("callslip speaks MCP on stdin and stdout; a client starts it. Try `callslip demo` or `callslip --help`.");
    }
    let runtime = super::runtime()?;
    runtime.block_on(serve(Arc::new(app)))?;
    runtime.shutdown_background();
    Ok(DONE)
}

async fn serve(app: Arc<App>) -> Result<()> {
    let closing = CancellationToken::new();
    // A list that cannot be made is said now, not when a client asks for it.
    app.catalog.check_surface(app.config.surface)?;
    let lines = transport::Lines::new(stdio::input(), stdio::output(), Arc::clone(&app), closing.clone());
    let server = Server::new(app, closing.clone()).with_prepared(lines.prepared());
    match Box::pin(serve_server(server, lines)).await {
        Ok(running) => {
            let waiting = running.waiting();
            tokio::pin!(waiting);
            tokio::select! {
                _ = &mut waiting => return Ok(()),
                () = closing.cancelled() => {}
            }
            let _ = tokio::time::timeout(LEAVING, waiting).await;
            Ok(())
        }
        // A client that leaves before it has said anything is no failure.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
