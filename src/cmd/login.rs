//! `callslip login`: a name and a password become a session, once, by a person. What serves calls never sees either of them.

use super::{DONE, FAILED};
use crate::app::App;
use crate::call::Own;
use crate::config::{Environment, Misuse};
use crate::{render, run, surface, terminal};
use anyhow::Result;
use serde_json::Map;
use std::io::{BufRead, IsTerminal};

pub fn run(app: &App) -> Result<u8> {
    let api = app.api();
    let prefix = api.name.to_uppercase();
    let session = api.credentials.iter().find(|credential| credential.session);
    let (Some(sign_in), Some(session)) = (app.profile.sign_in(), session) else {
        return Err(Misuse(format!("{} has no sign-in with a password; set one of its credentials instead", api.title)).into());
    };
    let variable = |name: &str| std::env::var(name).ok();
    let env = Environment { prefix: &prefix, variable: &variable };
    let user = match env.plain("USER") {
        Some(user) => user,
        None => ask(&format!("{} user: ", api.title), false)?,
    };
    let password = match env.plain("PASSWORD") {
        Some(password) => password,
        None => ask("Password: ", true)?,
    };
    let mut given = Map::new();
    given.insert(sign_in.user.into(), user.into());
    given.insert(sign_in.password.into(), password.into());
    let outcome = match surface::call(app, sign_in.action, given, Own::default()) {
        Ok(call) => super::runtime()?.block_on(run::run(app, call, None)),
        Err(failure) => render::failure(&failure),
    };
    if outcome.is_error {
        eprintln!("{}", outcome.text);
        return Ok(FAILED);
    }
    let mut lines = Vec::new();
    for (name, place) in [(&*session.variable, sign_in.token), ("REFRESH_TOKEN", sign_in.refresh)] {
        if let Some(token) = outcome.structured[place].as_str().filter(|token| !token.is_empty()) {
            lines.push(format!("export {prefix}_{name}={}", word(token)?));
        }
    }
    if lines.is_empty() {
        anyhow::bail!("{} took the sign-in and gave no session token", api.title);
    }
    // Tokens alone on stdout, so that a shell can take the lines as they are.
    terminal::print(&lines.join("\n"));
    eprintln!("Signed in. These lines belong into the environment that callslip is started in: eval \"$(callslip login)\".");
    eprintln!("A session ends after a while; an API key does not.");
    Ok(DONE)
}

/// A token as a shell takes it. It comes from the server, so what a shell would obey is refused.
fn word(token: &str) -> Result<&str> {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"._~+/=:-".contains(&byte);
    anyhow::ensure!(token.bytes().all(harmless), "the server gave a token with characters that no token has");
    Ok(token)
}

/// A line from the terminal, a secret one without showing it, or from what is piped in.
fn ask(question: &str, secret: bool) -> Result<String> {
    eprint!("{question}");
    let line = if secret && std::io::stdin().is_terminal() {
        rpassword::read_password()?
    } else {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        line
    };
    let line = line.trim_end_matches(['\r', '\n']);
    if line.is_empty() {
        return Err(Misuse("a name and a password are needed, typed or in the environment".into()).into());
    }
    Ok(line.to_owned())
}
