//! Resources: the catalog as the surface shows it, guides, and live state. Plain values; [`crate::server`] puts them into MCP's words.

mod complete;
mod guide;
mod kept;
mod live;
mod skill;
mod tools;

pub use complete::{Completed, complete};
pub use guide::{read as read_guide, uri as guide_uri};
pub use kept::Kept;
pub use skill::{Skill, has_skill, skill};

use crate::app::App;
use crate::error::Failure;

/// Type of structured contents.
pub const JSON: &str = "application/json";
/// Type of guides.
pub const MARKDOWN: &str = "text/markdown";

/// A resource, or a template of resources, in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its address; in a template with `{…}`.
    pub uri: String,
    /// Short name, unique in its list.
    pub name: String,
    /// For people.
    pub title: String,
    /// What it holds.
    pub description: String,
    /// Content type.
    pub mime: &'static str,
}

/// What a resource holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Content type.
    pub mime: &'static str,
    /// Text.
    pub text: String,
    /// It cannot change while the server runs.
    pub fixed: bool,
}

/// Why a resource has no contents.
#[derive(Debug)]
pub enum Unread {
    /// There is none at that address; the sentence says what there is.
    NotFound(String),
    /// It could not be read.
    Failed(Box<Failure>),
    /// It could not be read, as the road of its call shows.
    Refused(serde_json::Value),
}

/// Every resource with an address of its own.
pub fn list(app: &App) -> Vec<Listed> {
    let mut list = vec![tools::listed(app)];
    list.extend(live::listed(app));
    list.extend(guide::listed(app));
    list.extend(skill::listed(app));
    list
}

/// Every template.
pub fn templates(app: &App) -> Vec<Listed> {
    let mut list = vec![tools::template(app)];
    list.extend(live::templates(app));
    list.extend(guide::template(app));
    list
}

/// Reads the resource at an address.
pub async fn read(app: &App, uri: &str) -> Result<Contents, Unread> {
    if uri.starts_with("skill://") {
        return skill::contents(app, uri);
    }
    let name = &*app.api().name;
    let Some(path) = uri.strip_prefix(name).and_then(|rest| rest.strip_prefix("://")) else {
        return Err(Unread::NotFound(format!("Addresses here begin with {name}://, such as {name}://tools.")));
    };
    match path.trim_end_matches('/').split_once('/') {
        None if path.trim_end_matches('/') == "tools" => tools::all(app),
        Some(("tools", id)) => tools::one(app, &decoded(id)),
        Some(("guides", guide)) => guide::contents(app, &decoded(guide)),
        _ => live::read(app, path.trim_end_matches('/')).await,
    }
}

/// A segment of an address without its percent-encoding.
fn decoded(segment: &str) -> String {
    percent_encoding::percent_decode_str(segment).decode_utf8_lossy().into_owned()
}
