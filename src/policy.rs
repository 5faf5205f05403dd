//! The one gate: whether a call may go on, decided in a written order, every refusal with its reason.
//!
//! 1. The action is offered: no filter has removed it ([`allow`], before the arguments are looked at).
//! 2. A destructive call carries `confirm: true` ([`confirm`], once the arguments are checked and the request can be shown).

use crate::app::App;
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::request::Request;
use callslip_catalog::model::Action;
use serde_json::Value;

/// Refuses an action that the filters removed.
pub fn allow(app: &App, number: usize, action: &Action<'_>) -> Result<(), Failure> {
    match app.offer.removed(number) {
        None => Ok(()),
        Some(reason) => Err(Failure::new(Code::Removed, format!("`{}` is not offered here: {}.", action.id, reason.trim_end_matches('.')))
            .next("Choose another action, or ask whoever runs this server to offer it.")),
    }
}

/// Refuses a destructive call without `confirm: true`, showing what would be sent. Only the literal counts: a model that writes
/// `"true"` has not read what it confirms.
pub fn confirm(call: &Call, request: &Request) -> Result<(), Failure> {
    if !call.action.destroys(&call.arguments) {
        return Ok(());
    }
    let problem = match &call.own.confirm {
        Some(Value::Bool(true)) => return Ok(()),
        None | Some(Value::Bool(false)) => format!("`{}` is destructive and needs `confirm: true`. Nothing was sent.", call.action.id),
        Some(_) => format!("`confirm` must be the literal true, not a text or a number, for `{}`. Nothing was sent.", call.action.id),
    };
    let mut failure = Failure::new(Code::ConfirmRequired, problem)
        .next("Tell the user what would be done; if they agree, call again with `confirm: true` beside the parameters.");
    failure.more.insert("wouldSend".into(), request.shown());
    Err(failure)
}
