//! Completions of the placeholders in resource templates: ids of actions, names of guides, ids of what is live.

use super::live;
use crate::app::App;

/// Most values one completion may have, by the protocol.
const MOST: usize = 100;

/// Values that complete what was typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completed {
    /// The best of them.
    pub values: Vec<String>,
    /// How many there are.
    pub total: usize,
}

/// Completes `typed` as a value of the placeholder `name`.
pub async fn complete(app: &App, name: &str, typed: &str) -> Completed {
    let all: Vec<String> = match name {
        "id" => app.offered().unwrap_or_default().iter().map(|action| action.id.to_string()).collect(),
        "guide" => app.catalog.guides().all().iter().map(|guide| guide.name.clone()).collect(),
        // Nothing is sent upstream for a placeholder that nothing live completes.
        _ => live::ids(app, name).await,
    };
    let typed = typed.trim().to_lowercase();
    let (begin, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|value| value.to_lowercase().starts_with(&typed));
    let within = rest.into_iter().filter(|value| value.to_lowercase().contains(&typed));
    let mut values: Vec<_> = begin.into_iter().chain(within).collect();
    let total = values.len();
    values.truncate(MOST);
    Completed { values, total }
}
