//! Words about a destructive call: the question a person is asked, the answers that are none, and the line they can run themselves.

mod brief;

use crate::app::App;
use crate::error::Failure;
use crate::params::placeholder;
use crate::policy;
use crate::request::is_secret_name;
use crate::run::Held;
use crate::untrusted;
use serde_json::{Map, Value};

/// Most characters of a path in a question, and of each value of its query.
const MOST_PATH: usize = 600;
const MOST_VALUE: usize = 80;

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
        address(path)
    );
    for (word, part) in [(" with ", "body"), (" and the headers ", "headers")] {
        if let Some(part) = shown.get(part) {
            text.push_str(word);
            text.push_str(&untrusted::line(&brief::brief(part), usize::MAX));
        }
    }
    text.push('.');
    text
}

/// A path with every part of its query: one that is long must not push out another.
fn address(path: &str) -> String {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let pairs: Vec<_> = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| untrusted::line(pair, MOST_VALUE)).collect();
    let separator = if pairs.is_empty() { "" } else { "?" };
    format!("{}{separator}{}", untrusted::line(path, MOST_PATH), pairs.join("&"))
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

/// The command that runs the call from a shell, and the placeholders in it that stand where secrets have to be written.
pub fn command_line(app: &App, held: &Held) -> (String, Vec<String>) {
    let call = &held.call;
    let mut places = Vec::new();
    let mut line = vec!["callslip".to_owned(), "call".to_owned(), call.action.id.to_string()];
    if !call.arguments.is_empty() {
        let arguments: Map<String, Value> =
            call.arguments.iter().map(|(name, value)| (name.clone(), without_secrets(held, name, value, &mut places))).collect();
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
    (line.join(" "), places)
}

/// The value of an argument with a placeholder for every secret in it: one that is refused when it is sent as it stands.
fn without_secrets(held: &Held, name: &str, value: &Value, places: &mut Vec<String>) -> Value {
    let action = &held.call.action;
    let is_secret = action.param(name).is_some_and(|param| param.secret);
    let mut hider = Hider { by_name: action.secret_params, texts: &held.request.mask.texts, places };
    hider.hide(is_secret, name, value)
}

struct Hider<'a> {
    by_name: bool,
    texts: &'a [String],
    places: &'a mut Vec<String>,
}

impl Hider<'_> {
    fn hide(&mut self, is_secret: bool, name: &str, value: &Value) -> Value {
        let is_secret = is_secret || (self.by_name && is_secret_name(name));
        match value {
            Value::String(text) if is_secret || self.texts.iter().any(|secret| text.contains(secret.as_str())) => self.place(name).into(),
            // Variables are often given as `NAME=value`.
            Value::String(text) => match text.split_once('=') {
                Some((variable, _)) if self.by_name && is_secret_name(variable) => format!("{variable}={}", self.place(variable)).into(),
                _ => value.clone(),
            },
            Value::Array(items) => items.iter().map(|item| self.hide(is_secret, name, item)).collect(),
            Value::Object(members) => {
                members.iter().map(|(name, value)| (name.clone(), self.hide(is_secret, name, value))).collect::<Map<_, _>>().into()
            }
            other => other.clone(),
        }
    }

    fn place(&mut self, name: &str) -> String {
        let place = placeholder(name);
        if !self.places.contains(&place) {
            self.places.push(place.clone());
        }
        place
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
