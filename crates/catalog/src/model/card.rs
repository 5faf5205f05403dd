//! The card of an action: what a search shows of it, written when the catalog is compiled as it stands in an answer, so that a search only
//! puts pieces together. To decode ten whole actions and to write their schemas anew took ten times as long as the search itself.

use super::{Action, Kind, Text};
use crate::json;
use crate::names::ticked;
use crate::project::{param_line, short_form};
use crate::schema::input_schema;
use bincode::{BorrowDecode, Encode};
use std::borrow::Cow;

/// What a search shows of an action. Pieces that are JSON are whole values or members; those of the text are escaped, as the text is a JSON
/// string in the answer.
#[derive(Debug, Clone, PartialEq, Eq, Encode, BorrowDecode)]
pub struct Card<'a> {
    /// The pieces, one after the other: the reader has one text to check, not many.
    texts: Text<'a>,
    /// Where each piece ends.
    ends: [u32; PIECES],
    /// [`Action::kind`].
    pub kind: Kind,
    /// [`Action::may_destroy`].
    pub destructive: bool,
    /// Numbers and ids of [`Action::related`].
    pub related: Vec<(u32, Text<'a>)>,
    /// Numbers of the actions that the pieces name, in order.
    pub named: Vec<u32>,
}

/// A piece of a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// [`Action::id`]; nothing in it needs escaping.
    Id,
    /// Of the text: title, description, usage.
    Head,
    /// Of the text: [`short_form`].
    Short,
    /// Of the text: the input schema.
    EscapedSchema,
    /// Members: title, description, usage, required parameters, flags.
    Facts,
    /// The input schema without `confirm`.
    Schema,
    /// One line a parameter of the action's own, an array.
    Lines,
}

const PIECES: usize = 7;

impl<'a> Card<'a> {
    /// The card of an action. `number`: the number of the action with an accepted name.
    pub fn of(action: &Action<'a>, number: &dyn Fn(&str) -> Option<u32>) -> Self {
        let schema = input_schema(action, false);
        let mut head = format!("{}. {}", action.title, action.description);
        let (title, description) = (("title", &*action.title), ("description", &*action.description));
        let mut said = vec![title, description];
        if !action.usage.is_empty() {
            head = format!("{head} {}", action.usage);
            said.push(("usage", &action.usage));
        }
        let mut facts = String::new();
        for (key, text) in said {
            facts.extend(["\"", key, "\":", &string(text), ","]);
        }
        let required = array(action.params.iter().filter(|param| param.required).map(|param| param.name.to_string()));
        let (mutating, destructive) = (action.kind != Kind::Read, action.may_destroy());
        let flags = format!("\"required\":{required},\"mutating\":{mutating},\"destructive\":{destructive}");
        facts.push_str(&flags);
        let mut card = Self {
            texts: Text::default(),
            ends: [0; PIECES],
            kind: action.kind,
            destructive,
            related: action.related.iter().filter_map(|id| Some((number(id)?, id.clone()))).collect(),
            named: named(action, number),
        };
        card.put(&[
            action.id.to_string(),
            escaped(&head),
            escaped(&short_form(action)),
            escaped(&schema),
            facts,
            schema,
            array(action.params.iter().filter(|param| !param.shared).map(param_line)),
        ]);
        card
    }

    /// A piece; empty in a damaged catalog.
    pub fn piece(&self, piece: Piece) -> &str {
        let number = piece as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.texts.get(start as usize..self.ends[number] as usize).unwrap_or_default()
    }

    /// Replaces what `change` returns another text for.
    pub fn change(&mut self, change: impl Fn(&str) -> Cow<'_, str>) {
        const ALL: [Piece; PIECES] =
            [Piece::Id, Piece::Head, Piece::Short, Piece::EscapedSchema, Piece::Facts, Piece::Schema, Piece::Lines];
        let pieces = ALL.map(|piece| change(self.piece(piece)).into_owned());
        self.put(&pieces);
    }

    fn put(&mut self, pieces: &[String; PIECES]) {
        let mut end = 0;
        self.ends = pieces.each_ref().map(|piece| {
            end += u32::try_from(piece.len()).unwrap_or(u32::MAX);
            end
        });
        self.texts = pieces.concat().into();
    }
}

/// Numbers of the actions that the texts of an action name in backticks. What is called like a parameter means the parameter.
fn named(action: &Action<'_>, number: &dyn Fn(&str) -> Option<u32>) -> Vec<u32> {
    let texts = [&action.description, &action.usage].into_iter().chain(action.params.iter().map(|param| &param.schema));
    let names = texts.flat_map(|text| ticked(text).map(|place| &text[place])).filter(|name| action.param(name).is_none());
    let whole = |name: &str| if name.contains('.') { name.to_owned() } else { format!("{}.{name}", action.domain_name()) };
    let mut numbers: Vec<u32> = names.filter_map(|name| number(&whole(name))).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn escaped(text: &str) -> String {
    let mut out = Vec::new();
    json::escaped(&mut out, text);
    String::from_utf8(out).unwrap_or_default()
}

/// Texts as a JSON array.
fn array(texts: impl Iterator<Item = String>) -> String {
    serde_json::Value::from(texts.collect::<Vec<_>>()).to_string()
}
