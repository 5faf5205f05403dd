//! How the news of a long call reach whoever waits for it.

/// Takes news while a call runs; over MCP each becomes a progress notification.
pub trait Progress: Send + Sync {
    /// `done` of `total` in the same unit, where the upstream counts, and a short line.
    fn report(&self, done: f64, total: Option<f64>, message: &str);
}
