//! The tool list of a surface: the compiled bytes where nothing is filtered, else compiled pieces joined. Only what the filters touch in
//! the middle is projected anew: the tool of a domain that lost some of its actions, the few tools that tell of the whole offer.

use crate::app::App;
use crate::offer::told;
use anyhow::Result;
use bytes::Bytes;
use callslip_catalog::model::Domain;
use callslip_catalog::project::{Surface, View, meta_tool, progressive_four, tools};
use std::borrow::Cow;
use std::ops::Range;

/// A tool definition, compiled or projected now.
type Piece = Cow<'static, [u8]>;

/// The list as the bytes of a JSON array.
pub fn of(app: &App) -> Result<Bytes> {
    let (surface, offer) = (app.config.surface, &app.offer);
    app.catalog.check_surface(surface)?;
    let compiled = app.catalog.listed(surface);
    // The tools of `dynamic` name no action.
    if (offer.whole() || surface == Surface::Dynamic) && !offer.read_only && offer.pinned.is_empty() && !app.config.split_read {
        return Ok(Bytes::from_static(compiled.json));
    }
    let pieces = match surface {
        Surface::Dynamic => {
            let view = View { read_only: offer.read_only, split_read: app.config.split_read, ..View::new(app.api()) };
            return Ok(tools(surface, &view).json.into());
        }
        Surface::Meta => meta(app)?,
        Surface::Individual => individual(app, 0..app.catalog.len()).collect(),
        Surface::Progressive => progressive(app),
    };
    Ok([&b"["[..], &pieces.join(&b","[..]), b"]"].concat().into())
}

fn numbers(domain: &Domain<'_>) -> Range<usize> {
    domain.first as usize..(domain.first + domain.count) as usize
}

fn individual(app: &App, numbers: Range<usize>) -> impl Iterator<Item = Piece> {
    let compiled = app.catalog.listed(Surface::Individual);
    numbers.filter(|number| app.offer.has(*number)).filter_map(move |number| {
        let domain = app.catalog.id(number).ok()?.split_once('.')?.0;
        Some(told(app, domain, compiled.tool(number)?))
    })
}

/// A compiled tool whose texts say which of the actions they name are not offered.
fn told(app: &App, domain: &str, tool: &'static [u8]) -> Piece {
    match std::str::from_utf8(tool).map(|text| told::told(app, domain, text, &|name| text.contains(&format!("\"{name}\":{{")))) {
        Ok(Cow::Owned(text)) => Cow::Owned(text.into_bytes()),
        _ => Cow::Borrowed(tool),
    }
}

fn meta(app: &App) -> Result<Vec<Piece>> {
    let compiled = app.catalog.listed(Surface::Meta);
    let mut pieces = Vec::new();
    for (place, domain) in app.api().domains.iter().enumerate() {
        let kept: Vec<_> = numbers(domain).filter(|number| app.offer.has(*number)).collect();
        if kept.len() == numbers(domain).len() {
            pieces.extend(compiled.tool(place).map(|tool| told(app, &domain.name, tool)));
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
