//! What is true of Arcane alone. Nothing outside this folder knows Arcane.

use crate::profile::Profile;

/// Arcane's habits.
pub struct Arcane;

impl Profile for Arcane {}
