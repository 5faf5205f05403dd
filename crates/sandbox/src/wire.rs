//! The listener and its connections. A connection can be told to break: some faults (a reset in the middle of a body, an
//! answer that is no HTTP) cannot be made by a handler, which only ever sees whole responses.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    task::{Context, Poll},
};

use axum::{extract::connect_info::Connected, serve::IncomingStream};
use futures_util::task::AtomicWaker;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};

/// How a connection shall break.
#[derive(Debug, Default)]
enum Break {
    #[default]
    Not,
    /// Reset once this many more bytes have been written.
    After(usize),
    /// These bytes instead of what the server writes, then the end.
    Instead(Vec<u8>),
    /// Those bytes are out: nothing more is read or written.
    Ended,
    /// Now.
    Now,
}

/// The handle by which a handler reaches the connection it answers on.
#[derive(Debug, Default)]
pub(crate) struct Control {
    state: Mutex<Break>,
    reader: AtomicWaker,
    writer: AtomicWaker,
}

impl Control {
    /// Resets the connection once `bytes` more bytes have been written.
    pub fn reset_after(&self, bytes: usize) {
        *self.lock() = Break::After(bytes);
    }

    /// Writes `bytes` in place of the response, then closes.
    pub fn replace(&self, bytes: Vec<u8>) {
        *self.lock() = Break::Instead(bytes);
    }

    fn break_now(&self) {
        *self.lock() = Break::Now;
        self.reader.wake();
        self.writer.wake();
    }

    fn lock(&self) -> MutexGuard<'_, Break> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All connections that are still open.
#[derive(Debug, Clone, Default)]
pub(crate) struct Connections {
    open: Arc<Mutex<Vec<Weak<Control>>>>,
}

impl Connections {
    pub fn count(&self) -> usize {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|control| control.strong_count() > 0);
        open.len()
    }

    /// Ends every connection: a dropped sandbox leaves no endless answer behind.
    pub fn break_all(&self) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().filter_map(Weak::upgrade).for_each(|control| control.break_now());
    }

    fn add(&self, control: &Arc<Control>) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|control| control.strong_count() > 0);
        open.push(Arc::downgrade(control));
    }
}

/// Accepts connections and notes them.
#[derive(Debug)]
pub(crate) struct Door {
    pub listener: TcpListener,
    pub connections: Connections,
}

impl axum::serve::Listener for Door {
    type Io = Wire;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Wire, SocketAddr) {
        let (stream, address) = axum::serve::Listener::accept(&mut self.listener).await;
        // Small frames of a stream must leave at once; a failure only costs time.
        let _ = stream.set_nodelay(true);
        let control = Arc::new(Control::default());
        self.connections.add(&control);
        (Wire { stream, control }, address)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// What a handler learns about its connection.
#[derive(Debug, Clone)]
pub(crate) struct Line(pub Arc<Control>);

impl Connected<IncomingStream<'_, Door>> for Line {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Self(Arc::clone(&stream.io().control))
    }
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Wire {
    stream: TcpStream,
    control: Arc<Control>,
}

impl Wire {
    fn broken<T>(&self) -> Poll<io::Result<T>> {
        // Without lingering the close is a reset, as when a process is killed.
        let _ = self.stream.set_zero_linger();
        Poll::Ready(Err(io::Error::from(io::ErrorKind::ConnectionReset)))
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.control.reader.register(context.waker());
        match *self.control.lock() {
            Break::Now => return self.broken(),
            Break::Ended => return Poll::Ready(Ok(())),
            _ => {}
        }
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.control.writer.register(context.waker());
        let control = Arc::clone(&self.control);
        let mut state = control.lock();
        match &mut *state {
            Break::Not => Pin::new(&mut self.stream).poll_write(context, bytes),
            Break::Now | Break::After(0) => self.broken(),
            Break::After(left) => {
                let part = &bytes[..bytes.len().min(*left)];
                let written = Pin::new(&mut self.stream).poll_write(context, part);
                if let Poll::Ready(Ok(count)) = written {
                    *left -= count.min(*left);
                }
                written
            }
            Break::Ended => Poll::Ready(Err(io::ErrorKind::BrokenPipe.into())),
            Break::Instead(other) => {
                while !other.is_empty() {
                    match Pin::new(&mut self.stream).poll_write(context, other) {
                        Poll::Ready(Ok(count)) => drop(other.drain(..count.min(other.len()))),
                        unfinished => return unfinished,
                    }
                }
                *state = Break::Ended;
                control.reader.wake();
                // The server's own bytes count as written: it must not try them again.
                Poll::Ready(Ok(bytes.len()))
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
