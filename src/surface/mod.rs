//! Tool calls of a surface → what was asked. A surface resolves and does nothing else: past here no one knows which it was.

mod dynamic;
mod individual;
mod meta;
mod progressive;

use crate::app::App;
use crate::call::{Call, Own};
use crate::error::{Code, Failure};
use crate::params::{self, Given};
use crate::{lookup, own};
use callslip_catalog::model::Kind;
use callslip_catalog::project::Surface;
use serde_json::{Map, Value};

/// What a tool call asks for.
#[derive(Debug)]
pub enum Asked {
    /// A search.
    Find(Find),
    /// One action whole.
    Describe(String),
    /// Running an action.
    Call(Box<Call>),
}

/// A search.
#[derive(Debug, Clone, PartialEq)]
pub struct Find {
    /// What is looked for; empty: everything in the toolset.
    pub query: String,
    /// Only actions of this toolset.
    pub toolset: Option<String>,
    /// Hits to skip.
    pub offset: usize,
    /// Most hits.
    pub limit: usize,
    /// Hits are named by their individual tool instead of their id.
    pub tool_names: bool,
}

/// Why a tool call asks for nothing.
#[derive(Debug)]
pub enum Unresolved {
    /// The surface has no such tool: a protocol error.
    UnknownTool,
    /// The arguments are wrong: a result the model can act on.
    Failure(Box<Failure>),
}

impl From<Failure> for Unresolved {
    fn from(failure: Failure) -> Self {
        Self::Failure(Box::new(failure))
    }
}

/// What a call of `tool` asks for on the chosen surface.
pub fn resolve(app: &App, tool: &str, arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
    match app.config.surface {
        Surface::Dynamic => dynamic::resolve(app, tool, arguments),
        Surface::Meta => meta::resolve(app, tool, arguments),
        Surface::Individual => individual::resolve(app, tool, arguments),
        Surface::Progressive => progressive::resolve(app, tool, arguments),
    }
}

/// What the executing tools of `dynamic`, `meta` and `progressive` share: a name, parameters in one argument, our own words beside them.
struct Executing<'a> {
    /// Argument that names the action.
    name: &'a str,
    /// Argument that holds the parameters.
    holder: &'a str,
    /// Domain the name is in, on `meta`.
    domain: Option<&'a str>,
    /// Only reads may run.
    reads: bool,
}

impl Executing<'_> {
    fn resolve(&self, app: &App, mut arguments: Map<String, Value>) -> Result<Asked, Unresolved> {
        let name = needed_text(&mut arguments, self.name)?;
        let mut given = params::object(self.holder, arguments.remove(self.holder))?;
        if name == "describe" && self.domain.is_none_or(|domain| app.catalog.number(&format!("{domain}.describe")).is_none()) {
            let wanted = given.arguments.remove("action").or_else(|| given.arguments.remove("name"));
            let named = needed_text(&mut Map::from_iter(wanted.map(|value| ("action".to_owned(), value))), "action")?;
            return Ok(Asked::Describe(self.within(app, named)));
        }
        let own = own::take(&mut arguments, &mut given.beside);
        own::left(&arguments, self.holder, &mut given.beside);
        let call = call(app, &self.within(app, name), given, own)?;
        if self.reads && call.action.kind != Kind::Read {
            return Err(Failure::new(
                Code::InvalidArguments,
                format!("`{}` changes something; this tool runs only what reads.", call.action.id),
            )
            .next("Use the tool that runs every action.")
            .into());
        }
        Ok(Asked::Call(Box::new(call)))
    }

    /// The name as it is meant where the tool is a domain: one of its own actions before anything else.
    fn within(&self, app: &App, name: String) -> String {
        match self.domain.map(|domain| format!("{domain}.{name}")) {
            Some(within) if app.catalog.number(&within).is_some() => within,
            Some(within) if app.catalog.number(&name).is_none() && !name.contains('.') && app.catalog.guides().get(&name).is_none() => {
                within
            }
            _ => name,
        }
    }
}

/// A call of the action with that name.
pub fn call(app: &App, name: &str, given: impl Into<Given>, own: Own) -> Result<Call, Failure> {
    let (number, action) = lookup::action(app, name)?;
    let Given { arguments, as_text, beside } = given.into();
    Ok(Call { number, action, arguments, as_text, beside, own, notes: Vec::new() })
}

fn needed_text(arguments: &mut Map<String, Value>, name: &str) -> Result<String, Failure> {
    let problem = match arguments.remove(name) {
        Some(Value::String(text)) if !text.trim().is_empty() => return Ok(text.trim().to_owned()),
        Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => format!("`{name}` must be a text."),
        _ => format!("`{name}` is missing; it is a text."),
    };
    let mut failure = Failure::new(Code::InvalidArguments, problem);
    failure.required = vec![name.to_owned()];
    Err(failure.next(format!("Call again with `{name}`.")))
}

/// Longest query, in characters.
const LONGEST_QUERY: usize = 256;
/// Most hits of one answer.
const MOST_HITS: u64 = 50;
/// Hits without a `limit`.
const HITS: u64 = 10;

fn query(arguments: &mut Map<String, Value>, required: bool) -> Result<String, Failure> {
    let query = match arguments.remove("query") {
        None | Some(Value::Null) if !required => String::new(),
        Some(Value::String(text)) => text,
        other => {
            let mut given: Map<_, _> = other.map(|value| ("query".to_owned(), value)).into_iter().collect();
            return needed_text(&mut given, "query");
        }
    };
    if query.chars().count() > LONGEST_QUERY {
        return Err(Failure::new(Code::InvalidArguments, format!("`query` is longer than {LONGEST_QUERY} characters."))
            .next("Say in a few words what the action should do."));
    }
    if required && query.trim().is_empty() {
        return Err(Failure::new(Code::InvalidArguments, "`query` is empty.").next("Say in a few words what the action should do."));
    }
    Ok(query)
}

/// A whole number as models send it: a number, or digits in a string.
fn whole(arguments: &mut Map<String, Value>, name: &str, default: u64, least: u64, most: u64) -> Result<usize, Failure> {
    let number = match arguments.remove(name) {
        None | Some(Value::Null) => Some(default),
        Some(Value::String(text)) => text.trim().parse().ok(),
        Some(value) => value.as_u64(),
    };
    let number = number.filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        Failure::new(Code::InvalidArguments, format!("`{name}` must be a whole number from {least} to {most}."))
            .next("Call again with it mended.")
    })?;
    Ok(usize::try_from(number).unwrap_or(usize::MAX))
}

fn limit(arguments: &mut Map<String, Value>) -> Result<usize, Failure> {
    whole(arguments, "limit", HITS, 1, MOST_HITS)
}
