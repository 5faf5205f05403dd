//! A name as a caller wrote it → the action it means, or the nearest ones.

use crate::app::App;
use crate::error::{Code, Failure};
use callslip_catalog::model::Action;
use std::collections::BTreeMap;

/// Most suggestions for a mistaken name.
const SUGGESTIONS: usize = 5;
/// A name this near to that of a removed action is a slip of it.
const SLIP: usize = 2;
/// Most characters of a mistaken name that are looked at.
const LONGEST: usize = 64;

/// The action of any accepted name, offered or not: whether it may be used is [`crate::policy`]'s to say.
pub fn action(app: &App, name: &str) -> Result<(usize, Action<'static>), Failure> {
    let name = name.trim();
    let Some(number) = app.catalog.number(name).or_else(|| app.catalog.number(&name.to_lowercase())) else {
        return Err(unknown(app, name));
    };
    let action = app
        .action(number)
        .map_err(|error| Failure::new(Code::Internal, format!("The catalog cannot be read: {error}")).next("Reinstall callslip."))?;
    Ok((number, action))
}

fn unknown(app: &App, name: &str) -> Failure {
    let shown: String = name.chars().filter(|character| !character.is_control()).take(80).collect();
    let near = nearest(app, name);
    let failure = Failure::new(Code::UnknownAction, format!("There is no action `{}`.", shown.replace('`', "'")));
    let failure = match near.as_slice() {
        [] => failure,
        near => failure.next(format!("Did you mean {}?", near.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "))),
    };
    // Without backticks: a step that names a removed action in code is taken for a hint to use it, and dropped.
    let failure = match removed_nearby(app, name) {
        Some((id, reason)) => failure.next(format!("Nearest is {id}, which is not offered here: {}.", reason.trim_end_matches('.'))),
        None => failure,
    };
    failure.next("Look for it by what it should do, in a few words.")
}

/// Ids of the offered actions nearest to a mistaken name, nearest first.
pub fn nearest(app: &App, name: &str) -> Vec<String> {
    let near = ranked(app, name, |number| app.offer.has(number)).into_iter().take(SUGGESTIONS);
    near.filter_map(|(_, number)| id(app, number)).collect()
}

/// The action that was meant, where the filters removed it: nearer than any that is left.
fn removed_nearby<'a>(app: &'a App, name: &str) -> Option<(String, &'a str)> {
    let (distance, number) = *ranked(app, name, |number| !app.offer.has(number)).first()?;
    let best = ranked(app, name, |number| app.offer.has(number)).first().map_or(usize::MAX, |(distance, _)| *distance);
    (distance < best && distance <= SLIP).then(|| Some((id(app, number)?, app.offer.removed(number)?)))?
}

fn id(app: &App, number: usize) -> Option<String> {
    Some(app.catalog.action(number).ok()?.id.into_owned())
}

/// Actions within reach of a mistaken name, nearest first, by the best of their names.
fn ranked(app: &App, name: &str, kept: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let wanted: String = name.to_lowercase().chars().take(LONGEST).collect();
    let limit = 2 + wanted.len() / 3;
    // Names with the catalog's own before them are only near to one that has it too.
    let prefix = format!("{}_", app.api().name);
    let prefixed = wanted.starts_with(prefix.get(..3).unwrap_or(&prefix));
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    for (known, number) in app.catalog.accepted_names() {
        let near = known.len().abs_diff(wanted.len()) <= limit && (prefixed || !known.starts_with(&prefix)) && kept(number);
        if !near {
            continue;
        }
        let distance = distance(&wanted, &known.to_lowercase());
        if distance <= limit {
            best.entry(number).and_modify(|best| *best = distance.min(*best)).or_insert(distance);
        }
    }
    let mut ranked: Vec<_> = best.into_iter().map(|(number, distance)| (distance, number)).collect();
    ranked.sort_unstable();
    ranked
}

/// Edit distance, by halves where both names have them: a slip in one half must not be evened out by letters of the other.
fn distance(wanted: &str, known: &str) -> usize {
    match (wanted.split_once('.'), known.split_once('.')) {
        (Some((domain, action)), Some((known_domain, known_action))) => {
            strsim::damerau_levenshtein(domain, known_domain) + strsim::damerau_levenshtein(action, known_action)
        }
        _ => strsim::damerau_levenshtein(wanted, known),
    }
}
