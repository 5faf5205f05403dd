//! Arcane's sockets: logs, samples and a terminal. A failure is a frame that begins with one of a few phrases.

use crate::call::Call;
use crate::upstream::socket::Talk;

/// Beginnings of a frame that reports a failure.
const FAILURES: [&str; 7] = [
    "failed to stream container logs:",
    "failed to stream container stats:",
    "failed to stream project logs:",
    "failed to stream service logs:",
    "failed to stream ",
    "error creating exec",
    "error attaching to exec",
];

pub(super) fn talk(call: &Call) -> Talk {
    match &*call.action.id {
        "container.exec" => Talk::Terminal,
        // The first frame has nothing to compare its counters with.
        "container.stats" => Talk::Samples(2),
        "system.stats" | "diagnostics.sample" => Talk::Samples(1),
        _ => Talk::Lines,
    }
}

pub(super) fn failure(frame: &str) -> Option<String> {
    let start = frame.trim_start();
    FAILURES.iter().any(|phrase| start.get(..phrase.len()).is_some_and(|head| head.eq_ignore_ascii_case(phrase))).then(|| start.to_owned())
}
