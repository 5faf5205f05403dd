//! The areas of the catalog, and what people ask for that it does not have.

use super::{catalog, find, looks_like_id, none, quoted};
use std::collections::BTreeMap;

/// Steps of signing in or out that carry no secret and are of no use by themselves: left out all the same.
const STEPS: [&str; 5] = ["auth.logout", "mfa.begin", "oidc.auth_url", "passkey.begin_login", "passkey.begin_step_up"];

#[test]
fn there_are_twelve_toolsets_and_every_domain_is_in_one() {
    let api = &catalog().api;
    assert_eq!(api.toolsets.len(), 12);
    let mut breaches = Vec::new();
    let mut actions = 0;
    for (number, toolset) in api.toolsets.iter().enumerate() {
        let domains: Vec<_> = api.domains.iter().filter(|domain| usize::from(domain.toolset) == number).collect();
        actions += domains.iter().map(|domain| domain.count as usize).sum::<usize>();
        if domains.is_empty() || domains.len() > 10 {
            breaches.push(format!("{} has {} domains", toolset.name, domains.len()));
        }
        if toolset.title.split_whitespace().count() > 4 || !toolset.line.ends_with('.') || !toolset.pin.starts_with("Pin it ") {
            breaches.push(format!("{}: title, line or pin note is off", toolset.name));
        }
    }
    assert_eq!(actions, catalog().actions.len(), "every action in exactly one");
    none(&breaches);
}

#[test]
fn only_sign_in_is_left_out_and_its_exceptions_carry_no_secret() {
    let api = &catalog().api;
    let left_out: Vec<_> = api.toolsets.iter().filter(|toolset| !toolset.default).map(|toolset| &*toolset.name).collect();
    assert_eq!(left_out, ["account"]);
    let mut breaches = Vec::new();
    for action in &catalog().actions {
        let toolset = &api.toolsets[usize::from(api.domains[usize::from(action.domain)].toolset)];
        if action.left_out && toolset.default {
            breaches.push(format!("{} is left out, its toolset is not", action.id));
        }
        if !toolset.default && !action.left_out && (action.secret_params || action.secret_result) {
            breaches.push(format!("{} is offered by default and carries secrets", action.id));
        }
        let reason = action.secret_params || action.secret_result || STEPS.contains(&&*action.id);
        if !toolset.default && action.left_out && !reason {
            breaches.push(format!("{} is left out, but it carries no secret and is no step of signing in or out", action.id));
        }
    }
    none(&breaches);
    for id in STEPS {
        let step = find(id).unwrap_or_else(|| panic!("{id} is not in the catalog"));
        assert!(step.left_out && !step.secret_params && !step.secret_result, "{id} needs no place among the steps");
    }
}

#[test]
fn what_is_absent_is_asked_for_once_and_leads_to_what_is_there() {
    let mut breaches = Vec::new();
    let mut asked: BTreeMap<String, &str> = BTreeMap::new();
    for action in &catalog().actions {
        asked.extend(action.aliases.iter().map(|alias| (alias.to_lowercase(), &*action.id)));
    }
    for absent in &catalog().api.absent {
        let name = absent.ask.first().map_or("", |ask| &**ask);
        for ask in &absent.ask {
            if let Some(owner) = asked.insert(ask.to_lowercase(), "another absent entry") {
                breaches.push(format!("{ask:?} is absent, and {owner} says it too"));
            }
        }
        for word in quoted(&absent.advice).filter(|word| looks_like_id(word)) {
            if find(word).is_none() {
                breaches.push(format!("{name}: the advice names `{word}`, which does not exist"));
            }
        }
        if absent.advice.chars().count() > 260 || !absent.advice.ends_with('.') {
            breaches.push(format!("{name}: the advice is too long or no sentence"));
        }
    }
    none(&breaches);
}
