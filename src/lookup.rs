//! A name as a caller wrote it → the action it means, or the nearest ones.

use crate::app::App;
use crate::error::{Code, Failure};
use callslip_catalog::model::Action;
use std::collections::BTreeMap;

/// Most suggestions for a mistaken name.
const SUGGESTIONS: usize = 5;

/// The action of any accepted name, offered or not: whether it may be used is [`crate::policy`]'s to say.
pub fn action(app: &App, name: &str) -> Result<(usize, Action<'static>), Failure> {
    let name = name.trim();
    let Some(number) = app.catalog.number(name).or_else(|| app.catalog.number(&name.to_lowercase())) else {
        return Err(unknown(app, name));
    };
    let action = app
        .catalog
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
    failure.next("Search for it with a few words on what it should do.")
}

/// Ids of the offered actions nearest to a mistaken name, nearest first. Both halves of the name count, so that a slip in one of them
/// cannot hide the meant action.
pub fn nearest(app: &App, name: &str) -> Vec<String> {
    let wanted: String = name.to_lowercase().chars().take(64).collect();
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    for (known, number) in app.catalog.accepted_names().filter(|(_, number)| app.offer.has(*number)) {
        let distance = distance(&wanted, &known.to_lowercase());
        let entry = best.entry(number).or_insert(distance);
        *entry = distance.min(*entry);
    }
    let mut ranked: Vec<_> = best.into_iter().map(|(number, distance)| (distance, number)).collect();
    ranked.sort_unstable();
    let limit = 2 + wanted.len() / 3;
    let near = ranked.into_iter().take_while(|(distance, _)| *distance <= limit).take(SUGGESTIONS);
    near.filter_map(|(_, number)| Some(app.catalog.action(number).ok()?.id.into_owned())).collect()
}

/// Edit distance, where a half that is right counts as a good sign.
fn distance(wanted: &str, known: &str) -> usize {
    let whole = strsim::damerau_levenshtein(wanted, known);
    let (Some((wanted_domain, wanted_action)), Some((known_domain, known_action))) = (wanted.split_once('.'), known.split_once('.')) else {
        return whole;
    };
    let halves = strsim::damerau_levenshtein(wanted_domain, known_domain) + strsim::damerau_levenshtein(wanted_action, known_action);
    whole.min(halves)
}
