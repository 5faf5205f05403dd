//! The road of a call: allow → check → confirm → send → render. The only way to the network.

use crate::app::App;
use crate::call::Call;
use crate::error::Failure;
use crate::outcome::Outcome;
use crate::upstream::Progress;
use crate::{page, params, policy, render, request};
use callslip_catalog::model::Api;

/// Runs a resolved call; every failure is an outcome.
pub async fn run(app: &App, call: Call, progress: Option<&dyn Progress>) -> Outcome {
    match attempt(app, call, progress).await {
        Ok(outcome) => outcome,
        Err(failure) => render::failure(&still_offered(app, failure)),
    }
}

async fn attempt(app: &App, mut call: Call, progress: Option<&dyn Progress>) -> Result<Outcome, Failure> {
    let api = app.api();
    policy::allow(app, call.number, &call.action)?;
    let option = |name: &str| option(app, api, name);
    let given = params::Given { arguments: std::mem::take(&mut call.arguments), as_text: call.as_text };
    let checked = params::check(api, &call.action, given, &option)?;
    call.arguments = checked.arguments;
    call.notes.extend(checked.notes);
    render::check_fields(&call.action, &call.own.fields)?;
    page::prepare(api, &call.action, &mut call.arguments)?;
    let request = request::build(api, &call.action, &call.arguments)?;
    policy::confirm(&call, &request)?;
    let answer = app.upstream().send(api, app.profile, &call, &request, progress).await?;
    Ok(render::outcome(api, &call, answer))
}

fn option(app: &App, _api: &Api<'_>, name: &str) -> Option<String> {
    (name == "environment").then(|| app.config.environment.clone()).flatten()
}

/// Next steps that name an action the filters took out would send the caller into a wall; they are left out.
fn still_offered(app: &App, mut failure: Failure) -> Failure {
    failure.next.retain(|step| {
        step.split('`').skip(1).step_by(2).all(|quoted| app.catalog.number(quoted).is_none_or(|number| app.offer.has(number)))
    });
    failure
}
