//! `callslip demo`: a whole MCP session against the built-in sandbox, printed as a client sees it.

use super::DONE;
use crate::app::App;
use crate::cli::Options;
use crate::server::Server;
use crate::{terminal, transport};
use anyhow::{Context, Result, bail};
use callslip_sandbox::{Options as SandboxOptions, Sandbox};
use rmcp::service::serve_server;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio_util::sync::CancellationToken;

/// Most lines of an answer that are shown.
const SHOWN_LINES: usize = 14;
/// Most characters of a line that are shown.
const SHOWN_WIDTH: usize = 150;

pub fn run(options: &Options, keep: bool) -> Result<u8> {
    super::runtime()?.block_on(async {
        let sandbox = Sandbox::start(SandboxOptions::default()).await.context("the sandbox does not start")?;
        if keep { keep_up(&sandbox).await } else { session(options, &sandbox).await }
    })
}

async fn keep_up(sandbox: &Sandbox) -> Result<u8> {
    terminal::print(&format!("export ARCANE_URL={}\nexport ARCANE_API_KEY={}", sandbox.url(), sandbox.api_key()));
    eprintln!("The sandbox is up. Paste the two lines above into another shell; stop it here with Ctrl-C.");
    tokio::signal::ctrl_c().await?;
    Ok(DONE)
}

async fn session(options: &Options, sandbox: &Sandbox) -> Result<u8> {
    let (url, key) = (sandbox.url(), sandbox.api_key().to_owned());
    let app = super::app_with(options, &|name| match name {
        "ARCANE_URL" => Some(url.clone()),
        "ARCANE_API_KEY" => Some(key.clone()),
        _ => None,
    })?;
    let mut client = Client::start(Arc::new(app));
    explain("A client connects.");
    let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "demo", "version": "1" } });
    let hello = client.ask("initialize", hello).await?;
    show(hello["instructions"].as_str().unwrap_or_default());
    explain("It lists the tools: this is all that stands in a model's context.");
    let list = client.ask("tools/list", json!({})).await?;
    let tools = list["tools"].as_array().context("no tools")?;
    let names: Vec<_> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    show(&format!("{} tools: {} ({} bytes)", names.len(), names.join(", "), list["tools"].to_string().len()));
    explain("The model looks for an action, in its own words.");
    let found = client.call("arcane_find_action", json!({ "query": "restart container", "limit": 3 })).await?;
    if found["structuredContent"]["items"][0]["id"] != "container.restart" {
        bail!("`container.restart` did not stand first");
    }
    explain("It runs it.");
    client.call("arcane_execute_action", json!({ "action": "container.restart", "params": { "containerId": "web" } })).await?;
    explain("A mistaken parameter is caught before anything is sent.");
    client.call("arcane_execute_action", json!({ "action": "container.stop", "params": { "container": "web", "force": true } })).await?;
    explain("A destructive action is refused without `confirm`, and shows what it would send.");
    let delete = json!({ "action": "container.delete", "params": { "containerId": "web", "force": true } });
    let refused = client.call("arcane_execute_action", delete.clone()).await?;
    if refused["isError"] != true {
        bail!("the destructive action ran without `confirm`");
    }
    explain("With it, it runs.");
    let mut confirmed = delete;
    confirmed["confirm"] = true.into();
    client.call("arcane_execute_action", confirmed).await?;
    explain("And the container is gone.");
    let get = json!({ "action": "container.get", "params": { "containerId": "web" } });
    client.call("arcane_execute_action", get).await?;
    explain("What the sandbox received in all:");
    let lines: Vec<_> =
        sandbox.requests().iter().map(|request| format!("{} {} → {}", request.method, request.path, request.status)).collect();
    show(&lines.join("\n"));
    Ok(DONE)
}

/// A client of a server in this process, speaking lines as any client does.
struct Client {
    reader: BufReader<ReadHalf<DuplexStream>>,
    writer: WriteHalf<DuplexStream>,
    asked: u64,
}

impl Client {
    fn start(app: Arc<App>) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        let closing = CancellationToken::new();
        let lines = transport::Lines::new(input, output, Arc::clone(&app), closing.clone());
        tokio::spawn(async move {
            if let Ok(running) = Box::pin(serve_server(Server::new(app, closing), lines)).await {
                let _ = running.waiting().await;
            }
        });
        let (reader, writer) = tokio::io::split(ours);
        Self { reader: BufReader::new(reader), writer, asked: 0 }
    }

    /// Sends a request and waits for its answer.
    async fn ask(&mut self, method: &str, params: Value) -> Result<Value> {
        self.asked += 1;
        let request = json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params });
        self.writer.write_all(format!("{request}\n").as_bytes()).await?;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).await? == 0 {
                bail!("the server closed the connection");
            }
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] == self.asked {
                return Ok(message["result"].take());
            }
        }
    }

    /// Calls a tool and shows call and answer.
    async fn call(&mut self, tool: &str, arguments: Value) -> Result<Value> {
        terminal::print(&format!("  → {tool} {arguments}"));
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await?;
        if result["isError"] == true {
            terminal::print("  ← isError");
        }
        show(result["content"][0]["text"].as_str().unwrap_or_default());
        Ok(result)
    }
}

fn explain(text: &str) {
    terminal::print(&format!("\n{text}"));
}

/// Shows what came, cut to what a person wants to read.
fn show(text: &str) {
    let lines: Vec<_> = text.lines().collect();
    for line in lines.iter().take(SHOWN_LINES) {
        let cut: String = line.chars().take(SHOWN_WIDTH).collect();
        let more = if line.chars().count() > SHOWN_WIDTH { "…" } else { "" };
        terminal::print(&format!("  │ {cut}{more}"));
    }
    if lines.len() > SHOWN_LINES {
        terminal::print(&format!("  │ … {} more line(s)", lines.len() - SHOWN_LINES));
    }
}
