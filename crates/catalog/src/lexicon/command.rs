//! Command lines as a catalog states them: the programs people type and what each line of theirs does here.

/// What a command line leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The action with this id (or operationId).
    Action(String),
    /// Nothing here does it; the absent entry with this number says so.
    Absent(u32),
}

/// A command line such as `docker compose up --build`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The line with its flags.
    pub line: String,
    /// Where it leads.
    pub target: Target,
}

/// A program whose command lines are understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// The name used in commands: `docker`.
    pub name: String,
    /// Other programs with the same commands (`podman`), or with those of a part of it (`docker-compose` = `docker compose`).
    pub also: Vec<(String, String)>,
    /// Flags before the subcommand that take a value, which is then no subcommand: `-f`, `--context`.
    pub valued: Vec<String>,
}
