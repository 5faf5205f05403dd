//! Checks a catalog folder and says what it holds: `cargo run -p callslip-catalog --features compile --example check -- FOLDER`.

use callslip_catalog::compile;
use callslip_catalog::project::{Surface, View, tools};
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    match compile::read_folder(folder.as_ref()) {
        Ok(checked) => {
            eprintln!("{} actions in {} domains", checked.actions.len(), checked.api.domains.len());
            let view = View { actions: checked.actions.iter().collect(), ..View::new(&checked.api) };
            for (name, surface) in Surface::NAMES {
                let list = tools(surface, &view);
                eprintln!("{name}: {} tools, {} bytes", list.starts.len(), list.json.len());
            }
            ExitCode::SUCCESS
        }
        Err(problems) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            eprintln!("{} problems", problems.len());
            ExitCode::FAILURE
        }
    }
}
