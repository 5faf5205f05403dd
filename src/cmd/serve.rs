//! `callslip serve`: MCP on stdio until the client closes it.

use super::DONE;
use crate::app::App;
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

pub fn run(app: App) -> Result<u8> {
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
    let lines = transport::Lines::new(stdio::input(), stdio::output(), app.tool_list()?, closing.clone());
    let server = Server::new(app, closing.clone());
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
