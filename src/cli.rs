//! The command line as typed. [`crate::config`] turns it, with the environment, into what the program runs on.

pub use crate::http::options::{HttpOptions, TokenCommand};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Find and run the actions of a big REST API over MCP.
#[derive(Debug, Parser)]
#[command(name = "callslip", version, about, max_term_width = 110, after_help = AFTER)]
pub struct Cli {
    /// What to do; without it, serve MCP on stdio.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of every command.
    #[command(flatten)]
    pub options: Options,
    /// Options of serving over HTTP.
    #[command(flatten)]
    pub http: HttpOptions,
}

/// The options of serving alone: what a client starts has no subcommand.
#[derive(Debug, Parser)]
#[command(name = "callslip", disable_help_flag = true, disable_version_flag = true)]
struct Serving {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    http: HttpOptions,
}

impl Cli {
    /// Reads the command line of this process; ends it where there is nothing to run.
    ///
    /// A client waits for a server to start, and knowing every subcommand takes longer than all the rest of the start: they are looked
    /// at only where serving is not meant.
    pub fn of_process() -> Self {
        let unset = std::env::var_os(CATALOG).is_none();
        if unset && std::env::args_os().len() <= 1 {
            return Self { command: None, options: Options::default(), http: HttpOptions::default() };
        }
        match Serving::try_parse() {
            Ok(Serving { options, http }) => Self { command: None, options, http },
            Err(_) => Self::parse(),
        }
    }
}

/// Names the catalog where `--catalog` does not.
const CATALOG: &str = "CALLSLIP_CATALOG";

const AFTER: &str = "\
The API and its credential come from the environment only: ARCANE_URL, and ARCANE_API_KEY, ARCANE_API_KEY_FILE or ARCANE_TOKEN
(with ARCANE_REFRESH_TOKEN beside it, a session that has ended is renewed once by itself).
Every option has an environment variable ARCANE_MCP_<OPTION>, such as ARCANE_MCP_TOOL_SURFACE=meta; the option wins.
With --catalog, the catalog's name stands for ARCANE.";

/// A subcommand.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve MCP on stdio (the default), or over HTTP with `--http`.
    Serve {
        /// Whose word a destructive call needs.
        #[arg(long, value_enum, value_name = "WHO")]
        confirm: Option<Confirm>,
        /// Options of serving over HTTP.
        #[command(flatten)]
        http: Box<HttpOptions>,
    },
    /// Make what `--tenants` needs: a server key, tokens of callers.
    Token {
        /// What to make.
        #[command(subcommand)]
        command: TokenCommand,
    },
    /// Find actions by words.
    Find {
        /// What you want to do, in English words, a command line or an id.
        #[arg(required = true)]
        query: Vec<String>,
        /// Most hits, up to 50.
        #[arg(long, default_value_t = 10)]
        limit: u32,
        /// Show how each score came about.
        #[arg(long)]
        explain: bool,
        /// Print what an MCP client gets, as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one action whole.
    Show {
        /// Its id, or any other name it answers to.
        action: String,
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Run one action.
    Call(CallArgs),
    /// Print the tool definitions of the chosen surface.
    Tools {
        /// Print the very bytes a client gets.
        #[arg(long)]
        json: bool,
    },
    /// Make a catalog folder from an OpenAPI document (3.0 or 3.1, JSON or YAML).
    Import {
        /// The document.
        document: PathBuf,
        /// The folder to write [default: the name of the API].
        #[arg(short, long, value_name = "FOLDER")]
        output: Option<PathBuf>,
    },
    /// Compile a catalog into one file, which `--catalog` serves without parsing anything.
    Compile {
        /// A catalog folder or an OpenAPI document.
        source: PathBuf,
        /// The file to write; an old one is replaced at once, also while it is served.
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
    },
    /// Show a whole MCP session against a built-in sandbox.
    Demo {
        /// Keep the sandbox up and print the environment lines that use it.
        #[arg(long)]
        serve: bool,
    },
    /// Check URL, credential, version and reachability; say what to mend.
    Doctor {
        /// Print JSON.
        #[arg(long)]
        json: bool,
    },
    /// Sign in with a user name and a password, asked for or in `ARCANE_USER` and `ARCANE_PASSWORD`; print how to use the session.
    Login,
    /// Rank queries from a file; for measuring the search.
    #[command(hide = true)]
    Eval {
        /// JSON lines with `query`.
        #[arg(long)]
        queries: PathBuf,
        /// JSON lines of tools to search instead of the catalog.
        #[arg(long)]
        tools: Option<PathBuf>,
        /// Where the ranking goes.
        #[arg(long)]
        out: PathBuf,
    },
}

/// `callslip call`.
#[derive(Debug, Args)]
pub struct CallArgs {
    /// Id of the action, or any other name it answers to.
    pub action: String,
    /// Parameters as a JSON object.
    #[arg(long, value_name = "JSON")]
    pub params: Option<String>,
    /// One parameter; may be given again.
    #[arg(long, value_name = "NAME=VALUE")]
    pub param: Vec<String>,
    /// Go ahead with a destructive action.
    #[arg(long)]
    pub confirm: bool,
    /// Columns to return.
    #[arg(long, value_delimiter = ',')]
    pub fields: Vec<String>,
    /// Write a file answer here.
    #[arg(long, value_name = "PATH")]
    pub save_to: Option<String>,
    /// Replace the file of --save-to if it is there already.
    #[arg(long, requires = "save_to")]
    pub overwrite: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// A surface as typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[expect(missing_docs, reason = "the names are the surfaces")]
pub enum SurfaceName {
    Dynamic,
    Meta,
    Individual,
    Progressive,
}

/// Whose word a destructive call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Confirm {
    /// `confirm: true` by the model; a person is asked where it is absent and the client can ask.
    #[default]
    Model,
    /// A person is always asked; where the client cannot ask, the call is refused.
    Human,
}

/// Which channels an answer fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Results {
    /// structuredContent and text.
    Full,
    /// Text alone.
    Text,
}

