//! Single values for reading: sizes with units, times as dates, nested values in short.

use crate::untrusted;
use serde_json::Value;
use std::borrow::Cow;

/// A value in a table: what reads best.
pub fn short<'a>(name: &str, value: &'a Value) -> Cow<'a, str> {
    match value {
        Value::Null => "".into(),
        Value::Number(number) => match number.as_u64() {
            Some(bytes) if bytes >= 1024 && is_size(name) => human_size(bytes).into(),
            Some(seconds) if is_time(name, seconds) => date(seconds).into(),
            _ => number.to_string().into(),
        },
        Value::Bool(truth) => truth.to_string().into(),
        Value::String(text) => self::text(text),
        nested if is_nested(nested) => untrusted::json(nested).into(),
        Value::Array(items) => {
            let mut out = Cow::Borrowed("");
            for item in items {
                let item = short("", item);
                if out.is_empty() {
                    out = item;
                } else {
                    out.to_mut().push_str(", ");
                    out.to_mut().push_str(&item);
                }
            }
            out
        }
        Value::Object(_) => "".into(),
    }
}

/// Whether it has no better form than JSON.
pub fn is_nested(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| item.is_object() || item.is_array()),
        Value::Object(members) => !members.is_empty(),
        _ => false,
    }
}

/// A text in a table.
pub fn text(text: &str) -> Cow<'_, str> {
    tidy_time(text).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A value in a list of fields: as it is, with its reading beside it.
pub fn long(name: &str, value: &Value) -> String {
    let read = short(name, value);
    match value {
        Value::Number(number) if number.to_string() != read => format!("{number} ({read})"),
        Value::String(text) => text.clone(),
        _ => read.into_owned(),
    }
}

fn is_size(name: &str) -> bool {
    let name = name.to_lowercase();
    ["size", "bytes", "memory", "memoryusage", "memorytotal", "memtotal", "memorylimit", "diskusage", "disktotal", "spacereclaimed"]
        .iter()
        .any(|end| name.ends_with(end))
}

fn human_size(bytes: u64) -> String {
    let (mut unit, mut tenths) = (0, u128::from(bytes) * 10);
    while tenths >= 10_240 && unit < 5 {
        tenths /= 1024;
        unit += 1;
    }
    format!("{}.{} {}", tenths / 10, tenths % 10, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"][unit])
}

/// Seconds since 1970 between 2001 and 2100 in a field that is named like a time.
fn is_time(name: &str, seconds: u64) -> bool {
    if !(978_307_200..4_102_444_800).contains(&seconds) {
        return false;
    }
    let lower = name.to_lowercase();
    ["created", "updated", "time", "timestamp", "date", "expires", "started", "finished"].iter().any(|end| lower.ends_with(end))
        || name.ends_with("At")
}

/// `2026-08-01 12:30:00Z`, by the civil calendar; no time zone but UTC.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 0000-03-01, so that the leap day ends the year.
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}Z", rest / 3_600, rest % 3_600 / 60, rest % 60)
}

/// An RFC 3339 time without its fraction, in the form of [`date`]; nothing for other text.
fn tidy_time(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    if !(20..=35).contains(&bytes.len()) || !text.is_ascii() {
        return None;
    }
    let shape = |place: usize, wanted: u8| match wanted {
        b'0' => bytes[place].is_ascii_digit(),
        letter => bytes[place] == letter,
    };
    if !b"0000-00-00T00:00:00".iter().enumerate().all(|(place, wanted)| shape(place, *wanted)) {
        return None;
    }
    let zone = text[19..].trim_start_matches('.').trim_start_matches(|letter: char| letter.is_ascii_digit());
    let known = zone == "Z" || (zone.len() == 6 && zone.starts_with(['+', '-']) && zone.as_bytes()[3] == b':');
    if !known {
        return None;
    }
    // The zero time of Go programs: it has not happened.
    if text.starts_with("0001-01-01T00:00:00") {
        return Some("never".into());
    }
    Some(format!("{} {}{zone}", &text[..10], &text[11..19]))
}

#[cfg(test)]
mod tests {
    use super::{long, short};
    use serde_json::{Value, json};

    #[test]
    fn values_read_well() {
        for (name, value, shown) in [
            ("size", json!(999), "999"),
            ("size", json!(1_024), "1.0 KiB"),
            ("virtualSize", json!(187_654_321), "178.9 MiB"),
            ("memoryTotal", json!(u64::MAX), "16383.9 PiB"),
            ("fontSize", json!(12), "12"),
            ("created", json!(1_785_587_400), "2026-08-01 12:30:00Z"),
            ("created", json!(951_782_400), "951782400"),
            ("createdAt", json!("2026-08-01T12:30:00.123456789Z"), "2026-08-01 12:30:00Z"),
            ("createdAt", json!("2026-08-01T12:30:00+02:00"), "2026-08-01 12:30:00+02:00"),
            ("finishedAt", json!("0001-01-01T00:00:00Z"), "never"),
            ("createdAt", json!("2026-08-01T12:30:00 or so"), "2026-08-01T12:30:00 or so"),
            ("count", json!(1_785_587_400), "1785587400"),
            ("names", json!(["/web", "/db"]), "/web, /db"),
            ("ports", json!([{"a": 1}]), r#"[{"a":1}]"#),
            ("labels", json!({}), ""),
            ("ratio", json!(0.5), "0.5"),
            ("ok", json!(true), "true"),
            ("none", Value::Null, ""),
        ] {
            assert_eq!(short(name, &value), shown, "{name} {value}");
        }
        assert_eq!(long("size", &json!(2048)), "2048 (2.0 KiB)");
        assert_eq!(long("created", &json!(4_102_444_799_u64)), "4102444799 (2099-12-31 23:59:59Z)");
        assert_eq!(long("created", &json!(1_709_208_000)), "1709208000 (2024-02-29 12:00:00Z)");
        assert_eq!(long("createdAt", &json!("2026-08-01T12:30:00.123Z")), "2026-08-01T12:30:00.123Z");
    }
}
