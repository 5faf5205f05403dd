//! Everything one served API consists of: catalog, configuration, what is offered, and the road of a call.

use crate::catalog::Catalog;
use crate::cli::Confirm;
use crate::config::Config;
use crate::list;
use crate::notary::Notary;
use crate::offer::{Offer, told};
use crate::profile::{self, Profile};
use crate::resources::Kept;
use crate::upstream::Upstream;
use crate::watch::Watch;
use anyhow::Result;
use bytes::Bytes;
use callslip_catalog::model::{Action, Api, Card};
use callslip_catalog::project::{self, Surface, Told};
use secrecy::ExposeSecret;
use std::fmt::Write;
use std::sync::{Arc, OnceLock};

/// One served API. Cheap to clone: over HTTP each caller has an own one, which shares what it can with all others.
#[derive(Clone)]
pub struct App {
    /// Its catalog.
    pub catalog: Arc<Catalog>,
    /// What the program runs on.
    pub config: Arc<Config>,
    /// What of the catalog is offered.
    pub offer: Arc<Offer>,
    /// Habits of the API.
    pub profile: &'static dyn Profile,
    /// The way to the API.
    pub upstream: Upstream,
    /// Whoever counts and records calls.
    pub watch: Option<Arc<dyn Watch>>,
    /// A credential or a header decided what is offered: nothing of it may be kept for another caller.
    pub private: bool,
    /// Tells callers apart that share one credential of the API; empty where there is but one.
    pub caller: Arc<str>,
    /// Ids that completions asked for a moment ago.
    pub kept_ids: Arc<Kept>,
    list: Arc<OnceLock<Vec<Bytes>>>,
    notary: Arc<OnceLock<Option<Notary>>>,
}

impl App {
    /// Applies the filters; decodes no more than they need.
    pub fn new(catalog: Catalog, config: Config) -> Result<Self> {
        let offer = Offer::new(&catalog, &config)?;
        let profile = profile::named(&catalog.api().profile);
        let upstream = Upstream::new(config.upstream.clone());
        Ok(Self {
            catalog: Arc::new(catalog),
            config: Arc::new(config),
            offer: Arc::new(offer),
            profile,
            upstream,
            watch: None,
            private: false,
            caller: "".into(),
            kept_ids: Arc::default(),
            list: Arc::default(),
            notary: Arc::default(),
        })
    }

    /// The same API offered otherwise.
    #[must_use]
    pub fn with(&self, config: Config, offer: Offer) -> Self {
        Self { config: Arc::new(config), offer: Arc::new(offer), list: Arc::default(), ..self.clone() }
    }

