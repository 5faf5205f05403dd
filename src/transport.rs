//! MCP on stdio: one JSON-RPC message a line. rmcp negotiates and dispatches; this transport reads lines within a bound, answers what is
//! not JSON-RPC, and writes tool lists as the bytes that were compiled, since serialising them again costs a hundred times more.

mod call;

use crate::app::App;
use crate::outcome::Finished;
use bytes::Bytes;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, JsonRpcMessage, JsonRpcResponse, RequestId, ServerResult};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::future::Future;
use std::io;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, BufWriter};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Longest line read, in bytes; a longer one is refused without being kept.
pub const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// Messages waiting for a slow reader before a sender waits too.
const WAITING: usize = 64;

/// Pieces of a message are written together up to this many bytes; a longer piece goes out from where it lies.
const TOGETHER: usize = 32 * 1024;

/// A message as the pieces that are written one after the other.
type Message = Vec<Bytes>;

/// Lines in, lines out.
pub struct Lines<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    too_long: bool,
    opened: bool,
    unsent: Option<Message>,
    writer: Option<mpsc::Sender<Message>>,
    written: Option<JoinHandle<()>>,
    app: Arc<App>,
    prepared: Prepared,
    closing: CancellationToken,
}

impl<R: AsyncRead + Send + Unpin> Lines<R> {
    /// The tool list of `app` is written wherever an empty one is sent. `closing` is cancelled when the input ends.
    pub fn new<W>(reader: R, writer: W, app: Arc<App>, closing: CancellationToken) -> Self
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (sender, mut messages) = mpsc::channel::<Message>(WAITING);
        let written = tokio::spawn(async move {
            let mut writer = BufWriter::with_capacity(TOGETHER, writer);
            while let Some(message) = messages.recv().await {
                for piece in message {
                    if writer.write_all(&piece).await.is_err() {
                        return;
                    }
                }
                if writer.flush().await.is_err() {
                    return;
                }
            }
        });
        Self {
            reader: BufReader::with_capacity(64 * 1024, reader),
            line: Vec::new(),
            too_long: false,
            opened: false,
            unsent: None,
            writer: Some(sender),
            written: Some(written),
            app,
            prepared: Prepared::default(),
            closing,
        }
    }

    /// Where a server leaves results that are JSON already.
    pub fn prepared(&self) -> Prepared {
        self.prepared.clone()
    }

    /// Sends what this transport itself has to say. Cancel safe: the message is kept until it is handed over.
    async fn send_unsent(&mut self) -> Option<()> {
        if self.unsent.is_some() {
            let permit = self.writer.as_ref()?.reserve().await.ok()?;
            if let Some(message) = self.unsent.take() {
                permit.send(message);
            }
        }
        Some(())
    }
}

/// What reading a line came to.
enum Read {
    Line,
    TooLong,
    End,
}

/// Reads one line into `line` within the bound. Cancel safe: what was read stays in `line`.
async fn read_line<R: AsyncBufRead + Unpin>(reader: &mut R, line: &mut Vec<u8>, too_long: &mut bool) -> Read {
    loop {
        let Ok(buffer) = reader.fill_buf().await else { return Read::End };
        if buffer.is_empty() {
            return Read::End;
        }
        let end = memchr::memchr(b'\n', buffer);
        let taken = end.map_or(buffer.len(), |end| end + 1);
        if !*too_long && line.len() + taken <= LONGEST_LINE {
            line.extend_from_slice(&buffer[..taken]);
        } else {
            *too_long = true;
            line.clear();
        }
        reader.consume(taken);
        if end.is_some() {
            return if std::mem::take(too_long) { Read::TooLong } else { Read::Line };
        }
    }
}

/// A line that is a message, one to pass over, or one to answer with an error.
enum Parsed {
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    Nothing,
    Refused(Message),
}

fn parse(line: &[u8]) -> Parsed {
    if line.trim_ascii().is_empty() {
        return Parsed::Nothing;
    }
    if let Some(message) = call::read(line).or_else(|| serde_json::from_slice(line).ok()) {
        return Parsed::Message(Box::new(message));
    }
    let Ok(value) = serde_json::from_slice::<Value>(line) else {
        return Parsed::Refused(error(-32700, "Not JSON: send one JSON-RPC message a line.", &Value::Null));
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_number());
    match id {
        None if value.get("method").is_some_and(Value::is_string) => Parsed::Nothing,
        id => Parsed::Refused(error(-32600, "Not a JSON-RPC 2.0 message.", id.unwrap_or(&Value::Null))),
    }
}

fn error(code: i32, message: &str, id: &Value) -> Message {
    let error = serde_json::json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } });
    vec![Bytes::from(format!("{error}\n"))]
}

