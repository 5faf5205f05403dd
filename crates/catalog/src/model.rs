//! What a catalog says: plain data, no I/O.
//!
//! The compile half makes these values from TOML and writes each as one bincode record; the server borrows them from the compiled
//! bytes (`BorrowDecode`) when an action is asked for. Text is a `Cow`, so that one set of types serves both.

mod action;
mod api;
mod card;
mod domains;
mod kind;
mod param;
mod returns;

pub use action::{Action, Auth, BodyType, Condition, Method, Since};
pub use api::{Absent, Api, Credential, Domain, Envelope, Paging, PagingStyle, Toolset};
pub use card::{Card, Piece};
pub use domains::Domains;
pub use kind::Kind;
pub use param::{Fill, Param, Place, ValueType};
pub use returns::{Field, Returns, Shape};

use std::borrow::Cow;

/// Text that is owned while compiling and borrowed from the compiled catalog at run time.
pub type Text<'a> = Cow<'a, str>;

/// Words that mean something beside an action's own parameters, on every surface and in every catalog.
pub const RESERVED: [&str; 7] = ["confirm", "fields", "saveTo", "overwrite", "cancelActivity", "action", "params"];
