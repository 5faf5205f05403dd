//! What is true of Arcane alone. Nothing outside this folder knows Arcane.

use crate::profile::Profile;

/// Arcane's habits.
pub struct Arcane;

impl Profile for Arcane {
    fn doctor(&self) -> &'static [(&'static str, &'static str)] {
        &[("version", "version.app"), ("credential", "auth.me"), ("Docker", "system.docker_info")]
    }
}
