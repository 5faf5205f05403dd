//! Guides as resources, and as what `describe` and the search show of them.

use super::{Contents, Listed, MARKDOWN, Unread};
use crate::app::App;
use crate::error::named_ids;
use crate::guides::Guide;
use std::collections::BTreeSet;

/// Address of a guide.
pub fn uri(app: &App, guide: &Guide) -> String {
    format!("{}://guides/{}", app.api().name, guide.name)
}

pub fn listed(app: &App) -> impl Iterator<Item = Listed> {
    app.catalog.guides().all().iter().map(|guide| Listed {
        uri: uri(app, guide),
        name: guide.name.clone(),
        title: guide.title.clone(),
        description: guide.description.clone(),
        mime: MARKDOWN,
    })
}

pub fn template(app: &App) -> Option<Listed> {
    (!app.catalog.guides().all().is_empty()).then(|| Listed {
        uri: format!("{}://guides/{{guide}}", app.api().name),
        name: "guide".into(),
        title: "One guide".into(),
        description: "How a longer piece of work is done.".into(),
        mime: MARKDOWN,
    })
}

/// The text of a guide; it begins with what of it cannot be done here.
pub fn read(app: &App, guide: &Guide) -> String {
    let named = named_ids(&guide.text).filter(|id| app.catalog.number(id).is_some() && !app.offers(id));
    let missing: BTreeSet<_> = named.collect();
    if missing.is_empty() {
        return guide.text.clone();
    }
    let missing: Vec<_> = missing.iter().map(|id| format!("`{id}`")).collect();
    format!("Not offered by this server: {}.\n\n{}", missing.join(", "), guide.text)
}

pub fn contents(app: &App, name: &str) -> Result<Contents, Unread> {
    let guides = app.catalog.guides();
    if let Some(guide) = guides.get(name) {
        return Ok(Contents { mime: MARKDOWN, text: read(app, guide), fixed: true });
    }
    let names: Vec<_> = guides.all().iter().map(|guide| guide.name.as_str()).collect();
    Err(Unread::NotFound(format!("There is no such guide. Guides: {}.", names.join(", "))))
}
