//! The stand-in Arcane.
