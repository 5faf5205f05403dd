//! A stand-in for Arcane that runs inside the calling process: the demo needs a server to talk to, and the tests need
//! one whose answers, faults and memory of what was asked are under their control.
//!
//! It is written from facts about the API, not from its code: a table of every operation ([`operations`]) says what is
//! routed, who may call it, which bodies are refused and what shape the answer has. Containers, images, volumes,
//! networks, projects, environments and activities live in memory and really change; everything else answers an
//! example in the shape of its schema, the same example every time.
//!
//! ```no_run
//! # async fn demo() -> std::io::Result<()> {
//! use callslip_sandbox::{Fault, Options, Sandbox};
//!
//! let sandbox = Sandbox::start(Options::default()).await?;
//! let (url, key) = (sandbox.url(), sandbox.api_key());
//! sandbox.switch(|switches| switches.docker_down = true);
//! sandbox.fault(Some("list-containers"), Fault::Html(502));
//! assert!(sandbox.requests().is_empty());
//! # Ok(()) }
//! ```
//!
//! [`library`] is a second, much smaller API with other habits, for tests of a catalog that is not Arcane's.

mod binary;
mod call;
mod check;
mod compression;
mod credential;
mod example;
mod fault;
mod generic;
mod host;
mod identity;
mod journal;
pub mod library;
mod list;
mod mask;
mod moment;
mod multipart;
mod operation;
mod options;
mod problem;
mod query;
mod read;
mod release;
mod reply;
mod sample;
mod sandbox;
mod serve;
mod session;
mod shape;
mod shell;
mod socket;
mod stream;
mod wire;
mod words;

pub use fault::Fault;
pub use journal::Recorded;
pub use operation::{Access, Kind, Operation, operation, operations};
pub use options::{Options, Seed, Switches};
pub use sample::Sample;
pub use sandbox::Sandbox;