/// Results whose structured channel is JSON already, by the request they answer: written as they are in place of what the result holds.
/// rmcp has no room for them, and to take a search apart only to put it together again costs ten times the search.
#[derive(Clone, Debug, Default)]
pub struct Prepared(Arc<Mutex<HashMap<RequestId, Finished>>>);

impl Prepared {
    /// Most bytes that may wait: an answer that a client has cancelled never comes to be written.
    const MOST: usize = 16 << 20;

    /// Keeps what the answer to `id` says; gives it back where too much waits already.
    pub fn keep(&self, id: &RequestId, finished: Finished) -> Result<(), Finished> {
        match self.0.lock() {
            Ok(mut kept) if kept.values().map(Finished::size).sum::<usize>() + finished.size() <= Self::MOST => {
                kept.insert(id.clone(), finished);
                Ok(())
            }
            _ => Err(finished),
        }
    }

    fn take(&self, id: &RequestId) -> Option<Finished> {
        self.0.lock().ok()?.remove(id)
    }
}

/// A message as bytes; an empty tool list stands for the compiled one.
fn encode(message: &TxJsonRpcMessage<RoleServer>, app: &App, prepared: &Prepared) -> serde_json::Result<Message> {
    const END: Bytes = Bytes::from_static(b"}}\n");
    if let JsonRpcMessage::Response(JsonRpcResponse { id, result, .. }) = message {
        match result {
            ServerResult::ListToolsResult(list) => {
                let tools = match app.tool_pieces() {
                    Ok(tools) => tools,
                    Err(broken) => return Ok(error(-32603, &format!("{broken:#}"), &serde_json::to_value(id)?)),
                };
                let mut head = opening(id, list, &["tools"])?;
                head.extend_from_slice(br#""tools":"#);
                return Ok([head.into()].into_iter().chain(tools.iter().cloned()).chain([END]).collect());
            }
            ServerResult::CallToolResult(result) => {
                if let Some(Finished { text, structured }) = prepared.take(id) {
                    let mut head = opening(id, result, &["content", "structuredContent"])?;
                    head.extend_from_slice(br#""content":[{"type":"text","text":"#);
                    return Ok(vec![head.into(), text.into(), Bytes::from_static(br#"}],"structuredContent":"#), structured.into(), END]);
                }
            }
            _ => {}
        }
    }
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    Ok(vec![line.into()])
}

/// A response up to where the keys `without` belong; what the result itself has there is left out.
fn opening(id: &RequestId, result: &impl Serialize, without: &[&str]) -> serde_json::Result<Vec<u8>> {
    let mut head = br#"{"jsonrpc":"2.0","id":"#.to_vec();
    serde_json::to_writer(&mut head, id)?;
    head.extend_from_slice(br#","result":{"#);
    let result = serde_json::to_value(result)?;
    for (name, value) in result.as_object().into_iter().flatten().filter(|(name, _)| !without.contains(&name.as_str())) {
        serde_json::to_writer(&mut head, name)?;
        head.push(b':');
        serde_json::to_writer(&mut head, value)?;
        head.push(b',');
    }
    Ok(head)
}

impl<R: AsyncRead + Send + Unpin> Transport<RoleServer> for Lines<R> {
    type Error = io::Error;

    fn send(&mut self, item: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let writer = self.writer.clone();
        let message = encode(&item, &self.app, &self.prepared);
        async move {
            let closed = || io::Error::from(io::ErrorKind::NotConnected);
            writer.ok_or_else(closed)?.send(message?).await.map_err(|_| closed())
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.send_unsent().await?;
            match read_line(&mut self.reader, &mut self.line, &mut self.too_long).await {
                Read::Line => {
                    let parsed = parse(&self.line);
                    self.line.clear();
                    match parsed {
                        Parsed::Message(message) => {
                            // Before the first request rmcp takes anything else for a broken client and ends.
                            self.opened |= matches!(*message, JsonRpcMessage::Request(_));
                            if self.opened {
                                return Some(*message);
                            }
                        }
                        Parsed::Nothing => {}
                        Parsed::Refused(message) => self.unsent = Some(message),
                    }
                }
                Read::TooLong => {
                    let text = format!("A line is longer than {LONGEST_LINE} bytes.");
                    self.unsent = Some(error(-32600, &text, &Value::Null));
                }
                Read::End => {
                    self.closing.cancel();
                    return None;
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        drop(self.writer.take());
        if let Some(written) = self.written.take() {
            let _ = written.await;
        }
        Ok(())
    }
}

/// The protocol error of a tool that the surface does not have.
pub fn unknown_tool(name: &str) -> ErrorData {
    let shown: String = name.chars().filter(|character| !character.is_control()).take(80).collect();
    ErrorData::invalid_params(format!("Unknown tool: {shown}"), None)
}
