//! What a task changed on the sandbox, and whether that is what it should have.

use super::script::{Task, filled, filled_text};
use anyhow::Result;
use callslip::catalog::Catalog;
use callslip_catalog::model::Kind;
use callslip_sandbox::{Recorded, Sandbox};
use serde_json::Value;
use std::collections::BTreeMap;

const BELOW: &str = "/api/environments/0";

/// The changes as `METHOD path`, in order. What failed changed nothing; an action that reads changes nothing, whatever its method.
fn changes(catalog: &Catalog, requests: &[Recorded]) -> Vec<String> {
    let reads = |request: &Recorded| {
        let number = request.operation.and_then(|operation| catalog.number(operation));
        let action = number.and_then(|number| catalog.action(number).ok());
        action.map_or_else(|| matches!(&*request.method, "GET" | "HEAD"), |action| action.kind == Kind::Read)
    };
    requests
        .iter()
        .filter(|request| request.status < 400 && !reads(request))
        .map(|request| {
            let path = request.path.strip_prefix(BELOW).unwrap_or(&request.path);
            let query = if request.query.is_empty() { String::new() } else { format!("?{}", request.query) };
            format!("{} {path}{query}", request.method)
        })
        .collect()
}

/// Everything that is not as the task wants it.
pub async fn wrong(catalog: &Catalog, sandbox: &Sandbox, task: &Task, taken: &BTreeMap<String, String>) -> Result<Vec<String>> {
    let done = changes(catalog, &sandbox.requests());
    let wanted: Vec<_> = task.effects.iter().map(|effect| filled_text(effect, taken)).collect();
    let mut wrong = Vec::new();
    if done != wanted {
        wrong.push(format!("{}: changed {done:?} instead of {wanted:?}", task.name));
    }
    // Docker that is down would hide the state.
    sandbox.switch(|switches| switches.docker_down = false);
    sandbox.clear_faults();
    let client = reqwest::Client::builder().tls_backend_preconfigured(crate::client::tls()?).build()?;
    for state in &task.leaves {
        let path = filled_text(&state.get, taken);
        let request = client.get(format!("{}{BELOW}{path}", sandbox.url())).header("X-API-Key", sandbox.api_key());
        let response = request.send().await?;
        let status = response.status().as_u16();
        let body: Value = serde_json::from_str(&response.text().await?).unwrap_or_default();
        if status != state.status.unwrap_or(200) {
            wrong.push(format!("{}: {path} answers {status}", task.name));
        }
        if let Some(wanted) = &state.is {
            let wanted = filled(wanted, taken);
            let found = body.pointer(&state.at);
            if found != Some(&wanted) {
                wrong.push(format!("{}: {path} has {} at {:?} instead of {wanted}", task.name, found.unwrap_or(&Value::Null), state.at));
            }
        }
    }
    Ok(wrong)
}
