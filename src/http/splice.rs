//! Tool lists over HTTP: the handler answers an empty list, and the bytes that were compiled are put in its place in the body. Parsing
//! and writing half a megabyte of definitions anew would cost milliseconds a request.

use axum::body::{Body, HttpBody};
use axum::http::request::Parts;
use axum::http::{Extensions, Response, header};
use bytes::Bytes;
use http_body::{Frame, SizeHint};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

/// The place in an answer. Inside a JSON string its quotes would be escaped, so it can stand nowhere else.
const PLACE: &[u8] = br#""tools":[]"#;

/// Set by the handler: the answer on this HTTP response is an empty tool list that stands for the compiled one.
#[derive(Debug, Clone, Default)]
pub struct Asked(Arc<AtomicBool>);

/// Says that the answer is a tool list. On a transport without HTTP it does nothing.
pub fn ask(extensions: &rmcp::model::Extensions) {
    if let Some(asked) = extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Asked>()) {
        asked.0.store(true, Ordering::Release);
    }
}

impl Asked {
    /// A mark for one request, put where the handler finds it.
    pub fn put(extensions: &mut Extensions) -> Self {
        let asked = Self::default();
        extensions.insert(asked.clone());
        asked
    }

    /// Whether the handler said that the answer is a tool list.
    pub fn is_list(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The response with the tools in their place.
pub fn tools<B>(response: Response<B>, tools: Vec<Bytes>) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<axum::BoxError>,
{
    let (mut parts, body) = response.into_parts();
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::new(Spliced { inner: body, tools: Some(tools), pieces: VecDeque::new() }))
}

struct Spliced<B> {
    inner: B,
    tools: Option<Vec<Bytes>>,
    pieces: VecDeque<Bytes>,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Spliced<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        if let Some(piece) = self.pieces.pop_front() {
            return Poll::Ready(Some(Ok(Frame::data(piece))));
        }
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        let Poll::Ready(Some(Ok(frame))) = polled else { return polled };
        let data = match frame.into_data() {
            Ok(data) => data,
            Err(other) => return Poll::Ready(Some(Ok(other))),
        };
        let place = data.windows(PLACE.len()).position(|window| window == PLACE);
        let Some((place, tools)) = place.and_then(|place| Some((place, self.tools.take()?))) else {
            return Poll::Ready(Some(Ok(Frame::data(data))));
        };
        let (open, close) = (place + PLACE.len() - 2, place + PLACE.len());
        self.pieces.extend(tools);
        self.pieces.push_back(data.slice(close..));
        Poll::Ready(Some(Ok(Frame::data(data.slice(..open)))))
    }

    /// Known as long as nothing was taken, so that a list has a length and needs no chunks.
    fn size_hint(&self) -> SizeHint {
        match (&self.tools, self.inner.size_hint().exact()) {
            (Some(tools), Some(length)) => SizeHint::with_exact(length + tools.iter().map(|piece| piece.len() as u64).sum::<u64>() - 2),
            _ => SizeHint::default(),
        }
    }
}
