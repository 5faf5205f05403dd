//! Arcane's progress lines: Docker's own objects, its log lines, and an outcome in the last one.

use crate::cost::line_json;
use crate::upstream::stream::Event;
use serde_json::Value;

/// What a line says.
pub(super) fn event(line: &str) -> Event {
    let Some(value) = line_json(line) else { return not_json(line) };
    let text = |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(error) = value.pointer("/errorDetail/message").and_then(Value::as_str).or_else(|| text("error")) {
        return Event::Failed(error.to_owned());
    }
    if value.get("done") == Some(&Value::Bool(true)) {
        return Event::Done;
    }
    if text("type") == Some("activity")
        && let Some(activity) = text("activityId")
    {
        return Event::Activity(activity.to_owned());
    }
    if text("type") == Some("heartbeat") {
        return Event::Silent;
    }
    if let (Some(status), Some(id)) = (text("status"), text("id")) {
        let count = |key: &str| value.pointer(&format!("/progressDetail/{key}")).and_then(Value::as_f64);
        if let (Some(current), Some(total)) = (count("current"), count("total"))
            && total > 0.0
        {
            return Event::Part { id: id.to_owned(), current, total, text: format!("{id}: {status}") };
        }
    }
    Event::Text(text("log").map_or_else(|| words(&value).unwrap_or_else(|| line.to_owned()), plain))
}

/// A line of a log: where it is one of these objects once more, what that says.
pub(super) fn plain(line: &str) -> String {
    let told = line_json(line).as_ref().and_then(words);
    told.unwrap_or_else(|| line.trim_end().to_owned())
}

/// What an object says, in the words of its sender.
fn words(value: &Value) -> Option<String> {
    let text = |key: &str| value.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let kind = text("type");
    let build = kind == Some("build");
    if let (Some(status), Some(id)) = (text("status"), text("id")) {
        return Some(format!("{id}: {status}"));
    }
    if let Some(said) = text("stream").or_else(|| text("status").filter(|_| kind.is_none())) {
        return Some(said.trim_end().to_owned());
    }
    let said = text("message").or_else(|| text("status")).or_else(|| text("error").filter(|_| build));
    match (text("service"), said) {
        // A build of several services says whose line it is; the status names the service once more.
        (Some(service), Some(said)) if kind.is_none() || build => return Some(format!("{service}: {said}")),
        (None, Some(said)) if build => return Some(said.to_owned()),
        _ => {}
    }
    let (kind, phase) = (kind?, text("phase")?);
    let words = [Some(kind), Some(phase), text("service"), text("status"), text("message")];
    Some(words.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

/// Error lines are quoted the way Go quotes, which JSON does not know: the wrapper is taken off as text.
fn not_json(line: &str) -> Event {
    let trimmed = line.trim();
    let inner = trimmed.strip_prefix("{\"error\":").map(|rest| rest.trim().trim_end_matches('}').trim().trim_matches('"'));
    match inner {
        Some(text) => Event::Failed(unescape(text)),
        None => Event::Text(trimmed.to_owned()),
    }
}

/// The escapes of Go that matter to a reader; control characters are removed later, with all others.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        let digits = match letters.next() {
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some('n') => {
                out.push('\n');
                continue;
            }
            Some('t') => {
                out.push('\t');
                continue;
            }
            Some('a' | 'b' | 'f' | 'r' | 'v') => continue,
            Some(other) => {
                out.push(other);
                continue;
            }
            None => break,
        };
        let code: String = letters.by_ref().take(digits).collect();
        out.extend(u32::from_str_radix(&code, 16).ok().and_then(char::from_u32));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let cases = [
            (r#"{"type":"activity","activityId":"a1"}"#, Event::Activity("a1".into())),
            (r#"{"log":"hello\n"}"#, Event::Text("hello".into())),
            (r#"{"done":true}"#, Event::Done),
            (r#"{"error":"no"}"#, Event::Failed("no".into())),
            (r#"{"errorDetail":{"message":"deep"},"error":"x"}"#, Event::Failed("deep".into())),
            (r#"{"error":"\x1b[31mfail\U0001f600"}"#, Event::Failed("\u{1b}[31mfail\u{1f600}".into())),
            (r#"{"status":"complete"}"#, Event::Text("complete".into())),
            (r#"{"type":"build","service":"web","status":"Step 1/2 : FROM a"}"#, Event::Text("web: Step 1/2 : FROM a".into())),
            (r#"{"type":"deploy","phase":"service","service":"web","status":"running"}"#, Event::Text("deploy service web running".into())),
            (r#"{"type":"build","phase":"begin","status":"build started"}"#, Event::Text("build started".into())),
            // A log line that is such an object once more; what it calls an error is told again as one.
            (r#"{"log":"{\"type\":\"build\",\"status\":\"Step 1/2 : FROM a\"}"}"#, Event::Text("Step 1/2 : FROM a".into())),
            (r#"{"log":"{\"type\":\"build\",\"error\":\"no\"}"}"#, Event::Text("no".into())),
            (r#"{"log":"{\"level\":\"info\"}\n"}"#, Event::Text(r#"{"level":"info"}"#.into())),
            ("plain", Event::Text("plain".into())),
        ];
        for (line, wanted) in cases {
            assert_eq!(event(line), wanted, "{line}");
        }
        let part = event(r#"{"status":"Downloading","id":"l1","progressDetail":{"current":1,"total":4}}"#);
        assert_eq!(part, Event::Part { id: "l1".into(), current: 1.0, total: 4.0, text: "l1: Downloading".into() });
    }
}
