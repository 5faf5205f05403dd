//! What a model receives in all: operator's tasks as fixed scripts of calls, run on every surface against the sandbox, each measured in
//! tokens and held to the state it must leave.

mod effects;
mod road;
mod run;
mod script;
mod spent;

pub use road::Road;
pub use run::{Peer, Runner, Session};
pub use script::{Task, read};
pub use spent::{Spent, markdown};
