//! Which actions of the catalog are offered: the filters, applied before any surface exists.

mod narrow;
mod removed;
pub mod told;

pub use narrow::Narrowing;

use crate::catalog::Catalog;
use crate::config::{Config, Misuse};
use anyhow::Result;
use callslip_catalog::model::Kind;
use removed::Removed;
use std::sync::Arc;

/// The offered part of a catalog.
#[derive(Debug, Default, Clone)]
pub struct Offer {
    removed: Removed,
    total: usize,
    /// Only reads are offered.
    pub read_only: bool,
    /// Nothing that destroys may run, not even where only some values of a parameter destroy.
    pub harmless: bool,
    /// Numbers of the toolsets announced natively on `progressive`.
    pub pinned: Vec<u16>,
    /// Names in options that match nothing, for a warning.
    pub unknown: Vec<String>,
}

impl Offer {
    /// Applies the filters in their order: default, exclusion, pins, read-only. The first that removes an action gives the reason.
    pub fn new(catalog: &Catalog, config: &Config) -> Result<Self> {
        let api = catalog.api();
        if config.only_toolsets && config.toolsets.is_empty() {
            return Err(Misuse("--only-toolsets restricts everything to the pinned toolsets; pin some with --toolsets".into()).into());
        }
        let mut offer = Self { total: catalog.len(), read_only: config.read_only, ..Self::default() };
        let toolset = |name: &str| api.toolsets.iter().position(|toolset| toolset.name == name);
        for name in &config.include {
            if toolset(name).is_none() {
                let known: Vec<_> = api.toolsets.iter().filter(|toolset| !toolset.default).map(|toolset| &*toolset.name).collect();
                return Err(Misuse(format!("--include {name}: no such toolset; left out by default: {}", known.join(", "))).into());
            }
        }
        let all = config.toolsets.iter().any(|name| name == "all");
        for (number, known) in (0..).zip(&api.toolsets) {
            if all || config.toolsets.iter().any(|name| *name == known.name) {
                offer.pinned.push(number);
            }
        }
        let unknown = config.toolsets.iter().filter(|name| *name != "all" && toolset(name).is_none());
        offer.unknown.extend(unknown.cloned());
        let taken_out = !config.exclude.is_empty() || config.read_only || config.only_toolsets;
        if !taken_out && api.toolsets.iter().all(|set| set.default || config.include.iter().any(|name| *name == set.name)) {
            // Nothing is looked at: a start over a catalog of any size takes the same time.
            return Ok(offer);
        }
        let mut used = vec![false; config.exclude.len()];
        for domain in api.domains.iter() {
            let set = &api.toolsets[usize::from(domain.toolset)];
            let numbers = domain.first as usize..(domain.first + domain.count) as usize;
            let asked_for = set.default || config.include.iter().any(|name| *name == set.name);
            let left_out: Arc<str> = if asked_for {
                Arc::default()
            } else {
                let reason = set.reason.trim_end_matches('.');
                format!("left out by default: {reason}. Start the server with --include {}", set.name).into()
            };
            let unpinned = config.only_toolsets && !offer.pinned.contains(&domain.toolset);
            if asked_for && !unpinned && config.exclude.is_empty() && !config.read_only {
                continue;
            }
            for number in numbers {
                // An action may be an exception of its toolset.
                let traits = catalog.traits(number)?;
                if !asked_for && traits.left_out() {
                    offer.removed.add(number, || Arc::clone(&left_out));
                } else if unpinned {
                    offer.removed.add(number, || "outside the pinned toolsets".into());
                }
                if config.exclude.is_empty() && !config.read_only {
                    continue;
                }
                let id = catalog.id(number)?;
                let excluding = config.exclude.iter().position(|pattern| matches(pattern, id, &domain.name, &set.name));
                if let Some(position) = excluding {
                    used[position] = true;
                    offer.removed.add(number, || format!("excluded by {}", config.exclude[position]).into());
                } else if config.read_only && traits.kind() != Kind::Read {
                    offer.removed.add(number, || "read-only mode".into());
                }
            }
        }
        let idle = config.exclude.iter().zip(&used).filter(|(_, used)| !**used).map(|(pattern, _)| pattern.clone());
        offer.unknown.extend(idle);
        Ok(offer)
    }

    /// Why an action is not offered.
    pub fn removed(&self, number: usize) -> Option<&str> {
        self.removed.reason(number)
    }

    /// Whether an action is offered.
    pub fn has(&self, number: usize) -> bool {
        !self.removed.has(number)
    }

    /// How many actions are offered.
    pub fn count(&self) -> usize {
        self.total - self.removed.count()
    }

    /// Whether every action is offered.
    pub fn whole(&self) -> bool {
        self.removed.count() == 0
    }
}

/// A pattern is an id, a domain, a toolset or a glob with `*` over ids.
fn matches(pattern: &str, id: &str, domain: &str, toolset: &str) -> bool {
    pattern == id || pattern == domain || pattern == toolset || (pattern.contains('*') && glob(pattern, id))
}

/// `*` stands for any run of characters.
fn glob(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((head, rest)) => text
            .strip_prefix(head)
            .is_some_and(|tail| rest.is_empty() || (0..=tail.len()).any(|skip| tail.is_char_boundary(skip) && glob(rest, &tail[skip..]))),
    }
}

#[cfg(test)]
mod tests {
    use super::glob;

    #[test]
    fn star_stands_for_any_run() {
        for (pattern, text, expected) in [
            ("swarm.*", "swarm.init", true),
            ("swarm.*", "swarm_node.list", false),
            ("swarm*", "swarm_node.list", true),
            ("*.prune", "image.prune", true),
            ("*.prune", "image.pruned", false),
            ("*", "image.list", true),
            ("container.kill", "container.kill", true),
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} on {text}");
        }
    }
}
