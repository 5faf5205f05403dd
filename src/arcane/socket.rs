//! Arcane's sockets: logs, samples and a terminal. A failure is a frame that begins with one of a few phrases.

use crate::call::Call;
use crate::cost::line_json;
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

/// Longest frame that may be a failure told as JSON; longer ones are not taken apart for that.
const LONGEST: usize = 16 << 10;

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
    // Statistics report it as JSON, logs and terminals as bare text.
    let told = (frame.len() <= LONGEST && frame.trim_start().starts_with('{')).then(|| line_json(frame)).flatten();
    let told = told.as_ref().and_then(|value| value.get("error").or_else(|| value.get("message"))?.as_str());
    let start = told.unwrap_or(frame).trim_start();
    FAILURES.iter().any(|phrase| start.get(..phrase.len()).is_some_and(|head| head.eq_ignore_ascii_case(phrase))).then(|| start.to_owned())
}

#[cfg(test)]
mod tests {
    use super::failure;

    #[test]
    fn a_failure_is_told_as_text_or_as_json() {
        let text = "Failed to stream container stats: no Docker";
        assert_eq!(failure(text).as_deref(), Some(text));
        assert_eq!(failure(&format!(r#"{{"error":"{text}"}}"#)).as_deref(), Some(text));
        assert_eq!(failure(r#"{"level":"error","message":"request failed"}"#), None);
    }
}
