//! A status that says no, as a failure: what it means, what the upstream said, and the next step.

use super::exchange::Reply;
use super::{Run, address, decode, detail};
use crate::answer::{Answer, Content};
use crate::error::{Code, Failure};
use crate::profile::Refusal;
use crate::untrusted;
use callslip_catalog::model::{Auth, Kind};
use callslip_catalog::project::param_line;
use serde_json::Value;

/// Most characters of upstream text in a message.
const LONGEST_DETAIL: usize = 400;
/// Most single problems that are listed.
const MOST_PROBLEMS: usize = 10;

/// A refusal with the texts it owns.
struct Read {
    status: u16,
    detail: String,
    problems: Vec<String>,
    json: Option<Value>,
    with_key: bool,
}

impl Read {
    fn refusal(&self) -> Refusal<'_> {
        Refusal { status: self.status, detail: &self.detail, problems: &self.problems, json: self.json.as_ref(), with_key: self.with_key }
    }
}

impl Run<'_> {
    /// The failure of a refusal: what is asked beside it first, then the API's own habits, then what HTTP says.
    pub(super) async fn refused(&self, reply: &Reply) -> Failure {
        let read = self.read_refusal(reply);
        let refusal = read.refusal();
        // A page is no word of the API, whatever its status; of these two the status itself says what to do.
        let page = !matches!(reply.status, 413 | 429) && detail::looks_like_html(&String::from_utf8_lossy(reply.bytes()));
        if page && !(300..400).contains(&reply.status) {
            return decode::html(self, reply, &String::from_utf8_lossy(reply.bytes()));
        }
        if (refusal.status == 404 || self.profile.no_route(&refusal))
            && let Some(failure) = self.older(&refusal).await
        {
            return failure.status(reply.status);
        }
        if let Some(aside) = self.profile.doubt(self.call, &refusal)
            && let Some(second) = self.aside(&aside, true).await
            && second.refused()
            && let Some(failure) = self.habit(&self.read_refusal(&second).refusal())
        {
            return failure.status(reply.status);
        }
        self.habit(&refusal).unwrap_or_else(|| refusal.quote(self.explain(reply, &refusal))).status(reply.status)
    }

    /// What the API's own code makes of a refusal, with the words it was said in.
    pub(super) fn habit(&self, refusal: &Refusal<'_>) -> Option<Failure> {
        self.profile.explain(self.call, refusal).map(|failure| refusal.quote(failure))
    }

    /// The same of a failure that was told inside of a stream or a socket. Part of the work may be done: that is what its code says.
    pub(super) fn said_no(&self, refusal: &Refusal<'_>) -> Option<Failure> {
        let mut failure = self.habit(refusal)?;
        if !matches!(failure.code, Code::NotFound | Code::DockerUnreachable) {
            failure.code = Code::StreamFailed;
        }
        Some(failure)
    }

    /// The answer after all, where what settles a doubt answers for the call.
    pub(super) async fn settle(&self, reply: &Reply) -> Option<Answer> {
        let note = self.profile.answered_by_doubt(self.call)?;
        let read = self.read_refusal(reply);
        let aside = self.profile.doubt(self.call, &read.refusal())?;
        let second = self.aside(&aside, true).await?;
        (second.status == 200).then(|| Answer { status: 200, body: Content::Empty, notes: vec![note.to_owned()] })
    }

    /// A route or thing that is missing since the server is older than the action.
    async fn older(&self, refusal: &Refusal<'_>) -> Option<Failure> {
        let no_route = self.profile.no_route(refusal);
        let reason = self.too_old().await;
        // A method that is refused says too little by itself: the route may be there for others.
        if reason.is_none() && !(no_route && refusal.status == 404) {
            return None;
        }
        let id = &self.action().id;
        let mut failure = if let Some(reason) = reason {
            Failure::new(Code::TooOld, format!("{reason}."))
        } else {
            let version = self.version().await.map_or_else(String::new, |version| format!(" (version {version})"));
            Failure::new(Code::TooOld, format!("The server{version} has no route for `{id}`; an agent behind it may be older than it."))
        };
        failure = refusal.quote(failure);
        if let Some(moved) = self.profile.moved(self.call) {
            failure = failure.next(moved);
        }
        Some(failure.next("Update the server, or do it another way; `callslip doctor` shows the version that answers."))
    }

    fn read_refusal(&self, reply: &Reply) -> Read {
        let text = String::from_utf8_lossy(reply.bytes());
        let json: Option<Value> = serde_json::from_str(text.trim_start_matches('\u{feff}')).ok();
        let detail = self.detail(json.as_ref(), &text);
        let problems = json.as_ref().map(|json| self.problems(json)).unwrap_or_default();
        let with_key = self.credential.as_deref().is_some_and(|credential| !credential.session);
        Read { status: reply.status, detail, problems, json, with_key }
    }

    fn detail(&self, json: Option<&Value>, text: &str) -> String {
        let own = json.and_then(|json| self.profile.detail(json));
        let found = match (own, json) {
            (Some(own), _) => own,
            (None, Some(json)) => detail::sentence(json).map_or_else(String::new, str::to_owned),
            (None, None) => detail::text(text),
        };
        self.scrub(untrusted::line(&found, LONGEST_DETAIL))
    }

    fn problems(&self, json: &Value) -> Vec<String> {
        let found = detail::problems(json).into_iter().take(MOST_PROBLEMS);
        found
            .map(|(place, message)| {
                let message = self.scrub(untrusted::line(&message, 200));
                if place.is_empty() { message } else { format!("{}: {message}", untrusted::line(&place, 80)) }
            })
            .collect()
    }

    fn explain(&self, reply: &Reply, refusal: &Refusal<'_>) -> Failure {
        let api = self.api();
        let id = &self.action().id;
        let status = refusal.status;
        let title = &api.title;
        match status {
            300..=399 => Failure::new(Code::UpstreamError, format!("The server points elsewhere ({status}); redirects are not followed."))
                .said(untrusted::line(reply.header("location"), 200))
                .next(format!("If that is the right place, write it in `{}`.", address::variable(api, "URL"))),
            401 => self.unauthorized(),
            403 => self.forbidden(),
            404 | 410 => self.missing(),
            405 | 501 => Failure::new(Code::NotSupported, format!("The server does not support `{id}` ({status})."))
                .next("It may be older than this catalog: `callslip doctor` shows its version."),
            409 | 412 => self
                .follow(Failure::new(Code::Conflict, format!("{title} refused `{id}` because of the present state ({status}).")))
                .next("Read the present state, settle what stands in the way, then try again."),
            408 => Failure::new(Code::Timeout, format!("{title} gave up waiting for the request ({status})."))
                .next("Try again with less data at once."),
            413 => {
                Failure::new(Code::InvalidRequest, format!("The request is too large for {title} ({status}).")).next("Send less at once.")
            }
            429 => self.limited(reply),
            400..=499 => self.invalid(refusal),
            502 | 504 if self.action().kind != Kind::Read => self.doubtful(format!(
                "{title} or what stands in front of it lost the answer to `{id}` ({status}); it is not known whether it was done."
            )),
            502..=504 => Failure::new(Code::UpstreamError, format!("{title} or what stands in front of it could not answer ({status})."))
                .next("Try again in a moment; if it lasts, `callslip doctor` shows what does not answer."),
            _ => {
                let failure = Failure::new(Code::UpstreamError, format!("{title} failed at `{id}` ({status})."));
                let given = self.given();
                // Some APIs answer so for a thing that is not there.
                let failure = match self.list_action() {
                    Some(list) if !given.is_empty() => failure.next(format!("`{list}` shows whether there is such a thing ({given}).")),
                    _ => failure,
                };
                failure.next("Check the arguments; if they are right, the log of the server says more.")
            }
        }
    }

    /// A change of which no one knows whether it was made.
    pub(super) fn doubtful(&self, message: String) -> Failure {
        self.follow(Failure::new(Code::OutcomeUnknown, message).next("Look at the result before you try again."))
    }

    fn unauthorized(&self) -> Failure {
        let api = self.api();
        let variables: Vec<_> = api.credentials.iter().map(|kind| format!("`{}`", address::variable(api, &kind.variable))).collect();
        let variables = variables.join(" or ");
        if self.action().auth == Auth::None {
            let message = format!("{} does not accept what was given to `{}` (401).", api.title, self.action().id);
            return Failure::new(Code::Unauthorized, message).next("Check the values; this action needs no other credential.");
        }
        if self.credential.is_none() {
            return Failure::new(Code::Unauthorized, format!("No credential was sent, and {} asks for one (401).", api.title))
                .next(format!("Set {variables}, then run `callslip doctor`."));
        }
        Failure::new(Code::Unauthorized, format!("{} does not accept the configured credential (401).", api.title))
            .next(format!("Check that {variables} is whole, not expired and not revoked; `callslip doctor` tests it."))
    }

    fn forbidden(&self) -> Failure {
        let action = self.action();
        let failure = Failure::new(Code::Forbidden, format!("The credential may not do `{}` (403).", action.id));
        if action.permission.is_empty() {
            return failure.next("Ask an administrator for the right to do this.");
        }
        failure.next(format!("It needs the permission `{}`: ask an administrator to grant it.", action.permission))
    }

    fn missing(&self) -> Failure {
        let given = self.given();
        if given.is_empty() && self.action().kind == Kind::Read {
            return Failure::new(
                Code::NotFound,
                format!("`{}` found nothing: there is nothing of that kind at present.", self.action().id),
            )
            .next("The call itself is right; ask again when there should be something.");
        }
        let about = if given.is_empty() { String::new() } else { format!(" for {given}") };
        let failure = Failure::new(Code::NotFound, format!("`{}` found nothing{about}.", self.action().id));
        match self.list_action() {
            Some(list) => failure.next(format!("`{list}` lists what there is, with valid ids.")),
            None => failure.next("Check the ids that were given."),
        }
    }

    fn limited(&self, reply: &Reply) -> Failure {
        let wait = reply.retry_after().map_or_else(|| "a minute".to_owned(), |wait| format!("{} s", wait.as_secs()));
        let mut failure = Failure::new(Code::RateLimited, format!("{} takes no more requests for now (429).", self.api().title))
            .next(format!("Wait {wait} before the next call."));
        if let Some(wait) = reply.retry_after() {
            failure.more.insert("retryAfter".into(), wait.as_secs().into());
        }
        failure
    }

    fn invalid(&self, refusal: &Refusal<'_>) -> Failure {
        let action = self.action();
        let message = format!("{} refused the values for `{}` ({}).", self.api().title, action.id, refusal.status);
        let mut failure = Failure::new(Code::InvalidRequest, message).next("Correct the values and try again.");
        failure.accepted = action.params.iter().map(param_line).collect();
        failure.required = action.params.iter().filter(|param| param.required).map(|param| param.name.to_string()).collect();
        failure
    }
}
