//! Next steps that follow from the catalog: which list holds a valid id, and what was asked for.

use super::{Run, clean};
use callslip_catalog::model::{Place, Shape};

impl Run<'_> {
    /// The action that lists what this one takes an id of.
    pub(super) fn list_action(&self) -> Option<String> {
        let action = self.action();
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
            Some(format!("{} {}", param.name, clean::quoted(&text, 80)))
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}
