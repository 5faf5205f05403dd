//! The paths of the server, and what a request to `/mcp` has to pass: whose page, how many at once, which pins, whose credential. Past
//! here rmcp speaks the protocol, with an API made for this one request; nothing of it is kept for the next, so any replica can answer.

use super::access::Callers;
use super::desk::Books;
use super::metrics::Metrics;
use super::origin::Origins;
use super::pins::Pins;
use super::ready::Ready;
use super::refusal::Refusal;
use super::settings::{Limits, Settings};
use super::tally::Tally;
use super::{held, splice};
use crate::app::App;
use crate::server::Server;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header};
use axum::routing::{any, get};
use axum::{Extension, Router};
use bytes::Bytes;
use futures_util::StreamExt;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use secrecy::{ExposeSecret, SecretString};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use subtle::ConstantTimeEq;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The address a connection comes from.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub IpAddr);

/// Everything a request meets.
pub struct Door {
    app: App,
    callers: Callers,
    books: Arc<Books>,
    origins: Origins,
    proxies: Vec<IpAddr>,
    limits: Limits,
    running: Arc<Semaphore>,
    ready: Ready,
    metrics_token: Option<SecretString>,
    metrics_open: bool,
    /// The server was told to stop: balancers should send nothing more.
    pub leaving: AtomicBool,
    /// Ends what still runs when its time is over.
    pub ending: CancellationToken,
}

impl Door {
    /// The door of a server with these settings.
    pub fn new(app: App, callers: Callers, books: Arc<Books>, settings: &Settings) -> Self {
        Self {
            app,
            callers,
            books,
            origins: Origins::new(settings.address.ip(), &settings.hosts, &settings.origins),
            proxies: settings.proxies.clone(),
            limits: settings.limits,
            running: Arc::new(Semaphore::new(settings.limits.requests)),
            ready: Ready::default(),
            metrics_token: settings.metrics_token.clone(),
            metrics_open: settings.address.ip().is_loopback(),
            leaving: AtomicBool::new(false),
            ending: CancellationToken::new(),
        }
    }

    /// Reads again what can change while the server runs.
    pub fn reload(&self) {
        self.callers.reload();
        self.books.trail.reopen();
    }

    /// The figures.
    pub fn metrics(&self) -> &Metrics {
        &self.books.metrics
    }

    /// The paths.
    pub fn router(self: &Arc<Self>) -> Router {
        Router::new()
            .route("/mcp", any(mcp))
            .route("/healthz", get(|| async { "ok\n" }))
            .route("/readyz", get(readyz))
            .route("/metrics", get(metrics))
            .fallback(|| async { Refusal::new(StatusCode::NOT_FOUND, "There is nothing here; MCP is served at /mcp.").response() })
            .with_state(Arc::clone(self))
    }

