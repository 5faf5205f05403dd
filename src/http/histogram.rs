//! Counts of durations by size, as Prometheus reads them.

use std::fmt::Write;
use std::time::Duration;

/// How long things took.
#[derive(Debug, Clone)]
pub struct Histogram {
    bounds: &'static [f64],
    counts: Vec<u64>,
    sum: f64,
    total: u64,
}

impl Histogram {
    /// A histogram with these upper bounds, in seconds.
    pub fn new(bounds: &'static [f64]) -> Self {
        Self { bounds, counts: vec![0; bounds.len()], sum: 0.0, total: 0 }
    }

    /// Counts one.
    pub fn add(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        for (count, bound) in self.counts.iter_mut().zip(self.bounds) {
            *count += u64::from(seconds <= *bound);
        }
        self.sum += seconds;
        self.total += 1;
    }

    /// Its lines; `labels` are written before `le`.
    pub fn write(&self, text: &mut String, name: &str, labels: &str) {
        let comma = if labels.is_empty() { "" } else { "," };
        for (count, bound) in self.counts.iter().zip(self.bounds) {
            let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"{bound}\"}} {count}");
        }
        let _ = writeln!(text, "{name}_bucket{{{labels}{comma}le=\"+Inf\"}} {}", self.total);
        let braces = if labels.is_empty() { String::new() } else { format!("{{{labels}}}") };
        let _ = writeln!(text, "{name}_sum{braces} {}\n{name}_count{braces} {}", self.sum, self.total);
    }
}
