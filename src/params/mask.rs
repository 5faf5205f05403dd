//! Secrets that were read back masked. Written as they stand they would replace the real secret by its mask.
//!
//! An optional parameter is left out, since an absent one leaves the stored value as it is. Where leaving it out would not do that
//! (inside a value, in a list, required, or filled with something else), the call is refused.

use super::Repair;
use callslip_catalog::model::{Action, Fill, Kind};
use serde_json::{Map, Value};

/// Removes or refuses masked values of a call that writes.
pub fn drop_masked(action: &Action<'_>, arguments: &mut Map<String, Value>, problems: &mut Vec<String>, repairs: &mut Vec<Repair>) {
    if action.kind == Kind::Read {
        return;
    }
    let names: Vec<String> = arguments.keys().cloned().collect();
    for name in names {
        let Some(value) = arguments.get(&name) else { continue };
        let Some(path) = masked_at(value, &name) else { continue };
        let optional = action.param(&name).is_some_and(|param| {
            let unchanged = match &param.fill {
                Fill::Nothing => true,
                Fill::Json(json) => json == "null",
                Fill::Option { .. } => false,
            };
            !param.required && unchanged
        });
        if path == name && optional {
            arguments.shift_remove(&name);
            repairs.push(Repair {
                note: format!("`{name}` held the mask of a secret, not its value; it was left out, so the stored value stays."),
                hint: format!("`{name}` holds the mask of a secret, not its value; leave it out to keep the stored one."),
            });
        } else {
            problems.push(format!("`{path}` holds the mask of a secret, not its value; give the real value."));
        }
    }
}

/// The path of the first masked string in a value.
fn masked_at(value: &Value, path: &str) -> Option<String> {
    match value {
        Value::String(text) => is_mask(text).then(|| path.to_owned()),
        Value::Array(items) => items.iter().enumerate().find_map(|(number, item)| masked_at(item, &format!("{path}[{number}]"))),
        Value::Object(members) => members.iter().find_map(|(name, member)| masked_at(member, &format!("{path}.{name}"))),
        _ => None,
    }
}

/// Eight or more of one sign that servers print instead of a secret.
fn is_mask(text: &str) -> bool {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return false };
    matches!(first, 'X' | '*' | '•') && letters.clone().count() >= 7 && letters.all(|letter| letter == first)
}
