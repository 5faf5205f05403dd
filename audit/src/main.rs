//! `audit_tokens`: what the tools of a server cost a model, and whether the documented figures still say so.

use anyhow::{Context, Result, bail};
use audit::client::Client;
use audit::listing::Listing;
use audit::measure::{Cost, costs};
use audit::{budget, check, compare, document, html, ours, report, savings, table};
use callslip::catalog::Catalog;
use clap::Parser;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Measures tool definitions in bytes and tokens: those of a catalog, or of any MCP server.
#[derive(Debug, Parser)]
#[command(name = "audit_tokens", version, about, max_term_width = 110)]
struct Cli {
    #[command(flatten)]
    source: Source,
    #[command(flatten)]
    show: Show,
    /// Fail when a documented figure is more than 15% off or a budget is exceeded.
    #[arg(long, conflicts_with = "write")]
    check: bool,
    /// As --check, and every document must be as it would be written.
    #[arg(long, conflicts_with = "write")]
    exact: bool,
    /// Write the documented figures anew.
    #[arg(long)]
    write: bool,
    /// The document that must have a table of figures.
    #[arg(long, default_value = "README.md", value_name = "FILE")]
    readme: PathBuf,
    /// Folders with more documents that may have figures.
    #[arg(long, value_delimiter = ',', default_value = "docs,guides", value_name = "FOLDER,…")]
    docs: Vec<PathBuf>,
    /// The budgets [default: audit/budget.toml for the catalog, none for a server].
    #[arg(long, value_name = "FILE")]
    budget: Option<PathBuf>,
}

/// Where the tools come from; without any of these, the catalog compiled in.
#[derive(Debug, clap::Args)]
struct Source {
    /// Another catalog folder.
    #[arg(long, value_name = "FOLDER")]
    catalog: Option<PathBuf>,
    /// An MCP server that is started for it, such as 'npx some-server'; may be given again.
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["catalog", "write"])]
    command: Vec<String>,
    /// An MCP server at an address (streamable HTTP); may be given again.
    #[arg(long, value_name = "URL", conflicts_with_all = ["catalog", "write"])]
    url: Vec<String>,
    /// A header for the server at the address.
    #[arg(long, value_name = "NAME:VALUE", requires = "url")]
    header: Vec<String>,
    /// This surface alone.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["write", "check", "exact"])]
    surface: Option<String>,
}

/// How the figures are shown; without any of these, as a table.
#[derive(Debug, clap::Args)]
#[group(multiple = false)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
struct Show {
    /// Show the dearest tools, groups, sentences and parameters.
    #[arg(long)]
    report: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print a Markdown table.
    #[arg(long)]
    markdown: bool,
    /// Write a page to look at.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Show what changed, as Markdown: against a file of --json, or a server built from another revision.
    #[arg(long, value_name = "OLD")]
    compare: Option<PathBuf>,
    /// Show what each idea in the encoding saves (catalogs only).
    #[arg(long, conflicts_with_all = ["command", "url"])]
    savings: bool,
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
    if cli.show.savings {
        print(&savings::markdown(&catalog(cli)?)?)?;
        return Ok(true);
    }
    let listings = listings(cli)?;
    let measured = costs(&listings);
    if cli.write {
        return write(cli, &measured);
    }
    show(cli, &listings, &measured)?;
    if cli.check || cli.exact { checked(cli, &measured) } else { Ok(true) }
}

fn catalog(cli: &Cli) -> Result<Catalog> {
    match &cli.source.catalog {
        None => Catalog::embedded(),
        Some(path) => Catalog::open(path),
    }
}

fn is_server(cli: &Cli) -> bool {
    !cli.source.command.is_empty() || !cli.source.url.is_empty()
}

