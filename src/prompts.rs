//! Guides as prompts: a person picks one, and may say what it is needed for.

use crate::app::App;
use crate::guides::Guide;
use crate::resources;

/// Argument of every prompt.
pub const TASK: &str = "task";

/// Longest task, in characters.
const MOST_TASK: usize = 4_000;

/// Every guide.
pub fn all(app: &App) -> &[Guide] {
    app.catalog.guides().all()
}

/// What the user says when they pick a guide.
pub fn message(app: &App, name: &str, task: Option<&str>) -> Option<String> {
    let guide = app.catalog.guides().get(name)?;
    let text = resources::read_guide(app, guide);
    Some(match task.map(str::trim).filter(|task| !task.is_empty()) {
        Some(task) => format!("{text}\n\nFollow this guide for: {}", task.chars().take(MOST_TASK).collect::<String>()),
        None => format!("{text}\n\nFollow this guide; ask me for what you need to know."),
    })
}
