//! Answers whose form hides what they hold: text as base64, lines that are JSON once more, counters in place of figures.

use super::{stream, usage};
use crate::answer::Content;
use crate::call::Call;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Map;

/// What stands before each line of a swarm service: the ids of its node, its service and its task.
const TASK: &str = "com.docker.swarm.task.id=";
/// So many characters of an id are shown, as Docker does.
const SHORT: usize = 12;

pub(super) fn mend(call: &Call, body: &mut Content) {
    match (&*call.action.id, body) {
        ("build_workspace.read", Content::Json(answer)) => {
            if let Some(content) = answer.pointer_mut("/data/content")
                && let Some(text) = content.as_str().and_then(decoded)
            {
                *content = text.into();
            }
        }
        ("image.get_build", Content::Json(answer)) => {
            if let Some(output) = answer.pointer_mut("/data/output")
                && let Some(lines) = output.as_str()
            {
                *output = lines.lines().map(stream::plain).collect::<Vec<_>>().join("\n").into();
            }
        }
        ("container.stats", Content::Log { more, .. }) => {
            if let Some(usage) = more.get("sample").and_then(usage::of) {
                // First, as it is what is asked for; the sample has the rest.
                let rest = std::mem::take(more);
                *more = Map::from_iter([("usage".to_owned(), usage)]);
                more.extend(rest);
            }
        }
        ("swarm_service.logs", Content::Log { log, .. }) if log.contains(TASK) => {
            *log = log.lines().map(of_task).collect::<Vec<_>>().join("\n");
        }
        _ => {}
    }
}

/// The text behind base64, where it is text.
fn decoded(content: &str) -> Option<String> {
    let text = String::from_utf8(STANDARD.decode(content).ok()?).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// The line with its task alone before it, as `docker service logs` shows it.
fn of_task(line: &str) -> String {
    let short = || {
        let (ids, said) = line.split_once(' ')?;
        // A time stamp may stand first.
        let (time, ids, said) =
            if ids.contains('=') { ("", ids, said) } else { said.split_once(' ').map(|(next, rest)| (ids, next, rest))? };
        let task = ids.split(',').find_map(|id| id.strip_prefix(TASK))?;
        let task = task.get(..SHORT).unwrap_or(task);
        Some(if time.is_empty() { format!("{task}: {said}") } else { format!("{time} {task}: {said}") })
    };
    short().unwrap_or_else(|| line.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{decoded, of_task};

    #[test]
    fn a_line_of_a_service_keeps_its_task() {
        let ids = "com.docker.swarm.node.id=n1,com.docker.swarm.service.id=s1,com.docker.swarm.task.id=wkn9v9tg0lc1g7sfvu8v2gulr";
        assert_eq!(of_task(&format!("{ids} tick = tock")), "wkn9v9tg0lc1: tick = tock");
        assert_eq!(of_task(&format!("2026-01-01T00:00:00Z {ids} tick")), "2026-01-01T00:00:00Z wkn9v9tg0lc1: tick");
        for line in ["", "tick", "a=b c", "2026-01-01T00:00:00Z only", "com.docker.swarm.task.id=x"] {
            assert_eq!(of_task(line), line);
        }
        assert_eq!(of_task("com.docker.swarm.task.id=é is short"), "é: is short");
    }

    #[test]
    fn only_text_is_decoded() {
        assert_eq!(decoded("RlJPTSBhCg==").as_deref(), Some("FROM a\n"));
        assert_eq!(decoded("/wA="), None);
        assert_eq!(decoded("AAA="), None);
        assert_eq!(decoded("FROM a"), None);
        assert_eq!(decoded("").as_deref(), Some(""));
    }
}