    /// What is true of the whole API.
    pub fn api(&self) -> &Api<'static> {
        self.catalog.api()
    }

    /// Whether there is an action of that name and it is offered.
    pub fn offers(&self, name: &str) -> bool {
        self.catalog.number(name).is_some_and(|number| self.offer.has(number))
    }

    /// Whether an action is announced natively on `progressive`.
    pub fn pinned(&self, action: &Action<'_>) -> bool {
        self.api().domains.get(usize::from(action.domain)).is_some_and(|domain| self.offer.pinned.contains(&domain.toolset))
    }

    /// Who signs questions; made when the first is asked. `None`: nothing can be signed here.
    pub fn notary(&self) -> Option<&Notary> {
        self.notary.get_or_init(|| Notary::new(self.config.state_key.expose_secret())).as_ref()
    }

    /// How many tools the list of the chosen surface has.
    pub fn tool_count(&self) -> usize {
        let within = |first: u32, count: u32| (first as usize..(first + count) as usize).filter(|number| self.offer.has(*number)).count();
        let domains = || self.api().domains.iter().map(|domain| (domain.toolset, within(domain.first, domain.count)));
        match self.config.surface {
            Surface::Dynamic => 2 + usize::from(self.config.split_read && !self.offer.read_only),
            Surface::Meta => domains().filter(|(_, count)| *count > 0).count(),
            Surface::Individual => self.offer.count(),
            Surface::Progressive => {
                4 + domains().filter(|(toolset, _)| self.offer.pinned.contains(toolset)).map(|(_, count)| count).sum::<usize>()
            }
        }
    }

    /// The instructions of the chosen surface.
    pub fn instructions(&self) -> String {
        let told = Told { api: self.api(), count: self.offer.count(), read_only: self.offer.read_only, split_read: self.config.split_read };
        let mut text = project::instructions(self.config.surface, &told);
        self.add_fences(&mut text);
        self.add_guides(&mut text);
        if !self.offer.unknown.is_empty() {
            add_names(&mut text, "Unknown names in options or pins, ignored", &self.offer.unknown);
        }
        text
    }

    fn add_fences(&self, text: &mut String) {
        if self.config.confirm == Confirm::Human && !self.offer.read_only {
            add(text, "- The user is asked before any destructive action, whatever `confirm` says.\n");
        }
        if !self.config.environments.is_empty() {
            add_names(text, "Only these environments may be named", &self.config.environments);
        }
        if !self.config.read_only_environments.is_empty() {
            add_names(text, "Only reading actions run in", &self.config.read_only_environments);
        }
    }

    /// A search names the guides that fit, so that only surfaces without one list them all: the names cost their tokens on every turn.
    fn add_guides(&self, text: &mut String) {
        let names = self.catalog.guides().names();
        let name = &self.api().name;
        let skill = format!("using-{name}");
        let Some(first) = names.iter().find(|name| **name == skill).or(names.first()) else { return };
        let line = match self.config.surface {
            Surface::Dynamic => format!("Searches name guides that fit; a guide's name as query shows it (`{first}`)."),
            Surface::Progressive => format!("Searches name guides that fit; `describe_tool` shows one (`{first}`)."),
            Surface::Meta => format!("Guides to longer work (`action: \"describe\"` shows one): {}.", names.join(", ")),
            Surface::Individual => format!("Guides to longer work (resources `{name}://guides/<name>`): {}.", names.join(", ")),
        };
        add(text, &format!("- {line}\n"));
    }

    /// The tool definitions of the chosen surface: the bytes of a JSON array, in the pieces in which they lie, the same for the life of the
    /// server.
    pub fn tool_pieces(&self) -> Result<&[Bytes]> {
        if let Some(list) = self.list.get() {
            return Ok(list);
        }
        let list = list::of(self)?;
        Ok(self.list.get_or_init(|| list))
    }

    /// The same in one piece.
    pub fn tool_list(&self) -> Result<Bytes> {
        Ok(match self.tool_pieces()? {
            [whole] => whole.clone(),
            pieces => pieces.concat().into(),
        })
    }

    /// An action as it is told here: its texts say which of the actions they name are not offered.
    pub fn action(&self, number: usize) -> Result<Action<'static>> {
        let mut action = self.catalog.action(number)?;
        told::action(self, &mut action);
        Ok(action)
    }

    /// The card of an action, told likewise.
    pub fn card(&self, number: usize) -> Result<Card<'static>> {
        let mut card = self.catalog.card(number)?;
        told::card(self, &mut card);
        Ok(card)
    }

    /// Every offered action, decoded.
    pub fn offered(&self) -> Result<Vec<Action<'static>>> {
        (0..self.catalog.len()).filter(|number| self.offer.has(*number)).map(|number| self.action(number)).collect()
    }
}

/// Longest instructions: clients cut them there.
const LONGEST: usize = 2_000;

/// Adds a line where there is room for it, since a cut line would be worse than none.
fn add(text: &mut String, line: &str) {
    if text.chars().count() + line.chars().count() <= LONGEST {
        text.push_str(line);
    }
}

/// Most characters of the names in one line.
const LONGEST_NAMES: usize = 300;

/// Adds a line of names; of many it counts the rest, so that the line itself is never missing.
fn add_names(text: &mut String, title: &str, names: &[String]) {
    let mut line = format!("- {title}: ");
    let mut shown = 0;
    for name in names {
        if shown > 0 && line.len() + name.len() > LONGEST_NAMES {
            break;
        }
        line.push_str(if shown > 0 { ", " } else { "" });
        line.push_str(&name.chars().take(80).collect::<String>());
        shown += 1;
    }
    if shown < names.len() {
        let _ = write!(line, " and {} more", names.len() - shown);
    }
    line.push_str(".\n");
    add(text, &line);
}
