//! Counting tokens stays out of the server: its vocabulary alone is larger than the program.

use crate::{callslip, root};
use std::process::Command;

#[test]
fn nothing_of_tiktoken_is_linked_into_the_server() {
    let tree = |package: &str| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["tree", "--offline", "--package", package, "--edges", "normal", "--prefix", "none"])
            .current_dir(root())
            .output()
            .expect("cargo runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(tree("audit").contains("tiktoken"), "the audit does count");
    assert!(!tree("callslip").contains("tiktoken"));
    let Some(program) = callslip() else { return };
    let bytes = std::fs::read(program).unwrap();
    // A special token of the vocabularies, and the name of the crate in its panics.
    for mark in [&b"<|endofprompt|>"[..], b"tiktoken"] {
        assert!(!bytes.windows(mark.len()).any(|window| window == mark), "{}", String::from_utf8_lossy(mark));
    }
}
