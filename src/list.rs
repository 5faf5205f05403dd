//! The tool list of a surface: the compiled bytes where nothing is filtered, else the compiled pieces that are left, which are written where
//! they lie. Only what the filters touch in the middle is projected anew: the tool of a domain that lost some of its actions, the few tools
//! that tell of the whole offer.

use crate::app::App;
use crate::offer::told;
use anyhow::Result;
use bytes::Bytes;
use callslip_catalog::model::Domain;
use callslip_catalog::project::{Surface, View, meta_tool, progressive_four, tools};
use std::borrow::Cow;
use std::ops::Range;

/// Some tool definitions with the commas between them, compiled or projected now.
type Piece = Cow<'static, [u8]>;

/// Most pieces that are written one after the other; more are joined, since each costs a system call.
const MOST_PIECES: usize = 16;

/// The list as the bytes of a JSON array, in pieces.
pub fn of(app: &App) -> Result<Vec<Bytes>> {
    let (surface, offer) = (app.config.surface, &app.offer);
    app.catalog.check_surface(surface)?;
    let compiled = app.catalog.listed(surface);
    // The tools of `dynamic` name no action.
    if (offer.whole() || surface == Surface::Dynamic) && !offer.read_only && offer.pinned.is_empty() && !app.config.split_read {
        return Ok(vec![Bytes::from_static(compiled.json)]);
    }
    let pieces = match surface {
        Surface::Dynamic => {
            let view = View { read_only: offer.read_only, split_read: app.config.split_read, ..View::new(app.api()) };
            return Ok(vec![tools(surface, &view).json.into()]);
        }
        Surface::Meta => meta(app)?,
        Surface::Individual => individual(app, 0..app.catalog.len()),
        Surface::Progressive => progressive(app),
    };
    Ok(array(pieces))
}

/// A JSON array of the pieces.
fn array(pieces: Vec<Piece>) -> Vec<Bytes> {
    if pieces.len() > MOST_PIECES {
        return vec![[&b"["[..], &pieces.join(&b","[..]), b"]"].concat().into()];
    }
    let mut array = Vec::with_capacity(2 * pieces.len() + 1);
    let mut before = "[";
    for piece in pieces {
        array.push(Bytes::from_static(std::mem::replace(&mut before, ",").as_bytes()));
        array.push(match piece {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => bytes.into(),
        });
    }
    array.push(Bytes::from_static(if array.is_empty() { b"[]" } else { b"]" }));
    array
}

fn numbers(domain: &Domain<'_>) -> Range<usize> {
    domain.first as usize..(domain.first + domain.count) as usize
}

/// The tools of the actions that are left, those that follow each other as one piece.
fn individual(app: &App, numbers: Range<usize>) -> Vec<Piece> {
    let compiled = app.catalog.listed(Surface::Individual);
    let mut pieces = Vec::new();
    let mut first = numbers.start;
    for number in numbers.start..=numbers.end {
        let there = number < numbers.end && app.offer.has(number);
        // A tool whose texts have to change is a piece of its own.
        let changed = if there { told(app, number) } else { None };
        if !there || changed.is_some() {
            pieces.extend((first < number).then(|| compiled.run(first..number)).flatten().map(Cow::Borrowed));
            pieces.extend(changed);
            first = number + 1;
        }
    }
    pieces
}

/// The tool of an action, where its texts name actions that are not offered.
fn told(app: &App, number: usize) -> Option<Piece> {
    if app.offer.whole() {
        return None;
    }
    let domain = app.catalog.id(number).ok()?.split_once('.')?.0;
    changed(app, domain, app.catalog.listed(Surface::Individual).tool(number)?)
}

/// A compiled tool, where its texts have to say that actions which they name are not offered.
fn changed(app: &App, domain: &str, tool: &[u8]) -> Option<Piece> {
    if !told::may_name_removed(app, domain, tool) {
        return None;
    }
    let text = std::str::from_utf8(tool).ok()?;
    match told::told(app, domain, text, &|name| text.contains(&format!("\"{name}\":{{"))) {
        Cow::Owned(text) => Some(Cow::Owned(text.into_bytes())),
        Cow::Borrowed(_) => None,
    }
}

fn meta(app: &App) -> Result<Vec<Piece>> {
    let compiled = app.catalog.listed(Surface::Meta);
    let mut pieces = Vec::new();
    for (place, domain) in app.api().domains.iter().enumerate() {
        let kept: Vec<_> = numbers(domain).filter(|number| app.offer.has(*number)).collect();
        if kept.len() == numbers(domain).len() {
            pieces.extend(compiled.tool(place).map(|tool| changed(app, &domain.name, tool).unwrap_or(Cow::Borrowed(tool))));
        } else if !kept.is_empty() {
            let actions = kept.into_iter().map(|number| app.action(number)).collect::<Result<Vec<_>>>()?;
            let tool = meta_tool(&app.api().name, domain, &actions.iter().collect::<Vec<_>>());
            pieces.push(Cow::Owned(tool.into_bytes()));
        }
    }
    Ok(pieces)
}

fn progressive(app: &App) -> Vec<Piece> {
    let (api, offer) = (app.api(), &app.offer);
    let has = |toolset: u16| api.domains.iter().any(|domain| domain.toolset == toolset && numbers(domain).any(|number| offer.has(number)));
    let toolsets: Vec<_> = (0..).zip(&api.toolsets).filter(|(number, _)| has(*number)).map(|(_, toolset)| toolset).collect();
    let mut pieces: Vec<Piece> =
        progressive_four(api, &toolsets, offer.read_only).map(|tool| Cow::Owned(tool.into_bytes())).into_iter().collect();
    let pinned = api.domains.iter().filter(|domain| offer.pinned.contains(&domain.toolset));
    pieces.extend(pinned.flat_map(|domain| individual(app, numbers(domain))));
    pieces
}
