//! Habits of one API that no catalog can state: which error texts mean what, how its progress lines and sockets speak. Chosen by
//! `profile` in `catalog.toml`; without one the plain HTTP meaning stands.

use crate::answer::Content;
use crate::call::Call;
use crate::error::Failure;
use crate::upstream::socket::Talk;
use crate::upstream::stream::Event;
use serde_json::{Map, Value};

/// An answer of the upstream that says no.
#[derive(Debug, Clone)]
pub struct Refusal<'a> {
    /// HTTP status.
    pub status: u16,
    /// The best sentence found in the body, cleaned and bounded; empty: none.
    pub detail: &'a str,
    /// The single problems of a validation error, each a cleaned line.
    pub problems: &'a [String],
    /// The body, when it was JSON.
    pub json: Option<&'a Value>,
    /// Whether a key (not a session token) was sent.
    pub with_key: bool,
}

impl Refusal<'_> {
    /// A failure with the words of this refusal.
    pub fn quote(&self, failure: Failure) -> Failure {
        self.problems.iter().fold(failure.said(self.detail), Failure::said)
    }
}

/// A small request that an API's own code asks for beside a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Aside {
    /// Path below the base path of the API, encoded.
    pub path: String,
    /// JSON that is posted; `None`: the path is read.
    pub post: Option<Value>,
}

/// How a session that has ended is renewed.
#[derive(Debug, Clone, PartialEq)]
pub struct Refresh {
    /// What is sent.
    pub aside: Aside,
    /// Where the answer has the new session token.
    pub token: &'static str,
    /// Where it has the next refresh token; an old one may not count twice.
    pub next: &'static str,
}

/// How a name and a password become a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignIn {
    /// The action that signs in.
    pub action: &'static str,
    /// Its parameter with the name.
    pub user: &'static str,
    /// Its parameter with the password.
    pub password: &'static str,
    /// Property of its answer with the session token.
    pub token: &'static str,
    /// Property of its answer with the refresh token.
    pub refresh: &'static str,
}

/// An action with its arguments.
pub type Named = (&'static str, Map<String, Value>);

/// A step of an upload in parts.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Step<'a> {
    Begin { name: &'a str, size: u64 },
    Look { id: &'a str },
    Send { id: &'a str, index: u64, file: &'a str },
}

/// An upload in parts that goes before a call: a local file stands where the call wants the id of an upload.
#[derive(Debug, Clone, Copy)]
pub struct Upload {
    /// The argument that holds the id, or `file:` and a path.
    pub argument: &'static str,
    /// The actions of its steps.
    pub actions: &'static [&'static str],
    /// The action of a step, and its arguments.
    pub step: fn(&Call, Step<'_>) -> Named,
    /// What beginning and looking answer.
    pub read: fn(&Value) -> Option<Parts>,
}

impl Upload {
    /// The local file that a call names in place of an id.
    pub fn local<'a>(&self, call: &'a Call) -> Option<&'a str> {
        call.arguments.get(self.argument).and_then(Value::as_str).filter(|given| given.starts_with("file:"))
    }
}

/// How far an upload has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parts {
    /// Its id.
    pub id: String,
    /// Bytes in all.
    pub size: u64,
    /// Bytes of a part.
    pub part: u64,
    /// Numbers of the parts that have arrived, from 0.
    pub arrived: Vec<u64>,
}

/// Live state that is shown as a resource: a reading action under an address.
#[derive(Debug, Clone, Copy)]
pub struct Live {
    /// Address after `<name>://`; `{…}` are parameters of the action.
    pub path: &'static str,
    /// Action that is read.
    pub action: &'static str,
    /// For people.
    pub title: &'static str,
    /// The parameter that the ids of its rows are values of; empty: none.
    pub completes: &'static str,
}

/// What an API's own code may decide.
pub trait Profile: Sync {
    /// A better reading of a refusal than its status gives. Hints may name any action; those the catalog no longer offers are dropped.
    fn explain(&self, _call: &Call, _refusal: &Refusal<'_>) -> Option<Failure> {
        None
    }