/// Options of every command; each also has an environment variable.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Options")]
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
pub struct Options {
    /// How the catalog is shown as tools [default: dynamic].
    #[arg(long, global = true, value_enum, value_name = "SURFACE")]
    pub tool_surface: Option<SurfaceName>,
    /// Keep only the actions that read.
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Take actions out: ids, domains, toolsets or globs such as `swarm.*`.
    #[arg(long, global = true, value_name = "PATTERN,…", value_delimiter = ',')]
    pub exclude: Vec<String>,
    /// Put in what is left out by default, such as `account`.
    #[arg(long, global = true, value_name = "TOOLSET,…", value_delimiter = ',')]
    pub include: Vec<String>,
    /// Announce these toolsets natively beside the four tools of `progressive`, or `all`.
    #[arg(long, global = true, value_name = "TOOLSET,…", value_delimiter = ',')]
    pub toolsets: Vec<String>,
    /// Restrict everything to the pinned toolsets.
    #[arg(long, global = true)]
    pub only_toolsets: bool,
    /// Add a read-only twin of the executing tool to `dynamic`.
    #[arg(long, global = true)]
    pub split_read: bool,
    /// Whose word a destructive call needs [default: model]. Not global: `call --confirm` is the person's own word.
    #[arg(long, value_enum, value_name = "WHO")]
    pub confirm: Option<Confirm>,
    /// Only these environments may be named, wherever an environment is named.
    #[arg(long, global = true, value_name = "ID,…", value_delimiter = ',')]
    pub environments: Vec<String>,
    /// In these environments only reading actions run.
    #[arg(long, global = true, value_name = "ID,…", value_delimiter = ',')]
    pub read_only_environments: Vec<String>,
    /// Fill both channels of a result or text alone [default: full].
    #[arg(long, global = true, value_enum)]
    pub results: Option<Results>,
    /// Most characters of the text of an answer [default: 40000].
    #[arg(long, global = true, value_name = "CHARACTERS")]
    pub max_text: Option<usize>,
    /// Serve another API: a compiled file, a catalog folder or an OpenAPI document.
    #[arg(long, global = true, value_name = "FILE", env = CATALOG)]
    pub catalog: Option<PathBuf>,
    /// The environment an action works on when none is given.
    #[arg(long, global = true, value_name = "ID")]
    pub environment: Option<String>,
    /// Seconds a call may take [default: 60].
    #[arg(long, global = true, value_name = "SECONDS")]
    pub timeout: Option<u64>,
    /// More trusted certificates (PEM).
    #[arg(long, global = true, value_name = "FILE")]
    pub ca_file: Option<PathBuf>,
    /// Client certificate and key (PEM).
    #[arg(long, global = true, value_name = "FILE")]
    pub client_cert: Option<PathBuf>,
    /// Do not check the server's certificate.
    #[arg(long, global = true)]
    pub insecure: bool,
    /// Folders that files may be read from and written to.
    #[arg(long, global = true, value_name = "FOLDER,…", value_delimiter = ',')]
    pub allow_path: Vec<PathBuf>,
}
