//! One action: how it is called, who may, and what people say for it.

use super::{Kind, Param, Returns, Text};
use bincode::{BorrowDecode, Encode};
use serde_json::Value;

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

/// For these values of a parameter the action counts as destructive.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Condition<'a> {
    /// Name of the parameter.
    pub param: Text<'a>,
    /// Scalar JSON values, compact.
    pub values: Vec<Text<'a>>,
}

/// One action of the API: everything a surface, the gate and the client need to know.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, not states")]
pub struct Action<'a> {
    /// `domain.action`, unique.
    pub id: Text<'a>,
    /// Number of the domain in [`super::Api::domains`].
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
    /// Offered only when asked for: its toolset is left out by default, and it is no exception.
    pub left_out: bool,
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
                arguments.get(&*condition.param).is_some_and(|value| condition.values.iter().any(|text| *text == value.to_string()))
            })
    }
}
