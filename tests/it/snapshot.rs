//! The tool lists are committed: a change of a definition is a change someone has looked at. `make snapshots` writes them anew.

use callslip::catalog::Catalog;
use callslip_catalog::project::Surface;
use serde_json::Value;
use std::path::Path;

#[test]
fn snapshot_of_every_tool_list() {
    let catalog = Catalog::embedded().unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots");
    for (name, surface) in Surface::NAMES {
        let tools: Vec<Value> = serde_json::from_slice(catalog.listed(surface).json).unwrap();
        let lines: Vec<_> = tools.iter().map(Value::to_string).collect();
        let text = lines.join("\n") + "\n";
        let path = folder.join(format!("{name}.jsonl"));
        if std::env::var("CALLSLIP_SNAPSHOTS").is_ok_and(|mode| mode == "write") {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        let changed = text.lines().zip(kept.lines()).find(|(now, then)| now != then);
        assert!(
            kept == text,
            "the tool list of {name} differs from its snapshot ({} now, {} then); first change: {changed:?}. If it is meant, run `make snapshots`.",
            text.lines().count(),
            kept.lines().count()
        );
    }
}
