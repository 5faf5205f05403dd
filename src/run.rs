//! The road of a call: allow → check → fence → confirm → send → render. The only way to the network.
//!
//! A destructive call may have to wait for a person. How a person is asked is the transport's business, so the road can be walked in
//! two halves: [`begin`] goes as far as it can and hands back a [`Held`] call, [`agreed`] sends it.

use crate::app::App;
use crate::call::Call;
use crate::error::Failure;
use crate::fence::Sieve;
use crate::outcome::Outcome;
use crate::policy::{self, Voice, Word};
use crate::request::Request;
use crate::upstream::Progress;
use crate::{fence, page, params, render, request, watch};

/// A checked call with the request it would send.
#[derive(Debug)]
pub struct Held {
    /// The call, its arguments checked and completed.
    pub call: Call,
    /// What would be sent.
    pub request: Request,
}

/// How far a call came.
#[derive(Debug)]
pub enum Road {
    /// To its end.
    Done(Outcome),
    /// To the question whether a person agrees.
    Held(Box<Held>),
}

/// Runs a call that a person has made themselves; every failure is an outcome.
pub async fn run(app: &App, call: Call, progress: Option<&dyn Progress>) -> Outcome {
    match begin(app, call, Voice::Person, progress).await {
        Road::Done(outcome) => outcome,
        Road::Held(held) => agreed(app, *held, progress).await,
    }
}

/// Runs a call as far as `voice` allows.
pub async fn begin(app: &App, call: Call, voice: Voice, progress: Option<&dyn Progress>) -> Road {
    let refusal = watch::Refused::of(app, &call);
    let checked = check(app, call).and_then(|held| Ok((policy::confirm(app, &held, voice)?, held)));
    match checked {
        Ok((Word::Given, held)) => Road::Done(agreed(app, held, progress).await),
        Ok((Word::Asked, held)) => Road::Held(Box::new(held)),
        Err(failure) => {
            if let Some(refusal) = refusal {
                refusal.record(app, &failure);
            }
            Road::Done(refused(app, failure))
        }
    }
}

/// Sends a call that nothing stands against any more.
pub async fn agreed(app: &App, held: Held, progress: Option<&dyn Progress>) -> Outcome {
    let Held { call, request } = held;
    match watch::send(app, &call, &request, progress).await {
        Ok(answer) => {
            let offered = |id: &str| app.offers(id);
            let sieve = Sieve::of(app, &call.action);
            let setting = render::Setting {
                api: app.api(),
                offered: &offered,
                sieve,
                most_text: app.config.most_text,
                text_only: app.config.text_only,
            };
            render::outcome(setting, &call, answer)
        }
        Err(failure) => refused(app, failure),
    }
}

/// Shows a failure, without steps that lead to actions not offered here.
pub fn refused(app: &App, mut failure: Failure) -> Outcome {
    failure.keep_offered(|id| app.offers(id));
    let mut shown = render::failure(&failure);
    shown.text = render::cap(&shown.text, app.config.most_text);
    shown
}

/// Everything that is decided before anyone is asked and anything is sent.
fn check(app: &App, mut call: Call) -> Result<Held, Failure> {
    let api = app.api();
    policy::allow(app, call.number, &call.action)?;
    let option = |name: &str| if name == "environment" { fence::default(app) } else { None };
    // Told together: what is wrong with the parameters, with the words beside them, with the fields asked for.
    let columns = render::check_fields(&call.action, &call.own.fields);
    let mut beside = std::mem::take(&mut call.beside);
    beside.extend(columns.as_ref().err().map(|failure| failure.message.clone()));
    let given = params::Given { arguments: std::mem::take(&mut call.arguments), as_text: call.as_text, beside };
    let checked = params::check(api, &call.action, given, &option).map_err(|failure| match &columns {
        Ok(()) => failure,
        Err(columns) => failure.with(columns),
    })?;
    call.arguments = checked.arguments;
    call.notes.extend(checked.notes);
    fence::allow(app, &call.action, &call.arguments)?;
    policy::scope(app, &call)?;
    policy::steps(app, &call)?;
    page::prepare(api, &call.action, &mut call.arguments);
    let request = request::build(api, &call.action, &call.arguments)?;
    Ok(Held { call, request })
}
