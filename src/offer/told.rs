//! Texts of the catalog where part of it is not offered: an action that they name and that was removed is said to be so, in descriptions,
//! usage and parameters alike. Works on plain text and on JSON, since nothing is put in but plain words.

use crate::app::App;
use callslip_catalog::model::{Action, Card, Piece, Text};
use callslip_catalog::names::ticked;
use std::borrow::Cow;

/// Follows the name of an action that is not offered.
const GONE: &str = " (not offered here)";

/// The text with a word after every removed action it names in backticks: by its id, or as `domain` names it among its own.
/// `is_param`: names that mean a parameter, which may be called like an action.
pub fn told<'a>(app: &App, domain: &str, text: &'a str, is_param: &dyn Fn(&str) -> bool) -> Cow<'a, str> {
    if !may_name_removed(app, domain, text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut copied = 0;
    for place in ticked(text) {
        let name = &text[place.clone()];
        if !is_param(name) && is_removed(app, domain, name) {
            out.push_str(&text[copied..=place.end]);
            out.push_str(GONE);
            copied = place.end + 1;
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Whether a text names a removed action, or a parameter called like one. A whole tool list is asked this way, which has to be quick.
pub fn may_name_removed(app: &App, domain: &str, text: &[u8]) -> bool {
    if app.offer.whole() {
        return false;
    }
    memchr::memchr_iter(b'`', text).any(|tick| {
        let rest = &text[tick + 1..];
        let length = rest.iter().position(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.')).unwrap_or(rest.len());
        let name = (length > 0 && rest.get(length) == Some(&b'`')).then(|| std::str::from_utf8(&rest[..length]).ok()).flatten();
        name.is_some_and(|name| is_removed(app, domain, name))
    })
}

fn is_removed(app: &App, domain: &str, name: &str) -> bool {
    numbered(app, domain, name).is_some_and(|number| !app.offer.has(number))
}

/// The action that a text of `domain` means by `name`.
fn numbered(app: &App, domain: &str, name: &str) -> Option<usize> {
    if name.contains('.') { app.catalog.number(name) } else { app.catalog.number(&format!("{domain}.{name}")) }
}

/// The same for every text of an action.
pub fn action(app: &App, action: &mut Action<'static>) {
    if app.offer.whole() {
        return;
    }
    let domain = action.domain_name().to_owned();
    let names: Vec<String> = action.params.iter().map(|param| param.name.to_string()).collect();
    let settle = |text: &mut Text<'static>| {
        if let Cow::Owned(new) = told(app, &domain, text, &|name| names.iter().any(|known| known == name)) {
            *text = Cow::Owned(new);
        }
    };
    settle(&mut action.description);
    settle(&mut action.usage);
    for param in &mut action.params {
        settle(&mut param.schema);
    }
}

/// The same for a card, which knows what its texts name.
pub fn card(app: &App, card: &mut Card<'static>) {
    let gone = |number: u32| !app.offer.has(number as usize);
    if app.offer.whole() || !card.named.iter().any(|number| gone(*number)) {
        return;
    }
    let id = card.piece(Piece::Id);
    let domain = id.split_once('.').map_or("", |(domain, _)| domain).to_owned();
    let named = std::mem::take(&mut card.named);
    let is_param = |name: &str| {
        let number = numbered(app, &domain, name).and_then(|number| u32::try_from(number).ok());
        !number.is_some_and(|number| named.contains(&number))
    };
    card.change(|text| told(app, &domain, text, &is_param));
}
