//! A failure in both channels: what happened, then what to do.

use crate::error::Failure;
use crate::outcome::Outcome;
use crate::untrusted;
use serde_json::{Map, Value};
use std::fmt::Write;

/// Most characters of a message.
const MOST: usize = 4_000;

/// Most characters of further facts.
const MOST_FACTS: usize = 16_000;

/// Further facts that the upstream wrote; the others are ours.
const FOREIGN: [&str; 2] = ["result", "log"];

/// The fact that holds a request which was held back.
const WOULD_SEND: &str = "wouldSend";

/// Shows a failure.
pub fn failure(failure: &Failure) -> Outcome {
    let status = failure.status.map(|status| format!(", HTTP {status}")).unwrap_or_default();
    let mut text = format!("Failed ({}{status}): {}\n", failure.code.name(), sentence(&failure.message));
    for words in failure.words() {
        let _ = writeln!(text, "{}", sentence(&words));
    }
    list(&mut text, "Next", &failure.next);
    if !failure.required.is_empty() {
        let _ = writeln!(text, "\nRequired: {}", super::columns::named(failure.required.iter().map(String::as_str)));
    }
    list(&mut text, "Accepted", &failure.accepted);
    let (mut own, mut foreign) = (Map::new(), Map::new());
    for (name, fact) in &*failure.more {
        match name.as_str() {
            // Whoever is to agree must not take it for something that a stranger wrote.
            WOULD_SEND => facts(&mut text, "Would send (secrets masked):", fact),
            name if FOREIGN.contains(&name) => {
                foreign.insert(name.to_owned(), fact.clone());
            }
            name => {
                own.insert(name.to_owned(), fact.clone());
            }
        }
    }
    let mut structured = failure.structured();
    if !foreign.is_empty() {
        structured["error"]["untrusted"] = foreign.keys().cloned().collect();
    }
    for (title, group) in [("Details:", own), (untrusted::MARK, foreign)] {
        if !group.is_empty() {
            facts(&mut text, title, &group.into());
        }
    }
    Outcome { structured: structured.into(), text: super::cap(text.trim_end(), super::MOST_TEXT), is_error: true }
}

fn facts(text: &mut String, title: &str, value: &Value) {
    let block = untrusted::fenced(&untrusted::shorten(&untrusted::json(value), MOST_FACTS), "json");
    let _ = write!(text, "\n{title}\n\n{block}");
}

fn list(text: &mut String, title: &str, lines: &[String]) {
    // An empty item under a title would make a heading of the title.
    let mut lines = lines.iter().map(|line| sentence(line)).filter(|line| !line.is_empty()).peekable();
    if lines.peek().is_some() {
        let _ = writeln!(text, "\n{title}:");
    }
    for line in lines {
        let _ = writeln!(text, "- {line}");
    }
}

/// A sentence of ours, perhaps with upstream words in it: on one line, code spans kept, everything else that Markdown could take for a
/// link, an image, a tag or a heading made plain. A careless caller that forgot to quote cannot open a hole here.
pub fn sentence(text: &str) -> String {
    let line = untrusted::line(text, MOST);
    let mut out = String::with_capacity(line.len());
    let mut rest = line.as_str();
    while let Some(start) = rest.find('`') {
        plain(&rest[..start], &mut out);
        let fence = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let inner = &rest[start + fence..];
        if let Some(end) = closing(inner, fence) {
            span(&rest[start..start + 2 * fence + end], &mut out);
            rest = &inner[end + fence..];
        } else {
            // Never closed: these backticks are letters.
            out.push_str(&"\\`".repeat(fence));
            rest = inner;
        }
    }
    plain(rest, &mut out);
    out
}

/// Where a code span opened by that many backticks ends.
fn closing(text: &str, fence: usize) -> Option<usize> {
    let mut place = 0;
    while let Some(found) = text[place..].find('`') {
        let start = place + found;
        let run = text[start..].len() - text[start..].trim_start_matches('`').len();
        if run == fence {
            return Some(start);
        }
        place = start + run;
    }
    None
}

/// A code span, apart from one before it: backticks that touch would count as one longer fence.
fn span(text: &str, out: &mut String) {
    if out.ends_with('`') {
        out.push(' ');
    }
    out.push_str(text);
}

/// Words outside code spans. The address too gets a backslash, since many readers make a link of a bare one.
fn plain(text: &str, out: &mut String) {
    for (place, letter) in text.char_indices() {
        let anywhere = matches!(letter, '[' | ']' | '<' | '>' | '*' | '_' | '|' | '\\' | '&' | '~' | '$' | '^');
        let first = out.is_empty() && matches!(letter, '#' | '-' | '+' | '=' | ':');
        let number = matches!(letter, '.' | ')') && !out.is_empty() && out.bytes().all(|byte| byte.is_ascii_digit());
        let address = text[place..].starts_with("://") || (letter == '.' && text[..place].ends_with("www"));
        if anywhere || first || number || address {
            out.push('\\');
        }
        out.push(letter);
    }
}
