//! A callslip process that serves HTTP, and a client that speaks to it as plainly as possible.

use crate::support::command;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest wait for anything.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Key that the tokens of tests are stored under.
pub const SERVER_KEY: &str = "a key of tests, longer than 32 letters";

/// A serving process.
pub struct Served {
    child: Child,
    /// Address of `/mcp`.
    pub url: String,
    said: Arc<Mutex<Vec<String>>>,
}

impl Served {
    /// Starts a server on a free port of this machine.
    pub fn start(arguments: &[&str], environment: &[(String, String)]) -> Self {
        let given = [&["--http", "127.0.0.1:0"], arguments].concat();
        let mut child = command(&given, environment)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("callslip starts");
        let stderr = child.stderr.take().expect("a pipe");
        let said = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&said);
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                heard.lock().unwrap().push(line);
            }
        });
        let mut served = Self { child, url: String::new(), said };
        let line = served.hear("serving MCP at ");
        line.rsplit(' ').next().unwrap_or_default().clone_into(&mut served.url);
        served
    }

    /// Waits for a line on stderr that holds `words`.
    pub fn hear(&self, words: &str) -> String {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(line) = self.said().into_iter().find(|line| line.contains(words)) {
                return line;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("never said `{words}`: {:?}", self.said());
    }

    /// All that stderr said so far.
    pub fn said(&self) -> Vec<String> {
        self.said.lock().unwrap().clone()
    }

    /// Another path of the same server.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url.trim_end_matches("/mcp"))
    }

    /// A client of it that sends these headers.
    pub fn client(&self, headers: &[(&str, &str)]) -> Client {
        Client::new(&self.url, headers)
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let sent = std::process::Command::new("kill").args([&format!("-{name}"), &self.child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "kill works");
    }

    /// Ends it at once, as a power failure would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        let started = Instant::now();
        while started.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server did not end");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The revision without sessions.
pub const STATELESS: &str = "2026-07-28";

/// What each of its requests tells.
pub fn stateless() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": STATELESS,
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    })
}

/// A client on legacy MCP, which needs no more than one POST a request.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    /// Address of `/mcp`, with pins.
    pub url: String,
    headers: Vec<(String, String)>,
}

impl Client {
    pub fn new(url: &str, headers: &[(&str, &str)]) -> Self {
        let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Self { http: http(None), url: url.to_owned(), headers }
    }

    /// The same client at another address of the same server.
    pub fn pinned(&self, query: &str) -> Self {
        Self { url: format!("{}?{query}", self.url), ..self.clone() }
    }

    /// Posts a body: status, headers and text of the answer.
    pub async fn post(&self, body: String) -> (u16, reqwest::header::HeaderMap, String) {
        let mut request =
            self.http.post(&self.url).header("accept", "application/json, text/event-stream").header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let response = request.body(body).send().await.expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        (status, headers, response.text().await.expect("a body"))
    }

    /// Asks and gives the status and the parsed answer.
    pub async fn try_ask(&self, method: &str, params: Value) -> (u16, Value) {
        let (status, _, text) = self.post(json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string()).await;
        (status, serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}")))
    }

    /// Asks what must be answered.
    pub async fn ask(&self, method: &str, params: Value) -> Value {
        let (status, mut answer) = self.try_ask(method, params).await;
        assert_eq!(status, 200, "{answer}");
        answer["result"].take()
    }

    /// Asks as clients of the revision without sessions do.
    pub async fn ask_stateless(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = stateless();
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut client = self.clone();
        let headers = [("mcp-protocol-version", STATELESS), ("mcp-method", method), ("mcp-name", &name)];
        let told = headers.iter().filter(|(_, value)| !value.is_empty());
        client.headers.extend(told.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        client.ask(method, params).await
    }

    /// Runs an action on `dynamic`.
    pub async fn execute(&self, action: &str, params: Value) -> Value {
        self.ask(
            "tools/call",
            json!({ "name": "arcane_execute_action", "arguments": { "action": action, "params": params, "confirm": true } }),
        )
        .await
    }

    /// Names of the tools.
    pub async fn tools(&self) -> Vec<String> {
        let list = self.ask("tools/list", json!({})).await;
        list["tools"].as_array().expect("a list").iter().map(|tool| tool["name"].as_str().unwrap_or_default().to_owned()).collect()
    }
}

/// An HTTP client that trusts `root` besides.
pub fn http(root: Option<&rustls::pki_types::CertificateDer<'static>>) -> reqwest::Client {
    let mut roots = rustls::RootCertStore::empty();
    roots.add_parsable_certificates(root.cloned());
    let mut tls = rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("protocols")
        .with_root_certificates(roots)
        .with_no_client_auth();
    tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    reqwest::Client::builder().tls_backend_preconfigured(tls).timeout(PATIENCE).build().expect("a client")
}

/// TLS that is never spoken, for clients that cannot be made without.
pub fn trusting_none() -> rustls::ClientConfig {
    rustls::ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("protocols")
        .with_root_certificates(rustls::RootCertStore::empty())
        .with_no_client_auth()
}

/// A runtime for a test.
pub fn block_on<F: Future>(future: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime").block_on(future)
}

/// A folder of this test alone, taken away at its end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    /// Writes a file and gives its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A token with its entry for the tenants file, which `more` ends.
pub fn token(name: &str, workspace: &str, scope: &str, more: &str) -> (String, String) {
    let arguments = ["token", "new", "--json", "--name", name, "--workspace", workspace, "--scope", scope];
    let key = [("ARCANE_MCP_SERVER_KEY".to_owned(), SERVER_KEY.to_owned())];
    let (code, text, said) = crate::support::run(&arguments, &key);
    assert_eq!(code, 0, "{said}");
    let made: Value = serde_json::from_str(&text).expect("JSON");
    let part = |name: &str| made[name].as_str().unwrap_or_default().to_owned();
    (part("token"), format!("{}\n{more}\n", part("entry")))
}

/// The environment of a server with tenants.
pub fn with_key(mut environment: Vec<(String, String)>) -> Vec<(String, String)> {
    environment.push(("ARCANE_MCP_SERVER_KEY".into(), SERVER_KEY.into()));
    environment
}
