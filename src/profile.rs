//! Habits of one API that no catalog can state: which error texts mean what. Chosen by `profile` in `catalog.toml`; without one the plain
//! HTTP meaning stands.

use crate::call::Call;
use crate::error::Failure;
use serde_json::Value;

/// An answer of the upstream that says no.
#[derive(Debug, Clone)]
pub struct Refusal<'a> {
    /// HTTP status.
    pub status: u16,
    /// The best sentence found in the body, cleaned and bounded; empty: none.
    pub detail: &'a str,
    /// The single problems of a validation error, each a cleaned line.
    pub problems: &'a [String],
    /// The body, when it was JSON.
    pub json: Option<&'a Value>,
    /// Whether a key (not a session token) was sent.
    pub with_key: bool,
}

/// Live state that is shown as a resource: a reading action under an address.
#[derive(Debug, Clone, Copy)]
pub struct Live {
    /// Address after `<name>://`; `{…}` are parameters of the action.
    pub path: &'static str,
    /// Action that is read.
    pub action: &'static str,
    /// For people.
    pub title: &'static str,
    /// The parameter that the ids of its rows are values of; empty: none.
    pub completes: &'static str,
}

/// What an API's own code may decide.
pub trait Profile: Sync {
    /// A better reading of a refusal than its status gives. Hints may name any action; those the catalog no longer offers are dropped.
    fn explain(&self, _call: &Call, _refusal: &Refusal<'_>) -> Option<Failure> {
        None
    }

    /// What `doctor` tries, in this order: a label and the action that is called.
    fn doctor(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Live state that is shown as resources.
    fn live(&self) -> &'static [Live] {
        &[]
    }

    /// Actions that change every environment at once without naming any: no fence can let them pass.
    fn everywhere(&self) -> &'static [&'static str] {
        &[]
    }

    /// A sentence found in an error body where the API puts it, before the usual places are tried.
    fn detail(&self, _json: &Value) -> Option<String> {
        None
    }
}

/// No habits.
struct Plain;
impl Profile for Plain {}

/// The profile of that name.
pub fn named(name: &str) -> &'static dyn Profile {
    match name {
        "arcane" => &crate::arcane::Arcane,
        _ => &Plain,
    }
}
