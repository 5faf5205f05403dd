//! What can go wrong with a call, as the model sees it: a code, a sentence, and the next step.

use crate::untrusted;
use serde_json::{Map, Value, json};

/// Most characters of each piece of upstream text in a failure.
const LONGEST_WORDS: usize = 400;

/// Codes of failures; part of the contract with clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the codes")]
pub enum Code {
    UnknownAction,
    Removed,
    InvalidArguments,
    ConfirmRequired,
    Unauthorized,
    Forbidden,
    NotFound,
    Conflict,
    InvalidRequest,
    RateLimited,
    Quota,
    Unreachable,
    DockerUnreachable,
    Timeout,
    UpstreamError,
    StreamFailed,
    OutcomeUnknown,
    TooOld,
    NotSupported,
    Internal,
}

impl Code {
    /// The code as it is sent.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownAction => "unknown_action",
            Self::Removed => "removed",
            Self::InvalidArguments => "invalid_arguments",
            Self::ConfirmRequired => "confirm_required",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::InvalidRequest => "invalid_request",
            Self::RateLimited => "rate_limited",
            Self::Quota => "quota",
            Self::Unreachable => "unreachable",
            Self::DockerUnreachable => "docker_unreachable",
            Self::Timeout => "timeout",
            Self::UpstreamError => "upstream_error",
            Self::StreamFailed => "stream_failed",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::TooOld => "too_old",
            Self::NotSupported => "not_supported",
            Self::Internal => "internal",
        }
    }
}

/// A failure of a call: always a tool result with `isError`, never a protocol error.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// What kind it is.
    pub code: Code,
    /// One or two plain sentences of our own.
    pub message: String,
    /// What the upstream said of it; shown after the message, marked, on lines of its own.
    pub said: Box<Vec<String>>,
    /// HTTP status of the upstream, when it answered.
    pub status: Option<u16>,
    /// What to do next, each a sentence.
    pub next: Vec<String>,
    /// Parameters the action takes, one line each.
    pub accepted: Vec<String>,
    /// Names of the parameters it needs.
    pub required: Vec<String>,
    /// More facts for the structured channel (boxed: failures travel in every result, and small ones travel cheaply), such as the request that would have been sent.
    pub more: Box<Map<String, Value>>,
}

impl Failure {
    /// A failure without a next step yet.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            said: Box::default(),
            status: None,
            next: Vec::new(),
            accepted: Vec::new(),
            required: Vec::new(),
            more: Box::default(),
        }
    }

    /// Adds a next step.
    #[must_use]
    pub fn next(mut self, step: impl Into<String>) -> Self {
        self.next.push(step.into());
        self
    }

    /// Adds words of the upstream; empty ones say nothing.
    #[must_use]
    pub fn said(mut self, words: impl Into<String>) -> Self {
        let words = words.into();
        if !words.trim().is_empty() {
            self.said.push(words);
        }
        self
    }

    /// Sets the upstream's status.
    #[must_use]
    pub fn status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// Adds steps and facts of another failure, whose message is told in this one.
    #[must_use]
    pub fn with(mut self, other: &Self) -> Self {
        self.next.extend(other.next.iter().cloned());
        self.more.extend((*other.more).clone());
        self
    }

    /// Drops the next steps that name, in backticks, an action that is not offered here. `offered` is asked for everything that
    /// looks like an action id; a step without one always stays.
    pub fn keep_offered(&mut self, offered: impl Fn(&str) -> bool) {
        self.next.retain(|step| named_ids(step).all(&offered));
    }

    /// The words of the upstream, each quoted on a line of its own under our mark.
    pub fn words(&self) -> impl Iterator<Item = String> {
        let mark = (!self.said.is_empty()).then(|| untrusted::MARK.to_owned());
        mark.into_iter().chain(self.said.iter().map(|words| untrusted::quoted(words, LONGEST_WORDS)))
    }

    /// The message and the words.
    pub fn told(&self) -> String {
        std::iter::once(self.message.clone()).chain(self.words()).collect::<Vec<_>>().join("\n")
    }

    /// The structured channel: `{"error": {…}}`.
    pub fn structured(&self) -> Value {
        let mut error = Map::new();
        error.insert("code".into(), self.code.name().into());
        error.insert("message".into(), self.told().into());
        if let Some(status) = self.status {
            error.insert("status".into(), status.into());
        }
        error.insert("next".into(), self.next.clone().into());
        if !self.accepted.is_empty() {
            error.insert("accepted".into(), self.accepted.clone().into());
        }
        if !self.required.is_empty() {
            error.insert("required".into(), self.required.clone().into());
        }
        error.extend((*self.more).clone());
        json!({ "error": error })
    }
}

/// The action ids named in backticks in a sentence.
pub fn named_ids(sentence: &str) -> impl Iterator<Item = &str> {
    let quoted = sentence.split('`').skip(1).step_by(2);
    quoted.filter(|text| {
        let word = |part: &str| {
            part.starts_with(|letter: char| letter.is_ascii_lowercase())
                && part.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
        };
        text.split_once('.').is_some_and(|(domain, action)| word(domain) && word(action))
    })
}
