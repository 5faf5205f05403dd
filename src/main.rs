//! The program: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    callslip::cmd::run(callslip::cli::Cli::of_process())
}
