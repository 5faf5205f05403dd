//! The tenants file as it is written. What is not known in it is refused.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tenants {
    /// Places to work, by name.
    #[serde(default)]
    pub workspaces: BTreeMap<String, WorkspaceEntry>,
    /// Tokens that work in them.
    #[serde(default)]
    pub tokens: Vec<TokenEntry>,
}

/// One workspace. Secrets stand in a variable or a file of their own, never here.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkspaceEntry {
    /// Address of its API; the server's own, if it is not said.
    pub url: Option<String>,
    /// Variable that holds its API key.
    pub key_env: Option<String>,
    /// File that holds its API key.
    pub key_file: Option<PathBuf>,
    /// Variable that holds its session token.
    pub session_env: Option<String>,
    /// File that holds its session token.
    pub session_file: Option<PathBuf>,
    /// Environment an action works on when none is given.
    pub environment: Option<String>,
    /// The only environments that may be named; any, if it is not said.
    #[serde(default)]
    pub environments: Vec<String>,
    /// Environments in which only reading actions run.
    #[serde(default)]
    pub read_only_environments: Vec<String>,
    /// Most calls an hour; any number, if it is not said.
    pub calls_an_hour: Option<u64>,
    /// Most calls that run at a time, at each replica; any number, if it is not said.
    pub calls_at_once: Option<NonZeroU32>,
    /// What paid actions may cost in all, one credit each; nothing, if it is not said.
    #[serde(default)]
    pub credits: u64,
}

/// One token.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenEntry {
    /// Its name in records.
    pub name: String,
    /// The workspace it works in.
    pub workspace: String,
    /// What `callslip token new` printed for it.
    pub digest: String,
    /// What it may do.
    pub scope: Scope,
    /// The toolsets it may use; all that are offered, if it is not said.
    pub toolsets: Option<Vec<String>>,
    /// Ids, domains, toolsets and globs taken out.
    #[serde(default)]
    pub exclude: Vec<String>,
}

/// What a token may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Actions that read.
    Read,
    /// Those, and all that neither destroy nor, for some values of a parameter, would.
    Write,
    /// Everything offered.
    Full,
}

/// Names stand in records and figures and stay short and plain.
pub fn check_name(name: &str) -> Result<(), String> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if (1..=64).contains(&name.len()) && name.chars().all(plain) {
        return Ok(());
    }
    Err("names are 1 to 64 letters, digits, `-`, `_` and `.`".into())
}

/// A secret from a variable or a file.
pub fn secret(
    env: Option<&str>,
    file: Option<&Path>,
    what: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<String>, String> {
    let text = match (env, file) {
        (None, None) => return Ok(None),
        (Some(_), Some(_)) => return Err(format!("`{what}_env` and `{what}_file` exclude each other")),
        (Some(name), None) => variable(name).ok_or_else(|| format!("`{what}_env` names {name}, which is not set"))?,
        (None, Some(path)) => std::fs::read_to_string(path)
            .map_err(|error| format!("`{what}_file` names {}, which cannot be read: {error}", path.display()))?,
    };
    let text = text.trim();
    if text.is_empty() || !text.bytes().all(|byte| (0x21..0x7f).contains(&byte)) {
        return Err(format!("`{what}_env` or `{what}_file` holds no usable credential; it must be one word of plain characters"));
    }
    Ok(Some(text.to_owned()))
}
