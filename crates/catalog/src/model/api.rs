//! What is true of the whole API: credentials, envelope, paging, domains and toolsets.

use super::{Domains, Text};
use bincode::{BorrowDecode, Encode};

/// A credential the API accepts, in the order they are looked for.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Credential<'a> {
    /// Environment variable after `<NAME>_`, such as `API_KEY`.
    pub variable: Text<'a>,
    /// Header it is sent in.
    pub header: Text<'a>,
    /// Word before the value, such as `Bearer`; empty: none.
    pub scheme: Text<'a>,
    /// It is a session token.
    pub session: bool,
}

/// Where the useful part of an answer stands.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Envelope<'a> {
    /// Property with the data.
    pub data: Text<'a>,
    /// Property that says `false` when the call failed; empty: none.
    pub success: Text<'a>,
}

/// How the API pages its lists.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub enum PagingStyle<'a> {
    /// By number of rows to skip.
    Offset {
        /// Parameter with the offset.
        start: Text<'a>,
    },
    /// By page number, the first is 1.
    Page {
        /// Parameter with the page number.
        page: Text<'a>,
    },
    /// By an opaque cursor.
    Cursor {
        /// Parameter with the cursor.
        cursor: Text<'a>,
        /// Where the answer gives the next one.
        next: Text<'a>,
    },
}

/// A paging style of the API.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Paging<'a> {
    /// Its name in the catalog.
    pub name: Text<'a>,
    /// How it goes on.
    pub style: PagingStyle<'a>,
    /// Parameter with the number of rows wanted.
    pub limit: Text<'a>,
    /// Dotted path of the number of rows in all; empty: the answer does not say.
    pub total: Text<'a>,
}

/// A group of actions; one source file.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Domain<'a> {
    /// Part of the id before the dot.
    pub name: Text<'a>,
    /// For people.
    pub title: Text<'a>,
    /// Number of its toolset in [`Api::toolsets`].
    pub toolset: u16,
    /// Number of its first action.
    pub first: u32,
    /// How many actions it has.
    pub count: u32,
}

/// An area of the API.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Toolset<'a> {
    /// Short name used to pin it.
    pub name: Text<'a>,
    /// For people.
    pub title: Text<'a>,
    /// One line on what is in it.
    pub line: Text<'a>,
    /// When to pin it.
    pub pin: Text<'a>,
    /// Offered unless excluded; otherwise only with `--include`.
    pub default: bool,
    /// Why it is left out by default.
    pub reason: Text<'a>,
}

/// Something people ask for that the API has no action for.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Absent<'a> {
    /// How people ask for it.
    pub ask: Vec<Text<'a>>,
    /// What to tell them.
    pub advice: Text<'a>,
}

/// What is true of the whole API.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Api<'a> {
    /// Begins tool names, resource addresses and environment variables.
    pub name: Text<'a>,
    /// For people.
    pub title: Text<'a>,
    /// One line on what the API manages.
    pub about: Text<'a>,
    /// Code that knows this API's habits; empty: none.
    pub profile: Text<'a>,
    /// Path before every action's path.
    pub base_path: Text<'a>,
    /// Path that answers with the API's version; empty: none.
    pub version_path: Text<'a>,
    /// Arrays in the query are sent as repeated keys instead of one comma-separated value.
    pub repeat_arrays: bool,
    /// Credentials, in the order they are looked for.
    pub credentials: Vec<Credential<'a>>,
    /// Where the useful part of an answer stands.
    pub envelope: Option<Envelope<'a>>,
    /// Parameters whose value comes from a server option when a caller gives none.
    pub defaulted: Vec<Text<'a>>,
    /// Paging styles.
    pub paging: Vec<Paging<'a>>,
    /// Areas, in the order of the catalog.
    pub toolsets: Vec<Toolset<'a>>,
    /// Groups of actions, by name.
    pub domains: Domains<'a>,
    /// What is asked for and not there.
    pub absent: Vec<Absent<'a>>,
}
