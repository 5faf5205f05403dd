//! `audit_tokens`: what each tool surface costs a model, measured from the very bytes the server serves, and whether the documented
//! figures still say so.
//!
//! A tool is counted as the compact JSON of its name, description and input schema: that is what clients put into a model's context.

mod check;
mod measure;
mod report;
mod table;

use anyhow::{Context, Result, bail};
use callslip::catalog::Catalog;
use clap::Parser;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures the tool surfaces of a catalog in bytes and tokens.
#[derive(Debug, Parser)]
#[command(name = "audit_tokens", version, about)]
struct Cli {
    /// Fail when a documented figure is more than 15% off.
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// Write the documented figures anew.
    #[arg(long)]
    write: bool,
    /// Show the dearest tools, domains, sentences and parameters.
    #[arg(long)]
    report: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// The document with the figures.
    #[arg(long, default_value = "README.md", value_name = "FILE")]
    readme: PathBuf,
    /// Another catalog folder.
    #[arg(long, value_name = "FOLDER")]
    catalog: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("audit_tokens: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether all that was checked holds.
fn run(cli: &Cli) -> Result<bool> {
    let catalog = match &cli.catalog {
        None => Catalog::embedded()?,
        Some(folder) => Catalog::from_folder(folder)?,
    };
    let measured = measure::surfaces(&catalog)?;
    let read = || std::fs::read_to_string(&cli.readme).with_context(|| cli.readme.display().to_string());
    if cli.write {
        let text = table::written(&read()?, &measured)?;
        std::fs::write(&cli.readme, text)?;
        return Ok(true);
    }
    if cli.json {
        print(&(serde_json::to_string_pretty(&measured)? + "\n"))?;
    } else if cli.report {
        print(&report::text(&catalog)?)?;
    } else if !cli.check {
        print(&table::terminal(&measured))?;
    }
    if !cli.check {
        return Ok(true);
    }
    let documented = table::read(&read()?);
    let problems = check::problems(documented.as_deref().unwrap_or_default(), &measured);
    for problem in &problems {
        eprintln!("{}: {problem}", cli.readme.display());
    }
    if documented.is_none() {
        bail!("{} has no table of figures between {} and {}; run `audit_tokens --write`", cli.readme.display(), table::BEGIN, table::END);
    }
    if problems.is_empty() {
        eprintln!("the documented figures of {} surfaces hold", measured.len());
    } else {
        eprintln!("{} figure(s) are off; `make write` mends them", problems.len());
    }
    Ok(problems.is_empty())
}

fn print(text: &str) -> Result<()> {
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
