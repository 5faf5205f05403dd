//! Standard input and output as asynchronous streams: pipes and sockets without helper threads, anything else with them.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::FileTypeExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::UnixStream;
use tokio::net::unix::pipe;

/// Standard input. Node clients pass sockets, most others pipes.
pub fn input() -> Box<dyn AsyncRead + Send + Unpin> {
    let found = owned(&io::stdin()).and_then(|(kind, fd)| -> io::Result<Box<dyn AsyncRead + Send + Unpin>> {
        Ok(match kind {
            Kind::Pipe => Box::new(pipe::Receiver::from_owned_fd(fd)?),
            Kind::Socket => Box::new(socket(fd)?),
            Kind::Other => Box::new(tokio::io::stdin()),
        })
    });
    found.unwrap_or_else(|_| Box::new(tokio::io::stdin()))
}

/// Standard output.
pub fn output() -> Box<dyn AsyncWrite + Send + Unpin> {
    let found = owned(&io::stdout()).and_then(|(kind, fd)| -> io::Result<Box<dyn AsyncWrite + Send + Unpin>> {
        Ok(match kind {
            Kind::Pipe => Box::new(pipe::Sender::from_owned_fd(fd)?),
            Kind::Socket => Box::new(socket(fd)?),
            Kind::Other => Box::new(tokio::io::stdout()),
        })
    });
    found.unwrap_or_else(|_| Box::new(tokio::io::stdout()))
}

enum Kind {
    Pipe,
    Socket,
    Other,
}

fn owned(stream: &impl AsFd) -> io::Result<(Kind, OwnedFd)> {
    let file = File::from(stream.as_fd().try_clone_to_owned()?);
    let kind = file.metadata()?.file_type();
    let kind = if kind.is_fifo() {
        Kind::Pipe
    } else if kind.is_socket() {
        Kind::Socket
    } else {
        Kind::Other
    };
    Ok((kind, file.into()))
}

fn socket(fd: OwnedFd) -> io::Result<UnixStream> {
    let stream = std::os::unix::net::UnixStream::from(fd);
    stream.set_nonblocking(true)?;
    UnixStream::from_std(stream)
}
