//! Names that no parameter has: a spelling variant of the one id that is missing is taken for it, our own words are sent where they
//! belong, everything else is refused with the nearest name.

use super::Repair;
use crate::page;
use crate::untrusted;
use callslip_catalog::model::{Action, Param, Place, RESERVED, ValueType};
use serde_json::{Map, Value};

/// Least likeness of a name that is worth suggesting (Jaro-Winkler over folded names).
const LIKE: f64 = 0.8;

/// Renames spelling variants, removes every name that is not a parameter, and says why.
pub fn settle(action: &Action<'_>, arguments: &mut Map<String, Value>, problems: &mut Vec<String>, repairs: &mut Vec<Repair>) {
    let unknown: Vec<String> = arguments.keys().filter(|name| !is_known(action, name)).cloned().collect();
    let missing: Vec<&Param<'_>> =
        action.params.iter().filter(|param| is_id(param) && arguments.get(&*param.name).is_none_or(Value::is_null)).collect();
    let meant: Vec<Option<&str>> = unknown.iter().map(|name| variant(name, &missing)).collect();
    for (name, target) in unknown.iter().zip(&meant) {
        let value = arguments.shift_remove(name).unwrap_or_default();
        let alone = target.is_some() && meant.iter().filter(|other| *other == target).count() == 1;
        match target {
            Some(target) if alone && (value.is_string() || value.is_number()) => {
                repairs.push(Repair {
                    note: format!("`{}` was taken for `{target}`.", shown(name)),
                    hint: format!("`{}` is called `{target}` here.", shown(name)),
                });
                arguments.insert((*target).to_owned(), value);
            }
            _ => problems.push(refusal(action, name, &missing)),
        }
    }
}

/// Whether arguments of the action may have that name.
fn is_known(action: &Action<'_>, name: &str) -> bool {
    action.param(name).is_some() || (page::is_cut_here(action) && page::OWN.contains(&name))
}

/// A parameter that says which thing is meant.
fn is_id(param: &Param<'_>) -> bool {
    let named = param.name.ends_with("Id") || param.name.ends_with("_id") || param.name == "id";
    param.required && matches!(param.kind, ValueType::String | ValueType::Integer) && (param.place == Place::Path || named)
}

/// The missing id that a name can only mean.
fn variant<'a>(name: &str, missing: &[&'a Param<'_>]) -> Option<&'a str> {
    let folded = fold(name);
    if let Some(param) = missing.iter().find(|param| fold(&param.name) == folded) {
        return Some(&param.name);
    }
    match missing {
        [only] if folded == "id" => Some(&only.name),
        _ => None,
    }
}

fn refusal(action: &Action<'_>, name: &str, missing: &[&Param<'_>]) -> String {
    match name {
        "confirm" => {
            return "`confirm` stands beside the parameters, at the top level of the call, and only literal `true` counts there.".into();
        }
        _ if RESERVED.contains(&name) => {
            return format!("`{name}` stands beside the parameters, at the top level of the call, not among them.");
        }
        _ => {}
    }
    let known = action.params.iter().map(|param| &*param.name).chain(page::own_names(action).iter().copied());
    match nearest(name, known) {
        Some(near) => format!("`{}` is not a parameter; did you mean `{near}`?", shown(name)),
        None if fold(name).ends_with("id") && !missing.is_empty() => {
            let names: Vec<_> = missing.iter().map(|param| format!("`{}`", param.name)).collect();
            format!("`{}` is not a parameter; did you mean {}?", shown(name), names.join(" or "))
        }
        None => format!("`{}` is not a parameter.", shown(name)),
    }
}

/// The name most like the one given, where one is like it at all.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = fold(name);
    let mut best: Option<(f64, &str)> = None;
    for candidate in known {
        let folded = fold(candidate);
        // `env` for `environmentId`, `container` for `containerId`: a beginning says more than the likeness of the whole.
        let begins = wanted.len() >= 3 && folded.starts_with(&wanted);
        let likeness = if begins { strsim::jaro_winkler(&wanted, &folded).max(LIKE) } else { strsim::jaro_winkler(&wanted, &folded) };
        if likeness >= LIKE && best.is_none_or(|(found, _)| likeness > found) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A name without case and separators: `container_id`, `containerId` and `Container-ID` are one.
fn fold(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A name of the caller's as it may stand in a message.
fn shown(name: &str) -> String {
    untrusted::line(name, 64).replace('`', "'")
}
