//! The rows of a list as they came. A server gives whole things, of which a page shows a few fields: what is not shown stays text, so that
//! ten thousand rows cost little more memory than they did on the wire.

use crate::cost::SMALL;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// Most rows of one answer: what is beyond is no list for anyone.
const MOST: usize = 1 << 16;
/// Most members of all its rows.
const MOST_MEMBERS: usize = 1 << 20;

/// A list and what stands around it.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    text: String,
    each: Vec<Found>,
    /// The answer with its list emptied.
    pub around: Value,
}

/// A row as it is found.
#[derive(Debug, Clone, PartialEq)]
enum Found {
    /// Where the names of an object stand, and the values.
    Members(Box<[(Place, Place)]>),
    /// Anything else.
    Value(Value),
}

/// A part of the text.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Place {
    start: u32,
    end: u32,
}

impl Place {
    fn of(part: &str, text: &str) -> Option<Self> {
        let start = part.as_ptr().addr().checked_sub(text.as_ptr().addr())?;
        Some(Self { start: start.try_into().ok()?, end: (start + part.len()).try_into().ok()? })
    }

    fn of_text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

impl Rows {
    /// The rows of an answer that is a list, or an object that has one under `name`; else the text is given back. JSON that is broken is
    /// for whoever takes the text apart to explain.
    pub fn find(text: String, name: &str) -> Result<Self, String> {
        let mut rows = Vec::new();
        let mut reader = serde_json::Deserializer::from_str(&text);
        let list = List { text: &text, rows: &mut rows, room: MOST_MEMBERS };
        let found = reader.deserialize_any(Answer { list, name });
        match found.and_then(|around| reader.end().map(|()| around)) {
            Ok(around) => Ok(Self { text, each: rows, around }),
            Err(_) => Err(text),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.each.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// One after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Row<'_>> {
        self.each.iter().map(|row| match row {
            Found::Members(members) => Row(Kind::Members(&self.text, members)),
            Found::Value(value) => Row(Kind::Value(Cow::Borrowed(value))),
        })
    }

    /// The answer with all its rows, as it came.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// One row, taken apart as far as it is looked at.
#[derive(Debug, Clone)]
pub struct Row<'a>(Kind<'a>);

#[derive(Debug, Clone)]
enum Kind<'a> {
    Members(&'a str, &'a [(Place, Place)]),
    Value(Cow<'a, Value>),
}

impl From<Value> for Row<'_> {
    fn from(value: Value) -> Self {
        Self(Kind::Value(Cow::Owned(value)))
    }
}

impl<'a> Row<'a> {
    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        match &self.0 {
            Kind::Members(..) => true,
            Kind::Value(value) => value.is_object(),
        }
    }

    /// The names of an object's members.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let (text, members, whole) = match &self.0 {
            Kind::Members(text, members) => (*text, *members, None),
            Kind::Value(value) => ("", &[][..], value.as_object()),
        };
        members.iter().map(|(name, _)| name.of_text(text)).chain(whole.into_iter().flat_map(|whole| whole.keys().map(String::as_str)))
    }

    /// The text of a member that is not taken apart.
    pub fn text(&self, name: &str) -> Option<&'a str> {
        let Kind::Members(text, members) = self.0 else { return None };
        // Of several the last counts, as everywhere.
        let is_it = |known: Place| (known.end - known.start) as usize == name.len() && known.of_text(text) == name;
        members.iter().rev().find(|(known, _)| is_it(*known)).map(|(_, value)| value.of_text(text))
    }

    /// All texts that are not taken apart.
    pub fn texts(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        let (text, members) = match self.0 {
            Kind::Members(text, members) => (text, members),
            Kind::Value(_) => ("", &[][..]),
        };
        members.iter().map(|(_, value)| value.of_text(text))
    }

    /// A member.
    pub fn member(&self, name: &str) -> Option<Member<'_>> {
        match &self.0 {
            Kind::Members(..) => self.text(name).map(Member::Json),
            Kind::Value(whole) => whole.get(name).map(Member::Value),
        }
    }

    /// Whether a member is an object or a list.
    pub fn is_nested(&self, name: &str) -> bool {
        match &self.0 {
            Kind::Members(..) => self.text(name).is_some_and(|text| text.starts_with(['{', '['])),
            Kind::Value(whole) => matches!(whole.get(name), Some(Value::Object(_) | Value::Array(_))),
        }
    }

    /// All of it.
    pub fn whole(self) -> Value {
        match self.0 {
            Kind::Members(text, members) => members
                .iter()
                .map(|(name, place)| (name.of_text(text).to_owned(), value(place.of_text(text))))
                .collect::<Map<_, _>>()
                .into(),
            Kind::Value(value) => value.into_owned(),
        }
    }
}

