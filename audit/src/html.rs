//! The figures as one page to look at: a treemap of the tools and bars by group, no other file needed.

use crate::count::o200k;
use crate::listing::Listing;
use crate::measure::Cost;
use serde_json::{Value, json};

const PAGE: &str = include_str!("page.html");

/// Where the page's data goes.
const SLOT: &str = "/*DATA*/[]";

/// The page for some listings with their costs.
pub fn page(listings: &[Listing], costs: &[Cost]) -> String {
    let surfaces: Vec<_> = listings.iter().zip(costs).map(|(listing, cost)| surface(listing, cost)).collect();
    // `</script>` or `<!--` in a description must not end the script.
    let data = Value::from(surfaces).to_string().replace('<', "\\u003c");
    PAGE.replacen(SLOT, &data, 1)
}

fn surface(listing: &Listing, cost: &Cost) -> Value {
    let tools: Vec<_> = listing
        .tools
        .iter()
        .zip(&cost.each)
        .map(|(tool, each)| {
            json!({
                "name": each.name,
                "group": each.group,
                "tokens": each.o200k,
                "bytes": each.bytes,
                "description": tool.description,
                "words": o200k(&tool.description),
                "parameters": tool.schema["properties"].as_object().map_or(0, serde_json::Map::len),
            })
        })
        .collect();
    json!({
        "name": cost.surface,
        "tokens": cost.o200k,
        "cl100k": cost.cl100k,
        "bytes": cost.bytes,
        "median": cost.median,
        "actions": cost.actions,
        "instructions": cost.instructions,
        "perAction": (cost.per_action() * 10.0).round() / 10.0,
        "share": (cost.share() * 10.0).round() / 10.0,
        "tools": tools,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{listing, measure};

    #[test]
    fn a_page_holds_its_data_and_nothing_from_elsewhere() {
        let tool = json!({ "name": "a", "description": "</script><!-- x", "inputSchema": { "properties": {} } });
        let tools = listing::tools(&[tool.as_object().unwrap().clone()]).unwrap();
        let listings = [Listing { name: "x".into(), tools, instructions: String::new(), actions: 1 }];
        let page = page(&listings, &measure::costs(&listings));
        assert!(!page.contains(SLOT) && page.contains("\\u003c/script>\\u003c!-- x"));
        assert_eq!(page.matches("</script>").count(), 1);
        for outside in ["http://", "https://", "src=", "@import", "<link"] {
            let found = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(outside), "{outside}");
        }
    }
}
