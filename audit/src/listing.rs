//! The tools one server announces, whatever it is, as a model sees them.

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// One tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it belongs to: the domain, or the first word of the name.
    pub group: String,
    /// Its description.
    pub description: String,
    /// Its input schema.
    pub schema: Value,
    /// What is counted: the compact JSON of name, description and input schema, which is what clients put into a model's context.
    pub text: String,
}

/// The tools of one server, or of one surface.
#[derive(Debug, Clone, PartialEq)]
pub struct Listing {
    /// Name of the surface or of the server.
    pub name: String,
    /// Its tools, in the order announced.
    pub tools: Vec<Tool>,
    /// What the server says about itself to the model.
    pub instructions: String,
    /// How many actions can be reached; the tools themselves where nothing else is known.
    pub actions: usize,
}

impl Tool {
    /// A tool as it stands in a `tools/list` answer. Other keys (titles, annotations) stay with the client.
    pub fn from_json(tool: &Map<String, Value>) -> Result<Self> {
        let name = tool.get("name").and_then(Value::as_str).context("a tool without a name")?;
        let seen: Map<String, Value> =
            ["name", "description", "inputSchema"].iter().filter_map(|key| Some(((*key).to_owned(), tool.get(*key)?.clone()))).collect();
        Ok(Self {
            name: name.to_owned(),
            group: String::new(),
            description: tool.get("description").and_then(Value::as_str).unwrap_or_default().to_owned(),
            schema: tool.get("inputSchema").cloned().unwrap_or_default(),
            text: Value::Object(seen).to_string(),
        })
    }
}

/// All tools of an answer. Groups are left to [`group`] or to who knows better.
pub fn tools(list: &[Map<String, Value>]) -> Result<Vec<Tool>> {
    list.iter().map(Tool::from_json).collect()
}

/// Groups tools of an unknown server by the first word that is not common to all names.
pub fn group(tools: &mut [Tool]) {
    let words: Vec<Vec<String>> = tools.iter().map(|tool| words(&tool.name)).collect();
    let most = words.first().map_or(0, Vec::len);
    let common = (0..most)
        .take_while(|place| {
            let first = words.first().and_then(|words| words.get(*place));
            words.len() > 1 && words.iter().all(|words| words.len() > place + 1 && words.get(*place) == first)
        })
        .count();
    for (tool, words) in tools.iter_mut().zip(&words) {
        tool.group = words.get(common).cloned().unwrap_or_default();
    }
}

/// `arcane_containerList` → `arcane container list`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let breaks = !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
        if breaks && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().unwrap_or(&mut String::new()).extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn named(names: &[&str]) -> Vec<Tool> {
        let list: Vec<_> = names.iter().map(|name| json!({ "name": name, "title": "x", "inputSchema": {} })).collect();
        let list: Vec<_> = list.iter().filter_map(Value::as_object).cloned().collect();
        tools(&list).unwrap()
    }

    #[test]
    fn groups_come_from_the_names() {
        let mut tools = named(&["gitlab_issue_list", "gitlab_issue_create", "gitlab_userGet"]);
        group(&mut tools);
        assert_eq!(tools.iter().map(|tool| &*tool.group).collect::<Vec<_>>(), ["issue", "issue", "user"]);
        let mut alone = named(&["fetch"]);
        group(&mut alone);
        assert_eq!(alone[0].group, "fetch");
        group(&mut []);
    }

    #[test]
    fn only_what_a_model_sees_is_counted() {
        assert_eq!(named(&["a"])[0].text, r#"{"name":"a","inputSchema":{}}"#);
    }
}
