//! Model, index and projection of a catalog.
