//! `callslip token`: what `--tenants` needs. A token is shown once; the file gets its digest alone.

use super::DONE;
use crate::catalog::Catalog;
use crate::config::{Environment, Misuse};
use crate::http::options::TokenCommand;
use crate::http::{settings, token};
use crate::terminal;
use anyhow::Result;
use serde_json::json;

pub fn run(catalog: &Catalog, command: &TokenCommand) -> Result<u8> {
    let prefix = catalog.api().name.to_uppercase();
    match command {
        TokenCommand::Key => {
            terminal::print(&token::make_key()?);
            eprintln!(
                "Keep it as {prefix}_MCP_SERVER_KEY, or in a file that {prefix}_MCP_SERVER_KEY_FILE names. A new key makes every token void."
            );
        }
        TokenCommand::New { workspace, name, scope, json } => {
            if !["read", "write", "full"].contains(&scope.as_str()) {
                return Err(Misuse("--scope is read, write or full".into()).into());
            }
            for (option, value) in [("--workspace", workspace), ("--name", name)] {
                crate::http::file::check_name(value).map_err(|problem| Misuse(format!("{option}: {problem}")))?;
            }
            let env = Environment { prefix: &prefix, variable: &|name| std::env::var(name).ok() };
            let hasher = token::Hasher::new(&settings::server_key(&env)?);
            let made = token::make()?;
            let digest = hasher.digest(&made).to_string();
            let entry = format!("[[tokens]]\nname = \"{name}\"\nworkspace = \"{workspace}\"\nscope = \"{scope}\"\ndigest = \"{digest}\"");
            if *json {
                terminal::json(&json!({ "token": made, "digest": digest, "entry": entry }));
            } else {
                terminal::print(&format!("{made}\n\nThis is the token; it is shown only now. For the tenants file:\n\n{entry}"));
            }
        }
    }
    Ok(DONE)
}
