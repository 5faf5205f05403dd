//! How a person is asked: over a connection that carries requests of the server's, the client is asked at once; on protocol revisions
//! without such requests the call is answered with a signed question, and sent again by the client with the answer.

use super::Server;
use crate::app::App;
use crate::confirmation::{self, Said};
use crate::error::Failure;
use crate::notary::{self, Invalid, Notary, PATIENCE};
use crate::policy;
use crate::run::Held;
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitationAction, ElicitationSchema, InputRequest, InputRequiredResult,
    InputResponses, ProtocolVersion,
};
use rmcp::service::{RequestContext, ServiceError};
use serde_json::Value;
use std::collections::BTreeMap;

/// Name of our question among those of one round.
const QUESTION: &str = "confirm";

/// Whether and how the client of a call can be asked, and what it has brought along.
pub struct Asking {
    road: Option<Way>,
    state: Option<String>,
    responses: InputResponses,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// A request to the client, answered while the call waits.
    Request,
    /// A question in the answer; the call comes again.
    Round,
}

/// What came of asking.
pub enum Reply {
    /// A person agreed.
    Agreed,
    /// The call must not be sent.
    Refused(Box<Failure>),
    /// The question is on its way, and nothing is sent until the call comes again.
    Later(Box<InputRequiredResult>),
}

impl Asking {
    /// Reads what a call and its context say about it.
    pub fn of(server: &Server, request: &CallToolRequestParams, context: &RequestContext<RoleServer>) -> Self {
        let declared = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
        // Without a mode a form is meant: that was the only one at first.
        let forms = declared.is_some_and(|elicitation| elicitation.form.is_some() || elicitation.url.is_none());
        let rounds = context.protocol_version().is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        let road = match (forms, rounds) {
            (false, _) => None,
            (true, true) => server.app.notary().map(|_| Way::Round),
            (true, false) => server.asks_peer.then_some(Way::Request),
        };
        Self { road, state: request.request_state.clone(), responses: request.input_responses.clone().unwrap_or_default() }
    }

    /// Whether the client can ask a person.
    pub fn can(&self) -> bool {
        self.road.is_some()
    }

    /// Asks about a held call.
    pub async fn ask(self, app: &App, held: &Held, context: &RequestContext<RoleServer>) -> Reply {
        match self.road {
            Some(Way::Request) => request(app, held, context).await,
            Some(Way::Round) => self.round(app, held).await,
            None => refused(held, Said::Nothing),
        }
    }

    async fn round(self, app: &App, held: &Held) -> Reply {
        let Some(notary) = app.notary() else { return refused(held, Said::Nothing) };
        let about = notary::about(app, held);
        let Some(state) = self.state else {
            let Some(state) = notary.seal(&about) else { return refused(held, Said::Nothing) };
            let question = InputRequest::Elicitation(ElicitRequest::new(form(app, held)));
            let questions = BTreeMap::from([(QUESTION.to_owned(), question)]);
            return Reply::Later(Box::new(InputRequiredResult::new(Some(questions), Some(state))));
        };
        // The answer is used up whatever it says: one that was declined must not come back as another.
        match redeem(app, notary, &state, &about).await {
            Ok(()) => {}
            Err(invalid) => {
                let why = match invalid {
                    Invalid::Foreign => "was given for another call, or by no one",
                    Invalid::Expired => "came too late",
                    Invalid::Used => "has been used already",
                    Invalid::Unsure => "cannot be checked at the moment",
                };
                let problem = format!("The confirmation {why}; `{}` was not called. Nothing was sent.", held.call.action.id);
                return Reply::Refused(Box::new(
                    policy::refusal(held, problem).next("Make the call again, without the old answer; the user is asked anew."),
                ));
            }
        }
        let answer = self.responses.get(QUESTION).cloned().unwrap_or_default();
        judged(held, said(answer["action"].as_str().unwrap_or_default(), answer.get("content")))
    }
}

/// Used here first, then at all replicas: where they share a store, it has the last word, and without its word nothing is sent.
async fn redeem(app: &App, notary: &Notary, state: &str, about: &[u8]) -> Result<(), Invalid> {
    let number = notary.redeem(state, about)?;
    let first = match &app.watch {
        Some(watch) => watch.first_use(&number, PATIENCE).await,
        None => Some(true),
    };
    first.ok_or(Invalid::Unsure)?.then_some(()).ok_or(Invalid::Used)
}

async fn request(app: &App, held: &Held, context: &RequestContext<RoleServer>) -> Reply {
    match context.peer.create_elicitation_with_timeout(form(app, held), Some(PATIENCE)).await {
        Ok(answer) => {
            let action = match answer.action {
                ElicitationAction::Accept => "accept",
                ElicitationAction::Decline => "decline",
                _ => "cancel",
            };
            judged(held, said(action, answer.content.as_ref()))
        }
        Err(ServiceError::Timeout { .. }) => refused(held, Said::Nothing),
        Err(_) => refused(held, Said::Cancelled),
    }
}

/// A question with nothing to fill in: accepting it is the answer.
fn form(app: &App, held: &Held) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: confirmation::question(app, held),
        requested_schema: ElicitationSchema::new(BTreeMap::new()),
    }
}

/// Some clients show a form of their own making: anything in it but a clear yes is a no, whatever button was pressed.
fn said(action: &str, content: Option<&Value>) -> Said {
    let agrees = |value: &Value| match value {
        Value::Bool(agreed) => *agreed,
        Value::String(text) => ["true", "yes", "accept"].contains(&text.trim().to_ascii_lowercase().as_str()),
        _ => false,
    };
    let denied = content.and_then(Value::as_object).is_some_and(|fields| !fields.values().all(agrees));
    match action {
        "accept" if denied => Said::Declined,
        "accept" => Said::Agreed,
        "decline" => Said::Declined,
        _ => Said::Cancelled,
    }
}

fn judged(held: &Held, said: Said) -> Reply {
    if said == Said::Agreed { Reply::Agreed } else { refused(held, said) }
}

fn refused(held: &Held, said: Said) -> Reply {
    Reply::Refused(Box::new(confirmation::unanswered(held, said)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_a_clear_yes_agrees() {
        assert_eq!(said("accept", None), Said::Agreed);
        assert_eq!(said("accept", Some(&json!({}))), Said::Agreed);
        assert_eq!(said("accept", Some(&json!({ "confirm": true }))), Said::Agreed);
        for no in [json!(false), json!("false"), json!("no"), json!(""), json!(0), json!(null), json!([true])] {
            assert_eq!(said("accept", Some(&json!({ "confirm": no }))), Said::Declined, "{no}");
        }
        assert_eq!(said("decline", None), Said::Declined);
        for other in ["cancel", "", "ACCEPT", "yes"] {
            assert_eq!(said(other, None), Said::Cancelled, "{other}");
        }
    }
}
