//! Answers that are text or bytes: read up to a cap, since they end in a model's context.

use super::exchange::{Arrived, Reply};
use super::read::{Piece, piece};
use super::{Run, decode, detail, fault};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use callslip_catalog::model::{Method, Shape};

/// Longest text; what is beyond is cut, with a note.
const LARGEST_TEXT: usize = 1 << 20;
/// Largest bytes that are returned inside an answer.
pub(super) const LARGEST_BYTES: usize = 1 << 20;

impl Run<'_> {
    /// The answer of an action that returns text or bytes.
    pub(super) async fn content(&self, mut reply: Reply) -> Result<Answer, Failure> {
        let kind = decode::essence(reply.header("content-type"));
        let declared = &self.action().returns.content_type;
        // JSON that was not promised is an envelope that says what went wrong, or an answer worth showing as it is.
        if decode::is_json(&kind) && !declared.contains("json") {
            if let Some(response) = reply.take_open() {
                let bytes = self.read(response, super::read::LARGEST_JSON, reply.status).await.map_err(|trouble| trouble.failure)?;
                reply.body = Arrived::Whole(bytes);
            }
            return decode::answer(self, reply);
        }
        if kind.contains("html") && !declared.contains("html") {
            let start = self.some(&mut reply, 4096).await?.0;
            return Err(decode::html(self, &reply, &String::from_utf8_lossy(&start)));
        }
        let head = self.action().method == Method::Head;
        if self.action().returns.shape == Shape::Text {
            let (bytes, cut) = self.some(&mut reply, LARGEST_TEXT).await?;
            let text = String::from_utf8_lossy(&bytes).into_owned();
            if !declared.contains("html") && detail::looks_like_html(&text) {
                return Err(decode::html(self, &reply, &text));
            }
            let notes = if cut { vec![format!("The text was cut after {LARGEST_TEXT} bytes.")] } else { Vec::new() };
            return Ok(Answer { status: reply.status, body: if head { Content::Empty } else { Content::Text(text) }, notes });
        }
        let announced = reply.length();
        if !head && announced.is_some_and(|length| length > LARGEST_BYTES as u64) {
            return Err(self.needs_saving(announced));
        }
        let (data, cut) = self.some(&mut reply, LARGEST_BYTES).await?;
        if cut {
            return Err(self.needs_saving(announced));
        }
        Ok(Answer { status: reply.status, body: Content::Bytes { kind, data }, notes: Vec::new() })
    }

    /// The body up to `most` bytes, and whether there was more.
    async fn some(&self, reply: &mut Reply, most: usize) -> Result<(Vec<u8>, bool), Failure> {
        let Some(mut response) = reply.take_open() else { return Ok((Vec::new(), false)) };
        let mut body = Vec::new();
        loop {
            match piece(&mut response, self.settings().read_timeout, self.deadline).await {
                Piece::Some(bytes) if body.len() + bytes.len() <= most => body.extend_from_slice(&bytes),
                Piece::Some(bytes) => {
                    body.extend_from_slice(&bytes[..most - body.len()]);
                    return Ok((body, true));
                }
                Piece::End => return Ok((body, false)),
                Piece::Stalled | Piece::Late => return Err(self.late("the answer began but did not arrive whole")),
                Piece::Broken(error) => return Err(fault::reading(self, &error).failure),
            }
        }
    }

    fn needs_saving(&self, size: Option<u64>) -> Failure {
        let size = size.map_or_else(|| format!("more than {LARGEST_BYTES} bytes"), |size| format!("{size} bytes"));
        let failure =
            Failure::new(Code::InvalidRequest, format!("The file of `{}` is too large to be returned here ({size}).", self.action().id));
        if self.settings().allow_paths.is_empty() {
            return failure.next("Start the server with `--allow-path DIR`; then `saveTo` writes the file below that directory.");
        }
        failure.next("Give `saveTo` with a path below a directory the server allows.")
    }
}