/// A member of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Member<'a> {
    /// Its JSON.
    Json(&'a str),
    /// Its value.
    Value(&'a Value),
}

/// The value of a JSON text; what no value can hold, such as half of a surrogate pair, stays the text that it is.
pub fn value(text: &str) -> Value {
    // A number is read faster so.
    if let (true, Ok(number)) = (text.len() < 16 && text.starts_with(|first: char| first.is_ascii_digit()), text.parse::<u64>()) {
        return number.into();
    }
    serde_json::from_str(text).unwrap_or_else(|_| text.into())
}

/// Reads a list, and keeps where its rows are.
struct List<'a> {
    text: &'a str,
    rows: &'a mut Vec<Found>,
    /// How many members there may yet be.
    room: usize,
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

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut rows: A) -> Result<Value, A::Error> {
        let mut members = Vec::new();
        while let Some(row) = rows.next_element_seed(Each { text: self.text, members: &mut members, room: self.room })? {
            if self.rows.len() == MOST {
                return Err(A::Error::custom("too many rows"));
            }
            self.room -= members.len().min(self.room);
            self.rows.push(row);
            members.clear();
        }
        Ok(Value::Array(Vec::new()))
    }
}

/// Reads one row.
struct Each<'a> {
    text: &'a str,
    members: &'a mut Vec<(Place, Place)>,
    room: usize,
}

impl<'de> DeserializeSeed<'de> for Each<'_> {
    type Value = Found;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Each<'_> {
    type Value = Found;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Found, A::Error> {
        // A name with an escape in it is not in the text as it is; nobody writes one.
        while let Some(name) = members.next_key::<&str>()? {
            let value = members.next_value::<&RawValue>()?.get();
            let places = Place::of(name, self.text).zip(Place::of(value, self.text));
            self.members.push(places.filter(|_| self.members.len() < self.room).ok_or_else(|| A::Error::custom("too many members"))?);
        }
        Ok(Found::Members(self.members.as_slice().into()))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Found, E> {
        Ok(Found::Value(value.into()))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Found, E> {
        Ok(Found::Value(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Found, E> {
        Ok(Found::Value(value.into()))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Found, E> {
        Ok(Found::Value(value.into()))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Found, E> {
        Ok(Found::Value(value.into()))
    }

    fn visit_unit<E: Error>(self) -> Result<Found, E> {
        Ok(Found::Value(Value::Null))
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_stay_text_and_the_rest_is_there() {
        let text = r#" {"success":true,"data":[{"id":"1","a":{"b":[1, 2]}}, {"id":"2","a":"\ud800"},5],"counts":{"running":1}} "#;
        let rows = Rows::find(text.to_owned(), "data").expect("rows");
        assert_eq!(rows.around, json!({"success": true, "data": [], "counts": {"running": 1}}));
        let each: Vec<_> = rows.iter().collect();
        assert_eq!(each.iter().map(Row::is_object).collect::<Vec<_>>(), [true, true, false]);
        assert_eq!(each[0].member("a"), Some(Member::Json(r#"{"b":[1, 2]}"#)));
        assert!(each[0].is_nested("a") && !each[0].is_nested("id") && each[0].member("c").is_none());
        assert_eq!(each[1].names().collect::<Vec<_>>(), ["id", "a"]);
        // Half of a pair is no text.
        assert_eq!(each[1].clone().whole(), json!({"id": "2", "a": r#""\ud800""#}));
        assert_eq!(each.into_iter().map(Row::whole).next_back(), Some(json!(5)));
        let plain = Rows::find(r#"[1,"a",null,true,-1,0.5]"#.into(), "data").expect("rows");
        assert_eq!(plain.iter().map(Row::whole).collect::<Value>(), json!([1, "a", null, true, -1, 0.5]));
    }

    #[test]
    fn of_two_members_with_one_name_the_last_counts() {
        let rows = Rows::find(r#"[{"id":1,"id":[2]}]"#.into(), "").expect("rows");
        let row = rows.iter().next().expect("a row");
        assert!(row.text("id") == Some("[2]") && row.is_nested("id") && row.whole() == json!({"id": [2]}));
    }

    #[test]
    fn what_is_no_list_of_rows_is_given_back() {
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
            r#"[{"\u0061":1}]"#,
            "[1 2]",
            "[[1]]",
        ] {
            assert_eq!(Rows::find(text.to_owned(), "data"), Err(text.to_owned()), "{text}");
        }
        let much = format!(r#"{{"data":[1],"more":"{}"}}"#, "x".repeat(SMALL));
        assert!(Rows::find(much, "data").is_err());
        assert!(Rows::find(format!("[{}0]", "0,".repeat(MOST)), "data").is_err());
        let members = vec![format!("{{{}\"a\":1}}", "\"a\":1,".repeat(99)); MOST_MEMBERS / 150].join(",");
        assert!(Rows::find(format!("[{members}]"), "data").is_ok());
        assert!(Rows::find(format!("[{members},{members}]"), "data").is_err());
    }
}
