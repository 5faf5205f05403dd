//! What of an answer may be seen where only some environments may be named: rows that name another are left out, however deep they stand.
//!
//! An action that works on one environment answers about that one, in the words of whoever carried it out: an agent calls its own host
//! by the id of the local environment. So there nothing is looked at, unless the API is known to answer about others too.

use super::is_environment;
use crate::app::App;
use crate::error::{Code, Failure};
use callslip_catalog::model::{Action, Kind};
use serde_json::{Map, Value};

/// Environments that may be seen.
#[derive(Debug, Clone, Copy)]
pub struct Sieve<'a> {
    admitted: &'a [String],
    /// The rows are environments: each is named by its own id.
    rows_are_environments: bool,
}

impl<'a> Sieve<'a> {
    /// What has to be left out of the answer of an action; `None`: nothing.
    pub fn of(app: &'a App, action: &Action<'_>) -> Option<Self> {
        let admitted = app.config.environments.as_slice();
        let at_one = action.params.iter().any(|param| is_environment(&param.name));
        if admitted.is_empty() || (at_one && !app.profile.across().contains(&&*action.id)) {
            return None;
        }
        let rows_are_environments = app.profile.live().iter().any(|live| live.action == action.id && is_environment(live.completes));
        Some(Self { admitted, rows_are_environments })
    }

    /// Takes rows out of a list; how many, at any depth.
    pub fn rows(self, rows: &mut Vec<Value>) -> usize {
        let before = rows.len();
        rows.retain(|row| !self.hides(row));
        let mut taken = before - rows.len();
        for row in rows {
            taken += self.within(row);
        }
        taken
    }

    /// Takes what is within an object out of it; how many. An object that is itself about another environment is refused.
    pub fn object(self, action: &Action<'_>, object: &mut Map<String, Value>) -> Result<usize, Failure> {
        let mut value = Value::Object(std::mem::take(object));
        // What was done is done, and whoever did it may know of it.
        if action.kind == Kind::Read && self.hides(&value) {
            return Err(Failure::new(
                Code::Removed,
                format!("What `{}` answered is about an environment outside what this server may touch.", action.id),
            )
            .next(format!("Environments that may be named: {}.", super::list(self.admitted))));
        }
        let taken = self.within(&mut value);
        if let Value::Object(members) = value {
            *object = members;
        }
        Ok(taken)
    }

    /// Whether a value is about an environment that may not be seen.
    fn hides(self, value: &Value) -> bool {
        let Value::Object(members) = value else { return false };
        let names = |name: &str| is_environment(name) || (self.rows_are_environments && name == "id");
        members.iter().any(|(name, value)| names(name) && self.is_other(value))
    }

    fn is_other(self, id: &Value) -> bool {
        match id {
            Value::String(id) => !id.is_empty() && !self.admitted.contains(id),
            Value::Number(id) => !self.admitted.contains(&id.to_string()),
            _ => false,
        }
    }

    fn within(self, value: &mut Value) -> usize {
        // Only the rows of the list itself are environments.
        let inner = Self { rows_are_environments: false, ..self };
        match value {
            Value::Array(items) => inner.rows(items),
            Value::Object(members) => {
                let mut taken = 0;
                for (name, member) in members {
                    if inner.hides(member) {
                        *member = Value::Null;
                        taken += 1;
                        continue;
                    }
                    if let (true, Value::Array(ids)) = (is_environment(name), &mut *member) {
                        let before = ids.len();
                        ids.retain(|id| !inner.is_other(id));
                        taken += before - ids.len();
                    }
                    taken += inner.within(member);
                }
                taken
            }
            _ => 0,
        }
    }
}

/// The sentence that says it.
pub fn note(taken: usize) -> String {
    format!("{taken} item(s) about environments outside what this server may touch are left out.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn other_environments_are_left_out_wherever_they_stand() {
        let admitted = ["a".to_owned(), "0".to_owned()];
        let sieve = Sieve { admitted: &admitted, rows_are_environments: false };
        let mut rows = vec![
            json!({ "id": "1", "environmentId": "a" }),
            json!({ "id": "2", "environmentId": "b", "environmentName": "prod" }),
            json!({ "id": "3", "environmentId": null, "environmentIds": ["a", "b"], "permissions": [{ "environmentId": "b" }, { "environmentId": 0 }] }),
            json!({ "id": "4", "agent": { "environmentId": "b" }, "environment": "prod" }),
            json!("plain"),
        ];
        assert_eq!(sieve.rows(&mut rows), 4);
        let left = json!([
            { "id": "1", "environmentId": "a" },
            { "id": "3", "environmentId": null, "environmentIds": ["a"], "permissions": [{ "environmentId": 0 }] },
            { "id": "4", "agent": null, "environment": "prod" },
            "plain"
        ]);
        assert_eq!(Value::from(rows), left);
        let mut hosts = vec![json!({ "id": "a", "parts": [{ "id": "x" }] }), json!({ "id": "b" }), json!({ "id": 1 })];
        assert_eq!(Sieve { rows_are_environments: true, ..sieve }.rows(&mut hosts), 2);
        assert_eq!(Value::from(hosts), json!([{ "id": "a", "parts": [{ "id": "x" }] }]));
    }
}
