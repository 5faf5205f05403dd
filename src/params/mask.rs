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
        let Some((path, stand)) = masked_at(value, &name, &name) else { continue };
        let optional = action.param(&name).is_some_and(|param| {
            let unchanged = match &param.fill {
                Fill::Nothing => true,
                Fill::Json(json) => json == "null",
                Fill::Option { .. } => false,
            };
            !param.required && unchanged
        });
        if path == name && optional && stand == Stand::Mask {
            arguments.shift_remove(&name);
            repairs.push(Repair {
                note: format!("`{name}` held the mask of a secret, not its value; it was left out, so the stored value stays."),
                hint: format!("`{name}` holds the mask of a secret, not its value; leave it out to keep the stored one."),
            });
        } else {
            problems.push(match stand {
                Stand::Mask => format!("`{path}` holds the mask of a secret, not its value; give the real value."),
                Stand::Within => format!(
                    "`{path}` has the mask of a secret in it, which would be written in place of the secret; give the real value there, or leave `{name}` out."
                ),
                Stand::Placeholder => format!("`{path}` still holds the placeholder of a secret; write the real value in its place."),
            });
        }
    }
}

/// What stands where a secret belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stand {
    /// The mask is all there is.
    Mask,
    /// The mask is somewhere in a text.
    Within,
    /// A placeholder of a command line that was never filled in.
    Placeholder,
}

/// The path of the first text that stands for a secret. `name`: that of the nearest parameter or property.
fn masked_at(value: &Value, name: &str, path: &str) -> Option<(String, Stand)> {
    match value {
        Value::String(text) => stand(text, name).map(|stand| (path.to_owned(), stand)),
        Value::Array(items) => items.iter().enumerate().find_map(|(number, item)| masked_at(item, name, &format!("{path}[{number}]"))),
        Value::Object(members) => members.iter().find_map(|(name, member)| masked_at(member, name, &format!("{path}.{name}"))),
        _ => None,
    }
}

fn stand(text: &str, name: &str) -> Option<Stand> {
    if is_mask(text) {
        return Some(Stand::Mask);
    }
    let left_in = |(variable, rest): (&str, &str)| rest == placeholder(variable);
    if text.trim() == placeholder(name) || text.split_once('=').is_some_and(left_in) {
        return Some(Stand::Placeholder);
    }
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    (text.trim() == OURS || words.any(|word| word == THEIRS)).then_some(Stand::Within)
}

/// What stands in a line for a person where a secret has to be written. Sent as it is, it is refused.
pub fn placeholder(name: &str) -> String {
    format!("<{name}>")
}

/// What is shown by us where a secret is.
const OURS: &str = "***";

/// What servers show; as a word of its own it is a mask wherever it stands.
const THEIRS: &str = "XXXXXXXXXX";

/// Our own mask, or eight or more of one sign that servers print instead of a secret.
fn is_mask(text: &str) -> bool {
    let mut letters = text.chars();
    let Some(first) = letters.next() else { return false };
    text == OURS || (matches!(first, 'X' | '*' | '•') && letters.clone().count() >= 7 && letters.all(|letter| letter == first))
}
