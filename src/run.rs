//! The road of a call: allow → check → confirm → send → render. The only way to the network.

use crate::app::App;
use crate::call::Call;
use crate::error::Failure;
use crate::outcome::Outcome;
use crate::upstream::Progress;
use crate::{page, params, policy, render, request};

/// Runs a resolved call; every failure is an outcome.
pub async fn run(app: &App, call: Call, progress: Option<&dyn Progress>) -> Outcome {
    match attempt(app, call, progress).await {
        Ok(outcome) => outcome,
        Err(mut failure) => {
            failure.keep_offered(|id| app.catalog.number(id).is_some_and(|number| app.offer.has(number)));
            render::failure(&failure)
        }
    }
}

async fn attempt(app: &App, mut call: Call, progress: Option<&dyn Progress>) -> Result<Outcome, Failure> {
    let api = app.api();
    policy::allow(app, call.number, &call.action)?;
    let option = |name: &str| if name == "environment" { app.config.environment.clone() } else { None };
    let given = params::Given { arguments: std::mem::take(&mut call.arguments), as_text: call.as_text };
    let checked = params::check(api, &call.action, given, &option)?;
    call.arguments = checked.arguments;
    call.notes.extend(checked.notes);
    render::check_fields(&call.action, &call.own.fields)?;
    page::prepare(api, &call.action, &mut call.arguments);
    let request = request::build(api, &call.action, &call.arguments)?;
    policy::confirm(&call, &request)?;
    let answer = app.upstream.send(&app.catalog, &call, &request, progress).await?;
    Ok(render::outcome(api, &call, answer))
}
