//! `callslip show`: one action whole.

use super::{DONE, FAILED};
use crate::app::App;
use crate::{describe, terminal};

pub fn run(app: &App, name: &str, json: bool) -> u8 {
    let outcome = describe::answer(app, name);
    match (outcome.is_error, json) {
        (_, true) => terminal::json(&outcome.structured),
        (true, false) => eprintln!("{}", outcome.text),
        (false, false) => terminal::print(&outcome.text),
    }
    if outcome.is_error { FAILED } else { DONE }
}
