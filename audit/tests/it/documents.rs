//! The program against documents: what it writes holds, what is wrong does not, and it says what to do.

use crate::audit;
use std::path::{Path, PathBuf};

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("docs/deep")).unwrap();
    folder
}

fn run(folder: &Path, mode: &str) -> (bool, String) {
    let readme = folder.join("README.md").display().to_string();
    let docs = folder.join("docs").display().to_string();
    let (content, out, complaint) = audit(&[mode, "--readme", &readme, "--docs", &docs]);
    assert_eq!(out, "", "{mode} prints nothing on stdout");
    (content, complaint)
}

#[test]
fn what_is_written_holds_and_what_is_changed_does_not() {
    let folder = folder("documents");
    let (readme, guide) = (folder.join("README.md"), folder.join("docs/deep/guide.md"));
    std::fs::write(&readme, "# x\n\n<!-- audit:begin -->\n<!-- audit:end -->\n").unwrap();
    std::fs::write(&guide, "It costs <!-- audit:dynamic.o200k -->9<!-- /audit --> tokens.\n").unwrap();
    let (content, complaint) = run(&folder, "--check");
    assert!(!content && complaint.contains("guide.md: `dynamic.o200k` documented 9"), "{complaint}");
    assert!(complaint.contains("--write"), "the mend is said: {complaint}");
    assert!(run(&folder, "--write").0);
    for mode in ["--check", "--exact"] {
        let (content, complaint) = run(&folder, mode);
        assert!(content, "{mode}: {complaint}");
    }
    let written = std::fs::read_to_string(&readme).unwrap();
    let tokens = written.lines().find(|line| line.contains("`individual`")).and_then(|line| line.split('|').nth(4)).unwrap().trim();
    let close: usize = tokens.replace(',', "").parse::<usize>().unwrap() + 100;
    std::fs::write(&readme, written.replace(tokens, &close.to_string())).unwrap();
    assert!(run(&folder, "--check").0, "a small drift holds");
    let (content, complaint) = run(&folder, "--exact");
    assert!(!content && complaint.contains("would be"), "{complaint}");
    std::fs::write(&readme, written.replace(tokens, "1,000")).unwrap();
    let (content, complaint) = run(&folder, "--check");
    assert!(!content && complaint.contains("surface `individual`: o200k tokens documented 1000"), "{complaint}");
}

#[test]
fn a_document_without_a_table_does_not_hold() {
    let folder = folder("bare");
    std::fs::write(folder.join("README.md"), "# x\n\ndynamic costs 200 tokens\n").unwrap();
    let (content, complaint) = run(&folder, "--check");
    assert!(!content && complaint.contains("there is no table"), "{complaint}");
    let (content, complaint) = run(&folder, "--write");
    assert!(!content && complaint.contains("markers"), "{complaint}");
}

#[test]
fn an_exceeded_budget_fails_however_well_it_is_documented() {
    let folder = folder("budget");
    let budget = folder.join("budget.toml");
    std::fs::write(&budget, "[dynamic]\ntokens = 10\n[meta]\n[individual]\nmedian = 1\n[progressive]\n").unwrap();
    let (content, _, complaint) = audit(&["--check", "--budget", &budget.display().to_string()]);
    assert!(!content, "{complaint}");
    for part in ["`dynamic` costs", "the budget is 10", "tokens of the median tool"] {
        assert!(complaint.contains(part), "{part} in {complaint}");
    }
}

#[test]
fn figures_for_machines_compare_with_themselves() {
    let folder = folder("compare");
    let (_, json, _) = audit(&["--json"]);
    let figures: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(figures.as_array().unwrap().len(), 4);
    assert_eq!(figures[2]["each"].as_array().unwrap().len(), 416);
    let old = folder.join("old.json");
    std::fs::write(&old, &json).unwrap();
    let (content, text, _) = audit(&["--compare", &old.display().to_string()]);
    assert!(content && text.contains("| `dynamic` | 2 |") && !text.contains("details"), "{text}");
    std::fs::write(&old, "nonsense").unwrap();
    assert!(!audit(&["--compare", &old.display().to_string()]).0);
}

#[test]
fn the_report_names_the_dearest_actions_dearest_first() {
    let (content, report, complaint) = audit(&["--report"]);
    assert!(content, "{complaint}");
    let individual = report.split_once("individual: ").map_or("", |(_, rest)| rest);
    let dearest = individual.split_once("dearest tools\n").map_or("", |(_, rest)| rest).lines().take_while(|line| !line.is_empty());
    let tokens: Vec<usize> = dearest
        .filter_map(|line| line.split_whitespace().next())
        .map(|number| number.replace(',', "").parse().expect("a number"))
        .collect();
    assert!(tokens.len() >= 10 && tokens.is_sorted_by(|a, b| a >= b), "{report}");
    assert!(individual.contains("arcane_swarm_service_update"), "Docker's whole service specification is the dearest: {report}");
}
