//! A sample of Docker's counters as the figures that `docker stats` shows.

use serde_json::{Map, Value};

/// CPU of all cores in percent, memory without the file cache that can be given back, bytes since the container started.
pub(super) fn of(sample: &Value) -> Option<Value> {
    let at = |path: &str| sample.pointer(path).and_then(Value::as_f64);
    let mut usage = Map::new();
    let mut put = |name: &str, figure: Option<f64>| {
        if let Some(figure) = figure {
            usage.insert(name.to_owned(), figure.into());
        }
    };
    let grown = |path: &str| Some(at(&format!("/cpu_stats{path}"))? - at(&format!("/precpu_stats{path}"))?);
    let cores = at("/cpu_stats/online_cpus").filter(|cores| *cores > 0.0).unwrap_or(1.0);
    let percent = match (grown("/cpu_usage/total_usage"), grown("/system_cpu_usage")) {
        // The first sample has nothing before it.
        (Some(own), Some(all)) if own >= 0.0 && all > 0.0 => Some(hundredths(own / all * cores * 100.0)),
        _ => None,
    };
    put("cpuPercent", percent);
    let cache = at("/memory_stats/stats/total_inactive_file").or_else(|| at("/memory_stats/stats/inactive_file")).unwrap_or(0.0);
    let memory = at("/memory_stats/usage").map(|used| if cache < used { used - cache } else { used });
    let limit = at("/memory_stats/limit").filter(|limit| *limit > 0.0);
    put("memoryPercent", memory.zip(limit).map(|(used, limit)| hundredths(used / limit * 100.0)));
    let mut bytes = |name: &str, figure: Option<f64>| {
        if let Some(figure) = figure {
            usage.insert(name.to_owned(), whole(figure));
        }
    };
    bytes("memoryBytes", memory);
    bytes("memoryLimitBytes", limit);
    let networks = sample.get("networks").and_then(Value::as_object);
    let network = |name: &str| networks.map(|all| all.values().filter_map(|one| one.get(name)?.as_f64()).sum());
    bytes("networkReceivedBytes", network("rx_bytes"));
    bytes("networkSentBytes", network("tx_bytes"));
    let blocks = sample.pointer("/blkio_stats/io_service_bytes_recursive").and_then(Value::as_array);
    let block = |way: &str| {
        let is = |one: &&Value| one.get("op").and_then(Value::as_str).is_some_and(|op| op.eq_ignore_ascii_case(way));
        blocks.map(|all| all.iter().filter(is).filter_map(|one| one.get("value")?.as_f64()).sum())
    };
    bytes("blockReadBytes", block("read"));
    bytes("blockWrittenBytes", block("write"));
    bytes("processes", at("/pids_stats/current"));
    (!usage.is_empty()).then(|| usage.into())
}

fn hundredths(figure: f64) -> f64 {
    (figure * 100.0).round() / 100.0
}

/// A count without a fraction.
fn whole(figure: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count; what is out of range is cut to the range")]
    let count = figure as u64;
    count.into()
}

#[cfg(test)]
mod tests {
    use super::of;
    use serde_json::json;

    #[test]
    fn figures_are_those_of_docker_stats() {
        let sample = json!({
            "cpu_stats": { "cpu_usage": { "total_usage": 300 }, "system_cpu_usage": 2000, "online_cpus": 4 },
            "precpu_stats": { "cpu_usage": { "total_usage": 100 }, "system_cpu_usage": 1000 },
            "memory_stats": { "usage": 1_500, "limit": 8_000, "stats": { "inactive_file": 500 } },
            "networks": { "eth0": { "rx_bytes": 10, "tx_bytes": 1 }, "eth1": { "rx_bytes": 5, "tx_bytes": 2 } },
            "blkio_stats": { "io_service_bytes_recursive": [{ "op": "Read", "value": 7 }, { "op": "write", "value": 9 }, { "op": "read", "value": 1 }] },
            "pids_stats": { "current": 3 }
        });
        let expected = json!({
            "cpuPercent": 80.0, "memoryPercent": 12.5, "memoryBytes": 1_000, "memoryLimitBytes": 8_000, "networkReceivedBytes": 15,
            "networkSentBytes": 3, "blockReadBytes": 8, "blockWrittenBytes": 9, "processes": 3
        });
        assert_eq!(of(&sample), Some(expected));
    }

    #[test]
    fn what_is_not_known_is_not_told() {
        assert_eq!(of(&json!({})), None);
        assert_eq!(of(&json!([1])), None);
        // A stopped container, and a first sample.
        let sample = json!({
            "cpu_stats": { "cpu_usage": { "total_usage": 0 } }, "precpu_stats": { "cpu_usage": { "total_usage": 5 } },
            "memory_stats": {}, "blkio_stats": { "io_service_bytes_recursive": null }, "pids_stats": {}
        });
        assert_eq!(of(&sample), None);
        let older = json!({ "memory_stats": { "usage": 10, "stats": { "total_inactive_file": 50 } } });
        assert_eq!(of(&older), Some(json!({ "memoryBytes": 10 })));
    }
}
