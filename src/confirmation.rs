//! Words about a destructive call: the question a person is asked, the answers that are none, and the line they can run themselves.

use crate::app::App;
use crate::error::Failure;
use crate::policy;
use crate::run::Held;
use crate::untrusted;
use serde_json::{Map, Value};

/// Most characters of a body in a question.
const MOST_BODY: usize = 600;

/// What a person said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// Yes.
    Agreed,
    /// No.
    Declined,
    /// The question was closed.
    Cancelled,
    /// Nothing, for too long.
    Nothing,
}

/// A plain sentence that names action and target, and what would be sent.
pub fn question(app: &App, held: &Held) -> String {
    let action = &held.call.action;
    let shown = held.request.shown();
    let path = shown["path"].as_str().unwrap_or_default();
    let mut text = format!(
        "{}: {} ({}). May it run? It is destructive and sends {} {}",
        app.api().title,
        action.title,
        action.id,
        action.method.name(),
        untrusted::line(path, MOST_BODY)
    );
    if let Some(body) = shown.get("body") {
        text.push_str(" with ");
        text.push_str(&untrusted::line(&untrusted::shorten(&body.to_string(), MOST_BODY), MOST_BODY));
    }
    text.push('.');
    text
}

/// The refusal after any answer but yes.
pub fn unanswered(held: &Held, said: Said) -> Failure {
    let id = &held.call.action.id;
    let (problem, step) = match said {
        Said::Agreed | Said::Declined => (format!("The user declined `{id}`."), "Do not try it again unless the user asks for it."),
        Said::Cancelled => (format!("The user closed the question about `{id}`."), "Ask the user what they want instead."),
        Said::Nothing => (format!("The question about `{id}` was not answered in time."), "Ask the user, then call again."),
    };
    policy::refusal(held, format!("{problem} Nothing was sent.")).next(step)
}

/// The command that runs the call from a shell, secrets left out.
pub fn command_line(app: &App, held: &Held) -> String {
    let call = &held.call;
    let mut line = vec!["callslip".to_owned(), "call".to_owned(), call.action.id.to_string()];
    if !call.arguments.is_empty() {
        let arguments: Map<String, Value> =
            call.arguments.iter().map(|(name, value)| (name.clone(), unmasked(value, &held.request.mask.texts))).collect();
        line.extend(["--params".to_owned(), quoted(&Value::Object(arguments).to_string())]);
    }
    if !call.own.fields.is_empty() {
        line.extend(["--fields".to_owned(), quoted(&call.own.fields.join(","))]);
    }
    if let Some(path) = &call.own.save_to {
        line.extend(["--save-to".to_owned(), quoted(path)]);
    }
    if call.own.overwrite {
        line.push("--overwrite".to_owned());
    }
    if let Some(source) = app.catalog.source() {
        line.extend(["--catalog".to_owned(), quoted(&source.display().to_string())]);
    }
    if !app.config.include.is_empty() {
        line.extend(["--include".to_owned(), quoted(&app.config.include.join(","))]);
    }
    line.push("--confirm".to_owned());
    line.join(" ")
}

/// The value with every secret text in it replaced.
fn unmasked(value: &Value, secrets: &[String]) -> Value {
    match value {
        Value::String(text) if secrets.iter().any(|secret| text.contains(secret.as_str())) => "***".into(),
        Value::Array(items) => items.iter().map(|item| unmasked(item, secrets)).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), unmasked(value, secrets))).collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// A word for a POSIX shell.
fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.,/:=@%+".contains(letter);
    if !text.is_empty() && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}

/// A text as a Markdown code span, however many backticks are in it.
pub fn code(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for letter in text.chars() {
        run = if letter == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    if longest == 0 { format!("{fence}{text}{fence}") } else { format!("{fence} {text} {fence}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_words() {
        assert_eq!(quoted("a,b"), "a,b");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted("$(rm)"), "'$(rm)'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn code_spans_hold_backticks() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a``b"), "``` a``b ```");
    }
}
