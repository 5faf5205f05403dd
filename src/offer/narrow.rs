//! Less of an offer: what a credential or a request leaves of it. Nothing here can put an action back.

use super::{Offer, matches};
use crate::catalog::Catalog;
use anyhow::Result;
use callslip_catalog::model::Kind;

/// What a credential or a request takes away.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Narrowing {
    /// Only reads stay.
    pub read_only: bool,
    /// Nothing that destroys stays.
    pub harmless: bool,
    /// Only these toolsets stay.
    pub toolsets: Option<Vec<String>>,
    /// Patterns taken out.
    pub exclude: Vec<String>,
    /// Toolsets announced natively, or `all`; instead of those of the server.
    pub pinned: Option<Vec<String>>,
    /// Only the announced toolsets stay.
    pub only: bool,
}

impl Offer {
    /// What is left of this offer. An action that is removed already keeps its reason.
    pub fn narrow(&self, catalog: &Catalog, by: &Narrowing) -> Result<Self> {
        let toolsets = &catalog.api().toolsets;
        let mut offer = self.clone();
        offer.read_only |= by.read_only;
        offer.harmless |= by.harmless;
        if let Some(names) = &by.pinned {
            let all = names.iter().any(|name| name == "all");
            let named = |known: &str| all || names.iter().any(|name| name == known);
            offer.pinned = (0..).zip(toolsets).filter(|(_, known)| named(&known.name)).map(|(number, _)| number).collect();
            let unknown = names.iter().filter(|name| *name != "all" && !toolsets.iter().any(|known| known.name == **name));
            offer.unknown.extend(unknown.cloned());
        }
        for domain in catalog.api().domains.iter() {
            let set = &toolsets[usize::from(domain.toolset)];
            let foreign = by.toolsets.as_ref().is_some_and(|names| !names.iter().any(|name| *name == set.name));
            let unpinned = by.only && !offer.pinned.contains(&domain.toolset);
            for number in domain.first as usize..(domain.first + domain.count) as usize {
                if offer.removed.has(number) {
                    continue;
                }
                let reason = if foreign {
                    Some("outside the toolsets of this credential")
                } else if unpinned {
                    Some("outside the toolsets that this connection is restricted to")
                } else if by.read_only || by.harmless || !by.exclude.is_empty() {
                    let (id, kind) = (catalog.id(number)?, catalog.traits(number)?.kind());
                    if by.exclude.iter().any(|pattern| matches(pattern, id, &domain.name, &set.name)) {
                        Some("excluded for this credential")
                    } else if by.read_only && kind != Kind::Read {
                        Some("read-only by this credential or connection")
                    } else if by.harmless && kind == Kind::Destructive {
                        Some("destructive, which this credential may not be")
                    } else {
                        None
                    }
                } else {
                    None
                };
                if let Some(reason) = reason {
                    offer.removed.add(number, || reason.into());
                }
            }
        }
        Ok(offer)
    }
}
