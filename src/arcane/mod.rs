//! What is true of Arcane alone. Nothing outside this folder knows Arcane.

mod absence;
mod agent;
mod cause;
mod docker;
mod environment;
mod gitops;
mod identity;
mod live;
mod mend;
mod review;
mod socket;
mod stream;
mod upload;
mod usage;

use crate::answer::Content;
use crate::call::Call;
use crate::error::Failure;
use crate::profile::{Aside, Live, Profile, Refresh, Refusal, SignIn, Upload};
use crate::upstream::socket::Talk;
use crate::upstream::stream::Event;
use serde_json::{Map, Value};

/// Arcane's habits.
pub struct Arcane;

impl Profile for Arcane {
    fn explain(&self, call: &Call, refusal: &Refusal<'_>) -> Option<Failure> {
        // The masks first: Docker or an agent that is down makes Arcane say nearly everything else.
        docker::explain(call, refusal)
            .or_else(|| agent::explain(call, refusal))
            .or_else(|| environment::explain(call, refusal))
            .or_else(|| cause::explain(call, refusal))
            .or_else(|| identity::explain(call, refusal))
            .or_else(|| absence::explain(call, refusal))
    }

    fn doctor(&self) -> &'static [(&'static str, &'static str)] {
        &[("version", "version.app"), ("credential", "auth.me"), ("Docker", "system.docker_info")]
    }

    fn live(&self) -> &'static [Live] {
        &live::LIVE
    }

    fn everywhere(&self, action: &str, arguments: &Map<String, Value>) -> bool {
        live::everywhere(action, arguments)
    }

    fn mixed(&self) -> &'static [&'static str] {
        &live::MIXED
    }

    fn across(&self) -> &'static [&'static str] {
        &live::ACROSS
    }

    fn ask_first(&self, call: &Call) -> Option<Aside> {
        agent::ask_first(call).or_else(|| gitops::ask_first(call))
    }

    fn rule_out(&self, call: &Call, answer: &Value) -> Option<Failure> {
        agent::rule_out(call, answer).or_else(|| gitops::rule_out(call, answer))
    }

    fn doubt(&self, call: &Call, refusal: &Refusal<'_>) -> Option<Aside> {
        docker::doubt(call, refusal).or_else(|| absence::doubt(call, refusal))
    }

    fn answered_by_doubt(&self, call: &Call) -> Option<&'static str> {
        (call.action.id == "system.health")
            .then_some("Docker answers; its own health check fails on this version of Arcane, so Docker was asked instead.")
    }

    fn no_route(&self, refusal: &Refusal<'_>) -> bool {
        // Of routes that it does not know, an environment behind an agent says that they are not allowed.
        refusal.status == 405
            || (refusal.status == 404 && holds(refusal.detail, "api endpoint not found"))
            || (refusal.status == 403 && holds(refusal.detail, "to perform this action on this environment"))
    }

    fn moved(&self, call: &Call) -> Option<&'static str> {
        call.action
            .path
            .contains("/workspace")
            .then_some("Up to 2.7 these files were under `/browse`, since 2.8 they are under `/workspace`.")
    }

    fn mend(&self, call: &Call, body: &mut Content) {
        mend::mend(call, body);
    }

    fn review(&self, call: &Call, answer: &Value, notes: &mut Vec<String>) -> Option<Failure> {
        review::review(call, answer, notes)
    }

    fn refresh(&self, refusal: &Refusal<'_>, refresh_token: &str) -> Option<Refresh> {
        identity::session_ended(refusal).then(|| identity::refresh(refresh_token))
    }

    fn sign_in(&self) -> Option<SignIn> {
        Some(identity::SIGN_IN)
    }

    fn part_size(&self, call: &Call) -> Option<(Aside, &'static str, u64)> {
        upload::part_size(call)
    }

    fn upload(&self, call: &Call) -> Option<Upload> {
        upload::before(call)
    }

    fn event(&self, line: &str) -> Event {
        stream::event(line)
    }

    fn talk(&self, call: &Call) -> Talk {
        socket::talk(call)
    }

    fn socket_failure(&self, frame: &str) -> Option<String> {
        socket::failure(frame)
    }

    fn follow(&self, call: &Call, _activity: &str) -> Option<String> {
        let environment = environment(call);
        Some(format!("`activity.get` with the `activityId` of this answer and environmentId `{environment}` shows how the work goes."))
    }

    fn abandoned(&self) -> Option<&'static str> {
        Some("`activity.list` shows what still runs, `activity.cancel` ends it; a call with `cancelActivity: true` does so by itself.")
    }

    fn cancel(&self, call: &Call, activity: &str) -> Option<(&'static str, Map<String, Value>)> {
        let mut arguments = Map::new();
        arguments.insert("environmentId".into(), environment(call).into());
        arguments.insert("activityId".into(), activity.into());
        Some(("activity.cancel", arguments))
    }
}

/// Whether a text holds a phrase, whatever its case.
fn holds(text: &str, phrase: &str) -> bool {
    text.to_ascii_lowercase().contains(phrase)
}

/// The environment a call works in.
fn environment(call: &Call) -> String {
    call.arguments.get("environmentId").and_then(Value::as_str).map_or_else(|| "0".to_owned(), plain)
}

/// An id as it may stand in a sentence.
fn plain(id: &str) -> String {
    id.chars().filter(|letter| letter.is_ascii_alphanumeric() || "-_.:".contains(*letter)).take(80).collect()
}
