//! Hostile text stays text, for a reader of Markdown and for a reader of characters.

use super::oracle::{Seen, events, hostile, judge};
use super::{block, cell, clean, inline, json, line, log, quote, quoted, shorten};
use proptest::prelude::*;
use pulldown_cmark::Event;
use serde_json::Value;

#[test]
fn harmless_values_stand_bare() {
    for text in [
        "web",
        "nginx:1.27-alpine",
        "/var/lib/docker",
        "my_app_web",
        "running (healthy)",
        "Up 3 hours",
        "50%",
        "a, b",
        "it's",
        "-1",
        "日本",
    ] {
        assert_eq!(inline(text, 80), text);
        assert_eq!(cell(text, 80), text);
    }
}

#[test]
fn values_that_mean_something_are_code() {
    for (text, shown) in [
        ("a|b", "`a|b`"),
        ("[x](http://e.com)", "`[x](http://e.com)`"),
        ("http://e.com", "`http://e.com`"),
        ("**bold**", "`**bold**`"),
        ("_x_", "`_x_`"),
        ("a`b", "``a`b``"),
        ("`a`", "`` `a` ``"),
        ("# head", "`# head`"),
        ("two\nlines", "two⏎lines"),
        ("---", "`---`"),
        ("1. x", "`1. x`"),
        ("1.27", "1.27"),
        (": x", "`: x`"),
        ("\u{1b}[31mred\u{1b}[0m", "red"),
        ("a\u{202e}b", "ab"),
        ("", ""),
        (" \n ", ""),
    ] {
        assert_eq!(inline(text, 80), shown);
    }
    assert_eq!(cell("a|b", 80), "`a\\|b`");
    assert_eq!(inline("abcdef", 4), "abc…");
    assert_eq!(quote("", 10), "(nothing)");
    assert_eq!(quote("say\n\n`x`", 80), "`` say `x` ``");
}

#[test]
fn terminal_sequences_and_hidden_characters_go() {
    for (text, cleaned) in [
        ("\u{1b}[1;31mred\u{1b}[0m", "red"),
        ("\u{1b}]0;title\u{7}x", "x"),
        ("\u{1b}]8;;http://e.com\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{9b}2Jx", "x"),
        ("\u{1b}cx", "x"),
        ("\u{1b}[\nnext", "\nnext"),
        ("\u{1b}]never ended\nnext", "\nnext"),
        ("a\rb\r\nc\u{2028}d\u{85}e", "a\nb\nc\nd\ne"),
        ("a\0b\u{7}c\u{200b}d\u{e0041}e", "abcde"),
        ("👨\u{200d}👩", "👨\u{200d}👩"),
    ] {
        assert_eq!(clean(text), cleaned, "{text:?}");
    }
    assert_eq!(line("  a\n\n b\tc ", 80), "a b c");
    assert_eq!(shorten("日本語", 2), "日…");
    assert_eq!(json(&serde_json::json!({"a": "\u{202e}\u{e0041}x"})), r#"{"a":"\u202e\udb40\udc41x"}"#);
}

proptest! {
    #[test]
    fn a_value_is_one_line_of_plain_words(text in hostile()) {
        let markdown = format!("Ours.\n\n- name: {}\n- next: x\n", inline(&text, 80));
        prop_assert_eq!(judge(&markdown), Seen { paragraphs: 1, items: 2, ..Seen::default() });
        let quoted = format!("It said {}.", quote(&text, 80));
        prop_assert_eq!(judge(&quoted), Seen { paragraphs: 1, ..Seen::default() });
    }

    #[test]
    fn a_cell_stays_in_its_cell(texts in prop::collection::vec(hostile(), 6)) {
        let cells: Vec<_> = texts.iter().map(|text| cell(text, 80)).collect();
        let markdown = format!(
            "Ours.\n\n| {} | {} |\n|---|---|\n| {} | {} |\n| {} | {} |\n\nOurs.\n",
            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]
        );
        prop_assert_eq!(judge(&markdown), Seen { paragraphs: 2, tables: 1, rows: 3, cells: 6, ..Seen::default() });
    }

    #[test]
    fn a_block_holds_all_of_its_text_and_nothing_else(text in hostile()) {
        let markdown = format!("{}\nOurs.\n", block(&text, ""));
        prop_assert_eq!(judge(&markdown), Seen { paragraphs: 2, blocks: 1, ..Seen::default() });
        let mut inside = false;
        let mut held = String::new();
        for event in events(&markdown) {
            match event {
                Event::Start(pulldown_cmark::Tag::CodeBlock(_)) => inside = true,
                Event::End(pulldown_cmark::TagEnd::CodeBlock) => inside = false,
                Event::Text(text) if inside => held.push_str(&text),
                _ => {}
            }
        }
        let cleaned = clean(&text);
        prop_assert_eq!(held.trim_end_matches('\n'), cleaned.trim_end_matches('\n'));
    }

    #[test]
    fn nothing_hidden_is_left(text in any::<String>()) {
        for shown in [clean(&text), inline(&text, 500), json(&Value::from(text.as_str()))] {
            let hidden = |letter: char| (letter.is_control() && letter != '\n' && letter != '\t') || ('\u{202a}'..='\u{202e}').contains(&letter);
            prop_assert!(!shown.chars().any(hidden));
        }
        let back: Value = serde_json::from_str(&json(&Value::from(text.as_str()))).expect("still JSON");
        prop_assert_eq!(back, Value::from(text));
    }
}

#[test]
fn quotations_stay_one_harmless_line() {
    assert_eq!(line("  a\r\n\n# b\tc ", 80), "a # b c");
    assert_eq!(line("\u{1b}[31mred\u{1b}[0m \u{1b}]8;;http://x\u{7}link", 80), "red link");
    assert_eq!(line("a\u{202e}b\u{200b}c", 80), "abc");
    assert_eq!(line("abcdef", 4), "abc…");
    assert_eq!(quoted("`x` [y](z) <b> \"q\"", 80), "\"'x' (y)(z) ‹b› 'q'\"");
}

#[test]
fn a_log_keeps_its_lines() {
    assert_eq!(log("one\r\n10%\r50%\r100%\n\u{1b}[1mtwo\u{7}\n"), "one\n100%\ntwo\n");
}
