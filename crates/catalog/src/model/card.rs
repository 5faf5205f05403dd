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
    /// The pieces and the ids of the related actions, one after the other: the reader has one text to check, not many.
    texts: Text<'a>,
    /// Little-endian `u32`, read where they lie: where each piece ends, then of each related action its number and where its id ends.
    table: Cow<'a, [u8]>,
    /// [`Action::kind`].
    pub kind: Kind,
    /// [`Action::may_destroy`].
    pub destructive: bool,
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

const ALL: [Piece; PIECES] = [Piece::Id, Piece::Head, Piece::Short, Piece::EscapedSchema, Piece::Facts, Piece::Schema, Piece::Lines];

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
        let mut card = Self { texts: Text::default(), table: Cow::default(), kind: action.kind, destructive, named: named(action, number) };
        let related: Vec<_> = action.related.iter().filter_map(|id| Some((number(id)?, id.to_string()))).collect();
        let pieces = [
            action.id.to_string(),
            escaped(&head),
            escaped(&short_form(action)),
            escaped(&schema),
            facts,
            schema,
            array(action.params.iter().filter(|param| !param.shared).map(param_line)),
        ];
        card.put(&pieces, &related);
        card
    }

    /// A piece; empty in a damaged catalog.
    pub fn piece(&self, piece: Piece) -> &str {
        let place = piece as usize;
        self.between(place.checked_sub(1), place)
    }

    /// Numbers and ids of [`Action::related`].
    pub fn related(&self) -> impl Iterator<Item = (u32, &str)> {
        let places = (PIECES..self.table.len() / 4).step_by(2);
        // Before each number stands the end of the text before its own.
        places.map(|place| (self.number(place), self.between(Some(place - 1), place + 1)))
    }

    /// Replaces what `change` returns another text for.
    pub fn change(&mut self, change: impl Fn(&str) -> Cow<'_, str>) {
        let pieces = ALL.map(|piece| change(self.piece(piece)).into_owned());
        let related: Vec<_> = self.related().map(|(number, id)| (number, id.to_owned())).collect();
        self.put(&pieces, &related);
    }

    /// The text between two ends that stand at these places of the table.
    fn between(&self, start: Option<usize>, end: usize) -> &str {
        let start = start.map_or(0, |place| self.number(place));
        self.texts.get(start as usize..self.number(end) as usize).unwrap_or_default()
    }

    fn number(&self, place: usize) -> u32 {
        self.table.as_chunks().0.get(place).map_or(0, |bytes| u32::from_le_bytes(*bytes))
    }

    fn put(&mut self, pieces: &[String; PIECES], related: &[(u32, String)]) {
        let (mut texts, mut table) = (String::new(), Vec::new());
        let numbered = related.iter().map(|(number, id)| (Some(*number), id));
        for (number, text) in pieces.iter().map(|piece| (None, piece)).chain(numbered) {
            texts.push_str(text);
            let end = u32::try_from(texts.len()).unwrap_or(u32::MAX);
            table.extend(number.into_iter().chain([end]).flat_map(u32::to_le_bytes));
        }
        (self.texts, self.table) = (texts.into(), table.into());
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
