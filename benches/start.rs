//! Spawn to answer: callslip beside a program that writes fixed lines, interleaved in one run.
//!
//! `cargo bench --bench start` measures the program of the bench profile; `CALLSLIP_PROGRAM` names another one (such as the static build
//! of `make dist`), `CALLSLIP_RUSTC_FLAGS` builds the fixed-line program the same way (`--target x86_64-unknown-linux-musl`), and
//! `CALLSLIP_SPAWNS` says how many spawns of each (200).

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod process;

use process::{INITIALIZE, LIST, Process, Series};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const DISCOVER: &str = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}}}"#;

/// The floor: reads a line, writes a line of the file it is given, twice.
const FIXED: &str = r#"
use std::io::{BufRead, Write};
static FIRST: &[u8] = include_bytes!(env!("FIRST"));
static SECOND: &[u8] = include_bytes!(env!("SECOND"));
fn main() {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    let mut first = true;
    while input.read_line(&mut line).unwrap_or(0) > 0 {
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(if first { FIRST } else { SECOND }).and_then(|()| out.flush());
        first = false;
        line.clear();
    }
}
"#;

/// A row of the table: least, median, 99th percentile, ratio of the medians.
fn row(series: &Series, label: &str, floor: Option<&Series>) -> String {
    let [least, median, most] = [0.0, 0.5, 0.99].map(|share| series.quantile(share));
    let ratio = floor.map_or_else(String::new, |floor| format!("{:.2}", median / floor.quantile(0.5)));
    format!("| {label} | {least:.3} | {median:.3} | {most:.3} | {ratio} |")
}

fn fixed_program(folder: &Path, first: &[u8], second: &[u8]) -> PathBuf {
    std::fs::create_dir_all(folder).expect("a scratch folder");
    let path = |name: &str| folder.join(name);
    std::fs::write(path("first"), first).expect("written");
    std::fs::write(path("second"), second).expect("written");
    std::fs::write(path("fixed.rs"), FIXED).expect("written");
    let flags = std::env::var("CALLSLIP_RUSTC_FLAGS").unwrap_or_default();
    let status = Command::new("rustc")
        .args(["--edition", "2024", "-C", "opt-level=3", "-C", "lto=fat", "-C", "codegen-units=1", "-C", "strip=symbols", "-o"])
        .arg(path("fixed"))
        .args(flags.split_whitespace())
        .arg(path("fixed.rs"))
        .env("FIRST", path("first"))
        .env("SECOND", path("second"))
        .status()
        .expect("rustc");
    assert!(status.success(), "the fixed-line program does not compile");
    path("fixed")
}

fn main() {
    let program = std::env::var_os("CALLSLIP_PROGRAM").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_callslip")), PathBuf::from);
    let spawns = std::env::var("CALLSLIP_SPAWNS").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let surface = ["--tool-surface", "individual", "--include", "account"];
    let (first, second) = {
        let mut process = Process::spawn(&program, &surface);
        (process.ask(INITIALIZE), process.ask(LIST))
    };
    let fixed = fixed_program(&std::env::temp_dir().join(format!("callslip-start-{}", std::process::id())), &first, &second);
    let mut series: [Series; 9] = Default::default();
    let (mut peak, mut peak_fixed) = (0, 0);
    for _ in 0..spawns {
        let [greet, greet_fixed, discover, list, list_fixed, later, later_fixed, filtered, unfiltered] = &mut series;
        for (series, program, arguments, line) in
            [(greet, &program, &[][..], INITIALIZE), (greet_fixed, &fixed, &[][..], INITIALIZE), (discover, &program, &[][..], DISCOVER)]
        {
            let started = Instant::now();
            let mut process = Process::spawn(program, arguments);
            process.ask(line);
            series.0.push(started.elapsed());
        }
        for (whole, again, program, arguments, peak) in
            [(list, later, &program, &surface[..], &mut peak), (list_fixed, later_fixed, &fixed, &[][..], &mut peak_fixed)]
        {
            let started = Instant::now();
            let mut process = Process::spawn(program, arguments);
            process.ask(INITIALIZE);
            process.ask(LIST);
            whole.0.push(started.elapsed());
            *peak = process.peak().unwrap_or(0).max(*peak);
            let started = Instant::now();
            process.ask(LIST);
            again.0.push(started.elapsed());
        }
        for (series, arguments) in [(filtered, &["--tool-surface", "individual", "--exclude", "swarm.*"][..]), (unfiltered, &surface[..])] {
            let mut process = Process::spawn(&program, arguments);
            process.ask(INITIALIZE);
            process.ask(LIST);
            let started = Instant::now();
            process.ask(LIST);
            series.0.push(started.elapsed());
        }
    }
    let [greet, greet_fixed, discover, list, list_fixed, later, later_fixed, filtered, unfiltered] = &series;
    println!("{spawns} spawns each, ms; {} against a fixed-line program writing the same bytes\n", program.display());
    println!("| what | min | p50 | p99 | ratio of p50 |\n|---|---:|---:|---:|---:|");
    println!("{}", row(greet_fixed, "fixed line: spawn → initialize", None));
    println!("{}", row(greet, "callslip: spawn → initialize", Some(greet_fixed)));
    println!("{}", row(discover, "callslip: spawn → server/discover", Some(greet_fixed)));
    println!("{}", row(list_fixed, "fixed line: spawn → whole individual list", None));
    println!("{}", row(list, "callslip: spawn → whole individual list", Some(list_fixed)));
    println!("{}", row(later_fixed, "fixed line: list again", None));
    println!("{}", row(later, "callslip: list again", Some(later_fixed)));
    println!("{}", row(filtered, "callslip: filtered list again", Some(unfiltered)));
    println!("\npeak memory after the list: callslip {peak} kB, fixed line {peak_fixed} kB");
}
