//! What is true of Arcane alone. Nothing outside this folder knows Arcane.

mod live;

use crate::profile::{Live, Profile};

/// Arcane's habits.
pub struct Arcane;

impl Profile for Arcane {
    fn doctor(&self) -> &'static [(&'static str, &'static str)] {
        &[("version", "version.app"), ("credential", "auth.me"), ("Docker", "system.docker_info")]
    }

    fn live(&self) -> &'static [Live] {
        &live::LIVE
    }

    fn everywhere(&self) -> &'static [&'static str] {
        &live::EVERYWHERE
    }
}
