//! Accepted name → action number.

use callslip_catalog::names::Table;

/// The generated map of the compiled-in catalog.
#[expect(clippy::unreadable_literal, reason = "generated")]
pub static EMBEDDED: phf::Map<&'static str, u32> = include!(concat!(env!("OUT_DIR"), "/names.rs"));

/// The lookup of a catalog: phf where the build made one, a sorted table otherwise.
#[derive(Debug)]
pub enum Names {
    /// The compiled-in map.
    Hash(&'static phf::Map<&'static str, u32>),
    /// That of a compiled file, or of a folder compiled just now.
    Sorted(Table<'static>),
}

impl Names {
    /// The number of the action with exactly that name.
    pub fn get(&self, name: &str) -> Option<u32> {
        match self {
            Self::Hash(map) => map.get(name).copied(),
            Self::Sorted(table) => table.get(name),
        }
    }

    /// Every accepted name.
    pub fn all(&self) -> Box<dyn Iterator<Item = (&'static str, u32)> + '_> {
        match self {
            Self::Hash(map) => Box::new(map.entries().map(|(name, number)| (*name, *number))),
            Self::Sorted(table) => Box::new(table.all()),
        }
    }
}
