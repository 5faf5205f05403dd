//! A small MCP client: enough to introduce itself, page through `tools/list` and call tools of any server.
//!
//! It speaks JSON-RPC by itself, so that what is measured is what arrived, down to keys that a typed client would drop.

mod http;
mod stdio;

pub use http::tls;

use crate::listing::{Listing, group, tools};
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const PROTOCOL: &str = "2025-11-25";

/// Pages of a tool list before a server is taken to go in circles.
const MOST_PAGES: usize = 1_000;

/// The way to a server and back.
trait Road {
    /// Sends a request and waits for the message that answers it.
    fn ask(&mut self, id: u64, message: &Value) -> Result<Value>;
    /// Sends a message that has no answer.
    fn tell(&mut self, message: &Value) -> Result<()>;
}

/// A connected server.
pub struct Client {
    road: Box<dyn Road>,
    asked: u64,
    /// What the server said when it was greeted.
    greeting: Value,
}

impl Client {
    /// Starts a server by its command line and speaks to it over its pipes.
    pub fn command(command: &str, environment: &[(String, String)]) -> Result<Self> {
        Self::greet(Box::new(stdio::Pipes::start(command, environment)?))
    }

    /// Speaks to a server at an address (streamable HTTP).
    pub fn url(url: &str, headers: &[(String, String)]) -> Result<Self> {
        Self::greet(Box::new(http::Post::new(url, headers)?))
    }

    fn greet(road: Box<dyn Road>) -> Result<Self> {
        let mut client = Self { road, asked: 0, greeting: Value::Null };
        let name = json!({ "name": "audit_tokens", "version": env!("CARGO_PKG_VERSION") });
        let params = json!({ "protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": name });
        client.greeting = client.ask("initialize", &params).context("the server does not answer `initialize`")?;
        client.road.tell(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(client)
    }

    /// The name the server gives itself.
    pub fn name(&self) -> &str {
        self.greeting["serverInfo"]["name"].as_str().unwrap_or("server")
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.asked += 1;
        let message = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        let mut answer = self.road.ask(self.asked, &message)?;
        if let Some(error) = answer.get("error") {
            bail!("the server answers `{method}` with {}", error["message"].as_str().unwrap_or("an error"));
        }
        Ok(answer["result"].take())
    }

    /// Calls a tool. An error of the protocol is given as a failed result: a model is shown both alike.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Value> {
        self.asked += 1;
        let params = json!({ "name": tool, "arguments": arguments });
        let message = json!({ "jsonrpc": "2.0", "id": self.asked, "method": "tools/call", "params": params });
        let mut answer = self.road.ask(self.asked, &message)?;
        if let Some(error) = answer.get("error") {
            let text = error["message"].as_str().unwrap_or_default();
            return Ok(json!({ "isError": true, "content": [{ "type": "text", "text": text }] }));
        }
        Ok(answer["result"].take())
    }

    /// Everything the server announces, page by page.
    pub fn list(&mut self) -> Result<Listing> {
        let (list, _) = self.list_json()?;
        let mut tools = tools(&list)?;
        group(&mut tools);
        let instructions = self.greeting["instructions"].as_str().unwrap_or_default().to_owned();
        Ok(Listing { name: self.name().to_owned(), actions: tools.len(), tools, instructions })
    }

    /// The tools as they were announced, and on how many pages.
    pub fn list_json(&mut self) -> Result<(Vec<Map<String, Value>>, usize)> {
        let mut list: Vec<Map<String, Value>> = Vec::new();
        let mut seen = BTreeSet::new();
        let mut params = json!({});
        for page in 1..=MOST_PAGES {
            let mut answer = self.ask("tools/list", &params)?;
            list.extend(serde_json::from_value::<Vec<_>>(answer["tools"].take()).context("`tools` is no list of tools")?);
            match answer["nextCursor"].as_str() {
                None => return Ok((list, page)),
                Some(cursor) if !seen.insert(cursor.to_owned()) => bail!("the tool list goes in circles: the cursor {cursor:?} came twice"),
                Some(cursor) => params = json!({ "cursor": cursor }),
            }
        }
        bail!("the tool list has more than {MOST_PAGES} pages")
    }
}

/// What a message that a server sends of its own accord is answered: it may ask for nothing here, but must not wait for ever.
fn declined(message: &Value) -> Option<Value> {
    let id = message.get("id").filter(|_| message.get("method").is_some())?;
    Some(match message["method"].as_str() {
        Some("ping") => json!({ "jsonrpc": "2.0", "id": id, "result": {} }),
        Some("roots/list") => json!({ "jsonrpc": "2.0", "id": id, "result": { "roots": [] } }),
        _ => json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "not offered by this client" } }),
    })
}
