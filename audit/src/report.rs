//! Where the tokens go: the dearest tools, domains, sentences and parameters of the `individual` surface.

use crate::measure::{definitions, o200k};
use anyhow::Result;
use callslip::catalog::Catalog;
use callslip_catalog::project::Surface;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of each list.
const ROWS: usize = 20;

/// The report as text.
pub fn text(catalog: &Catalog) -> Result<String> {
    let actions = catalog.actions()?;
    let texts = definitions(catalog, Surface::Individual)?;
    let mut tools = Vec::new();
    let mut domains: BTreeMap<String, usize> = BTreeMap::new();
    let mut sentences = Vec::new();
    let mut parameters: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for action in &actions {
        let name = action.tool_name(&catalog.api().name);
        let tokens = texts.get(&name).map_or(0, |text| o200k(text));
        tools.push((tokens, name));
        *domains.entry(action.domain_name().to_owned()).or_default() += tokens;
        for sentence in [&action.description, &action.usage] {
            sentences.push((o200k(sentence), format!("{}: {sentence}", action.id)));
        }
        for param in &action.params {
            let entry = parameters.entry(param.name.to_string()).or_default();
            entry.0 += o200k(&format!("{}:{}", param.name, param.schema));
            entry.1 += 1;
        }
    }
    let mut sorted: Vec<_> = tools.iter().map(|(tokens, _)| *tokens).collect();
    sorted.sort_unstable();
    let mut out = format!(
        "individual: {} tools, {} tokens, median {}\n",
        sorted.len(),
        sorted.iter().sum::<usize>(),
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    );
    section(&mut out, "dearest tools", tools);
    section(&mut out, "dearest domains", domains.into_iter().map(|(name, tokens)| (tokens, name)).collect());
    section(&mut out, "dearest sentences", sentences);
    let parameters = parameters.into_iter().map(|(name, (tokens, tools))| (tokens, format!("{name} in {tools} tool(s)"))).collect();
    section(&mut out, "dearest parameters, over all tools", parameters);
    Ok(out)
}

fn section(out: &mut String, title: &str, mut rows: Vec<(usize, String)>) {
    rows.sort_by(|one, two| two.0.cmp(&one.0).then_with(|| one.1.cmp(&two.1)));
    let _ = writeln!(out, "\n{title}");
    for (tokens, name) in rows.iter().take(ROWS) {
        let _ = writeln!(out, "{tokens:>8}  {name}");
    }
}
