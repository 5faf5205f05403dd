//! The listings of a catalog: every surface, from the very bytes the server serves.

use crate::listing::{Listing, tools};
use anyhow::Result;
use callslip::app::App;
use callslip::catalog::Catalog;
use callslip::cli::Options;
use callslip::config::Config;
use callslip::offer::Offer;
use callslip_catalog::project::Surface;
use serde_json::{Map, Value};

/// Every surface over the whole catalog: with nothing left out, and nothing of the environment.
pub fn listings(catalog: Catalog) -> Result<Vec<Listing>> {
    let reserved = catalog.api().toolsets.iter().filter(|toolset| !toolset.default);
    let options = Options { include: reserved.map(|toolset| toolset.name.to_string()).collect(), ..Options::default() };
    let config = Config::resolve(&options, catalog.api(), &|_| None)?;
    let app = App::new(catalog, config)?;
    let served = |surface: Surface| {
        let config = Config { surface, ..(*app.config).clone() };
        let offer = Offer::new(&app.catalog, &config)?;
        anyhow::Ok(app.with(config, offer).instructions())
    };
    Surface::NAMES.iter().map(|(name, surface)| listing(&app.catalog, name, *surface, served(*surface)?)).collect()
}

fn listing(catalog: &Catalog, name: &str, surface: Surface, instructions: String) -> Result<Listing> {
    let list: Vec<Map<String, Value>> = serde_json::from_slice(catalog.listed(surface).json)?;
    let mut tools = tools(&list)?;
    for tool in &mut tools {
        tool.group = match surface {
            Surface::Individual => domain(catalog, &tool.name)?.unwrap_or_default(),
            _ => tool.name.trim_start_matches(&format!("{}_", catalog.api().name)).to_owned(),
        };
    }
    Ok(Listing { name: name.to_owned(), tools, instructions, actions: catalog.len() })
}

fn domain(catalog: &Catalog, tool: &str) -> Result<Option<String>> {
    let Some(number) = catalog.number(tool) else { return Ok(None) };
    Ok(Some(catalog.action(number)?.domain_name().to_owned()))
}
