//! Everything one served API consists of: catalog, configuration, what is offered, and the road of a call.

use crate::catalog::Catalog;
use crate::config::Config;
use crate::offer::Offer;
use crate::profile::{self, Profile};
use crate::upstream::Upstream;
use anyhow::Result;
use bytes::Bytes;
use callslip_catalog::model::{Action, Api};
use callslip_catalog::project::{self, Surface, Told, View};
use std::sync::OnceLock;

/// One served API.
pub struct App {
    /// Its catalog.
    pub catalog: Catalog,
    /// What the program runs on.
    pub config: Config,
    /// What of the catalog is offered.
    pub offer: Offer,
    /// Habits of the API.
    pub profile: &'static dyn Profile,
    /// The way to the API.
    pub upstream: Upstream,
    list: OnceLock<Bytes>,
}

impl App {
    /// Applies the filters; decodes no more than they need.
    pub fn new(catalog: Catalog, config: Config) -> Result<Self> {
        let offer = Offer::new(&catalog, &config)?;
        let profile = profile::named(&catalog.api().profile);
        let upstream = Upstream::new(config.upstream.clone());
        Ok(Self { catalog, config, offer, profile, upstream, list: OnceLock::new() })
    }

    /// What is true of the whole API.
    pub fn api(&self) -> &Api<'static> {
        self.catalog.api()
    }

    /// The instructions of the chosen surface.
    pub fn instructions(&self) -> String {
        let told =
            Told { api: self.api(), count: self.offer.count(), read_only: self.offer.read_only, split_read: self.config.split_read };
        let mut text = project::instructions(self.config.surface, &told);
        if !self.offer.unknown.is_empty() {
            text.push_str(&format!("- Unknown names in the server's options, ignored: {}.\n", self.offer.unknown.join(", ")));
        }
        text
    }

    /// The tool definitions of the chosen surface: the bytes of a JSON array, the same for the life of the server.
    pub fn tool_list(&self) -> Result<Bytes> {
        if let Some(list) = self.list.get() {
            return Ok(list.clone());
        }
        let list = self.make_list()?;
        Ok(self.list.get_or_init(|| list).clone())
    }

    fn make_list(&self) -> Result<Bytes> {
        let surface = self.config.surface;
        let compiled = self.catalog.listed(surface);
        let plain = self.offer.pinned.is_empty() && !self.config.split_read;
        if (self.offer.whole() || surface == Surface::Dynamic) && !self.offer.read_only && plain {
            return Ok(Bytes::from_static(compiled.json));
        }
        if surface == Surface::Individual {
            let kept = (0..compiled.len()).filter(|number| self.offer.has(*number)).filter_map(|number| compiled.tool(number));
            return Ok([&b"["[..], &kept.collect::<Vec<_>>().join(&b","[..]), b"]"].concat().into());
        }
        let actions = self.offered()?;
        let view = View {
            actions: actions.iter().collect(),
            read_only: self.offer.read_only,
            split_read: self.config.split_read,
            pinned: self.offer.pinned.clone(),
            ..View::new(self.api())
        };
        Ok(project::tools(surface, &view).json.into())
    }

    /// Every offered action, decoded.
    pub fn offered(&self) -> Result<Vec<Action<'static>>> {
        (0..self.catalog.len()).filter(|number| self.offer.has(*number)).map(|number| self.catalog.action(number)).collect()
    }
}
