//! Behaviour at the boundary: the MCP wire, the command line, the HTTP request sent. One binary, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod anything;
mod bad_input;
mod catalog_rules;
mod channels;
mod cli;
mod clients;
mod compile;
mod compiled;
mod confirm;
mod coverage;
mod documents;
mod fence;
mod gate;
mod http;
mod import;
mod library;
mod lifetime;
mod names;
mod paging;
mod parity;
mod pitfalls;
mod progressive;
mod projection;
mod resources;
mod secrets;
mod session;
mod snapshot;
mod strangers;
mod support;
mod upstream;
mod wire;