    /// A sentence found in an error body where the API puts it, before the usual places are tried.
    fn detail(&self, _json: &Value) -> Option<String> {
        None
    }

    /// What `doctor` tries, in this order: a label and the action that is called.
    fn doctor(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Live state that is shown as resources.
    fn live(&self) -> &'static [Live] {
        &[]
    }

    /// Whether a change with these arguments reaches environments that it does not name: no fence can let it pass.
    fn everywhere(&self, _action: &str, _arguments: &Map<String, Value>) -> bool {
        false
    }

    /// Reading actions whose answer mixes what is of several environments, so that no row can be left out.
    fn mixed(&self) -> &'static [&'static str] {
        &[]
    }

    /// Actions that name one environment and answer about others too.
    fn across(&self) -> &'static [&'static str] {
        &[]
    }

    /// What must be known before a call is sent; asked once a minute at most.
    fn ask_first(&self, _call: &Call) -> Option<Aside> {
        None
    }

    /// Whether the answer to [`Profile::ask_first`] rules the call out.
    fn rule_out(&self, _call: &Call, _answer: &Value) -> Option<Failure> {
        None
    }

    /// What to read when a refusal may hide its cause; its own refusal is then explained in place of the first.
    fn doubt(&self, _call: &Call, _refusal: &Refusal<'_>) -> Option<Aside> {
        None
    }

    /// The call has its answer when what [`Profile::doubt`] asks for is answered; the sentence says so.
    fn answered_by_doubt(&self, _call: &Call) -> Option<&'static str> {
        None
    }

    /// A refusal that says that there is no such route, as against no such thing.
    fn no_route(&self, refusal: &Refusal<'_>) -> bool {
        matches!(refusal.status, 405 | 501)
    }

    /// Where what an action does was found before it had its present path.
    fn moved(&self, _call: &Call) -> Option<&'static str> {
        None
    }

    /// Puts an answer into the form that it means: text that came encoded, counters that stand for figures.
    fn mend(&self, _call: &Call, _body: &mut Content) {}

    /// A second look at an answer that says it is a success. Notes are for the caller.
    fn review(&self, _call: &Call, _answer: &Value, _notes: &mut Vec<String>) -> Option<Failure> {
        None
    }

    /// How to get a new session token after this refusal.
    fn refresh(&self, _refusal: &Refusal<'_>, _refresh_token: &str) -> Option<Refresh> {
        None
    }

    /// How `callslip login` signs in; `None`: this API has no such thing.
    fn sign_in(&self) -> Option<SignIn> {
        None
    }

    /// Where the size of the parts of an upload stands: what to read, the place in its answer, and the number of the part to send.
    fn part_size(&self, _call: &Call) -> Option<(Aside, &'static str, u64)> {
        None
    }

    /// How a local file goes up before this call, where the API wants it sent in parts.
    fn upload(&self, _call: &Call) -> Option<Upload> {
        None
    }

    /// What a line of a progress stream says.
    fn event(&self, line: &str) -> Event {
        crate::upstream::stream::plain_event(line)
    }

    /// How the socket of an action is spoken with.
    fn talk(&self, _call: &Call) -> Talk {
        Talk::Lines
    }

    /// A failure that a socket reports in a frame, as text.
    fn socket_failure(&self, _frame: &str) -> Option<String> {
        None
    }

    /// How to follow work that goes on under this id.
    fn follow(&self, _call: &Call, _activity: &str) -> Option<String> {
        None
    }

    /// How to find and end work that goes on after a call was given up, when its id is not known.
    fn abandoned(&self) -> Option<&'static str> {
        None
    }

    /// The action, with its arguments, that ends work that goes on under this id.
    fn cancel(&self, _call: &Call, _activity: &str) -> Option<Named> {
        None
    }
}

/// No habits.
struct Plain;
impl Profile for Plain {}

/// The profile of that name.
pub fn named(name: &str) -> &'static dyn Profile {
    match name {
        "arcane" => &crate::arcane::Arcane,
        _ => &Plain,
    }
}
