//! What a caller chooses at the start ([`Options`]) and may change while the sandbox runs ([`Switches`]).

use std::net::{Ipv4Addr, SocketAddr};

/// The key that a sandbox accepts unless [`Options::api_key`] names another.
pub(crate) const DEFAULT_API_KEY: &str = "arc_5a17d0b0c4e1f2a3948576b0c1d2e3f40516273849a5b6c7d8e9f0a1b2c3d4e5";

/// How much the sandbox holds at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seed {
    /// A host as a small team has it: 13 containers, 12 images, 4 projects.
    #[default]
    Small,
    /// That host, filled up to this many rows in every list.
    Rows(usize),
    /// A fresh host: every list is empty, and says so with `null`.
    Empty,
}

/// How to start a [`Sandbox`](crate::Sandbox).
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// A path prefix such as `/arcane`, as a reverse proxy in front would add.
    pub base_path: String,
    /// The administrator's key; a fixed one by default.
    pub api_key: Option<String>,
    /// What the lists hold.
    pub seed: Seed,
    /// Behaviour that may also be changed later, with [`Sandbox::switch`](crate::Sandbox::switch).
    pub switches: Switches,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            address: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            base_path: String::new(),
            api_key: None,
            seed: Seed::default(),
            switches: Switches::default(),
        }
    }
}

/// Behaviour that may change while the sandbox runs.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches, each flipped alone by a test")]
pub struct Switches {
    /// The version reported by `/app-version`. Operations newer than it are unknown routes, as on a real server.
    pub version: String,
    /// The Docker daemon does not answer: errors are masked the way Arcane masks them.
    pub docker_down: bool,
    /// The log of the server cannot be written as JSON: the answer breaks off, with the status of success and an error at its end.
    pub broken_diagnostics: bool,
    /// The host is no swarm: swarm operations answer 409.
    pub swarm_off: bool,
    /// The sleeping edge environment is connected, and behaves as an agent with a command list.
    pub edge_awake: bool,
    /// Path parameters are percent-decoded. Arcane 2.8 looks them up as they were written.
    pub decode_paths: bool,
    /// Lists without `sort` come in another order each time, so that pages overlap.
    pub unstable_order: bool,
    /// Every call answers 429.
    pub rate_limited: bool,
    /// The sign-in routes and webhooks count their calls and answer 429 beyond the burst.
    pub rate_limits: bool,
    /// Session tokens issued before now answer 401 with the text of a version bump, until refreshed.
    pub version_bumped: bool,
    /// An unknown id of a thing with state answers an example instead of an error.
    pub lenient_ids: bool,
    /// Object answers carry the `$schema` link that the framework adds.
    pub schema_link: bool,
}

impl Default for Switches {
    fn default() -> Self {
        Self {
            version: "2.14.0".to_owned(),
            docker_down: false,
            broken_diagnostics: false,
            swarm_off: false,
            edge_awake: false,
            decode_paths: false,
            unstable_order: false,
            rate_limited: false,
            rate_limits: true,
            version_bumped: false,
            lenient_ids: false,
            schema_link: false,
        }
    }
}
