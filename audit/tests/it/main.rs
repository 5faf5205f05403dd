//! The audit at its boundary: documents, servers, whole conversations, and the completeness of what is measured.

#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod answers;
mod completeness;
mod documents;
mod separate;
mod servers;
mod tasks;

use std::path::{Path, PathBuf};

/// Path of the program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_audit_tokens");

/// The root of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The server that was built beside the audit; says so where it was not.
fn callslip() -> Option<PathBuf> {
    let program = Path::new(PROGRAM).with_file_name("callslip");
    if !program.exists() {
        eprintln!("skipped: callslip is not built beside the audit (`cargo build` builds it)");
        return None;
    }
    Some(program)
}

/// Runs the audit in the root of the project: whether it was content, stdout, stderr.
fn audit(arguments: &[&str]) -> (bool, String, String) {
    let output = std::process::Command::new(PROGRAM).args(arguments).current_dir(root()).output().expect("the audit runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}