fn listings(cli: &Cli) -> Result<Vec<Listing>> {
    let source = &cli.source;
    let mut listings = if is_server(cli) {
        let headers = source.header.iter().map(|header| {
            let (name, value) = header.split_once(':').with_context(|| format!("{header:?} is no header; write NAME:VALUE"))?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        });
        let headers = headers.collect::<Result<Vec<_>>>()?;
        let started = source.command.iter().map(|command| Client::command(command, &[]).with_context(|| command.clone())?.list());
        let reached = source.url.iter().map(|url| Client::url(url, &headers)?.list());
        started.chain(reached).collect::<Result<Vec<_>>>()?
    } else {
        ours::listings(catalog(cli)?)?
    };
    if let Some(name) = &source.surface {
        let names: Vec<_> = listings.iter().map(|listing| listing.name.clone()).collect();
        listings.retain(|listing| listing.name == *name);
        if listings.is_empty() {
            bail!("there is no surface `{name}`; there are {}", names.join(", "));
        }
    }
    Ok(listings)
}

fn show(cli: &Cli, listings: &[Listing], measured: &[Cost]) -> Result<()> {
    let show = &cli.show;
    if show.json {
        print(&(serde_json::to_string_pretty(measured)? + "\n"))
    } else if show.markdown {
        print(&table::markdown(measured))
    } else if show.report {
        // The tools of `individual` are the actions themselves; the others are looked at by name.
        let chosen = listings.iter().filter(|listing| listings.len() == 1 || is_server(cli) || listing.name == "individual");
        print(&chosen.map(report::text).collect::<Vec<_>>().join("\n"))
    } else if let Some(file) = &show.html {
        std::fs::write(file, html::page(listings, measured)).with_context(|| file.display().to_string())?;
        eprintln!("{} is written", file.display());
        Ok(())
    } else if let Some(old) = &show.compare {
        print(&compare::markdown(&compare::earlier(old)?, measured))
    } else if cli.check || cli.exact {
        Ok(())
    } else {
        print(&table::terminal(measured))
    }
}

fn read(file: &std::path::Path) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| file.display().to_string())
}

fn write(cli: &Cli, measured: &[Cost]) -> Result<bool> {
    for file in document::documents(&cli.readme, &cli.docs)? {
        let text = read(&file)?;
        let written = document::written(&text, measured).with_context(|| file.display().to_string())?;
        if file == cli.readme && document::read(&written).tables.is_empty() {
            bail!("{} has no markers {} and {} to write between", file.display(), table::BEGIN, table::END);
        }
        if written != text {
            std::fs::write(&file, written)?;
        }
    }
    Ok(true)
}

fn checked(cli: &Cli, measured: &[Cost]) -> Result<bool> {
    let mut problems = Vec::new();
    // Documents speak of the catalog; a server is held to budgets alone.
    let documents = if is_server(cli) { Vec::new() } else { document::documents(&cli.readme, &cli.docs)? };
    for file in &documents {
        let text = read(file)?;
        let mut found = check::problems(&document::read(&text), measured, *file == cli.readme);
        if found.is_empty() && cli.exact {
            found = check::inexact(&text, &document::written(&text, measured)?);
        }
        problems.extend(found.into_iter().map(|problem| format!("{}: {problem}", file.display())));
    }
    if !problems.is_empty() {
        let stale = problems.len();
        problems.push(format!("{stale} documented figure(s) do not hold; `audit_tokens --write` (`make write`) mends them"));
    }
    let default = (!is_server(cli) && cli.source.catalog.is_none()).then(|| PathBuf::from("audit/budget.toml"));
    if let Some(file) = cli.budget.clone().or(default) {
        let found = budget::problems(&budget::read(&file)?, measured);
        problems.extend(found.into_iter().map(|problem| format!("{}: {problem}", file.display())));
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() {
        eprintln!("figures and budgets of {} surface(s) hold", measured.len());
    }
    Ok(problems.is_empty())
}

fn print(text: &str) -> Result<()> {
    Ok(std::io::stdout().lock().write_all(text.as_bytes())?)
}
