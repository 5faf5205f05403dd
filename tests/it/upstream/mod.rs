//! Calls through the upstream client against a sandbox: what is sent, what is understood, and what every fault turns into.

mod answers;
mod built;
mod causes;
mod differences;
mod faults;
mod files;
mod habits;
mod network;
mod secure;
mod session;
mod sockets;
mod streams;
mod texts;
mod wire;

use callslip::answer::Answer;
use callslip::call::{Call, Own};
use callslip::catalog::Catalog;
use callslip::error::Failure;
use callslip::request::{self, Request};
use callslip::upstream::{Credential, Settings, Upstream};
use callslip_sandbox::{Options, Sandbox};
use serde_json::Value;
use std::time::Duration;

/// A sandbox, an upstream that points at it, and the catalog.
pub struct Bench {
    pub sandbox: Sandbox,
    pub catalog: Catalog,
    pub settings: Settings,
}

impl Bench {
    pub async fn start() -> Self {
        Self::with(Options::default()).await
    }

    pub async fn with(options: Options) -> Self {
        let sandbox = Sandbox::start(options).await.expect("a sandbox");
        let catalog = Catalog::embedded().expect("a catalog");
        let settings = Settings {
            url: Some(sandbox.url()),
            credentials: vec![Credential::new(&catalog.api().credentials[0], sandbox.api_key())],
            timeout: Duration::from_secs(5),
            read_timeout: Duration::from_secs(2),
            ..Settings::default()
        };
        Self { sandbox, catalog, settings }
    }

    pub fn call(&self, id: &str, arguments: Value) -> Call {
        call(&self.catalog, id, arguments)
    }

    pub async fn send(&self, id: &str, arguments: Value) -> Result<Answer, Failure> {
        self.send_call(&self.call(id, arguments)).await
    }

    pub async fn send_call(&self, call: &Call) -> Result<Answer, Failure> {
        let request = request::build(self.catalog.api(), &call.action, &call.arguments)?;
        Upstream::new(self.settings.clone()).send(&self.catalog, call, &request, None).await
    }
}

pub fn call(catalog: &Catalog, id: &str, arguments: Value) -> Call {
    let number = catalog.number(id).unwrap_or_else(|| panic!("no action {id}"));
    let action = catalog.action(number).expect("an action");
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    Call { number, action, arguments, own: Own::default(), notes: Vec::new(), as_text: false, beside: Vec::new() }
}

pub fn build(id: &str, arguments: Value) -> Result<Request, Failure> {
    let catalog = Catalog::embedded().expect("a catalog");
    let call = call(&catalog, id, arguments);
    request::build(catalog.api(), &call.action, &call.arguments)
}
