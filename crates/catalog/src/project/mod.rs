//! Actions → tool definitions: one function a surface, each a loop over the same catalog.
//!
//! A definition is paid for on every request of every conversation, so nothing stands in it twice: what all actions share is said once in
//! the instructions, an unrestricted schema keyword is left out, and a parameter whose name says all has no description.

mod dynamic;
mod individual;
mod instructions;
mod line;
mod meta;
mod progressive;

pub use individual::tool as individual_tool;
pub use instructions::{Told, instructions};
pub use line::{param_line, short_form};
pub use meta::tool as meta_tool;
pub use progressive::four as progressive_four;

use crate::model::{Action, Api};
use crate::schema::quoted;

/// The ways a catalog is shown as tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surface {
    /// Two tools: find and execute.
    Dynamic,
    /// One tool a domain.
    Meta,
    /// One tool an action.
    Individual,
    /// Four tools and pinned toolsets.
    Progressive,
}

impl Surface {
    /// Every surface with its name on the command line.
    pub const NAMES: [(&'static str, Self); 4] =
        [("dynamic", Self::Dynamic), ("meta", Self::Meta), ("individual", Self::Individual), ("progressive", Self::Progressive)];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Meta => "meta",
            Self::Individual => "individual",
            Self::Progressive => "progressive",
        }
    }
}

/// What of a catalog is shown, and how.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The whole API.
    pub api: &'a Api<'a>,
    /// The actions that the filters kept, in catalog order.
    pub actions: Vec<&'a Action<'a>>,
    /// Only reads are left: the executing tools are read-only too.
    pub read_only: bool,
    /// `dynamic` has a second executing tool for reads.
    pub split_read: bool,
    /// Toolsets announced natively beside the four tools of `progressive`, by number in [`Api::toolsets`].
    pub pinned: Vec<u16>,
}

impl<'a> View<'a> {
    /// A view of the whole API that has no action yet.
    pub fn new(api: &'a Api<'a>) -> Self {
        Self { api, actions: Vec::new(), read_only: false, split_read: false, pinned: Vec::new() }
    }
}

/// Tool definitions as the bytes of a JSON array, with the place of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolList {
    /// A JSON array.
    pub json: String,
    /// Byte offset at which each tool begins.
    pub starts: Vec<u32>,
}

impl ToolList {
    fn new(tools: impl IntoIterator<Item = String>) -> Self {
        let mut list = Self { json: "[".into(), starts: Vec::new() };
        for tool in tools {
            if !list.starts.is_empty() {
                list.json.push(',');
            }
            list.starts.push(u32::try_from(list.json.len()).unwrap_or(u32::MAX));
            list.json.push_str(&tool);
        }
        list.json.push(']');
        list
    }

    /// The offsets as little-endian bytes.
    pub fn start_bytes(&self) -> Vec<u8> {
        self.starts.iter().flat_map(|start| start.to_le_bytes()).collect()
    }
}

/// The tool definitions of a surface.
pub fn tools(surface: Surface, view: &View<'_>) -> ToolList {
    match surface {
        Surface::Dynamic => dynamic::tools(view),
        Surface::Meta => meta::tools(view),
        Surface::Individual => individual::tools(view),
        Surface::Progressive => progressive::tools(view),
    }
}

/// The three hints a client decides approval by; always all three, since a missing one means the opposite of what most expect.
#[derive(Debug, Clone, Copy)]
struct Hints {
    read_only: bool,
    destructive: bool,
    idempotent: bool,
}

impl Hints {
    const READ: Self = Self { read_only: true, destructive: false, idempotent: true };
    const ANYTHING: Self = Self { read_only: false, destructive: true, idempotent: false };

    /// Hints of a tool that can run every action offered.
    fn executing(read_only: bool) -> Self {
        if read_only { Self::READ } else { Self::ANYTHING }
    }
}

/// One definition, keys in the order clients show them.
fn definition(name: &str, title: &str, description: &str, schema: &str, hints: Hints) -> String {
    format!(
        r#"{{"name":{},"title":{},"description":{},"inputSchema":{schema},"annotations":{{"readOnlyHint":{},"destructiveHint":{},"idempotentHint":{}}}}}"#,
        quoted(name),
        quoted(title),
        quoted(description),
        hints.read_only,
        hints.destructive,
        hints.idempotent,
    )
}
