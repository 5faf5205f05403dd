//! Actions as the search sees them, and the index over them.

use super::Checked;
use crate::index::{self, Document, Parameter, Safety};
use crate::lexicon::Lexicon;
use crate::model::{Action, Kind};
use serde_json::Value;

/// The index of a checked catalog: document numbers are action numbers.
pub fn index(checked: &Checked) -> Vec<u8> {
    let mut lexicon = Lexicon { name: checked.api.name.to_string(), ..Lexicon::general() };
    checked.search.teach(&checked.api.absent, &mut lexicon);
    let schemas: Vec<Vec<Value>> = checked
        .actions
        .iter()
        .map(|action| action.params.iter().map(|param| serde_json::from_str(&param.schema).unwrap_or_default()).collect())
        .collect();
    let documents: Vec<_> = checked.actions.iter().zip(&schemas).map(|(action, schemas)| document(checked, action, schemas)).collect();
    index::build(&documents, &lexicon)
}

/// Parameters that every list has say nothing about one action; they stay out.
fn document<'c>(checked: &'c Checked, action: &'c Action<'static>, schemas: &'c [Value]) -> Document<'c> {
    let domain = checked.api.domains.get(usize::from(action.domain));
    let toolset = domain.and_then(|domain| checked.api.toolsets.get(usize::from(domain.toolset)));
    let parameters = action.params.iter().zip(schemas).filter(|(param, _)| !param.shared).map(|(param, schema)| Parameter {
        name: &param.name,
        description: schema["description"].as_str().unwrap_or_default(),
        values: schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect(),
    });
    Document {
        id: &action.id,
        operation: &action.operation,
        title: &action.title,
        description: &action.description,
        usage: &action.usage,
        aliases: action.aliases.iter().map(|alias| &**alias).collect(),
        words: action.words.iter().map(|word| &**word).collect(),
        parameters: parameters.collect(),
        domain: domain.map_or("", |domain| &domain.name),
        domain_title: domain.map_or("", |domain| &domain.title),
        toolset: toolset.map_or("", |toolset| &toolset.title),
        method: action.method.name(),
        path: &action.path,
        safety: match action.kind {
            Kind::Read => Safety::Read,
            Kind::Write => Safety::Write,
            Kind::Paid => Safety::Paid,
            Kind::Destructive => Safety::Destructive,
        },
    }
}
