//! Accepting connections: how many at a time, how long their heads may take, TLS, and an end that lets finish what runs.

use super::door::{Door, Peer};
use super::opening::Opening;
use super::settings::Limits;
use super::stall::Bounded;
use super::tally::Tally;
use axum::{Extension, Router};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_rustls::TlsAcceptor;

/// How long a TLS handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Most requests of one HTTP/2 connection at a time.
const STREAMS: u32 = 64;
/// Pause after the machine would not give us a connection.
const PAUSE: Duration = Duration::from_millis(100);

/// A listening server.
pub struct Listening {
    /// Where connections come in.
    pub listener: TcpListener,
    /// What they meet.
    pub door: Arc<Door>,
    /// TLS, if it is spoken.
    pub tls: Option<TlsAcceptor>,
    /// Most connections at a time.
    pub connections: usize,
    /// Other bounds.
    pub limits: Limits,
}

impl Listening {
    /// Serves until `leave` ends, then waits for what runs, but not for ever.
    pub async fn serve(self, leave: impl Future<Output = ()>) {
        let places = Arc::new(Semaphore::new(self.connections));
        let graceful = GracefulShutdown::new();
        let router = self.door.router();
        tokio::pin!(leave);
        loop {
            let accepted = tokio::select! {
                accepted = self.listener.accept() => accepted,
                () = &mut leave => break,
            };
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    eprintln!("callslip: a connection could not be accepted: {error}");
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
            };
            match Arc::clone(&places).try_acquire_owned() {
                Ok(place) => self.spawn(stream, peer, router.clone(), graceful.watcher(), place),
                // Closing at once is the clearest word there is before a request was read.
                Err(_) => self.door.metrics().turned_away(),
            }
        }
        self.door.leaving.store(true, Ordering::Relaxed);
        drop(self.listener);
        if tokio::time::timeout(self.limits.grace, graceful.shutdown()).await.is_err() {
            eprintln!("callslip: some requests did not end in time and are broken off");
            self.door.ending.cancel();
            // What is broken off still has its answers to write.
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn spawn(&self, stream: TcpStream, peer: SocketAddr, router: Router, watcher: Watcher, place: OwnedSemaphorePermit) {
        let (tls, limits, door) = (self.tls.clone(), self.limits, Arc::clone(&self.door));
        tokio::spawn(async move {
            let _place = place;
            let _open = Tally::of(&door.metrics().connections);
            let _ = stream.set_nodelay(true);
            let router = router.layer(Extension(Peer(peer.ip())));
            let stream = Bounded::new(stream, limits.stall);
            match tls {
                None => connection(stream, router, limits, watcher).await,
                Some(tls) => {
                    if let Ok(Ok(stream)) = tokio::time::timeout(HANDSHAKE, tls.accept(stream)).await {
                        connection(stream, router, limits, watcher).await;
                    }
                }
            }
        });
    }
}

async fn connection<S>(stream: S, router: Router, limits: Limits, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut builder = Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(limits.head);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_header_list_size(u32::try_from(limits.head).unwrap_or(u32::MAX))
        .max_concurrent_streams(STREAMS)
        .max_send_buf_size(256 << 10)
        .keep_alive_interval(limits.head_time)
        .keep_alive_timeout(limits.stall);
    let serving =
        builder.serve_connection(TokioIo::new(Opening::new(stream, limits.head_time)), TowerToHyperService::new(router)).into_owned();
    // A connection that breaks is its client's business.
    let _ = watcher.watch(serving).await;
}

#[cfg(test)]
mod tests;
