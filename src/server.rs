//! The rmcp handler: every tool call becomes an [`Outcome`], every outcome a tool result; resources, prompts and completions likewise.

mod ask;
mod news;
mod words;

use crate::app::App;
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::outcome::{Finished, Outcome, Structured};
use crate::policy::Voice;
use crate::run::Road;
use crate::surface::{self, Asked, Find, Unresolved};
use crate::transport::Prepared;
use crate::upstream::Progress;
use crate::watch::{self, Refused};
use crate::{clients, describe, find, http, params, prompts, resources, run, transport};
use ask::{Asking, Reply};
use callslip_catalog::json;
use callslip_catalog::project::Surface;
use futures_util::FutureExt;
use news::News;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, CompleteRequestParams, CompleteResult, ContentBlock,
    CustomRequest, CustomResult, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse, GetSkillRequestParams, GetSkillResult,
    Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListSkillsResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, Reference, RequestId, ServerCapabilities, ServerConfig,
    ServerResult,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// How long a client may keep a list, in milliseconds: it cannot change while the server runs.
const LIST_LIFE: u64 = 3_600_000;

/// Whether the warning about a long list was given, for servers that are made anew for every request.
static WARNED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Serves one API to one client.
#[derive(Clone)]
pub struct Server {
    app: Arc<App>,
    closing: CancellationToken,
    asks_peer: bool,
    /// Where results go that are JSON already; none where the transport takes none.
    prepared: Option<Prepared>,
    warned: Arc<AtomicBool>,
}

impl Server {
    /// `closing` ends upstream work when the client has gone.
    pub fn new(app: Arc<App>, closing: CancellationToken) -> Self {
        Self { app, closing, asks_peer: true, prepared: None, warned: Arc::default() }
    }

    /// For a transport that takes results which are JSON already.
    #[must_use]
    pub fn with_prepared(self, prepared: Prepared) -> Self {
        Self { prepared: Some(prepared), ..self }
    }

    /// For HTTP without sessions, on which the server can send no requests of its own: legacy clients are never asked.
    #[must_use]
    pub fn without_requests(mut self) -> Self {
        self.asks_peer = false;
        // Such a server is made anew for every request; the warning is for the first of them.
        self.warned = Arc::clone(&WARNED);
        self
    }

    /// `as_text`: the arguments came as a JSON string.
    async fn answer(
        &self,
        request: CallToolRequestParams,
        as_text: bool,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let asking = Asking::of(self, &request, context);
        let arguments = request.arguments.unwrap_or_default();
        let asked = self.app.watch.is_some().then(|| asked(self.app.config.surface, &request.name, &arguments));
        let unresolved = |failure| {
            if let Some(asked) = &asked {
                watch::unresolved(&self.app, asked, failure);
            }
        };
        let outcome = match surface::resolve(&self.app, &request.name, arguments) {
            Ok(Asked::Find(asked)) => return Ok(self.find(&asked, &context.id).into()),
            Ok(Asked::Describe(name)) => describe::answer(&self.app, &name),
            Ok(Asked::Call(mut call)) => {
                call.as_text |= as_text;
                return self.call(*call, asking, context).await;
            }
            Err(Unresolved::UnknownTool) => {
                unresolved(None);
                return Err(transport::unknown_tool(&request.name));
            }
            Err(Unresolved::Failure(failure)) => {
                unresolved(Some(&failure));
                run::refused(&self.app, *failure)
            }
        };
        Ok(self.result(outcome, &context.id).into())
    }

    async fn call(&self, call: Call, asking: Asking, context: &RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        let voice = Voice::Model { asks: asking.can() };
        let news = News::of(context);
        let progress = news.as_ref().map(|news| news as &dyn Progress);
        let outcome = match run::begin(&self.app, call, voice, progress).await {
            Road::Done(outcome) => outcome,
            Road::Held(held) => {
                let record = Refused::of(&self.app, &held.call);
                let write = |outcome| record.iter().for_each(|record| record.write(&self.app, outcome));
                match asking.ask(&self.app, &held, context).await {
                    Reply::Agreed => run::agreed(&self.app, *held, progress).await,
                    Reply::Refused(failure) => {
                        write("refused");
                        run::refused(&self.app, *failure)
                    }
                    Reply::Later(question) => {
                        write("asked");
                        return Ok((*question).into());
                    }
                }
            }
        };
        if let Some(news) = news {
            news.end().await;
        }
        Ok(self.result(outcome, &context.id).into())
    }