    async fn answer(&self, request: Request, peer: IpAddr) -> Result<Response<Body>, Refusal> {
        let (mut parts, body) = request.into_parts();
        let pins = Pins::read(&parts.uri, &parts.headers).map_err(|problem| Refusal::new(StatusCode::BAD_REQUEST, problem))?;
        if parts.method != Method::POST {
            let mut response = Refusal::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "Send POST requests: this server keeps no sessions and no streams between them.",
            )
            .response();
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
            return Ok(response);
        }
        let from = self.caller(peer, &parts.headers);
        let app = Arc::new(self.callers.app(&mut parts.headers, pins, from)?);
        let Ok(permit) = Arc::clone(&self.running).try_acquire_owned() else {
            return Err(Refusal::wait("This server has more requests to answer than it can.", std::time::Duration::ZERO));
        };
        let body = tokio::time::timeout(self.limits.body_time, whole(body, self.limits.body)).await;
        let body = body.map_err(|_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "The body of the request did not arrive in time."))?;
        let body = body.ok_or_else(|| {
            let most = self.limits.body >> 20;
            Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, format!("The body of the request broke off or is larger than {most} MiB."))
        })?;
        let asked = splice::Asked::put(&mut parts.extensions);
        let served = Arc::clone(&app);
        let ending = self.ending.clone();
        let service = StreamableHttpService::new(
            move || Ok(Server::new(Arc::clone(&served), ending.clone()).without_requests()),
            Arc::new(NeverSessionManager::default()),
            self.protocol(),
        );
        let json = parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        let response = service.handle(Request::from_parts(parts, Body::from(body.clone()))).await;
        if json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
            // What rmcp says of a body that it cannot read is neither JSON-RPC nor a help.
            return Err(Refusal::no_request(&body));
        }
        if !asked.is_list() {
            return Ok(held::hold(response.map(Body::new), permit));
        }
        let tools = app.tool_pieces().map_err(|_| Refusal::broken())?.to_vec();
        Ok(held::hold(splice::tools(response, tools), permit))
    }

    /// What rmcp is to do; hosts, origins and sizes are looked at before it.
    fn protocol(&self) -> StreamableHttpServerConfig {
        StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_sse_retry(None)
            .disable_allowed_hosts()
            .disable_allowed_origins()
            .with_max_request_body_bytes(self.limits.body)
            .with_cancellation_token(self.ending.clone())
    }

    /// Who calls: behind balancers that are believed, the last address that is none of theirs.
    fn caller(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut caller = peer.to_canonical();
        let forwarded: Vec<_> =
            headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).collect();
        for address in forwarded.iter().rev() {
            if !self.proxies.contains(&caller) {
                break;
            }
            let Ok(address) = address.trim().parse::<IpAddr>() else { break };
            caller = address.to_canonical();
        }
        caller
    }

    fn may_read_metrics(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let Some(wanted) = &self.metrics_token else {
            let problem = "Figures are shown to strangers only with a token; set METRICS_TOKEN of this server.";
            return if self.metrics_open { Ok(()) } else { Err(Refusal::new(StatusCode::FORBIDDEN, problem)) };
        };
        let given =
            headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).and_then(|value| value.strip_prefix("Bearer "));
        let same = given.is_some_and(|given| given.as_bytes().ct_eq(wanted.expose_secret().as_bytes()).into());
        if same { Ok(()) } else { Err(Refusal::unauthorized("Figures are shown for the metrics token of this server.".into())) }
    }
}

async fn mcp(State(door): State<Arc<Door>>, Extension(Peer(peer)): Extension<Peer>, request: Request) -> Response<Body> {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let _running = Tally::of(&door.books.metrics.running);
    let answered = match door.origins.check(request.uri(), request.headers()) {
        Err(problem) => Err(Refusal::new(StatusCode::FORBIDDEN, problem)),
        Ok(()) if request.method() == Method::OPTIONS => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            door.origins.preflight(origin.as_ref(), response.headers_mut());
            Ok(response)
        }
        Ok(()) => door.answer(request, peer).await,
    };
    let mut response = answered.unwrap_or_else(Refusal::response);
    door.origins.share(origin.as_ref(), response.headers_mut());
    door.books.metrics.answered(response.status().as_u16());
    response
}

async fn readyz(State(door): State<Arc<Door>>) -> (StatusCode, &'static str) {
    if door.leaving.load(Ordering::Relaxed) {
        return (StatusCode::SERVICE_UNAVAILABLE, "this server is being stopped\n");
    }
    if door.ready.ask(&door.app, &door.callers).await {
        (StatusCode::OK, "ok\n")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the upstream does not answer\n")
    }
}

async fn metrics(State(door): State<Arc<Door>>, request: Request) -> Response<Body> {
    let checked = door.origins.check(request.uri(), request.headers()).map_err(|problem| Refusal::new(StatusCode::FORBIDDEN, problem));
    if let Err(refusal) = checked.and_then(|()| door.may_read_metrics(request.headers())) {
        return refusal.response();
    }
    let mut response = Response::new(Body::from(door.books.metrics.text()));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8"));
    response
}

/// Most of a body over the bound that is read and dropped: whoever sends it should hear why it is refused, not that the connection broke.
const DROPPED: usize = 16 << 20;

/// A body of at most `most` bytes; `None`: it is larger or broke off.
async fn whole(body: Body, most: usize) -> Option<Bytes> {
    let mut pieces = body.into_data_stream();
    let (mut kept, mut dropped) = (Vec::new(), 0);
    while let Some(piece) = pieces.next().await {
        let piece = piece.ok()?;
        if dropped > 0 || kept.len() + piece.len() > most {
            dropped += std::mem::take(&mut kept).len() + piece.len();
            if dropped > most + DROPPED {
                break;
            }
        } else {
            kept.extend_from_slice(&piece);
        }
    }
    (dropped == 0).then(|| kept.into())
}
