//! Activities: the notes that changes leave, and that streams and long actions are followed by.

use serde_json::{Value, json};

use super::World;
use crate::{call::Call, list, moment::rfc3339, problem::problem, reply::Reply};

/// One note.
#[derive(Debug, Clone)]
pub(crate) struct Activity {
    pub id: String,
    pub kind: String,
    pub status: String,
    pub resource_kind: String,
    pub resource_id: String,
    pub resource_name: String,
    pub message: String,
    pub started: i64,
    pub ended: Option<i64>,
}

impl Activity {
    fn json(&self, environment: &str) -> Value {
        let mut value = json!({
            "id": self.id, "environmentId": environment, "type": self.kind, "status": self.status,
            "resourceType": self.resource_kind, "resourceId": self.resource_id, "resourceName": self.resource_name,
            "latestMessage": self.message, "progress": if self.ended.is_some() { 100 } else { 40 },
            "startedBy": { "userId": crate::identity::uuid("user ada"), "username": "ada" },
            "startedAt": rfc3339(self.started), "createdAt": rfc3339(self.started)
        });
        if let Some(ended) = self.ended {
            value["endedAt"] = json!(rfc3339(ended));
            value["durationMs"] = json!((ended - self.started) * 1_000 + 420);
        }
        value
    }
}

pub(super) fn answer(world: &mut World, call: &Call) -> Option<Reply> {
    // The manager answers these; the environment in the path says whose activities are meant.
    let environment = call.segment("id").to_owned();
    let now = world.clock;
    match call.operation.id.as_str() {
        "list-activities" => {
            let host = world.hosts.get(&environment);
            let rows = host.into_iter().flat_map(|host| &host.activities).map(|note| note.json(&environment)).collect();
            Some(list::reply(call, rows, &[]))
        }
        "get-activity" | "cancel-activity" => {
            let wanted = call.segment("activityId");
            let host = world.hosts.entry(environment.clone()).or_default();
            let Some(note) = host.activities.iter_mut().find(|note| note.id == wanted) else {
                return (!call.switches.lenient_ids).then(|| problem(404, "Activity not found"));
            };
            if call.operation.id == "cancel-activity" {
                if note.ended.is_some() {
                    return Some(problem(409, "Activity is not running"));
                }
                "cancelled".clone_into(&mut note.status);
                note.ended = Some(now);
                return Some(Reply::data(&note.json(&environment)));
            }
            let message = json!({
                "id": crate::identity::uuid(&format!("message of {}", note.id)), "activityId": note.id, "level": "info",
                "message": note.message, "createdAt": rfc3339(note.started)
            });
            Some(Reply::data(&json!({ "activity": note.json(&environment), "messages": [message] })))
        }
        "clear-activity-history" => {
            let host = world.hosts.entry(environment).or_default();
            let before = host.activities.len();
            host.activities.retain(|note| note.ended.is_none());
            Some(Reply::data(&json!({ "deleted": before - host.activities.len() })))
        }
        _ => None,
    }
}
