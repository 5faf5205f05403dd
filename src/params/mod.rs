//! The third step of a call: are these arguments what the action takes?
//!
//! Models write nearly right arguments: a number in quotes, one value where a list belongs, `container_id` for `containerId`. What can
//! be meant in one way only is repaired and said in the result; everything else is refused, all problems at once, with what the action
//! accepts, so that the next call succeeds. A destructive call is never repaired: what it destroys must be exactly what was written.
//! Nothing here reaches the network.

mod mask;
mod names;
mod object;
mod repair;
mod validate;

#[cfg(test)]
mod tests;

pub use mask::placeholder;
pub use names::nearest;
pub use object::object;
pub use repair::{article, type_name};

use crate::error::{Code, Failure};
use crate::{page, request};
use callslip_catalog::model::{Action, Api, Fill};
use callslip_catalog::project::param_line;
use serde_json::{Map, Value};

/// Arguments ready to be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Valid, repaired, with the values that come from options.
    pub arguments: Map<String, Value>,
    /// What was repaired, a sentence each; belongs into [`crate::call::Call::notes`].
    pub notes: Vec<String>,
}

/// Arguments as they came.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Given {
    /// The arguments.
    pub arguments: Map<String, Value>,
    /// They came as a JSON string that holds the object.
    pub as_text: bool,
    /// What is wrong beside them: told together with what is wrong in them.
    pub beside: Vec<String>,
}

impl From<Map<String, Value>> for Given {
    fn from(arguments: Map<String, Value>) -> Self {
        Self { arguments, ..Self::default() }
    }
}

/// One thing that was not as it should be, but clear.
#[derive(Debug)]
struct Repair {
    /// What was done.
    note: String,
    /// What the caller should write, where no repair is allowed.
    hint: String,
}

/// Most problems one message names.
const MOST_PROBLEMS: usize = 20;

/// Checks and repairs the arguments of a call. `option` gives the value of a server option such as `environment`.
pub fn check(
    api: &Api<'_>,
    action: &Action<'_>,
    given: impl Into<Given>,
    option: &dyn Fn(&str) -> Option<String>,
) -> Result<Checked, Failure> {
    let Given { mut arguments, as_text, beside: mut problems } = given.into();
    let mut repairs = Vec::new();
    if as_text {
        repairs.push(Repair {
            note: "The parameters came as a JSON string; the object in it was used.".into(),
            hint: "The parameters must be an object, not a string that holds one.".into(),
        });
    }
    names::settle(action, &mut arguments, &mut problems, &mut repairs);
    repair::all(action, &mut arguments, &mut repairs);
    mask::drop_masked(action, &mut arguments, &mut problems, &mut repairs);
    fill(action, &mut arguments, option);
    missing(action, &arguments, &mut problems);
    page::check_bounds(api, action, &arguments, &mut problems);
    validate::problems(api, action, &arguments, &mut problems)?;
    let lists = request::path_problems(action, &arguments, &mut problems);
    // Judged by the repaired values: `"true"` may be what makes a call destructive, and the gate has not seen it as `true`.
    if !repairs.is_empty() && action.destroys(&arguments) {
        problems.extend(repairs.drain(..).map(|repair| repair.hint));
    }
    if problems.is_empty() {
        return Ok(Checked { arguments, notes: repairs.into_iter().map(|repair| repair.note).collect() });
    }
    let mut failure = refusal(action, problems);
    failure.next.extend(lists);
    Err(failure)
}

/// The failure of arguments that do not fit, with all that is needed to write better ones.
fn refusal(action: &Action<'_>, problems: Vec<String>) -> Failure {
    let count = problems.len();
    let mut shown: Vec<_> = problems.into_iter().take(MOST_PROBLEMS).collect();
    if count > MOST_PROBLEMS {
        shown.push(format!("And {} more.", count - MOST_PROBLEMS));
    }
    let mut failure = Failure::new(Code::InvalidArguments, format!("`{}` was not called. {}", action.id, shown.join(" ")));
    failure.accepted = accepted(action);
    failure.required = action.params.iter().filter(|param| param.required).map(|param| param.name.to_string()).collect();
    failure.next(if failure_is_nameless(action) {
        "It takes no parameters: call it again without any.".to_owned()
    } else {
        format!("Call `{}` again with parameters from `accepted`.", action.id)
    })
}

fn failure_is_nameless(action: &Action<'_>) -> bool {
    action.params.is_empty() && !page::is_cut_here(action)
}

/// One line for each parameter the action takes, our own paging words included.
pub fn accepted(action: &Action<'_>) -> Vec<String> {
    let own = page::own_params(action).into_iter().map(str::to_owned);
    action.params.iter().map(param_line).chain(own).collect()
}

/// Values that come from the configuration, such as the environment.
fn fill(action: &Action<'_>, arguments: &mut Map<String, Value>, option: &dyn Fn(&str) -> Option<String>) {
    for param in &action.params {
        let Fill::Option { option: name, default } = &param.fill else { continue };
        if arguments.contains_key(&*param.name) {
            continue;
        }
        let value = option(name).unwrap_or_else(|| default.to_string());
        if !value.is_empty() {
            arguments.insert(param.name.to_string(), value.into());
        }
    }
}

/// What must be given and is not. A placeholder that an option should have filled counts too: without it there is no path.
fn missing(action: &Action<'_>, arguments: &Map<String, Value>, problems: &mut Vec<String>) {
    for param in &action.params {
        if arguments.contains_key(&*param.name) {
            continue;
        }
        match &param.fill {
            Fill::Option { option, .. } if action.path.contains(&format!("{{{}}}", param.name)) => {
                problems.push(format!("`{}` is missing; give it, or start the server with --{option}.", param.name));
            }
            _ if param.required => problems.push(format!("`{}` is missing.", param.name)),
            _ => {}
        }
    }
}
