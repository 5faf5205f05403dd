//! `docs/actions.md`: the whole catalog for people, generated. Its test has "snapshot" in its name, so that `make snapshots` (and with it
//! `make write`) writes it anew.

use super::{catalog, root};
use callslip_catalog::model::{Action, Auth, Domain, Kind, Param, Shape, Since};
use serde_json::Value;
use std::fmt::Write;

#[test]
fn snapshot_of_the_action_handbook() {
    let path = root().join("docs/actions.md");
    let text = handbook();
    if std::env::var("CALLSLIP_SNAPSHOTS").is_ok_and(|mode| mode == "write") {
        std::fs::write(&path, &text).expect("docs/ can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let changed = text.lines().zip(kept.lines()).find(|(now, then)| now != then);
    assert!(kept == text, "docs/actions.md is not what the catalog says; first change: {changed:?}. Run `make snapshots`.");
}

fn handbook() -> String {
    let checked = catalog();
    let api = &checked.api;
    let count = |kind: Kind| checked.actions.iter().filter(|action| action.kind == kind).count();
    let sometimes = checked.actions.iter().filter(|action| !action.destructive_when.is_empty()).count();
    let mut out = format!(
        "# The actions of {}\n\nGenerated from `catalog/`; `make snapshots` writes it anew. {} actions in {} domains and {} toolsets: {} read, {} \
         write ({sometimes} of them destructive for some values), {} destructive.\n\n\
         A destructive action needs `confirm: true`. Parameters in bold are required. Where the path holds `environmentId` and none is given, the \
         configured environment is meant. Where no version is told, 2.8.0 has the action. Lists that page also take what their paging style has (`search`, `sort`, `order`, `start`, `limit`).\n\n",
        api.title,
        checked.actions.len(),
        api.domains.len(),
        api.toolsets.len(),
        count(Kind::Read),
        count(Kind::Write),
        count(Kind::Destructive),
    );
    out.push_str("| toolset | what is in it | domains |\n|---|---|---|\n");
    for (number, toolset) in api.toolsets.iter().enumerate() {
        let domains: Vec<_> = domains_of(number).map(|domain| format!("[{0}](#{0})", domain.name)).collect();
        let _ = writeln!(out, "| {} (`{}`) | {} {} | {} |", toolset.title, toolset.name, toolset.line, toolset.pin, domains.join(", "));
    }
    for (number, toolset) in api.toolsets.iter().enumerate() {
        let _ = write!(out, "\n## Toolset: {}\n\n{} {}\n", toolset.title, toolset.line, toolset.pin);
        if !toolset.default {
            let _ = writeln!(
                out,
                "Left out unless the server is started with `--include {}`: {}.",
                toolset.name,
                toolset.reason.trim_end_matches('.')
            );
        }
        for domain in domains_of(number) {
            let _ = write!(out, "\n### {}\n\n{}.\n", domain.name, domain.title);
            for action in &checked.actions[domain.first as usize..(domain.first + domain.count) as usize] {
                entry(&mut out, action, toolset.default);
            }
        }
    }
    let _ = write!(out, "\n## What is not there\n\n| asked for | what to do instead |\n|---|---|\n");
    for absent in &api.absent {
        let _ = writeln!(out, "| {} | {} |", absent.ask.join("; "), absent.advice);
    }
    out
}

fn domains_of(toolset: usize) -> impl Iterator<Item = &'static Domain<'static>> {
    catalog().api.domains.iter().filter(move |domain| usize::from(domain.toolset) == toolset)
}

fn entry(out: &mut String, action: &Action<'_>, toolset_offered: bool) {
    let _ = write!(out, "\n**`{}`** {} · {}", action.id, action.title, action.kind.name());
    for condition in &action.destructive_when {
        let values: Vec<_> = condition.values.iter().map(|value| format!("`{value}`")).collect();
        let _ = write!(out, ", destructive with `{}` {}", condition.param, values.join(" or "));
    }
    let _ = write!(out, "  \n{}", action.description);
    if !action.usage.is_empty() {
        let _ = write!(out, " *{}*", action.usage);
    }
    let _ = write!(out, "  \n`{} {}` → {}", action.method.name(), action.path, shape(action.returns.shape));
    let own: Vec<_> = action.params.iter().filter(|param| !param.shared).collect();
    if !own.is_empty() {
        let _ = write!(out, " · {}", own.iter().map(|param| shown(param)).collect::<Vec<_>>().join(", "));
    }
    let mut facts = Vec::new();
    if !action.permission.is_empty() {
        facts.push(format!("permission `{}`", action.permission));
    }
    if action.admin {
        facts.push("global administrator".into());
    }
    match action.auth {
        Auth::Session => facts.push("session token only".into()),
        Auth::Key => facts.push("API key only".into()),
        Auth::None => facts.push("no credential".into()),
        Auth::Any => {}
    }
    match &action.since {
        Since::After(version) => facts.push(format!("newer than {version}")),
        Since::By(version) => facts.push(format!("at the latest since {version}")),
        Since::In(_) | Since::Unknown => {}
    }
    if !action.edge {
        facts.push("not through an edge tunnel".into());
    }
    if !toolset_offered && !action.left_out {
        facts.push("offered by default".into());
    }
    let _ = writeln!(out, "  \n{}", facts.join(" · "));
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Empty => "nothing",
        shape => shape.name(),
    }
}

/// The name, bold where required, with the values it can have.
fn shown(param: &Param<'_>) -> String {
    let schema: Value = serde_json::from_str(&param.schema).unwrap_or_default();
    let mut text = if param.required { format!("**`{}`**", param.name) } else { format!("`{}`", param.name) };
    let values: Vec<_> = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if !values.is_empty() {
        let _ = write!(text, " ({})", values.join(", "));
    }
    text
}