    /// Answers a call whatever becomes of it.
    async fn run(
        &self,
        request: CallToolRequestParams,
        as_text: bool,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        // Boxed, as it is large, and whatever is around it is moved many times before it runs.
        let running = AssertUnwindSafe(Box::pin(self.answer(request, as_text, context))).catch_unwind();
        tokio::select! {
            // In this order: what needs no upstream is answered even when the client has closed its end already.
            biased;
            answer = running => answer.unwrap_or_else(|_| Ok(self.interrupted("callslip made a mistake of its own; the outcome is not known.", &context.id))),
            () = context.ct.cancelled() => Ok(self.interrupted("The call was cancelled; what the server had begun may go on.", &context.id)),
            () = self.closing.cancelled() => Ok(self.interrupted("The client closed the connection.", &context.id)),
        }
    }

    fn find(&self, asked: &Find, id: &RequestId) -> CallToolResult {
        let started = Instant::now();
        let found = find::found(&self.app, asked);
        if let Some(watch) = &self.app.watch {
            watch.found(started.elapsed());
        }
        let outcome = match found {
            Ok(finished) => match self.keep(finished, id) {
                Ok(()) => return CallToolResult::success(Vec::new()),
                Err(finished) => finished.into_outcome(),
            },
            Err(outcome) => outcome,
        };
        self.result(outcome, id)
    }

    /// How long an answer may be kept, in milliseconds, and by whom. Only revisions that name themselves in each request have words for it.
    fn life(&self, context: &RequestContext<RoleServer>) -> (Option<u64>, Option<CacheScope>) {
        match context.meta.protocol_version() {
            Some(_) => (Some(LIST_LIFE), Some(self.cache_scope())),
            None => (None, None),
        }
    }

    fn cache_scope(&self) -> CacheScope {
        if self.app.private { CacheScope::Private } else { CacheScope::Public }
    }

    fn result(&self, outcome: Outcome, id: &RequestId) -> CallToolResult {
        let Outcome { structured, text, is_error } = outcome;
        let new = if is_error { CallToolResult::error } else { CallToolResult::success };
        let written = |structured| {
            let mut quoted = Vec::new();
            json::string(&mut quoted, &text);
            self.keep(Finished { text: quoted, structured }, id).map_err(|finished| Structured::written(finished.structured).into_value())
        };
        match structured.into_json().and_then(written) {
            Ok(()) => new(Vec::new()),
            Err(structured) => {
                let mut result = new(vec![ContentBlock::text(text)]);
                result.structured_content = (!self.app.config.text_only).then_some(structured);
                result
            }
        }
    }

    /// Leaves to the transport what is written already, where it takes such: the result itself is then empty. Else gives it back.
    fn keep(&self, finished: Finished, id: &RequestId) -> Result<(), Finished> {
        match &self.prepared {
            Some(prepared) if !self.app.config.text_only => prepared.keep(id, finished),
            _ => Err(finished),
        }
    }

    fn interrupted(&self, message: &str, id: &RequestId) -> CallToolResponse {
        let mut failure = Failure::new(Code::OutcomeUnknown, message).next("Check the state before trying again.");
        failure.next.extend(self.app.profile.abandoned().map(str::to_owned));
        self.result(run::refused(&self.app, failure), id).into()
    }

    /// One line on stderr, once, where the client is known to take fewer tools than the list has.
    fn warn(&self, context: &RequestContext<RoleServer>) {
        let Some(client) = context.client_info() else { return };
        if let Some(warning) = clients::warning(&client.name, self.app.tool_count())
            && !self.warned.swap(true, Ordering::Relaxed)
        {
            eprintln!("callslip: warning: {warning}");
        }
    }
}

