//! What a catalog says: plain data, no I/O.
//!
//! The compile half makes these values from TOML and writes each as one bincode record; the server borrows them from the compiled
//! bytes (`BorrowDecode`) when an action is asked for. Text is a `Cow`, so that one set of types serves both.

use bincode::{BorrowDecode, Encode};
use serde_json::Value;
use std::borrow::Cow;

/// Text that is owned while compiling and borrowed from the compiled catalog at run time.
pub type Text<'a> = Cow<'a, str>;

/// Words that mean something beside an action's own parameters, on every surface and in every catalog.
pub const RESERVED: [&str; 6] = ["confirm", "fields", "saveTo", "cancelActivity", "action", "params"];

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

/// HTTP method of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Encode, BorrowDecode)]
#[expect(missing_docs, reason = "the names are the methods")]
pub enum Method {
    Get,
    Head,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    /// All methods with their names on the wire.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("GET", Self::Get),
        ("HEAD", Self::Head),
        ("POST", Self::Post),
        ("PUT", Self::Put),
        ("PATCH", Self::Patch),
        ("DELETE", Self::Delete),
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, method)| *method == self).map_or("GET", |(name, _)| name)
    }
}

/// Which credential an action accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, BorrowDecode)]
pub enum Auth {
    /// Any configured credential.
    Any,
    /// A session token only.
    Session,
    /// An API key only.
    Key,
    /// None needed.
    None,
}

/// The first version of the API that has an action; no more than is known.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub enum Since<'a> {
    /// Always there, or not known.
    Unknown,
    /// In this version already.
    In(Text<'a>),
    /// Newer than this version.
    After(Text<'a>),
    /// At the latest in this version.
    By(Text<'a>),
}

/// How a request body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Encode, BorrowDecode)]
#[expect(missing_docs, reason = "the names are the encodings")]
pub enum BodyType {
    None,
    Json,
    Form,
    Multipart,
    Bytes,
}

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

/// For these values of a parameter the action counts as destructive.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Condition<'a> {
    /// Name of the parameter.
    pub param: Text<'a>,
    /// Scalar JSON values, compact.
    pub values: Vec<Text<'a>>,
}

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
    /// List: number of the paging style in [`Api::paging`].
    pub paging: Option<u16>,
    /// List: column sent as `sort` when the caller gives none; empty: none.
    pub sort: Text<'a>,
    /// The answer stands without the envelope.
    pub bare: bool,
    /// Content type of text and binary answers; empty: any.
    pub content_type: Text<'a>,
}

/// One action of the API: everything a surface, the gate and the client need to know.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, not states")]
pub struct Action<'a> {
    /// `domain.action`, unique.
    pub id: Text<'a>,
    /// Number of the domain in [`Api::domains`].
    pub domain: u16,
    /// Imperative, a few words.
    pub title: Text<'a>,
    /// What it does, to what.
    pub description: Text<'a>,
    /// Where a caller would go wrong; empty: nowhere.
    pub usage: Text<'a>,
    /// What a call does to the world.
    pub kind: Kind,
    /// The same call twice leaves the same state.
    pub idempotent: bool,
    /// Parameter values that make it destructive.
    pub destructive_when: Vec<Condition<'a>>,
    /// HTTP method.
    pub method: Method,
    /// Path below the base path, placeholders in our own parameter names.
    pub path: Text<'a>,
    /// operationId in the API's document, unique.
    pub operation: Text<'a>,
    /// Permission the caller must hold; empty: none known.
    pub permission: Text<'a>,
    /// Only a global administrator may.
    pub admin: bool,
    /// Credential it accepts.
    pub auth: Auth,
    /// First version that has it.
    pub since: Since<'a>,
    /// Remote agents behind a tunnel accept it.
    pub edge: bool,
    /// Parameters carry secrets.
    pub secret_params: bool,
    /// The result carries secrets.
    pub secret_result: bool,
    /// The answer may carry an `activityId`.
    pub activity: bool,
    /// Seconds it may take; 0: the usual timeout.
    pub deadline: u32,
    /// What people say for it.
    pub aliases: Vec<Text<'a>>,
    /// Extra words for the search.
    pub words: Vec<Text<'a>>,
    /// Ids of next and sibling actions.
    pub related: Vec<Text<'a>>,
    /// Encoding of the body.
    pub body: BodyType,
    /// Parameters in the order they are shown: required ones first, shared ones last.
    pub params: Vec<Param<'a>>,
    /// What it answers with.
    pub returns: Returns<'a>,
}

impl Action<'_> {
    /// The part of the id before the dot.
    pub fn domain_name(&self) -> &str {
        self.id.split_once('.').map_or("", |(domain, _)| domain)
    }

    /// The part of the id after the dot.
    pub fn action_name(&self) -> &str {
        self.id.split_once('.').map_or(&*self.id, |(_, action)| action)
    }

    /// The tool name on the `individual` surface of the catalog named `catalog`.
    pub fn tool_name(&self, catalog: &str) -> String {
        format!("{catalog}_{}", self.id.replace('.', "_"))
    }

    /// The parameter of that name.
    pub fn param(&self, name: &str) -> Option<&Param<'_>> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Whether some call of it is destructive: then it takes `confirm`.
    pub fn may_destroy(&self) -> bool {
        self.kind == Kind::Destructive || !self.destructive_when.is_empty()
    }

    /// Whether a call with these arguments is destructive.
    pub fn destroys(&self, arguments: &serde_json::Map<String, Value>) -> bool {
        self.kind == Kind::Destructive
            || self.destructive_when.iter().any(|condition| {
                arguments
                    .get(&*condition.param)
                    .is_some_and(|value| condition.values.iter().any(|text| *text == value.to_string()))
            })
    }
}

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
    pub domains: Vec<Domain<'a>>,
    /// What is asked for and not there.
    pub absent: Vec<Absent<'a>>,
}
