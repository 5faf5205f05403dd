//! Reading a body: never more than its cap, however small it was when it was compressed, and never longer than the call may take.

use super::exchange::Trouble;
use super::{Run, fault};
use crate::cost;
use crate::error::Failure;
use callslip_catalog::model::Kind;
use tokio::time::{Instant, timeout_at};
use tokio_util::bytes::Bytes;

/// Largest JSON answer.
pub(super) const LARGEST_JSON: usize = 12 << 20;
/// Most of a refusal that is read.
pub(super) const LARGEST_REFUSAL: usize = 64 << 10;

/// What the next piece of a body turned out to be.
pub(super) enum Piece {
    Some(Bytes),
    End,
    /// The upstream paused for longer than it may.
    Stalled,
    /// The call's time is over.
    Late,
    Broken(reqwest::Error),
}

/// The next piece of a body.
pub(super) async fn piece(response: &mut reqwest::Response, pause: std::time::Duration, deadline: Instant) -> Piece {
    let until = deadline.min(Instant::now() + pause);
    match timeout_at(until, response.chunk()).await {
        Ok(Ok(Some(bytes))) => Piece::Some(bytes),
        Ok(Ok(None)) => Piece::End,
        Ok(Err(error)) => Piece::Broken(error),
        Err(_) if Instant::now() >= deadline => Piece::Late,
        Err(_) => Piece::Stalled,
    }
}

impl Run<'_> {
    /// The whole body, or the part of it below `most` of a refusal.
    pub(super) async fn read(&self, mut response: reqwest::Response, most: usize, status: u16) -> Result<Vec<u8>, Trouble> {
        let lasting = |failure| Trouble { failure, passing: false };
        let refusal = status >= 300;
        if !refusal && response.content_length().is_some_and(|length| length > most as u64) {
            return Err(lasting(self.too_large(most)));
        }
        let announced = response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        let mut body = Vec::with_capacity(announced.min(most));
        loop {
            match piece(&mut response, self.settings().read_timeout, self.deadline).await {
                Piece::Some(bytes) if body.len() + bytes.len() <= most => body.extend_from_slice(&bytes),
                Piece::Some(bytes) if refusal => {
                    body.extend_from_slice(&bytes[..most - body.len()]);
                    return Ok(body);
                }
                Piece::Some(_) => return Err(lasting(self.too_large(most))),
                Piece::End => return Ok(body),
                // A refusal is a refusal also when its text does not arrive whole.
                _ if refusal => return Ok(body),
                Piece::Stalled | Piece::Late => return Err(lasting(self.late("the answer began but did not arrive whole"))),
                Piece::Broken(error) => return Err(fault::reading(self, &error)),
            }
        }
    }

    fn too_large(&self, most: usize) -> Failure {
        self.too_much(&format!("is larger than {} MiB and was not read", most >> 20))
    }

    /// The failure of an answer that would take more memory than one call may.
    pub(super) fn too_much(&self, what: &str) -> Failure {
        let failure = cost::too_much(self.action(), what);
        if self.action().kind == Kind::Read { failure } else { self.follow(failure) }
    }
}
