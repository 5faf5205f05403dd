//! The program: parse, run, exit code.

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    callslip::cmd::run(callslip::cli::Cli::parse())
}
