//! The rmcp handler: every tool call becomes an [`Outcome`], every outcome a tool result.

use crate::app::App;
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::outcome::Outcome;
use crate::surface::{self, Asked, Unresolved};
use crate::{describe, find, render, run, transport};
use futures_util::FutureExt;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// How long a client may keep the tool list, in milliseconds: it cannot change while the server runs.
const LIST_LIFE: u64 = 3_600_000;

/// Serves one API to one client.
#[derive(Clone)]
pub struct Server {
    app: Arc<App>,
    closing: CancellationToken,
}

impl Server {
    /// `closing` ends upstream work when the client has gone.
    pub fn new(app: Arc<App>, closing: CancellationToken) -> Self {
        Self { app, closing }
    }

    async fn call(&self, call: Call, context: &RequestContext<RoleServer>) -> Outcome {
        let running = AssertUnwindSafe(run::run(&self.app, call, None)).catch_unwind();
        tokio::select! {
            outcome = running => outcome.unwrap_or_else(|_| render::failure(
                &Failure::new(Code::Internal, "callslip made a mistake of its own; the outcome is not known.").next("Check the state before trying again."),
            )),
            () = context.ct.cancelled() => interrupted("The call was cancelled; what the server had begun may go on."),
            () = self.closing.cancelled() => interrupted("The client closed the connection."),
        }
    }

    fn result(&self, outcome: Outcome) -> CallToolResult {
        let content = vec![ContentBlock::text(outcome.text)];
        let mut result = if outcome.is_error { CallToolResult::error(content) } else { CallToolResult::success(content) };
        if !self.app.config.text_only {
            result.structured_content = Some(outcome.structured);
        }
        result
    }
}

fn interrupted(message: &str) -> Outcome {
    render::failure(&Failure::new(Code::OutcomeUnknown, message).next("Check the state before trying again."))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = format!("callslip-{}", self.app.api().name);
        let title = format!("{} (callslip)", self.app.api().title);
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(name, env!("CARGO_PKG_VERSION")).with_title(title))
            .with_instructions(self.app.instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        // Empty on purpose: the transport writes the compiled bytes in its place.
        let mut list = ListToolsResult::default();
        list.ttl_ms = Some(LIST_LIFE);
        list.cache_scope = Some(CacheScope::Public);
        Ok(list)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let resolved = std::panic::catch_unwind(AssertUnwindSafe(|| surface::resolve(&self.app, &request.name, arguments)));
        let outcome = match resolved {
            Ok(Ok(Asked::Find(asked))) => find::answer(&self.app, &asked),
            Ok(Ok(Asked::Describe(name))) => describe::answer(&self.app, &name),
            Ok(Ok(Asked::Call(call))) => self.call(*call, &context).await,
            Ok(Err(Unresolved::UnknownTool)) => return Err(transport::unknown_tool(&request.name)),
            Ok(Err(Unresolved::Failure(failure))) => render::failure(&failure),
            Err(_) => render::failure(&Failure::new(Code::Internal, "callslip made a mistake of its own. Nothing was sent.")),
        };
        Ok(self.result(outcome).into())
    }
}