/// What a call names, for the record: the tool, and the action where the tool runs several. No other argument: it may be a secret.
fn asked(surface: Surface, tool: &str, arguments: &Map<String, Value>) -> String {
    let holder = match (surface, tool) {
        (Surface::Dynamic | Surface::Meta, _) => "action",
        (Surface::Progressive, "describe_tool" | "read_tool" | "run_tool") => "name",
        _ => return tool.to_owned(),
    };
    arguments.get(holder).and_then(Value::as_str).map_or_else(|| tool.to_owned(), |named| format!("{tool} {named}"))
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = format!("callslip-{}", self.app.api().name);
        let title = format!("{} (callslip)", self.app.api().title);
        let capabilities = ServerCapabilities::builder().enable_completions().enable_prompts().enable_resources().enable_tools();
        let capabilities = if resources::has_skill(&self.app) { capabilities.enable_skills().build() } else { capabilities.build() };
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(name, env!("CARGO_PKG_VERSION")).with_title(title))
            .with_instructions(self.app.instructions())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        self.warn(&context);
        // Empty on purpose: the transport writes the compiled bytes in its place. Over HTTP it has to be told.
        http::splice::ask(&context.extensions);
        let mut list = ListToolsResult::with_all_items(Vec::new());
        (list.ttl_ms, list.cache_scope) = self.life(&context);
        Ok(list)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<CallToolResponse, ErrorData> {
        self.run(request, false, &context).await
    }

    /// rmcp knows no call whose `arguments` are no object. Some clients send the object as a string; whatever else comes is answered so that
    /// a model can mend it.
    async fn on_custom_request(&self, request: CustomRequest, context: RequestContext<RoleServer>) -> Result<CustomResult, ErrorData> {
        let named = request.params.as_ref().and_then(|params| params.get("name")).is_some_and(Value::is_string);
        let Some(mut params) = request.params.filter(|_| request.method == "tools/call" && named) else {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None));
        };
        let read = match params.get("arguments") {
            Some(Value::String(text)) if text.trim().is_empty() => Some(Map::new()),
            Some(Value::String(text)) => serde_json::from_str(text).ok(),
            _ => None,
        };
        // Results that are JSON already take another way than this one.
        let plain = Self { prepared: None, ..self.clone() };
        let response = if let Some(arguments) = read {
            params["arguments"] = arguments.into();
            let call = serde_json::from_value(params).map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
            plain.run(call, true, &context).await?
        } else {
            let found = params.get("arguments").map_or("nothing", params::type_name);
            let message = format!("`arguments` must be an object, not {}.", params::article(found));
            let failure = Failure::new(Code::InvalidArguments, message)
                .next("Pass the arguments of the tool as an object, such as `\"arguments\": {\"query\": \"list containers\"}`.");
            plain.result(run::refused(&self.app, failure), &context.id).into()
        };
        let result = serde_json::to_value(ServerResult::from(response)).map_err(|_| words::mistake())?;
        Ok(CustomResult(result))
    }
    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut list = ListResourcesResult::with_all_items(resources::list(&self.app).into_iter().map(words::resource).collect());
        (list.ttl_ms, list.cache_scope) = self.life(&context);
        Ok(list)
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let mut list =
            ListResourceTemplatesResult::with_all_items(resources::templates(&self.app).into_iter().map(words::template).collect());
        (list.ttl_ms, list.cache_scope) = self.life(&context);
        Ok(list)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let reading = AssertUnwindSafe(Box::pin(resources::read(&self.app, &request.uri))).catch_unwind();
        let read = tokio::select! {
            biased;
            read = reading => read.map_err(|_| words::mistake())?,
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("The reading was cancelled.", None)),
            () = self.closing.cancelled() => return Err(ErrorData::internal_error("The client closed the connection.", None)),
        };
        words::contents(&request.uri, read, self.life(&context)).map(Into::into)
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let mut list = ListPromptsResult::with_all_items(prompts::all(&self.app).iter().map(words::prompt).collect());
        (list.ttl_ms, list.cache_scope) = self.life(&context);
        Ok(list)
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let task = request.arguments.as_ref().and_then(|arguments| arguments.get(prompts::TASK)?.as_str());
        let message = prompts::message(&self.app, &request.name, task);
        message.map(|text| words::message(text).into()).ok_or_else(|| {
            let names: Vec<_> = prompts::all(&self.app).iter().map(|guide| guide.name.as_str()).collect();
            ErrorData::invalid_params(format!("There is no such prompt. Prompts: {}.", names.join(", ")), None)
        })
    }

    async fn list_skills(
        &self,
        _request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListSkillsResult, ErrorData> {
        let mut list = ListSkillsResult::with_all_items(resources::skill(&self.app).iter().map(words::skill).collect());
        (list.ttl_ms, list.cache_scope) = self.life(&context);
        Ok(list)
    }

    async fn get_skill(&self, request: GetSkillRequestParams, context: RequestContext<RoleServer>) -> Result<GetSkillResult, ErrorData> {
        let found = resources::skill(&self.app).filter(|skill| skill.uri == request.uri);
        let skill = found.ok_or_else(|| ErrorData::invalid_params("There is no such skill.", None))?;
        let mut result = GetSkillResult::new(words::skill(&skill));
        (result.ttl_ms, result.cache_scope) = self.life(&context);
        Ok(result)
    }

    async fn complete(&self, request: CompleteRequestParams, _context: RequestContext<RoleServer>) -> Result<CompleteResult, ErrorData> {
        let completed = match &request.r#ref {
            // Only placeholders of our own templates, so that no other word leads upstream.
            Reference::Resource(reference) if resources::templates(&self.app).iter().any(|template| template.uri == reference.uri) => {
                let named = reference.uri.contains(&format!("{{{}}}", request.argument.name));
                let completing = resources::complete(&self.app, &request.argument.name, &request.argument.value);
                let running = AssertUnwindSafe(Box::pin(completing)).catch_unwind();
                if named { running.await.map_err(|_| words::mistake())? } else { resources::Completed::default() }
            }
            _ => resources::Completed::default(),
        };
        words::completed(completed)
    }
}
