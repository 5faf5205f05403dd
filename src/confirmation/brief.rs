//! A body in the question to a person: short, but with every field of it. What is dangerous must not hide behind what is long, so short
//! values come first, each value is shortened by itself, and every cut says how much it took.

use serde_json::{Map, Value};
use std::fmt::Write;

/// Room for the values together; each field has its fair share of it, and what short ones leave goes to the long ones.
const ROOM: usize = 1_200;

/// Least room of a value.
const LEAST: usize = 60;

/// A question as long as this takes no more fields.
const LONGEST: usize = 4_000;

/// Characters that stay of a text and items that stay of a list, the mildest cut first.
const CUTS: [(usize, usize); 5] = [(400, 50), (200, 20), (80, 10), (40, 5), (20, 3)];

/// A value on one line.
pub fn brief(value: &Value) -> String {
    let (open, close, fields) = match value {
        Value::Object(members) => {
            ('{', '}', members.iter().map(|(name, value)| (format!("{}:", Value::from(name.as_str())), value)).collect())
        }
        Value::Array(items) => ('[', ']', items.iter().map(|item| (String::new(), item)).collect()),
        other => return fit(other, ROOM),
    };
    let mut fields: Vec<(String, &Value)> = fields;
    fields.sort_by_key(|(_, value)| value.to_string().len());
    let count = fields.len();
    let mut room = ROOM;
    let mut out = String::from(open);
    for (place, (name, value)) in fields.into_iter().enumerate() {
        if out.len() > LONGEST {
            let _ = write!(out, " … and {} more fields", count - place);
            break;
        }
        let text = fit(value, (room / (count - place)).max(LEAST));
        room = room.saturating_sub(text.chars().count());
        out.push_str(if place > 0 { "," } else { "" });
        out.push_str(&name);
        out.push_str(&text);
    }
    out.push(close);
    out
}

/// A value in that many characters, cut as little as that takes.
fn fit(value: &Value, room: usize) -> String {
    let mut text = value.to_string();
    for (letters, items) in CUTS {
        if text.chars().count() <= room {
            return text;
        }
        text = cut(value, letters, items).to_string();
    }
    let length = text.chars().count();
    if length <= room {
        return text;
    }
    let head: String = text.chars().take(room).collect();
    format!("{head}… ({} more characters)", length - room)
}

fn cut(value: &Value, letters: usize, items: usize) -> Value {
    match value {
        Value::String(text) => {
            let length = text.chars().count();
            if length <= letters {
                return value.clone();
            }
            let head: String = text.chars().take(letters).collect();
            format!("{head}… ({} more characters)", length - letters).into()
        }
        Value::Array(all) => {
            let more = all.len().saturating_sub(items);
            let shown = all.iter().take(items).map(|item| cut(item, letters, items));
            shown.chain((more > 0).then(|| format!("… {more} more").into())).collect()
        }
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().map(|(name, value)| (name.clone(), cut(value, letters, items))).collect();
            members.sort_by_key(|(_, value)| value.to_string().len());
            members.into_iter().collect::<Map<_, _>>().into()
        }
        other => other.clone(),
    }
}
