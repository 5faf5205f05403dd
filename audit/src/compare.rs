//! What a change costs: earlier figures against those of now, as Markdown for a pull request.

use crate::client::Client;
use crate::count::{signed, thousands};
use crate::listing::Listing;
use crate::measure::{Cost, ToolCost, costs};
use anyhow::{Context, Result};
use callslip_catalog::project::Surface;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Tools named for each surface.
const ROWS: usize = 30;

/// Earlier figures: a file written by `--json`, or the server built from another revision.
pub fn earlier(old: &Path) -> Result<Vec<Cost>> {
    let bytes = std::fs::read(old).with_context(|| old.display().to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(&text).with_context(|| format!("{} holds no figures of `audit_tokens --json`", old.display()));
    }
    let listings = Surface::NAMES.iter().map(|(name, _)| served(old, name)).collect::<Result<Vec<_>>>()?;
    Ok(costs(&listings))
}

/// A surface as another build of the server announces it, with nothing left out.
fn served(program: &Path, surface: &str) -> Result<Listing> {
    let program = program.canonicalize()?;
    let quoted = program.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    let mut listing = Client::command(&format!("\"{quoted}\" --include account --tool-surface {surface}"), &[])?.list()?;
    surface.clone_into(&mut listing.name);
    Ok(listing)
}

/// The comparison; surfaces are matched by name.
pub fn markdown(old: &[Cost], new: &[Cost]) -> String {
    let mut out = "### Tool definitions, tokens (o200k)\n\n| surface | tools | before | after | change | bytes | instructions |\n|---|---:|---:|---:|---:|---:|---:|\n".to_owned();
    let mut details = String::new();
    for cost in new {
        let Some(before) = old.iter().find(|before| before.surface == cost.surface) else {
            let _ = writeln!(
                out,
                "| `{}` | {} | – | {} | new | {} | {} |",
                cost.surface,
                cost.tools,
                thousands(cost.o200k),
                thousands(cost.bytes),
                cost.instructions
            );
            continue;
        };
        let _ = writeln!(
            out,
            "| `{}` | {}{} | {} | {} | {} | {} | {} |",
            cost.surface,
            cost.tools,
            changed(before.tools, cost.tools),
            thousands(before.o200k),
            thousands(cost.o200k),
            percent(before.o200k, cost.o200k),
            signed(before.bytes, cost.bytes),
            signed(before.instructions, cost.instructions),
        );
        details.push_str(&tools(before, cost));
    }
    for gone in old.iter().filter(|before| !new.iter().any(|cost| cost.surface == before.surface)) {
        let _ = writeln!(out, "| `{}` | – | {} | – | gone | | |", gone.surface, thousands(gone.o200k));
    }
    out + &details
}

fn changed(old: usize, new: usize) -> String {
    if old == new { String::new() } else { format!(" ({})", signed(old, new)) }
}

fn percent(old: usize, new: usize) -> String {
    use crate::count::real;
    if old == new || old == 0 {
        return signed(old, new);
    }
    format!("{} ({:+.1}%)", signed(old, new), (real(new) / real(old) - 1.0) * 100.0)
}

/// The tools of a surface that came, went or changed, the greatest change first.
fn tools(old: &Cost, new: &Cost) -> String {
    let by_name = |cost: &Cost| cost.each.iter().map(|tool| (tool.name.clone(), tool.clone())).collect::<BTreeMap<String, ToolCost>>();
    let (before, after) = (by_name(old), by_name(new));
    let names: std::collections::BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let tokens = |tools: &BTreeMap<String, ToolCost>, name: &str| tools.get(name).map(|tool| tool.o200k);
    let mut rows: Vec<_> =
        names.into_iter().map(|name| (name, tokens(&before, name), tokens(&after, name))).filter(|(_, old, new)| old != new).collect();
    rows.sort_by_key(|(name, old, new)| (std::cmp::Reverse(old.unwrap_or_default().abs_diff(new.unwrap_or_default())), *name));
    if rows.is_empty() {
        return String::new();
    }
    let mut out = format!(
        "\n<details><summary><code>{}</code>: {} tool(s) differ</summary>\n\n| tool | before | after | change |\n|---|---:|---:|---:|\n",
        new.surface,
        rows.len()
    );
    let shown = |tokens: Option<usize>| tokens.map_or_else(|| "–".to_owned(), thousands);
    for (name, old, new) in rows.iter().take(ROWS) {
        let change = match (old, new) {
            (None, _) => "new".to_owned(),
            (_, None) => "gone".to_owned(),
            (Some(old), Some(new)) => percent(*old, *new),
        };
        let _ = writeln!(out, "| `{name}` | {} | {} | {change} |", shown(*old), shown(*new));
    }
    if rows.len() > ROWS {
        let _ = writeln!(out, "| and {} more | | | |", rows.len() - ROWS);
    }
    out.push_str("\n</details>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(surface: &str, tools: &[(&str, usize)]) -> Cost {
        let each: Vec<_> = tools
            .iter()
            .map(|(name, o200k)| ToolCost { name: (*name).into(), group: String::new(), bytes: o200k * 4, o200k: *o200k })
            .collect();
        let o200k = each.iter().map(|tool| tool.o200k).sum();
        Cost {
            surface: surface.into(),
            tools: each.len(),
            bytes: o200k * 4,
            o200k,
            cl100k: o200k,
            median: 1,
            instructions: 10,
            actions: each.len(),
            each,
        }
    }

    #[test]
    fn what_came_went_and_changed_is_said() {
        let old = [cost("meta", &[("a", 100), ("b", 50), ("c", 10)]), cost("gone", &[("x", 5)])];
        let new = [cost("meta", &[("a", 110), ("c", 10), ("d", 1_200)]), cost("fresh", &[("y", 5)])];
        let text = markdown(&old, &new);
        for line in [
            "| `meta` | 3 | 160 | 1,320 | +1,160 (+725.0%) | +4,640 | 0 |",
            "| `fresh` | 1 | – | 5 | new | 20 | 10 |",
            "| `gone` | – | 5 | – | gone | | |",
            "<details><summary><code>meta</code>: 3 tool(s) differ</summary>",
            "| `d` | – | 1,200 | new |",
            "| `b` | 50 | – | gone |",
            "| `a` | 100 | 110 | +10 (+10.0%) |",
        ] {
            assert!(text.contains(line), "{line} in\n{text}");
        }
        assert!(!markdown(&old, &old).contains("details"));
    }
}
