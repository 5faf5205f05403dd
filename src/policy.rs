//! The one gate: whether a call may go on, decided in a written order, every refusal with its reason.
//!
//! 1. The action is offered: no filter has removed it ([`allow`], before the arguments are looked at).
//! 2. The environments it names are within the fences ([`crate::fence`], once the arguments are checked).
//! 3. A call that would destroy is within what the caller may do ([`scope`], once the arguments are checked).
//! 4. The actions whose work it does on the way are offered too ([`steps`], likewise).
//! 5. A destructive call has the word it needs ([`confirm`], once the request can be shown).

use crate::app::App;
use crate::call::Call;
use crate::cli::Confirm;
use crate::confirmation;
use crate::error::{Code, Failure};
use crate::run::Held;
use callslip_catalog::model::Action;
use serde_json::Value;

/// Who speaks in a call, and who could be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// A model; `asks`: its client can put a question to a person.
    Model {
        /// The client can ask.
        asks: bool,
    },
    /// A person at the command line.
    Person,
}

/// What a destructive call needs before it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// Nothing more.
    Given,
    /// A person's answer.
    Asked,
}

/// Refuses an action that the filters removed.
pub fn allow(app: &App, number: usize, action: &Action<'_>) -> Result<(), Failure> {
    match app.offer.removed(number) {
        None => Ok(()),
        Some(reason) => Err(Failure::new(Code::Removed, format!("`{}` is not offered here: {}.", action.id, reason.trim_end_matches('.')))
            .next("Choose another action, or ask whoever runs this server to offer it.")),
    }
}

/// Refuses a call that would destroy where nothing may be destroyed: some actions do it for some values of a parameter only.
pub fn scope(app: &App, call: &Call) -> Result<(), Failure> {
    if !app.offer.harmless || !call.action.destroys(&call.arguments) {
        return Ok(());
    }
    Err(Failure::new(
        Code::Forbidden,
        format!("`{}` with these values is destructive, which this credential may not do. Nothing was sent.", call.action.id),
    )
    .next("Leave out what makes it destructive, or ask whoever runs this server for a credential of scope `full`."))
}

/// Refuses a call that would send a local file by actions which the filters removed.
pub fn steps(app: &App, call: &Call) -> Result<(), Failure> {
    let Some(upload) = app.profile.upload(call).filter(|upload| upload.local(call).is_some()) else { return Ok(()) };
    let removed = |id: &&&str| app.catalog.number(id).is_none_or(|number| !app.offer.has(number));
    let Some(step) = upload.actions.iter().find(removed) else { return Ok(()) };
    let (id, argument) = (&call.action.id, upload.argument);
    Err(Failure::new(Code::Removed, format!("`{id}` sends a local file by `{step}`, which is not offered here. Nothing was sent.")).next(
        format!("Give the id of an upload that has arrived as `{argument}`, or ask whoever runs this server to offer what it lacks."),
    ))
}

/// Decides whose word a call needs. Refusals show what would be sent. Only the literal `true` counts: a model that writes `"true"` has
/// not read what it confirms.
pub fn confirm(app: &App, held: &Held, voice: Voice) -> Result<Word, Failure> {
    let (call, asks) = (&held.call, voice == Voice::Model { asks: true });
    if !call.action.destroys(&call.arguments) {
        return Ok(Word::Given);
    }
    if app.config.confirm == Confirm::Human && voice != Voice::Person {
        return if asks { Ok(Word::Asked) } else { Err(needs_a_person(app, held)) };
    }
    let problem = match &call.own.confirm {
        Some(Value::Bool(true)) => return Ok(Word::Given),
        None if asks => return Ok(Word::Asked),
        None | Some(Value::Bool(false)) => format!("`{}` is destructive and needs `confirm: true`. Nothing was sent.", call.action.id),
        Some(_) => format!("`confirm` must be the literal true, not a text or a number, for `{}`. Nothing was sent.", call.action.id),
    };
    Err(refusal(held, problem)
        .next("Tell the user what would be done; if they agree, call again with `confirm: true` beside the parameters."))
}

/// No word of a model's counts here, and its client cannot ask.
fn needs_a_person(app: &App, held: &Held) -> Failure {
    let problem = format!(
        "`{}` is destructive, and this server runs it only when a person agrees; this client cannot ask one. Nothing was sent.",
        held.call.action.id
    );
    let (line, places) = confirmation::command_line(app, held);
    let mut failure = refusal(held, problem);
    if !places.is_empty() {
        let places: Vec<_> = places.iter().map(|place| confirmation::code(place)).collect();
        failure = failure.next(format!("Secrets are not repeated here: in the line below, write them in place of {}.", places.join(", ")));
    }
    failure = failure.next(format!("A person can run it in a terminal: {}", confirmation::code(&line)));
    failure.more.insert("command".into(), line.into());
    failure
}

/// A refusal for want of a word, with the request that was held back.
pub fn refusal(held: &Held, problem: String) -> Failure {
    let mut failure = Failure::new(Code::ConfirmRequired, problem);
    failure.more.insert("wouldSend".into(), held.request.shown());
    failure
}
