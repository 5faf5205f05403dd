//! Reads a raw query string. Written out because the log keeps the raw text and because a broken escape must be
//! refused, not guessed.

use percent_encoding::percent_decode_str;

/// The pairs in their order; `None` where an escape or the text behind it is broken.
pub(crate) fn parse(raw: &str) -> Option<Vec<(String, String)>> {
    raw.split('&')
        .filter(|pair| !pair.is_empty())
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decode(name)?, decode(value)?))
        })
        .collect()
}

fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    let bytes = spaced.as_bytes();
    let whole = |at: usize| bytes.get(at + 1..at + 3).is_some_and(|pair| pair.iter().all(u8::is_ascii_hexdigit));
    if (0..bytes.len()).any(|at| bytes[at] == b'%' && !whole(at)) {
        return None;
    }
    percent_decode_str(&spaced).decode_utf8().ok().map(std::borrow::Cow::into_owned)
}

/// Decodes one path segment; what cannot be decoded stays as it is.
pub(crate) fn decode_segment(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(
            parse("a=b%20c&d=e+f&&g"),
            Some(vec![("a".into(), "b c".into()), ("d".into(), "e f".into()), ("g".into(), String::new())])
        );
        assert_eq!(parse("a=%2"), None);
        assert_eq!(parse("a=%ff"), None);
    }
}
