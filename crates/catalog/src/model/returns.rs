//! Results: their shapes, and how rows are shown and paged.

use super::Text;
use bincode::{BorrowDecode, Encode};

/// The shape of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, BorrowDecode)]
pub enum Shape {
    /// Rows.
    List,
    /// One object.
    Object,
    /// Text.
    Text,
    /// Bytes.
    Binary,
    /// Progress lines, the outcome in the last one.
    Stream,
    /// A snapshot of a WebSocket.
    Socket,
    /// Nothing.
    Empty,
}

impl Shape {
    /// All shapes with their names in a catalog file.
    pub const NAMES: [(&'static str, Self); 7] = [
        ("list", Self::List),
        ("object", Self::Object),
        ("text", Self::Text),
        ("binary", Self::Binary),
        ("stream", Self::Stream),
        ("socket", Self::Socket),
        ("empty", Self::Empty),
    ];

    /// The name in a catalog file.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, shape)| *shape == self).map_or("object", |(name, _)| name)
    }
}

/// One field of a result: name and JSON type (`any` where it varies).
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Field<'a> {
    /// Name in the answer.
    pub name: Text<'a>,
    /// JSON type.
    pub kind: Text<'a>,
}

/// What an action answers with.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Returns<'a> {
    /// Its shape.
    pub shape: Shape,
    /// Fields of the object, or of one item of the list.
    pub fields: Vec<Field<'a>>,
    /// List: fields that identify and describe an item, identification first.
    pub columns: Vec<Text<'a>>,
    /// List: the action that returns one item whole; empty: none.
    pub item: Text<'a>,
    /// List: where the rows stand when not in the envelope; empty: there.
    pub items: Text<'a>,
    /// List: number of the paging style in [`super::Api::paging`].
    pub paging: Option<u16>,
    /// List: column sent as `sort` when the caller gives none; empty: none.
    pub sort: Text<'a>,
    /// List: sent as `order` when the caller gives none; empty: none.
    pub order: Text<'a>,
    /// The answer stands without the envelope.
    pub bare: bool,
    /// Content type of text and binary answers; empty: any.
    pub content_type: Text<'a>,
}
