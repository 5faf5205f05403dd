//! Parameters: what a caller may give, and where it travels.

use super::Text;
use bincode::{BorrowDecode, Encode};

/// Where a parameter travels.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub enum Place<'a> {
    /// A segment of the path.
    Path,
    /// The query string.
    Query,
    /// A request header.
    Header,
    /// A property of the body (JSON, form).
    Body,
    /// The whole body.
    Whole,
    /// A plain field of a multipart body.
    TextPart,
    /// One file of a multipart body.
    FilePart,
    /// Several files of a multipart body.
    FilesPart,
    /// A property of the named JSON part of a multipart body.
    JsonPart(Text<'a>),
}

/// The scalar `type` of a parameter's schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, BorrowDecode)]
#[expect(missing_docs, reason = "the names are JSON Schema's")]
pub enum ValueType {
    String,
    Integer,
    Number,
    Boolean,
    Object,
    Array,
}

impl ValueType {
    /// All types with their names in JSON Schema.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("string", Self::String),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("boolean", Self::Boolean),
        ("object", Self::Object),
        ("array", Self::Array),
    ];

    /// The name in JSON Schema.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, kind)| *kind == self).map_or("string", |(name, _)| name)
    }
}

/// What is sent for a parameter that the caller left out.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub enum Fill<'a> {
    /// Nothing.
    Nothing,
    /// This JSON value, since the API demands the property.
    Json(Text<'a>),
    /// The value of a server option (such as `environment`), else this default.
    Option {
        /// Name of the option.
        option: Text<'a>,
        /// Its value when not configured; empty: there is none.
        default: Text<'a>,
    },
}

/// One parameter of an action.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Param<'a> {
    /// The name a caller uses.
    pub name: Text<'a>,
    /// The name on the wire.
    pub wire: Text<'a>,
    /// Where it travels.
    pub place: Place<'a>,
    /// The type of its schema.
    pub kind: ValueType,
    /// Whether a caller must give it.
    pub required: bool,
    /// What is sent when the caller leaves it out.
    pub fill: Fill<'a>,
    /// Masked wherever a request is shown.
    pub secret: bool,
    /// Came from a paging style or from `[shared]`, not from the action itself.
    pub shared: bool,
    /// Its JSON Schema, compact JSON.
    pub schema: Text<'a>,
}
