//! Spawn to whole tool list beside other servers of the same API, each made from its OpenAPI document, interleaved in one run.
//!
//! `make bench-peers DOCUMENT=…` installs the peers and runs this. `CALLSLIP_PEERS` names them, one a line: `name = command arguments`,
//! where `{port}` among the arguments stands for a free port and tells that the server speaks HTTP at `/mcp` of it;
//! `CALLSLIP_PROGRAM` names the callslip to measure, `CALLSLIP_SPAWNS` says how many spawns of each (10).

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod process;

use process::{INITIALIZE, LIST, Process, Series};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

/// A server and what was measured of it.
struct Server {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    greeted: Series,
    listed: Series,
    again: Series,
    bytes: usize,
    tools: usize,
    peak: u64,
}

impl Server {
    fn new(name: &str, program: impl AsRef<Path>, arguments: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            program: program.as_ref().to_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            greeted: Series::default(),
            listed: Series::default(),
            again: Series::default(),
            bytes: 0,
            tools: 0,
            peak: 0,
        }
    }

    /// One spawn: greeting, first list, second list.
    fn measure(&mut self) {
        let port = self.arguments.iter().any(|argument| argument == "{port}").then(free_port);
        let text = port.map(|port| port.to_string()).unwrap_or_default();
        let arguments: Vec<_> = self.arguments.iter().map(|argument| if argument == "{port}" { &*text } else { argument }).collect();
        let started = Instant::now();
        let mut process = Process::spawn(&self.program, &arguments);
        let mut session = port.map(Session::new);
        let mut ask = |line: &str| match &mut session {
            Some(session) => session.ask(line),
            None if line == INITIALIZED => {
                process.tell(line);
                Vec::new()
            }
            None => process.ask(line),
        };
        ask(INITIALIZE);
        self.greeted.0.push(started.elapsed());
        ask(INITIALIZED);
        let list = ask(LIST);
        self.listed.0.push(started.elapsed());
        let again = Instant::now();
        ask(LIST);
        self.again.0.push(again.elapsed());
        self.peak = self.peak.max(process.peak().unwrap_or(0));
        self.bytes = list.len();
        let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
        self.tools = list["result"]["tools"].as_array().map_or(0, Vec::len);
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port()
}

/// MCP over HTTP to a server that may still be starting.
struct Session {
    port: u16,
    id: String,
}

impl Session {
    fn new(port: u16) -> Self {
        Self { port, id: String::new() }
    }

    /// Posts a message; answers the JSON of the answer, be it plain or an event.
    fn ask(&mut self, line: &str) -> Vec<u8> {
        let started = Instant::now();
        let mut stream = loop {
            match TcpStream::connect(("127.0.0.1", self.port)) {
                Ok(stream) => break stream,
                Err(error) => assert!(started.elapsed() < Duration::from_secs(30), "{error}"),
            }
            std::thread::sleep(Duration::from_micros(200));
        };
        let session = if self.id.is_empty() { String::new() } else { format!("Mcp-Session-Id: {}\r\n", self.id) };
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             {session}Content-Length: {}\r\nConnection: close\r\n\r\n",
            self.port,
            line.len()
        );
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(line.as_bytes())).expect("a listening server");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let text = String::from_utf8_lossy(&answer);
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        if let Some(id) = head.lines().find_map(|line| line.to_lowercase().starts_with("mcp-session-id:").then(|| line[15..].trim())) {
            id.clone_into(&mut self.id);
        }
        // Chunk sizes and event fields stand on lines of their own; the message is the line that opens a JSON object.
        let message = body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim()).filter(|line| line.starts_with('{'));
        message.collect::<String>().into_bytes()
    }
}

fn main() {
    let program = std::env::var_os("CALLSLIP_PROGRAM").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_callslip")), PathBuf::from);
    let spawns = std::env::var("CALLSLIP_SPAWNS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let mut servers = vec![
        Server::new("callslip `individual`", &program, &["--tool-surface", "individual", "--include", "account"]),
        Server::new("callslip `dynamic`", &program, &[]),
    ];
    let peers = std::env::var("CALLSLIP_PEERS").unwrap_or_default();
    for line in peers.lines().filter(|line| !line.trim().is_empty()) {
        let (name, command) = line.split_once('=').expect("name = command");
        let words: Vec<_> = command.split_whitespace().collect();
        let (program, arguments) = words.split_first().expect("a command");
        servers.push(Server::new(name.trim(), program, arguments));
    }
    for _ in 0..spawns {
        servers.iter_mut().for_each(Server::measure);
    }
    println!("{spawns} spawns each, p50 in ms; × is against callslip `individual`\n");
    println!("| server | tools | list, kB | spawn → initialize | × | spawn → whole list | × | list again | peak memory, MB |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let (greeted, listed) = (servers[0].greeted.quantile(0.5), servers[0].listed.quantile(0.5));
    for server in &servers {
        let (greet, list) = (server.greeted.quantile(0.5), server.listed.quantile(0.5));
        println!(
            "| {} | {} | {} | {greet:.2} | {:.0} | {list:.2} | {:.0} | {:.2} | {:.1} |",
            server.name,
            server.tools,
            server.bytes / 1000,
            greet / greeted,
            list / listed,
            server.again.quantile(0.5),
            f64::from(u32::try_from(server.peak).unwrap_or(u32::MAX)) / 1000.0,
        );
    }
}
