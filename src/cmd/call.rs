//! `callslip call`: one action from the shell, on the same road as over MCP.

use super::{DONE, FAILED};
use crate::app::App;
use crate::call::Own;
use crate::cli::CallArgs;
use crate::config::Misuse;
use crate::{lookup, render, run, surface, terminal};
use anyhow::Result;
use callslip_catalog::model::ValueType;
use serde_json::{Map, Value};

pub fn run(app: &App, arguments: &CallArgs) -> Result<u8> {
    let given = given(app, arguments)?;
    let own = Own {
        confirm: arguments.confirm.then_some(Value::Bool(true)),
        fields: arguments.fields.clone(),
        save_to: arguments.save_to.clone(),
        overwrite: arguments.overwrite,
        cancel_activity: false,
    };
    let outcome = match surface::call(app, &arguments.action, given, own) {
        Ok(call) => super::runtime()?.block_on(run::run(app, call, None)),
        Err(failure) => render::failure(&failure),
    };
    match (outcome.is_error, arguments.json) {
        (_, true) => terminal::json(&outcome.structured),
        (true, false) => eprintln!("{}", outcome.text),
        (false, false) => terminal::print(&outcome.text),
    }
    Ok(if outcome.is_error { FAILED } else { DONE })
}

/// `--params` and every `--param`. What follows `=` is a text where the action wants one; elsewhere it is read as JSON if it can be.
fn given(app: &App, arguments: &CallArgs) -> Result<Map<String, Value>, Misuse> {
    let mut given = match &arguments.params {
        None => Map::new(),
        Some(text) => serde_json::from_str(text)
            .map_err(|error| Misuse(format!("--params is not a JSON object: {error}. Write it like '{{\"containerId\":\"web\"}}'")))?,
    };
    let action = lookup::action(app, &arguments.action).ok().map(|(_, action)| action);
    for pair in &arguments.param {
        let (name, value) =
            pair.split_once('=').ok_or_else(|| Misuse(format!("--param {pair}: write NAME=VALUE, such as containerId=web")))?;
        let text = action.as_ref().and_then(|action| action.param(name)).is_some_and(|param| param.kind == ValueType::String);
        let value = match serde_json::from_str(value) {
            Ok(value @ (Value::Array(_) | Value::Object(_) | Value::Bool(_) | Value::Number(_))) if !text => value,
            _ => Value::from(value),
        };
        if given.insert(name.to_owned(), value).is_some() {
            return Err(Misuse(format!("--param {name} is given twice")));
        }
    }
    Ok(given)
}
