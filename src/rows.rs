//! The rows of a list as they came. A server gives whole things, of which a page shows a few fields: what is not shown stays text, so that
//! ten thousand rows cost no more memory than they did on the wire.

use crate::cost::SMALL;
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Most rows of one answer: what is beyond is no list for anyone.
const MOST: usize = 1 << 20;

/// A list and what stands around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    text: String,
    /// Where each row begins and ends.
    places: Vec<(usize, usize)>,
    /// The answer with its list emptied.
    pub around: Value,
}

impl Rows {
    /// The rows of an answer that is a list, or an object that has one under `name`; else the text is given back. JSON that is broken is
    /// for whoever takes the text apart to explain.
    pub fn find(text: String, name: &str) -> Result<Self, String> {
        let mut places = Vec::new();
        let mut reader = serde_json::Deserializer::from_str(&text);
        let list = List { start: text.as_ptr().addr(), places: &mut places };
        let found = reader.deserialize_any(Answer { list, name });
        match found.and_then(|around| reader.end().map(|()| around)) {
            Ok(around) => Ok(Self { text, places, around }),
            Err(_) => Err(text),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Their texts.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.places.iter().map(|(start, end)| &self.text[*start..*end])
    }

    /// The answer with all its rows, as it came.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// Reads a list, and keeps where its rows are.
struct List<'a> {
    /// Where the text begins.
    start: usize,
    places: &'a mut Vec<(usize, usize)>,
}

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Value, A::Error> {
        while let Some(row) = rows.next_element::<&RawValue>()? {
            if self.places.len() == MOST {
                return Err(A::Error::custom("too many rows"));
            }
            let start = row.get().as_ptr().addr() - self.start;
            self.places.push((start, start + row.get().len()));
        }
        Ok(Value::Array(Vec::new()))
    }
}

/// Reads an answer in which there is a list.
struct Answer<'a> {
    list: List<'a>,
    name: &'a str,
}

impl<'de> Visitor<'de> for Answer<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list, or an object that has one")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, rows: A) -> Result<Value, A::Error> {
        self.list.visit_seq(rows)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut around = Map::new();
        let mut list = Some(self.list);
        let mut room = SMALL;
        while let Some(name) = members.next_key::<String>()? {
            let value = if name == self.name {
                let list = list.take().ok_or_else(|| A::Error::custom("two lists"))?;
                members.next_value_seed(list)?
            } else {
                let text = members.next_value::<&RawValue>()?.get();
                room = room.checked_sub(text.len()).ok_or_else(|| A::Error::custom("too much around the list"))?;
                serde_json::from_str(text).map_err(A::Error::custom)?
            };
            around.insert(name, value);
        }
        if list.is_none() { Ok(around.into()) } else { Err(A::Error::custom("no list")) }
    }
}

/// One row, taken apart as far as it is looked at.
#[derive(Debug)]
pub enum Row<'a> {
    /// The names of an object, and the texts of their values.
    Members(Vec<(Cow<'a, str>, &'a RawValue)>),
    /// Anything.
    Whole(Value),
}

impl<'a> Row<'a> {
    /// The row of a text. `like`: the row before it, which mostly has as many members.
    pub fn new(text: &'a str, like: Option<&Self>) -> Self {
        if text.starts_with('{') {
            let most = if let Some(Row::Members(members)) = like { members.len() } else { 0 };
            let mut reader = serde_json::Deserializer::from_str(text);
            if let Ok(members) = reader.deserialize_map(Members(Vec::with_capacity(most))) {
                return Self::Members(members);
            }
        }
        Self::Whole(value(text))
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        matches!(self, Self::Members(_) | Self::Whole(Value::Object(_)))
    }

