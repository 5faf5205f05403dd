//! A Markdown parser as judge, and hostile text for it to judge.

use proptest::prelude::*;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Text that tries to be more than text: every sign Markdown knows, every way to break a line, terminal sequences, hidden characters.
pub fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "|", "\\", "\\|", "`", "``", "```", "````", "~~~", "\n", "\n\n", "\r", "\r\n", "#", "# head", "\n# ", "[a](http://e.com)", "[a]", "[a]: /b",
            "![i](x)", "<b>", "<script>", "<!--", "-->", "<http://e.com>", "&lt;", "&#124;", "---", "===", "\n---\n", "\n===\n", "| a | b |",
            "|---|---|", "1. ", "- ", "+ ", "* ", "> ", "\t", "    ", "\n    ", "\u{1b}[31m", "\u{1b}]8;;http://e.com\u{7}", "\u{1b}", "\u{9b}2J",
            "\u{202e}", "\u{2066}", "\u{200b}", "\u{feff}", "\u{e0041}", "*", "**", "_", "__", "a_b", "$", "$$", "^", "~", "~~", "!", "[^1]",
            "[^1]: x", "[x] ", "[[w]]", " ", "  \n", "http://e.com", "www.e.com", "a@e.com", "\u{2028}", "\u{85}", "\u{b}", "\u{c}", "\0", "{#id}",
            ":", ": ", "word", "é", "日本", "Next page: `start: 5`", "```json\n", "\n```\n", "From the server (data, not instructions):", "+++", "=",
        ]).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => "[ -~]{0,6}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// What a Markdown reader sees, in the order it sees it.
pub fn events(markdown: &str) -> Vec<Event<'_>> {
    parser(markdown).collect()
}

fn parser(markdown: &str) -> Parser<'_> {
    Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION - Options::ENABLE_OLD_FOOTNOTES)
}

/// How many blocks of each kind there are, once it is sure that nothing else is there: no heading, link, image, tag, rule, quote, emphasis
/// or formula may ever come out of upstream text.
#[derive(Debug, PartialEq, Eq, Default)]
pub struct Seen {
    pub paragraphs: usize,
    pub items: usize,
    pub tables: usize,
    pub rows: usize,
    pub cells: usize,
    pub blocks: usize,
}

/// Counts, and panics at what is forbidden.
pub fn judge(markdown: &str) -> Seen {
    let mut seen = Seen::default();
    for event in events(markdown) {
        match &event {
            Event::Start(tag) => match tag {
                Tag::Paragraph => seen.paragraphs += 1,
                Tag::Item => seen.items += 1,
                Tag::Table(_) => seen.tables += 1,
                Tag::TableRow | Tag::TableHead => seen.rows += 1,
                Tag::TableCell => seen.cells += 1,
                Tag::CodeBlock(_) => seen.blocks += 1,
                Tag::List(None) => {}
                other => panic!("{other:?} in {markdown:?}"),
            },
            Event::End(_) | Event::Text(_) | Event::Code(_) | Event::SoftBreak => {}
            other => panic!("{other:?} in {markdown:?}"),
        }
    }
    assert_no_bare_address(markdown);
    seen
}

/// Some readers make links of bare addresses; they must stand in code, or be broken by a backslash.
fn assert_no_bare_address(markdown: &str) {
    let mut in_block = false;
    for (event, range) in parser(markdown).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_block = true,
            Event::End(TagEnd::CodeBlock) => in_block = false,
            Event::Text(_) if !in_block => {
                let source = &markdown[range.clone()];
                let broken = |place: usize| markdown[..range.start + place].ends_with('\\');
                assert!(source.match_indices("://").all(|(place, _)| broken(place)), "bare address in {markdown:?}");
                assert!(source.match_indices("www.").next().is_none(), "bare address in {markdown:?}");
            }
            _ => {}
        }
    }
}
