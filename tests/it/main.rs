//! Behaviour at the boundary: the MCP wire, the command line, the HTTP request sent. One binary, one module a subject.

mod anything;
mod bad_input;
mod cli;
mod clients;
mod compile;
mod coverage;
mod gate;
mod library;
mod lifetime;
mod paging;
mod projection;
mod session;
mod snapshot;
mod support;
mod upstream;
