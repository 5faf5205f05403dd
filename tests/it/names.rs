//! Names as they are mistyped: the meant action is always among the suggestions.

use crate::support::{Session, error};
use callslip::app::App;
use callslip::catalog::Catalog;
use callslip::cli::Options;
use callslip::config::Config;
use callslip::lookup;
use serde_json::json;

fn app() -> App {
    let catalog = Catalog::embedded().unwrap();
    let options = Options { include: vec!["account".into()], ..Options::default() };
    let config = Config::resolve(&options, catalog.api(), &|_| None).unwrap();
    App::new(catalog, config).unwrap()
}

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    /// One slip: a letter left out, doubled, changed, or two swapped.
    fn slip(&mut self, word: &str) -> String {
        let mut letters: Vec<char> = word.chars().collect();
        let place = self.roll(letters.len());
        match self.roll(4) {
            0 if letters.len() > 1 => {
                letters.remove(place);
            }
            1 => letters.insert(place, letters[place]),
            2 if place + 1 < letters.len() => letters.swap(place, place + 1),
            _ => letters[place] = char::from(b'a' + u8::try_from(self.roll(26)).unwrap()),
        }
        letters.into_iter().collect()
    }
}

#[test]
fn a_slip_in_either_half_finds_the_meant_action() {
    let app = app();
    let mut dice = Dice(7);
    let mut lost = Vec::new();
    for action in app.catalog.actions().unwrap() {
        let (domain, name) = action.id.split_once('.').unwrap();
        for mistaken in [format!("{}.{name}", dice.slip(domain)), format!("{domain}.{}", dice.slip(name))] {
            if app.catalog.number(&mistaken).is_some() {
                continue;
            }
            let near = lookup::nearest(&app, &mistaken);
            if !near.iter().any(|id| *id == action.id) {
                lost.push(format!("{mistaken} (meant {}): {near:?}", action.id));
            }
        }
    }
    assert!(lost.is_empty(), "{} lost:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn slips_in_the_names_of_other_surfaces_are_understood_too() {
    let app = app();
    for (mistaken, meant) in [
        ("arcane_container_restrat", "container.restart"),
        ("arcane_container.restrat", "container.restart"),
        ("arcan_container_restart", "container.restart"),
        ("restart-contaner", "container.restart"),
        ("Container.Restrat", "container.restart"),
    ] {
        let near = lookup::nearest(&app, mistaken);
        assert!(near.iter().any(|id| id == meant), "{mistaken}: {near:?}");
    }
    for nonsense in ["", ".", "....", "xyzzyplugh", "\u{202e}\u{0}", &"é".repeat(500)] {
        let _ = lookup::nearest(&app, nonsense);
    }
}

#[test]
fn a_slip_in_the_name_of_a_removed_action_says_why_it_is_gone() {
    let mut session = Session::start(&["--exclude", "container.kill"], &[]);
    let result = session.execute("container.kil", json!({}));
    assert_eq!(error(&result)["code"], "unknown_action");
    assert!(error(&result)["next"].to_string().contains("excluded by container.kill"), "{result}");
}

#[test]
fn on_meta_the_name_is_looked_for_in_its_domain_first() {
    let mut session = Session::start(&["--tool-surface", "meta"], &[]);
    let slip = session.call("arcane_image", json!({ "action": "lst" }));
    assert!(error(&slip)["next"][0].as_str().unwrap().contains("`image.list`"), "{slip}");
    let whole = session.call("arcane_image", json!({ "action": "describe", "params": { "action": "list" } }));
    assert_eq!(whole["structuredContent"]["id"], "image.list", "{whole}");
    assert!(whole["structuredContent"]["inputSchema"]["properties"]["search"].is_object());
    let elsewhere = session.call("arcane_image", json!({ "action": "container.counts" }));
    assert_eq!(error(&elsewhere)["code"], "unreachable", "an id is an id on every surface");
    let nameless = session.call("arcane_image", json!({ "action": "describe" }));
    assert_eq!(error(&nameless)["code"], "invalid_arguments");
}
