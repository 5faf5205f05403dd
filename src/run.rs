//! The road of a call: allow → check → confirm → send → render. The only way to the network.

use crate::app::App;
use crate::call::Call;
use crate::error::Failure;
use crate::outcome::Outcome;
use crate::request::Request;
use crate::upstream::Progress;
use crate::{page, params, policy, render, request, watch};

/// Runs a resolved call; every failure is an outcome.
pub async fn run(app: &App, call: Call, progress: Option<&dyn Progress>) -> Outcome {
    let refused = watch::Refused::of(app, &call);
    let (call, request) = match check(app, call) {
        Ok(checked) => checked,
        Err(failure) => {
            if let Some(refused) = refused {
                refused.record(app, &failure);
            }
            return shown(app, failure);
        }
    };
    match watch::send(app, &call, &request, progress).await {
        Ok(answer) => render::outcome(app.api(), &call, answer),
        Err(failure) => shown(app, failure),
    }
}

/// A failure without steps that lead to actions not offered here.
fn shown(app: &App, mut failure: Failure) -> Outcome {
    failure.keep_offered(|id| app.catalog.number(id).is_some_and(|number| app.offer.has(number)));
    render::failure(&failure)
}

/// Everything that is decided before anything is sent.
fn check(app: &App, mut call: Call) -> Result<(Call, Request), Failure> {
    let api = app.api();
    policy::allow(app, call.number, &call.action)?;
    let option = |name: &str| if name == "environment" { app.config.environment.clone() } else { None };
    let given = params::Given { arguments: std::mem::take(&mut call.arguments), as_text: call.as_text };
    let checked = params::check(api, &call.action, given, &option)?;
    call.arguments = checked.arguments;
    call.notes.extend(checked.notes);
    policy::scope(app, &call)?;
    render::check_fields(&call.action, &call.own.fields)?;
    page::prepare(api, &call.action, &mut call.arguments);
    let request = request::build(api, &call.action, &call.arguments)?;
    policy::confirm(&call, &request)?;
    Ok((call, request))
}
