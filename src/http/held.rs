//! A response that streams goes on taking its place among the running requests until it ends; any other has given it back when its head
//! is sent, so that slow readers of finished answers do not keep others out.

use axum::body::{Body, HttpBody};
use axum::http::{Response, header};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::OwnedSemaphorePermit;

/// Lets a streaming response keep its permit.
pub fn hold(response: Response<Body>, permit: OwnedSemaphorePermit) -> Response<Body> {
    let streams = response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    if streams { response.map(|body| Body::new(Held { body, _permit: permit })) } else { response }
}

struct Held {
    body: Body,
    _permit: OwnedSemaphorePermit,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
