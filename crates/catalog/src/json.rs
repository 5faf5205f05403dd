//! Writing JSON by hand: answers are put together of pieces that are JSON already, and only their strings are left to write.

/// What stands after the backslash for each byte that needs one; 0: the byte stands as it is.
const ESCAPES: [u8; 256] = {
    let mut escapes = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        escapes[control] = b'u';
        control += 1;
    }
    escapes[b'\n' as usize] = b'n';
    escapes[b'\r' as usize] = b'r';
    escapes[b'\t' as usize] = b't';
    escapes[0x08] = b'b';
    escapes[0x0c] = b'f';
    escapes[b'"' as usize] = b'"';
    escapes[b'\\' as usize] = b'\\';
    escapes
};

/// Appends a text as a JSON string, quotes and all.
pub fn string(out: &mut Vec<u8>, text: &str) {
    out.reserve(text.len() + text.len() / 8 + 2);
    out.push(b'"');
    escaped(out, text);
    out.push(b'"');
}

/// Appends what stands between the quotes. Eight bytes at a time: a text has thousands, of which few need a backslash.
pub fn escaped(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    while let Some((eight, after)) = rest.split_first_chunk::<8>() {
        out.extend_from_slice(eight);
        let clean = first_special(*eight);
        if clean == 8 {
            rest = after;
            continue;
        }
        out.truncate(out.len() - 8 + clean);
        escape(out, eight[clean]);
        rest = &rest[clean + 1..];
    }
    for byte in rest {
        if ESCAPES[usize::from(*byte)] == 0 {
            out.push(*byte);
        } else {
            escape(out, *byte);
        }
    }
}

/// Place of the first byte that needs a backslash; 8: there is none.
fn first_special(eight: [u8; 8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(eight);
    // The high bit of a byte is set where that byte is zero, and perhaps in bytes above it: the first is always right.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let special = (control | zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\')))) & HIGH;
    special.trailing_zeros() as usize / 8
}

fn escape(out: &mut Vec<u8>, byte: u8) {
    match ESCAPES[usize::from(byte)] {
        0 => out.push(byte),
        b'u' => {
            let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte & 15)]);
        }
        letter => out.extend_from_slice(&[b'\\', letter]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_in_every_place_is_written_as_serde_writes_it() {
        let characters = (0..=0x100).filter_map(char::from_u32).chain(['\u{2028}', '\u{ffff}', '😀']);
        for character in characters {
            for before in 0..10 {
                for after in [0, 1, 9] {
                    let text = format!("{}{character}{}", "é".repeat(before / 2) + &"x".repeat(before % 2), "\"y".repeat(after));
                    let mut out = Vec::new();
                    string(&mut out, &text);
                    assert_eq!(String::from_utf8(out).expect("text"), serde_json::to_string(&text).expect("JSON"), "{text:?}");
                }
            }
        }
    }
}