    /// The names of an object's members.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let (members, whole) = match self {
            Self::Members(members) => (members.as_slice(), None),
            Self::Whole(value) => (&[][..], value.as_object()),
        };
        members.iter().map(|(name, _)| &**name).chain(whole.into_iter().flat_map(|whole| whole.keys().map(String::as_str)))
    }

    /// The text of a member that is not taken apart.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        let Self::Members(members) = self else { return None };
        // Of several the last counts, as everywhere.
        members.iter().rev().find(|(known, _)| known == name).map(|(_, text)| text.get())
    }

    /// The value of a member.
    pub fn get(&self, name: &str) -> Option<Value> {
        match self {
            Self::Members(_) => self.text(name).map(value),
            Self::Whole(whole) => whole.get(name).cloned(),
        }
    }

    /// Whether a member is an object or a list.
    pub fn is_nested(&self, name: &str) -> bool {
        match self {
            Self::Members(_) => self.text(name).is_some_and(|text| text.starts_with(['{', '['])),
            Self::Whole(whole) => matches!(whole.get(name), Some(Value::Object(_) | Value::Array(_))),
        }
    }

    /// All of it.
    pub fn whole(self) -> Value {
        match self {
            Self::Members(members) => {
                members.into_iter().map(|(name, text)| (name.into_owned(), value(text.get()))).collect::<Map<_, _>>().into()
            }
            Self::Whole(value) => value,
        }
    }
}

/// The value of a JSON text; what no value can hold, such as half of a surrogate pair, stays the text that it is.
fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// Reads the members of an object.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Visitor<'a> for Members<'a> {
    type Value = Vec<(Cow<'a, str>, &'a RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(mut self, mut members: A) -> Result<Self::Value, A::Error> {
        while let Some(Name(name)) = members.next_key()? {
            self.0.push((name, members.next_value()?));
        }
        Ok(self.0)
    }
}

/// A name that is borrowed where nothing in it is escaped.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_stay_text_and_the_rest_is_there() {
        let text = r#" {"success":true,"data":[{"id":"1","a":{"b":[1, 2]}}, {"id":"2","\u0061":"\ud800"},5],"counts":{"running":1}} "#;
        let rows = Rows::find(text.to_owned(), "data").expect("rows");
        assert_eq!(rows.around, json!({"success": true, "data": [], "counts": {"running": 1}}));
        let each: Vec<_> = rows.texts().map(|text| Row::new(text, None)).collect();
        assert_eq!((rows.len(), each.iter().map(Row::is_object).collect::<Vec<_>>()), (3, vec![true, true, false]));
        assert_eq!(each[0].get("a"), Some(json!({"b": [1, 2]})));
        assert!(each[0].is_nested("a") && !each[0].is_nested("id") && each[0].get("c").is_none());
        assert_eq!(each[1].names().collect::<Vec<_>>(), ["id", "a"]);
        // Half of a pair is no text.
        assert_eq!(each[1].get("a"), Some(json!(r#""\ud800""#)));
        assert_eq!(each.into_iter().map(Row::whole).next_back(), Some(json!(5)));
        assert_eq!(Rows::find("[1,[2]]".into(), "data").expect("rows").texts().collect::<Vec<_>>(), ["1", "[2]"]);
    }

    #[test]
    fn of_two_members_with_one_name_the_last_counts() {
        let row = Row::new(r#"{"id":1,"id":[2]}"#, None);
        assert!(row.get("id") == Some(json!([2])) && row.is_nested("id") && row.whole() == json!({"id": [2]}));
    }

    #[test]
    fn what_is_no_list_is_given_back() {
        for text in [
            "",
            "5",
            "null",
            "{}",
            r#"{"data":null}"#,
            r#"{"data":{"rows":[1]}}"#,
            r#"{"data":[1],"data":[2]}"#,
            r#"{"data":[1,]}"#,
            r#"{"data":[1]"#,
            r#"{"data":[1]}x"#,
            "[1 2]",
        ] {
            assert_eq!(Rows::find(text.to_owned(), "data"), Err(text.to_owned()), "{text}");
        }
        let much = format!(r#"{{"data":[1],"more":"{}"}}"#, "x".repeat(SMALL));
        assert!(Rows::find(much, "data").is_err());
        assert!(Rows::find(format!("[{}0]", "0,".repeat(MOST)), "data").is_err());
    }
}
