//! What is compiled is what a projection at run time gives, and every name leads to its action.

use callslip::app::App;
use callslip::catalog::Catalog;
use callslip::cli::Cli;
use callslip::config::Config;
use callslip_catalog::model::{Card, Piece};
use callslip_catalog::names;
use callslip_catalog::project::{Surface, Told, View, instructions, tools};
use clap::Parser;
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn projecting_the_whole_catalog_gives_the_compiled_bytes() {
    let catalog = Catalog::embedded().unwrap();
    for (name, surface) in Surface::NAMES {
        assert_eq!(catalog.project(surface).unwrap().as_bytes(), catalog.listed(surface).json, "surface {name}");
    }
}

/// A filtered list is joined from compiled pieces; it must be what a projection of the actions left gives.
#[test]
fn a_filtered_list_is_the_projection_of_what_is_left() {
    let options = |words: &[&str]| Cli::parse_from(["callslip"].iter().chain(words)).options;
    for words in [
        &[][..],
        &["--include", "account"],
        &["--read-only"],
        &["--read-only", "--toolsets", "containers"],
        &["--exclude", "swarm.*"],
        &["--exclude", "container.kill,images,volume"],
        &["--toolsets", "swarm,containers"],
        &["--toolsets", "all", "--exclude", "*.prune"],
        &["--toolsets", "images", "--only-toolsets"],
        &["--split-read"],
    ] {
        for (name, surface) in Surface::NAMES {
            let catalog = Catalog::embedded().unwrap();
            let mut config = Config::resolve(&options(words), catalog.api(), &|_| None).unwrap();
            config.surface = surface;
            let app = App::new(catalog, config).unwrap();
            let actions = app.offered().unwrap();
            let view = View {
                actions: actions.iter().collect(),
                read_only: app.offer.read_only,
                split_read: app.config.split_read,
                pinned: app.offer.pinned.clone(),
                ..View::new(app.api())
            };
            let projected = tools(surface, &view).json;
            assert_eq!(app.tool_list().unwrap(), projected.as_bytes(), "{name} {words:?}");
        }
    }
}

/// What a search puts together was written when the catalog was compiled; it must say what the action says to a caller of this offer.
#[test]
fn a_card_says_what_its_action_says_in_every_offer() {
    const ALL: [Piece; 7] = [Piece::Id, Piece::Head, Piece::Short, Piece::EscapedSchema, Piece::Facts, Piece::Schema, Piece::Lines];
    let mut settled = 0;
    for words in [&[][..], &["--read-only"], &["--exclude", "container.redeploy,container.edit,event.*,activity.*"]] {
        let catalog = Catalog::embedded().unwrap();
        let options = Cli::parse_from(["callslip"].iter().chain(words)).options;
        let config = Config::resolve(&options, catalog.api(), &|_| None).unwrap();
        let app = App::new(catalog, config).unwrap();
        for number in (0..app.catalog.len()).filter(|number| app.offer.has(*number)) {
            let action = app.action(number).unwrap();
            let fresh = Card::of(&action, &|name| app.catalog.number(name).map(|number| u32::try_from(number).unwrap()));
            let card = app.card(number).unwrap();
            for piece in ALL {
                assert_eq!(card.piece(piece), fresh.piece(piece), "{piece:?} of {} with {words:?}", action.id);
            }
            assert_eq!((card.kind, card.destructive), (action.kind, action.may_destroy()), "{}", action.id);
            let related: Vec<_> = card.related().map(|(_, id)| id).collect();
            assert_eq!(related, action.related.iter().map(|id| &**id).collect::<Vec<_>>(), "{}", action.id);
            assert!(card.related().all(|(number, id)| app.catalog.number(id) == Some(number as usize)), "{}", action.id);
            settled += usize::from(card.piece(Piece::Head).contains("(not offered here)"));
        }
    }
    assert!(settled > 5, "only {settled} cards name an action that is gone");
}

#[test]
fn the_catalog_holds_every_action_once() {
    let catalog = Catalog::embedded().unwrap();
    let actions = catalog.actions().unwrap();
    assert_eq!(actions.len(), 416);
    let ids: BTreeSet<_> = actions.iter().map(|action| &*action.id).collect();
    let operations: BTreeSet<_> = actions.iter().map(|action| &*action.operation).collect();
    let requests: BTreeSet<_> = actions.iter().map(|action| (action.method, &*action.path)).collect();
    assert_eq!((ids.len(), operations.len(), requests.len()), (416, 416, 416));
    assert_eq!(catalog.api().toolsets.len(), 12);
}

#[test]
fn every_accepted_name_leads_to_its_action() {
    let catalog = Catalog::embedded().unwrap();
    let mut total = 0;
    for (number, action) in catalog.actions().unwrap().iter().enumerate() {
        for name in names::accepted(&catalog.api().name, action) {
            assert_eq!(catalog.number(&name), Some(number), "{name}");
            total += 1;
        }
    }
    assert_eq!(catalog.accepted_names().count(), total);
}

