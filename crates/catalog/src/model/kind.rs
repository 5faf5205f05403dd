//! What a call does to the world: the safety fact that everything else asks for.

use bincode::{BorrowDecode, Encode};

/// What a call does to the world. It decides confirmation, read-only mode and the MCP annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, BorrowDecode)]
pub enum Kind {
    /// Free and repeatable.
    Read,
    /// Changes state.
    Write,
    /// Changes state and spends something.
    Paid,
    /// Loses data or stops something others rely on.
    Destructive,
}

impl Kind {
    /// All kinds with their names in a catalog file.
    pub const NAMES: [(&'static str, Self); 4] =
        [("read", Self::Read), ("write", Self::Write), ("paid", Self::Paid), ("destructive", Self::Destructive)];

    /// The name in a catalog file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Paid => "paid",
            Self::Destructive => "destructive",
        }
    }
}
