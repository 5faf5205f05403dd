//! Figures of a server in Prometheus's text form. Labels are names of actions, kinds, outcomes and tenants: nothing that a caller can
//! make up, so there are never more series than the catalog and the tenants file allow.

use super::histogram::Histogram;
use crate::watch::Ended;
use callslip_catalog::model::Kind;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const CALL_BOUNDS: &[f64] = &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];
const FIND_BOUNDS: &[f64] = &[0.00001, 0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05];

/// Codes of failures that lie with the upstream.
const UPSTREAM: [&str; 6] = ["unreachable", "docker_unreachable", "timeout", "upstream_error", "stream_failed", "outcome_unknown"];

/// The figures.
#[derive(Debug, Default)]
pub struct Metrics {
    counts: Mutex<Counts>,
    /// Connections that are open.
    pub connections: AtomicU64,
    /// Requests being answered.
    pub running: AtomicU64,
}

#[derive(Debug, Default)]
struct Counts {
    calls: BTreeMap<[String; 4], u64>,
    durations: BTreeMap<&'static str, Histogram>,
    finds: Option<Histogram>,
    rejections: BTreeMap<(String, &'static str), u64>,
    upstream: BTreeMap<String, u64>,
    requests: BTreeMap<u16, u64>,
    refused: u64,
    lost: u64,
}

impl Metrics {
    /// A call has ended.
    pub fn ended(&self, tenant: &str, ended: &Ended<'_>) {
        let mut counts = self.counts();
        let kind = ended.kind.map_or("", Kind::name);
        let key = [ended.action, kind, ended.outcome, tenant].map(str::to_owned);
        *counts.calls.entry(key).or_default() += 1;
        if ended.kind.is_some() {
            counts.durations.entry(kind).or_insert_with(|| Histogram::new(CALL_BOUNDS)).add(ended.took);
        }
        if UPSTREAM.contains(&ended.outcome) {
            *counts.upstream.entry(ended.outcome.to_owned()).or_default() += 1;
        }
    }

    /// A search has ended.
    pub fn found(&self, took: Duration) {
        self.counts().finds.get_or_insert_with(|| Histogram::new(FIND_BOUNDS)).add(took);
    }

    /// A call was refused for its quota; `what`: `calls`, `credits`, `at_once` or `store`.
    pub fn rejected(&self, tenant: &str, what: &'static str) {
        *self.counts().rejections.entry((tenant.to_owned(), what)).or_default() += 1;
    }

    /// The quota store did not answer.
    pub fn lost(&self) {
        self.counts().lost += 1;
    }

    /// A request was answered.
    pub fn answered(&self, status: u16) {
        *self.counts().requests.entry(status).or_default() += 1;
    }

    /// A connection was turned away, as there were too many.
    pub fn turned_away(&self) {
        self.counts().refused += 1;
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The figures as text.
    pub fn text(&self) -> String {
        let counts = self.counts();
        let mut text = String::new();
        let head = |text: &mut String, name: &str, kind: &str, help: &str| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
        };
        head(&mut text, "callslip_calls_total", "counter", "Calls of actions.");
        for ([action, kind, outcome, tenant], count) in &counts.calls {
            let _ = writeln!(
                text,
                "callslip_calls_total{{action=\"{action}\",kind=\"{kind}\",outcome=\"{outcome}\",tenant=\"{tenant}\"}} {count}"
            );
        }
        head(&mut text, "callslip_call_duration_seconds", "histogram", "How long calls took.");
        for (kind, histogram) in &counts.durations {
            histogram.write(&mut text, "callslip_call_duration_seconds", &format!("kind=\"{kind}\""));
        }
        head(&mut text, "callslip_find_duration_seconds", "histogram", "How long searches took.");
        counts.finds.clone().unwrap_or_else(|| Histogram::new(FIND_BOUNDS)).write(&mut text, "callslip_find_duration_seconds", "");
        head(&mut text, "callslip_quota_rejections_total", "counter", "Calls refused for their quota.");
        for ((tenant, what), count) in &counts.rejections {
            let _ = writeln!(text, "callslip_quota_rejections_total{{tenant=\"{tenant}\",reason=\"{what}\"}} {count}");
        }
        head(&mut text, "callslip_quota_store_lost_total", "counter", "Times the quota store did not answer.");
        let _ = writeln!(text, "callslip_quota_store_lost_total {}", counts.lost);
        head(&mut text, "callslip_upstream_errors_total", "counter", "Calls that failed at the upstream.");
        for (code, count) in &counts.upstream {
            let _ = writeln!(text, "callslip_upstream_errors_total{{code=\"{code}\"}} {count}");
        }
        head(&mut text, "callslip_http_requests_total", "counter", "Requests to /mcp by status.");
        for (status, count) in &counts.requests {
            let _ = writeln!(text, "callslip_http_requests_total{{status=\"{status}\"}} {count}");
        }
        head(&mut text, "callslip_http_requests_running", "gauge", "Requests to /mcp being answered.");
        let _ = writeln!(text, "callslip_http_requests_running {}", self.running.load(Ordering::Relaxed));
        head(&mut text, "callslip_connections", "gauge", "Open connections.");
        let _ = writeln!(text, "callslip_connections {}", self.connections.load(Ordering::Relaxed));
        head(&mut text, "callslip_connections_refused_total", "counter", "Connections turned away, as there were too many.");
        let _ = writeln!(text, "callslip_connections_refused_total {}", counts.refused);
        text
    }
}
