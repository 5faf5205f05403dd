//! `task_tokens`: what a model receives in all over the tasks in `benches/tasks`, on every surface, and on a peer.

use anyhow::{Context, Result};
use audit::tasks::{Peer, Road, Runner, Spent, markdown, read};
use callslip_catalog::project::Surface;
use clap::Parser;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Runs operator's tasks against the sandbox and counts tokens, calls, questions and wrong effects.
#[derive(Debug, Parser)]
#[command(name = "task_tokens", version, about, max_term_width = 110)]
struct Cli {
    /// The folder with the tasks.
    #[arg(long, default_value = "benches/tasks", value_name = "FOLDER")]
    tasks: PathBuf,
    /// Tasks whose name holds this text.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Surfaces [default: all].
    #[arg(long, value_delimiter = ',', value_name = "NAME,…")]
    surface: Vec<String>,
    /// The callslip to measure [default: the one built beside this program].
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
    /// A peer with `search_tools` and `call_tool` that serves the same API.
    #[arg(long, value_name = "COMMAND", requires = "openapi")]
    peer: Option<String>,
    /// Its name.
    #[arg(long, default_value = "peer", value_name = "NAME")]
    peer_name: String,
    /// The document the peer was made from; tasks beyond it are left out everywhere.
    #[arg(long, value_name = "FILE")]
    openapi: Option<PathBuf>,
    /// Hits a search asks for, as the definition of the search advises; 0: as many as the server gives without a `limit`.
    #[arg(long, default_value_t = 3, value_name = "N")]
    limit: usize,
    /// A row for every task.
    #[arg(long)]
    each: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match run(&Cli::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("task_tokens: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Whether no surface of ours did anything wrong.
fn run(cli: &Cli) -> Result<bool> {
    let program = match &cli.program {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("callslip"),
    };
    let runner = Runner::new(program, Some(cli.limit).filter(|limit| *limit > 0))?;
    let road = match &cli.openapi {
        Some(document) => {
            let text = std::fs::read_to_string(document).with_context(|| document.display().to_string())?;
            Some(Road::from_openapi(&serde_json::from_str(&text)?)?)
        }
        None => None,
    };
    let peer =
        cli.peer.as_ref().zip(road.clone()).map(|(command, road)| Peer { name: cli.peer_name.clone(), command: command.clone(), road });
    let mut tasks = read(&cli.tasks)?;
    tasks.retain(|task| cli.only.as_ref().is_none_or(|only| task.name.contains(only)));
    if let Some(road) = &road {
        let mut kept = Vec::new();
        for task in tasks {
            if runner.can(road, &task)? {
                kept.push(task);
            } else {
                eprintln!("left out, beyond the document: {}", task.name);
            }
        }
        tasks = kept;
    }
    let names: Vec<_> = match cli.surface.as_slice() {
        [] => Surface::NAMES.iter().map(|(name, _)| (*name).to_owned()).collect(),
        chosen => chosen.to_vec(),
    };
    let mut rows: Vec<(String, Spent)> = Vec::new();
    let mut each: Vec<(String, Spent)> = Vec::new();
    let runs = peer.iter().map(|peer| peer.name.clone()).chain(names);
    for name in runs {
        let mut sum = Spent::default();
        let mut session = match &peer {
            Some(peer) if peer.name == name => runner.peer(peer)?,
            _ => runner.surface(&name)?,
        };
        for task in &tasks {
            let spent = runner.run(&mut session, task)?;
            sum += &spent;
            each.push((format!("{name}: {}", task.name), spent));
        }
        for wrong in &sum.wrong {
            eprintln!("{name}: {}", wrong.chars().take(600).collect::<String>());
        }
        rows.push((name, sum));
    }
    let shown = if cli.each { &each } else { &rows };
    let text = if cli.json { serde_json::to_string_pretty(shown)? + "\n" } else { markdown(shown, peer.is_some() && !cli.each) };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    let ours = rows.iter().filter(|(name, _)| peer.as_ref().is_none_or(|peer| peer.name != *name));
    Ok(ours.into_iter().all(|(_, spent)| spent.wrong.is_empty()))
}
