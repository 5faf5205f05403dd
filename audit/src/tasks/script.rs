//! A task as it stands in `benches/tasks/`: what an operator wants, the calls a sensible agent makes for it, what must be true after.

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    task: Vec<Task>,
}

/// One task.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// A few words, unique.
    pub name: String,
    /// What the operator asks for.
    pub goal: String,
    /// The sandbox holds this many rows of everything instead of a small host.
    pub rows: Option<usize>,
    /// The Docker daemon does not answer.
    #[serde(default)]
    pub docker_down: bool,
    /// The first calls of an operation go wrong.
    pub fault: Option<Failing>,
    /// What the agent does.
    pub steps: Vec<Step>,
    /// Every change, `METHOD path` below the environment, in order; nothing else may change.
    #[serde(default)]
    pub effects: Vec<String>,
    /// What must be so after.
    #[serde(default)]
    pub leaves: Vec<State>,
    /// How often a person must be asked: once for each destructive act.
    #[serde(default)]
    pub questions: usize,
}

/// A fault of the upstream.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failing {
    /// operationId.
    pub operation: String,
    /// The status it answers.
    pub status: u16,
    /// How often.
    pub times: usize,
}

/// A search, a call, or both.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What the agent searches for, where the surface is searched.
    pub find: Option<String>,
    /// The action it then calls.
    pub call: Option<String>,
    /// With these parameters; `$name` stands for something taken before.
    #[serde(default)]
    pub params: Map<String, Value>,
    /// Columns wanted.
    #[serde(default)]
    pub fields: Vec<String>,
    /// Confirmed by the person.
    #[serde(default)]
    pub confirm: bool,
    /// The agent reads the whole schema first, where it has seen only parameter names.
    #[serde(default)]
    pub describe: bool,
    /// The code of the error the call must end in; none: it must succeed.
    pub expect: Option<String>,
    /// What the agent remembers of the answer.
    #[serde(default)]
    pub take: BTreeMap<String, Take>,
}

/// A value of an answer: the field of the first object in it that has these values.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// Values the object has; of a list, one that it holds.
    #[serde(default)]
    pub having: Map<String, Value>,
    /// The field that is remembered.
    pub field: String,
}

/// Something that must be so after a task.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// A path below the environment.
    pub get: String,
    /// Where in the answer (JSON pointer).
    #[serde(default)]
    pub at: String,
    /// The value there.
    pub is: Option<Value>,
    /// The status of the answer.
    pub status: Option<u16>,
}

/// All tasks of a folder, by file and in file order.
pub fn read(folder: &Path) -> Result<Vec<Task>> {
    let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut files: Vec<_> = entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let mut tasks = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let read: File = toml::from_str(&text).with_context(|| file.display().to_string())?;
        tasks.extend(read.task);
    }
    let mut names = BTreeSet::new();
    if let Some(twice) = tasks.iter().find(|task| !names.insert(task.name.clone())) {
        bail!("the task {:?} stands twice", twice.name);
    }
    Ok(tasks)
}

/// Puts what was taken before in place of `$name`, longest names first.
pub fn filled(value: &Value, taken: &BTreeMap<String, String>) -> Value {
    match value {
        Value::String(text) => filled_text(text, taken).into(),
        Value::Array(values) => values.iter().map(|value| filled(value, taken)).collect(),
        Value::Object(map) => map.iter().map(|(key, value)| (key.clone(), filled(value, taken))).collect::<Map<_, _>>().into(),
        other => other.clone(),
    }
}

/// The same for a text.
pub fn filled_text(text: &str, taken: &BTreeMap<String, String>) -> String {
    taken.iter().rev().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("${name}"), value))
}

impl Take {
    /// What is remembered of an answer.
    pub fn from(&self, answer: &Value) -> Option<String> {
        match answer {
            Value::Object(map) => {
                let has = |(key, wanted): (&String, &Value)| {
                    map.get(key).is_some_and(|value| value == wanted || value.as_array().is_some_and(|values| values.contains(wanted)))
                };
                match map.get(&self.field) {
                    Some(Value::String(text)) if self.having.iter().all(has) => Some(text.clone()),
                    Some(value) if self.having.iter().all(has) && !value.is_null() => Some(value.to_string()),
                    _ => map.values().find_map(|value| self.from(value)),
                }
            }
            Value::Array(values) => values.iter().find_map(|value| self.from(value)),
            _ => None,
        }
    }
}
