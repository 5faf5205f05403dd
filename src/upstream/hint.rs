//! Next steps that follow from the catalog: which list holds a valid id, and what was asked for.

use super::Run;
use crate::untrusted;
use callslip_catalog::model::{Place, Shape};

impl Run<'_> {
    /// The action that lists what this one takes an id of.
    pub(super) fn list_action(&self) -> Option<String> {
        let action = self.action();
        // An id named after another domain (`projectId` of the files of a project) is found in that domain.
        let ids = action.params.iter().filter(|param| param.place == Place::Path && !param.shared);
        let mut named = ids.filter_map(|param| domain_of(&param.name)).map(|domain| format!("{domain}.list"));
        if let Some(list) = named.rfind(|list| *action.id != *list && self.catalog.number(list).is_some()) {
            return Some(list);
        }
        let own = format!("{}.list", action.domain_name());
        if *action.id != own && self.catalog.number(&own).is_some() {
            return Some(own);
        }
        if let Some(id) = action.related.iter().find(|id| id.ends_with(".list") && **id != action.id) {
            return Some(id.to_string());
        }
        let domain = self.api().domains.get(usize::from(action.domain))?;
        (domain.first..domain.first + domain.count)
            .filter_map(|number| self.catalog.action(number as usize).ok())
            .find(|other| other.returns.shape == Shape::List && other.id != action.id)
            .map(|other| other.id.to_string())
    }

    /// The ids that were given, as a caller wrote them.
    pub(super) fn given(&self) -> String {
        let ids = self.action().params.iter().filter(|param| param.place == Place::Path && !param.shared && !param.secret);
        let shown = ids.filter_map(|param| {
            let value = self.call.arguments.get(&*param.name)?;
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            Some(format!("{} {}", param.name, untrusted::quoted(&text, 80)))
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}

/// The domain whose things a parameter names: `s3_destination` for `s3DestinationId`.
fn domain_of(param: &str) -> Option<String> {
    let thing = param.strip_suffix("Id").or_else(|| param.strip_suffix("Name"))?;
    let mut domain = String::new();
    for letter in thing.chars() {
        if letter.is_ascii_uppercase() {
            domain.push('_');
        }
        domain.push(letter.to_ascii_lowercase());
    }
    (!domain.is_empty()).then_some(domain)
}

#[cfg(test)]
mod tests {
    use super::domain_of;

    #[test]
    fn a_parameter_names_a_domain() {
        assert_eq!(domain_of("s3DestinationId").as_deref(), Some("s3_destination"));
        assert_eq!(domain_of("volumeName").as_deref(), Some("volume"));
        assert_eq!(domain_of("name"), None);
    }
}
