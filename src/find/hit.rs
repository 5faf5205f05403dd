//! One hit, put together of the pieces on the card of its action.

use crate::app::App;
use callslip_catalog::model::{Card, Piece};
use std::borrow::Cow;

/// How a hit tells what its action takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// By the whole schema.
    Schema,
    /// By one line a parameter.
    Lines,
    /// Likewise, since the schema had to give way.
    Shortened,
}

/// What a caller needs to choose an action and to call it.
pub struct Hit<'a> {
    app: &'a App,
    card: Card<'static>,
    tool_names: bool,
    takes: Takes,
}

impl<'a> Hit<'a> {
    /// `tool_names`: named as on `individual`.
    pub fn new(app: &'a App, card: Card<'static>, tool_names: bool, takes: Takes) -> Self {
        Self { app, card, tool_names, takes }
    }

    /// Bytes of the schema, where it is whole.
    pub fn schema_size(&self) -> usize {
        if self.takes == Takes::Schema { self.card.piece(Piece::Schema).len() } else { 0 }
    }

    /// Bytes it takes as JSON, about.
    pub fn size(&self) -> usize {
        let takes = if self.takes == Takes::Schema { Piece::Schema } else { Piece::Lines };
        let pieces = [Piece::Id, Piece::Id, Piece::Facts, takes].map(|piece| self.card.piece(piece).len());
        let related = self.card.related().map(|(_, id)| id.len() + 3);
        100 + pieces.into_iter().chain(related).sum::<usize>()
    }

    /// Gives the schema up for one line a parameter.
    pub fn shorten(&mut self) {
        self.takes = Takes::Shortened;
    }

    /// As Markdown, escaped for a JSON string.
    pub fn add_text(&self, out: &mut Vec<u8>) {
        let card = &self.card;
        let kind = if card.destructive { "destructive" } else { card.kind.name() };
        add(out, ["\\n\\n**", &self.name(card.piece(Piece::Id)), "** (", kind, "): ", card.piece(Piece::Head), "\\n"]);
        // Hits further down are looked at, seldom called: names do, and the schema is one search away.
        if self.takes != Takes::Schema {
            add(out, [card.piece(Piece::Short)]);
            return;
        }
        add(out, ["schema: ", card.piece(Piece::EscapedSchema)]);
        for (position, id) in self.related().enumerate() {
            add(out, [if position == 0 { "\\nrelated: " } else { ", " }, &self.name(id)]);
        }
    }

    /// As a JSON object.
    pub fn add_json(&self, out: &mut Vec<u8>) {
        let piece = |piece| self.card.piece(piece);
        add(out, [r#"{"id":""#, &self.name(piece(Piece::Id)), r#"","#, piece(Piece::Facts), r#","related":["#]);
        for (position, id) in self.related().enumerate() {
            add(out, [if position == 0 { "\"" } else { ",\"" }, &self.name(id), "\""]);
        }
        add(out, [r#"],"schemaUri":""#, &self.app.api().name, "://tools/", piece(Piece::Id), "\""]);
        match self.takes {
            Takes::Schema => add(out, [r#","inputSchema":"#, piece(Piece::Schema), "}"]),
            Takes::Lines => add(out, [r#","params":"#, piece(Piece::Lines), "}"]),
            Takes::Shortened => add(out, [r#","params":"#, piece(Piece::Lines), r#","schemaShortened":true}"#]),
        }
    }

    /// Ids of the related actions that are offered.
    fn related(&self) -> impl Iterator<Item = &str> {
        self.card.related().filter(|(number, _)| self.app.offer.has(*number as usize)).map(|(_, id)| id)
    }

    /// The name of an action where the search was made; names need no escaping.
    fn name<'n>(&self, id: &'n str) -> Cow<'n, str> {
        if self.tool_names { format!("{}_{}", self.app.api().name, id.replace('.', "_")).into() } else { id.into() }
    }
}

fn add<const N: usize>(out: &mut Vec<u8>, parts: [&str; N]) {
    for part in parts {
        out.extend_from_slice(part.as_bytes());
    }
}