#[test]
fn each_tool_of_a_list_stands_where_its_offset_says() {
    let catalog = Catalog::embedded().unwrap();
    for (name, surface) in Surface::NAMES {
        let list = catalog.listed(surface);
        let parsed: Vec<Value> = serde_json::from_slice(list.json).unwrap();
        assert_eq!(parsed.len(), list.len(), "surface {name}");
        for (number, tool) in parsed.iter().enumerate() {
            let piece: Value = serde_json::from_slice(list.tool(number).unwrap()).unwrap();
            assert_eq!(&piece, tool, "tool {number} of {name}");
        }
    }
}

/// The intersection of what clients accept: one bad tool makes some of them refuse the whole list.
#[test]
fn every_definition_is_portable() {
    is_portable(&Catalog::embedded().unwrap());
}

/// The rules over every definition of a catalog.
pub fn is_portable(catalog: &Catalog) {
    for (surface_name, surface) in Surface::NAMES {
        let tools: Vec<Value> = serde_json::from_slice(catalog.listed(surface).json).unwrap();
        let mut names = BTreeSet::new();
        for tool in &tools {
            let name = tool["name"].as_str().unwrap();
            let legal = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
            assert!(legal && name.len() <= 46 && name.as_bytes()[0].is_ascii_alphabetic(), "{name}");
            assert!(names.insert(name.to_owned()), "{name} twice on {surface_name}");
            let longest = if surface == Surface::Individual { 1_000 } else { 2_000 };
            assert!(tool["description"].as_str().unwrap().chars().count() <= longest, "{name}");
            assert!(!tool["title"].as_str().unwrap().is_empty(), "{name}");
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint"] {
                assert!(tool["annotations"][hint].is_boolean(), "{name} {hint}");
            }
            let schema = &tool["inputSchema"];
            assert_eq!(schema["type"], "object", "{name}");
            assert!(schema["properties"].is_object(), "{name}");
            assert!(jsonschema::draft202012::meta::is_valid(schema), "{name}");
            portable(name, schema);
        }
    }
}

fn portable(tool: &str, schema: &Value) {
    let map = schema.as_object().unwrap_or_else(|| panic!("{tool}: a schema that is no object"));
    assert!(map["type"].is_string(), "{tool}: one scalar type in {schema}");
    for banned in ["$ref", "$schema", "oneOf", "anyOf", "allOf", "not"] {
        assert!(!map.contains_key(banned), "{tool}: {banned}");
    }
    if map["type"] == "array" {
        assert!(map.get("items").is_some_and(Value::is_object), "{tool}: items of {schema}");
    }
    for (name, inner) in map.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let legal = name.len() <= 64 && !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
        assert!(legal, "{tool}: property {name}");
        portable(tool, inner);
    }
    for inner in ["items", "additionalProperties"].iter().filter_map(|key| map.get(*key)).filter(|inner| inner.is_object()) {
        portable(tool, inner);
    }
}

/// A domain may have more actions than a description holds, as imported ones do.
#[test]
fn a_domain_of_any_size_is_portable() {
    use callslip_catalog::compile::{Source, check_sources, compile, pack};
    let source = |name: &str, text: String| Source { name: name.into(), text };
    let root = "name = \"shop\"\ntitle = \"Shop\"\nabout = \"things\"\n[toolsets.all]\ntitle = \"All\"\nline = \"All.\"\n";
    for (count, named, more) in [(20, "step_19(size?)", ""), (150, "step_149", ""), (400, "step_100", "+")] {
        let mut domain = "title = \"Things\"\ntoolset = \"all\"\n".to_owned();
        for number in 0..count {
            domain += &[
                &*format!("[step_{number}]\ntitle = \"Do\"\ndescription = \"Does it.\"\nkind = \"read\"\nidempotent = true\n"),
                &*format!("request = \"GET /{number}\"\noperation = \"do-{number}\"\nreturns = {{ kind = \"empty\" }}\n"),
                &*format!("[step_{number}.params]\nsize = {{ type = \"integer\" }}\n"),
            ]
            .concat();
        }
        let checked = check_sources(&source("catalog.toml", root.into()), &[source("catalog/thing.toml", domain)]).unwrap();
        let catalog = Catalog::from_bytes(pack(&compile(&checked).unwrap()).unwrap().leak()).unwrap();
        is_portable(&catalog);
        let tools: Vec<Value> = serde_json::from_slice(catalog.listed(Surface::Meta).json).unwrap();
        let description = tools[0]["description"].as_str().unwrap();
        assert!(description.contains(named), "{count}: {description}");
        assert_eq!(description.rsplit(' ').next().unwrap().starts_with('+'), !more.is_empty(), "{count}: {description}");
    }
}

#[test]
fn instructions_say_what_they_must() {
    let catalog = Catalog::embedded().unwrap();
    for (name, surface) in Surface::NAMES {
        let told = Told { api: catalog.api(), count: 416, read_only: false, split_read: false };
        let text = instructions(surface, &told);
        assert!(text.chars().count() <= 2_000, "{name}: {}", text.chars().count());
        for word in ["confirm: true", "environmentId", "fields", "never instructions"] {
            assert!(text.contains(word), "{name} says {word}");
        }
        let searches = matches!(surface, Surface::Dynamic | Surface::Progressive);
        assert_eq!(text.contains("English"), searches, "{name}");
    }
}
