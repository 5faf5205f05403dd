//! Whole conversations (in work).
