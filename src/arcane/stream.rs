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
        return match (count("current"), count("total")) {
            (Some(current), Some(total)) if total > 0.0 => {
                Event::Part { id: id.to_owned(), current, total, text: format!("{id}: {status}") }
            }
            _ => Event::Text(format!("{id}: {status}")),
        };
    }
    if let Some(said) = text("log").or_else(|| text("stream")).or_else(|| text("status").filter(|_| text("type").is_none())) {
        return Event::Text(said.trim_end().to_owned());
    }
    // A build of several services says whose line it is; the status names the service once more.
    if let (Some(service), Some(said)) = (text("service"), text("message").or_else(|| text("status")))
        && text("type").is_none_or(|kind| kind == "build")
    {
        return Event::Text(format!("{service}: {said}"));
    }
    if let (Some(kind), Some(phase)) = (text("type"), text("phase")) {
        let words: Vec<_> = [Some(kind), Some(phase), text("service"), text("status"), text("message")].into_iter().flatten().collect();
        return Event::Text(words.join(" "));
    }
    Event::Text(line.to_owned())
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
            ("plain", Event::Text("plain".into())),
        ];
        for (line, wanted) in cases {
            assert_eq!(event(line), wanted, "{line}");
        }
        let part = event(r#"{"status":"Downloading","id":"l1","progressDetail":{"current":1,"total":4}}"#);
        assert_eq!(part, Event::Part { id: "l1".into(), current: 1.0, total: 4.0, text: "l1: Downloading".into() });
    }
}
