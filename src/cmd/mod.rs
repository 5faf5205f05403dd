//! The commands: one file each, all on the code that serves MCP.

mod call;
mod compile;
mod demo;
mod doctor;
mod eval;
mod find;
mod import;
mod login;
mod serve;
mod show;
mod token;
mod tools;

use crate::app::App;
use crate::catalog::Catalog;
use crate::cli::{Cli, Command, Options};
use crate::config::{Config, Misuse};
use anyhow::Result;
use std::process::ExitCode;

/// A command did what was asked.
const DONE: u8 = 0;
/// The action failed.
const FAILED: u8 = 1;
/// The command line or the environment is wrong.
const USAGE: u8 = 2;

/// Runs a command line. Exit codes: 0 done, 1 the action failed, 2 usage.
pub fn run(cli: Cli) -> ExitCode {
    match dispatch(cli) {
        Ok(code) => code.into(),
        Err(error) => {
            eprintln!("callslip: {error:#}");
            if error.is::<Misuse>() { USAGE } else { FAILED }.into()
        }
    }
}

fn dispatch(cli: Cli) -> Result<u8> {
    let mut options = cli.options;
    match cli.command {
        None => serve::run(app(&options)?, &cli.http),
        Some(Command::Serve { confirm, http }) => {
            options.confirm = confirm.or(options.confirm);
            serve::run(app(&options)?, &http.or(cli.http))
        }
        Some(Command::Token { command }) => token::run(&catalog(&options)?, &command),
        Some(Command::Find { query, limit, explain, json }) => find::run(&app(&options)?, &query.join(" "), limit, explain, json),
        Some(Command::Show { action, json }) => Ok(show::run(&app(&options)?, &action, json)),
        Some(Command::Call(arguments)) => call::run(&app(&options)?, &arguments),
        Some(Command::Tools { json }) => tools::run(&app(&options)?, json),
        Some(Command::Import { document, output }) => import::run(&document, output.as_deref()),
        Some(Command::Compile { source, output }) => compile::run(&source, &output),
        Some(Command::Demo { serve }) => demo::run(&options, serve),
        Some(Command::Doctor { json }) => doctor::run(&app_with(&doctor::options(&options)?, &doctor::variable)?, json),
        Some(Command::Login) => login::run(&app_with(&doctor::options(&options)?, &doctor::variable)?),
        Some(Command::Eval { queries, tools, out }) => eval::run(&options, &queries, tools.as_deref(), &out),
    }
}

/// The catalog that the options name.
fn catalog(options: &Options) -> Result<Catalog> {
    match &options.catalog {
        None => Catalog::embedded(),
        Some(path) => Catalog::open(path),
    }
}

/// The API that options and environment name.
fn app(options: &Options) -> Result<App> {
    app_with(options, &|name| std::env::var(name).ok())
}

fn app_with(options: &Options, variable: &dyn Fn(&str) -> Option<String>) -> Result<App> {
    let catalog = catalog(options)?;
    let config = Config::resolve(options, catalog.api(), variable)?;
    let app = App::new(catalog, config)?;
    for name in &app.offer.unknown {
        eprintln!("callslip: warning: `{name}` in the options matches nothing");
    }
    if app.config.upstream.insecure {
        eprintln!("callslip: warning: certificates are not checked (--insecure)");
    }
    Ok(app)
}

/// A runtime on this thread alone: one client, one connection, nothing to share.
fn runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}
