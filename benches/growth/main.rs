//! Growth: the same server over compiled files of 416, 5,000 and 50,000 actions. What must not grow is the start; memory must follow what
//! is touched.
//!
//! `make growth` measures the program of the bench profile, writes `benches/growth.csv` and draws `benches/growth.svg` from it.
//! `CALLSLIP_PROGRAM` names another program, `CALLSLIP_SPAWNS` says how many spawns (50), `CALLSLIP_SIZES` how many actions
//! (`416,5000,50000`), `CALLSLIP_OUT` another folder for the two files. With `CALLSLIP_PLOT=1` nothing is measured: the plot is drawn anew.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod plot;
mod words;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use words::Numbers;

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}"#;
const LIST: &str = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#;
/// Searches in one session.
const FINDS: usize = 100;

struct Process {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Process {
    fn spawn(program: &Path, arguments: &[&str]) -> Self {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let (stdin, stdout) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Self { child, stdin, stdout: BufReader::with_capacity(1 << 20, stdout) }
    }

    fn ask(&mut self, line: &str) -> Vec<u8> {
        self.stdin.write_all(line.as_bytes()).and_then(|()| self.stdin.write_all(b"\n")).expect("a reading program");
        let mut answer = Vec::new();
        self.stdout.read_until(b'\n', &mut answer).expect("an answer");
        assert!(answer.last() == Some(&b'\n'), "the program ended early");
        answer
    }

    fn proc(&self, name: &str) -> String {
        std::fs::read_to_string(format!("/proc/{}/{name}", self.child.id())).unwrap_or_default()
    }

    /// Peak memory so far, in KiB: pages of the file that were touched count.
    fn peak(&self) -> u64 {
        kib(&self.proc("status"), "VmHWM:")
    }

    /// This process's share of the mapped file, in KiB.
    fn share(&self, file: &Path) -> u64 {
        let name = file.display().to_string();
        let smaps = self.proc("smaps");
        let mut within = false;
        smaps
            .lines()
            .map(|line| {
                // A line with a range of addresses begins an entry; the lines of its figures begin with a word and a colon.
                if line.split_whitespace().next().is_some_and(|word| word.contains('-')) {
                    within = line.ends_with(&name);
                }
                if within && line.starts_with("Pss:") { kib(line, "Pss:") } else { 0 }
            })
            .sum()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn kib(text: &str, key: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(key)).unwrap_or("0");
    value.trim().trim_end_matches(" kB").trim().parse().unwrap_or(0)
}

fn quantile(series: &mut [Duration], share: usize) -> f64 {
    series.sort_unstable();
    series.get(series.len() * share / 100).copied().unwrap_or_default().as_secs_f64() * 1e3
}

/// One line of the table, in the order of [`plot::COLUMNS`].
fn measure(program: &Path, folder: &Path, size: usize, spawns: usize) -> String {
    let source = folder.join(size.to_string());
    let file = folder.join(format!("{size}.callslip"));
    words::write(&source, size).expect("a written catalog");
    let started = Instant::now();
    let compiled = Command::new(program).arg("compile").arg(&source).arg("-o").arg(&file).stdout(Stdio::null()).status();
    assert!(compiled.is_ok_and(|status| status.success()), "the catalog of {size} actions does not compile");
    let compile = started.elapsed();
    let bytes = std::fs::metadata(&file).map_or(0, |data| data.len());
    let path = file.display().to_string();
    let arguments = ["--catalog", &path];
    let (mut greets, mut lists, mut finds) = (Vec::new(), Vec::new(), Vec::new());
    let (mut peak_list, mut share_list, mut peak_finds, mut share_finds) = (0, 0, 0, 0);
    let mut numbers = Numbers(1);
    for spawn in 0..spawns {
        let started = Instant::now();
        let mut process = Process::spawn(program, &arguments);
        process.ask(INITIALIZE);
        greets.push(started.elapsed());
        process.ask(LIST);
        lists.push(started.elapsed());
        // Searches take longer than starts: a tenth of the spawns is enough for them, and it is they that fill the memory.
        if spawn % 10 != 0 {
            continue;
        }
        (peak_list, share_list) = (process.peak().max(peak_list), process.share(&file).max(share_list));
        for number in 0..FINDS {
            let query = words::query(&mut numbers, size);
            let line = format!(
                r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{{"name":"growth_find_action","arguments":{{"query":"{query}"}}}}}}"#,
                number + 3
            );
            let started = Instant::now();
            let answer = process.ask(&line);
            finds.push(started.elapsed());
            assert!(answer.windows(7).any(|window| window == b"schema:"), "{query}: {}", String::from_utf8_lossy(&answer));
        }
        (peak_finds, share_finds) = (process.peak().max(peak_finds), process.share(&file).max(share_finds));
    }
    let count = u64::try_from(size).unwrap_or(1);
    format!(
        "{size},{:.2},{bytes},{},{:.3},{:.3},{peak_list},{share_list},{:.3},{:.3},{peak_finds},{share_finds}",
        compile.as_secs_f64(),
        bytes / count,
        quantile(&mut greets, 50),
        quantile(&mut lists, 50),
        quantile(&mut finds, 50),
        quantile(&mut finds, 99),
    )
}

fn main() {
    let variable = |name: &str| std::env::var(name).ok();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = variable("CALLSLIP_OUT").map_or_else(|| root.join("benches"), PathBuf::from);
    let csv = out.join("growth.csv");
    if variable("CALLSLIP_PLOT").is_none() {
        let program = variable("CALLSLIP_PROGRAM").map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_callslip")), PathBuf::from);
        let spawns = variable("CALLSLIP_SPAWNS").and_then(|text| text.parse().ok()).unwrap_or(50);
        let sizes = variable("CALLSLIP_SIZES").unwrap_or_else(|| "416,5000,50000".into());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("growth");
        let mut lines = vec![plot::COLUMNS.join(",")];
        for size in sizes.split(',').filter_map(|text| text.trim().parse().ok()) {
            let _ = std::fs::remove_dir_all(&folder);
            lines.push(measure(&program, &folder, size, spawns));
            println!("{}", lines.last().map_or("", String::as_str));
        }
        std::fs::write(&csv, lines.join("\n") + "\n").expect("a written table");
    }
    let table = std::fs::read_to_string(&csv).expect("the measured table");
    println!("{}", plot::markdown(&table));
    std::fs::write(out.join("growth.svg"), plot::svg(&table)).expect("a written plot");
}
