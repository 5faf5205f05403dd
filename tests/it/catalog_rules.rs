//! The rules every action of the catalog keeps, as far as a machine can judge them. What only a reader can judge (is it true, is it the
//! word an operator would say) is not here. Each test names every action that breaks its rule, not the first alone.

mod awkward;
mod guides;
mod handbook;
mod kinds;
mod neighbours;
mod toolsets;
mod words;

use callslip_catalog::compile::{Checked, read_folder};
use callslip_catalog::model::{Action, Param};
use serde_json::Value;
use std::path::Path;
use std::sync::OnceLock;

/// The catalog as it stands in the folder, read once for all rules.
fn catalog() -> &'static Checked {
    static CATALOG: OnceLock<Checked> = OnceLock::new();
    CATALOG.get_or_init(|| match read_folder(root()) {
        Ok(checked) => checked,
        Err(problems) => panic!("{}", problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    })
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn find(id: &str) -> Option<&'static Action<'static>> {
    catalog().actions.iter().find(|action| action.id == id)
}

/// Fails with every breach, one a line.
fn none(breaches: &[String]) {
    assert!(breaches.is_empty(), "{} breach(es):\n{}", breaches.len(), breaches.join("\n"));
}

/// Every breach that `rule` finds in an action.
fn each_action(rule: impl Fn(&'static Action<'static>, &mut dyn FnMut(String))) {
    let mut breaches = Vec::new();
    for action in &catalog().actions {
        rule(action, &mut |text| breaches.push(format!("{}: {text}", action.id)));
    }
    none(&breaches);
}

/// The words between backticks, line breaks within a pair included.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Whether a quoted word has the form of an id of this catalog: `domain.action` with a domain that exists.
fn looks_like_id(word: &str) -> bool {
    let part = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    word.split_once('.').is_some_and(|(domain, name)| part(name) && catalog().api.domains.iter().any(|known| known.name == domain))
}

/// Calls `visit` with the name and schema of a parameter and of everything inside it.
fn walk(param: &Param<'_>, visit: &mut dyn FnMut(&str, &Value)) {
    fn inside(name: &str, schema: &Value, visit: &mut dyn FnMut(&str, &Value)) {
        visit(name, schema);
        for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
            inside(name, inner, visit);
        }
        for key in ["items", "additionalProperties"] {
            if schema[key].is_object() {
                inside(name, &schema[key], visit);
            }
        }
    }
    inside(&param.name, &serde_json::from_str(&param.schema).unwrap_or_default(), visit);
}
