//! One call on its road: `resolve → allow → check → send → render`. Nothing here knows which surface it came from.

use callslip_catalog::model::Action;
use serde_json::{Map, Value};

/// A call that a surface has resolved to an action.
#[derive(Debug, Clone)]
pub struct Call {
    /// Number of the action in the catalog.
    pub number: usize,
    /// The action.
    pub action: Action<'static>,
    /// Arguments of the action, as they were sent; checked and repaired by [`crate::params`].
    pub arguments: Map<String, Value>,
    /// They came as a JSON string that holds the object.
    pub as_text: bool,
    /// What is wrong with the words beside them.
    pub beside: Vec<String>,
    /// Our own words beside them.
    pub own: Own,
    /// Sentences the caller must read.
    pub notes: Vec<String>,
}

/// Words of ours that stand beside the parameters of every action.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Own {
    /// `confirm`, exactly as sent; only literal `true` counts.
    pub confirm: Option<Value>,
    /// Fields to show; empty: those that identify and describe, `*`: all.
    pub fields: Vec<String>,
    /// Path a file answer is written to.
    pub save_to: Option<String>,
    /// That file may be there already and is replaced.
    pub overwrite: bool,
    /// Cancel the upstream's activity when the call is cancelled.
    pub cancel_activity: bool,
}
