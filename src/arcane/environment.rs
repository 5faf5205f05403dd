//! Environments that do not exist, are disabled, or are closed to the caller: told apart, as each has another cure.

use super::{environment, holds};
use crate::call::Call;
use crate::error::{Code, Failure};
use crate::profile::Refusal;

pub(super) fn explain(call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
    let environment = environment(call);
    let detail = refusal.detail;
    match refusal.status {
        404 if holds(detail, "environment not found") => Some(
            Failure::new(Code::NotFound, format!("There is no environment `{environment}`."))
                .next("`environment.list` lists the environments; `0` is the server's own Docker host."),
        ),
        400 if holds(detail, "environment is disabled") => Some(
            Failure::new(Code::Conflict, format!("Environment `{environment}` is disabled."))
                .next("`environment.update` with `enabled: true` switches it on, if that is wanted."),
        ),
        401 if holds(detail, "authentication required to access remote environments") => Some(
            Failure::new(Code::Unauthorized, format!("Environment `{environment}` is remote, and the server wants a credential for it."))
                .next("Check `ARCANE_API_KEY` or `ARCANE_TOKEN`; `callslip doctor` tests it."),
        ),
        409 if holds(detail, "swarm mode is not enabled") => Some(
            Failure::new(
                Code::Conflict,
                format!("Environment `{environment}` is not in swarm mode, so `{}` means nothing there.", call.action.id),
            )
            .next("`swarm.status` shows the mode of a host; `swarm.init` makes it a swarm, if that is wanted."),
        ),
        403 if holds(detail, "swarm manager access required") => Some(
            Failure::new(
                Code::Conflict,
                format!("Environment `{environment}` is a worker of its swarm; `{}` needs a manager.", call.action.id),
            )
            .next("Choose the environment of a manager: `environment.list` and `swarm.status` show which it is."),
        ),
        _ => None,
    }
}
