//! How the same step is taken on each surface: which tool, with which arguments.

use super::script::Step;
use anyhow::{Context, Result};
use callslip::catalog::Catalog;
use callslip_catalog::model::{Action, Kind, Place};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A surface, or a peer that serves the same API.
#[derive(Debug, Clone, PartialEq)]
pub enum Road {
    /// `find_action`, `execute_action`.
    Dynamic,
    /// One tool a domain.
    Meta,
    /// One tool an action.
    Individual,
    /// Search, read, run.
    Progressive,
    /// A server made from the API's own document, with `search_tools` and `call_tool`: path by operationId.
    Searching(BTreeMap<String, String>),
}

/// A tool call.
pub type Asked = (String, Value);

impl Road {
    /// The road of a surface by its name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "dynamic" => Some(Self::Dynamic),
            "meta" => Some(Self::Meta),
            "individual" => Some(Self::Individual),
            "progressive" => Some(Self::Progressive),
            _ => None,
        }
    }

    /// The road of a peer, from the API's own document.
    pub fn from_openapi(document: &Value) -> Result<Self> {
        let mut paths = BTreeMap::new();
        for (path, methods) in document["paths"].as_object().context("the document has no paths")? {
            for operation in methods.as_object().into_iter().flat_map(Map::values) {
                if let Some(id) = operation["operationId"].as_str() {
                    paths.insert(id.to_owned(), path.clone());
                }
            }
        }
        Ok(Self::Searching(paths))
    }

    /// Whether the API this road leads to has the action.
    pub fn has(&self, action: &Action<'_>) -> bool {
        match self {
            Self::Searching(paths) => paths.contains_key(&*action.operation),
            _ => true,
        }
    }

    /// The search, where the surface is searched. A peer has its own bound on hits.
    pub fn find(&self, query: &str, limit: Option<usize>) -> Option<Asked> {
        let tool = match self {
            Self::Dynamic => "arcane_find_action",
            Self::Progressive => "search_tools",
            Self::Searching(_) => return Some(("search_tools".to_owned(), json!({ "query": query }))),
            Self::Meta | Self::Individual => return None,
        };
        let mut arguments = json!({ "query": query });
        if let Some(limit) = limit {
            arguments["limit"] = limit.into();
        }
        Some((tool.to_owned(), arguments))
    }

    /// The name under which a search shows an action.
    pub fn name(&self, action: &Action<'_>) -> String {
        match self {
            Self::Dynamic => action.id.to_string(),
            Self::Searching(_) => action.operation.replace(|letter: char| !letter.is_alphanumeric(), "_"),
            _ => action.tool_name("arcane"),
        }
    }

    /// Reading the whole schema, where a definition names parameters alone.
    pub fn describe(&self, action: &Action<'_>) -> Option<Asked> {
        (*self == Self::Meta).then(|| {
            let arguments = json!({ "action": "describe", "params": { "action": &*action.id } });
            (format!("arcane_{}", action.domain_name()), arguments)
        })
    }

    /// The call itself.
    pub fn call(&self, catalog: &Catalog, action: &Action<'_>, step: &Step, params: Map<String, Value>) -> Result<Asked> {
        let mut own = Map::new();
        if step.confirm {
            own.insert("confirm".into(), true.into());
        }
        if !step.fields.is_empty() {
            own.insert("fields".into(), step.fields.clone().into());
        }
        let beside = |name: &str, value: &str, holder: &str, own: Map<String, Value>| {
            let mut arguments = Map::from_iter([(name.to_owned(), Value::from(value))]);
            if !params.is_empty() {
                arguments.insert(holder.to_owned(), params.clone().into());
            }
            arguments.extend(own);
            Value::from(arguments)
        };
        Ok(match self {
            Self::Dynamic => ("arcane_execute_action".into(), beside("action", &action.id, "params", own)),
            Self::Meta => (format!("arcane_{}", action.domain_name()), beside("action", action.action_name(), "params", own)),
            Self::Individual => {
                let mut arguments = params;
                arguments.extend(own);
                (action.tool_name(&catalog.api().name), arguments.into())
            }
            Self::Progressive => {
                let tool = if action.kind == Kind::Read { "read_tool" } else { "run_tool" };
                (tool.into(), beside("name", &action.tool_name(&catalog.api().name), "arguments", own))
            }
            Self::Searching(paths) => {
                let path = paths.get(&*action.operation).with_context(|| format!("the document has no {}", action.operation))?;
                let arguments = on_the_wire(action, path, params);
                ("call_tool".into(), json!({ "name": self.name(action), "arguments": arguments }))
            }
        })
    }
}

/// Parameters by the names of the API's document; every placeholder of the path must be given there.
fn on_the_wire(action: &Action<'_>, path: &str, mut params: Map<String, Value>) -> Map<String, Value> {
    let mut arguments = Map::new();
    for (ours, theirs) in placeholders(&action.path).into_iter().zip(placeholders(path)) {
        let value = params.shift_remove(ours).unwrap_or_else(|| "0".into());
        arguments.insert(theirs.to_owned(), value);
    }
    for (name, value) in params {
        match action.param(&name) {
            Some(param) if param.place == Place::Whole => arguments.extend(value.as_object().cloned().unwrap_or_default()),
            Some(param) => {
                arguments.insert(param.wire.to_string(), value);
            }
            None => {
                arguments.insert(name, value);
            }
        }
    }
    arguments
}

fn placeholders(path: &str) -> Vec<&str> {
    path.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0)).collect()
}
