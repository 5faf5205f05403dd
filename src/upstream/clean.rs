//! Upstream text inside our own sentences. It stays on one line, in quotes, without anything that a terminal or a Markdown reader would
//! obey, so that it can never pass for a sentence of ours.

/// The text on one line, at most `most` characters, without control, direction and invisible characters.
pub fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut room = most;
    let mut gap = false;
    for letter in strip_escapes(text) {
        if letter.is_whitespace() || letter.is_control() {
            gap = !out.is_empty();
            continue;
        }
        if is_invisible(letter) {
            continue;
        }
        if room <= 1 {
            out.push('…');
            return out;
        }
        if gap {
            out.push(' ');
            room -= 1;
            gap = false;
        }
        out.push(letter);
        room = room.saturating_sub(1);
    }
    out
}

/// [`line()`] with the marks of Markdown and of a quotation replaced by look-alikes, in double quotes.
pub fn quoted(text: &str, most: usize) -> String {
    let safe: String = line(text, most)
        .chars()
        .map(|letter| match letter {
            '"' | '`' => '\'',
            '<' => '‹',
            '>' => '›',
            '[' => '(',
            ']' => ')',
            other => other,
        })
        .collect();
    format!("\"{safe}\"")
}

/// Text of several lines, such as a log: escape sequences, control and direction characters removed, line ends kept, each carriage
/// return taken as a terminal takes it: what follows replaces the line so far.
pub fn block(text: &str) -> String {
    let plain: String = strip_escapes(text).filter(|letter| !is_invisible(*letter)).collect();
    let mut out = String::with_capacity(plain.len());
    for (number, line) in plain.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let line = line.trim_end_matches('\r');
        let last = line.rsplit('\r').next().unwrap_or(line);
        out.extend(last.chars().filter(|letter| *letter == '\t' || !letter.is_control()));
    }
    out
}

/// The characters of a text without terminal escape sequences.
fn strip_escapes(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut letters = text.chars().peekable();
    std::iter::from_fn(move || {
        loop {
            let letter = letters.next()?;
            if letter != '\u{1b}' {
                return Some(letter);
            }
            match letters.next() {
                // Control sequences end with a letter or one of a few signs.
                Some('[') => while letters.next().is_some_and(|part| !('\u{40}'..='\u{7e}').contains(&part)) {},
                // Titles and links end with BEL or ESC \; a text without end loses only what could not be shown anyway.
                Some(']' | 'P' | '_' | '^' | 'X') => {
                    while let Some(part) = letters.next() {
                        if part == '\u{7}' || part == '\n' {
                            break;
                        }
                        if part == '\u{1b}' {
                            letters.next_if_eq(&'\\');
                            break;
                        }
                    }
                }
                Some('(' | ')' | '#' | '%') => {
                    letters.next();
                }
                _ => {}
            }
        }
    })
}

/// Characters that change how their neighbours are read without being seen.
fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upstream_text_stays_one_harmless_line() {
        assert_eq!(line("  a\r\n\n# b\tc ", 80), "a # b c");
        assert_eq!(line("\u{1b}[31mred\u{1b}[0m \u{1b}]8;;http://x\u{7}link", 80), "red link");
        assert_eq!(line("a\u{202e}b\u{200b}c", 80), "abc");
        assert_eq!(line("abcdef", 4), "abc…");
        assert_eq!(quoted("`x` [y](z) <b> \"q\"", 80), "\"'x' (y)(z) ‹b› 'q'\"");
    }

    #[test]
    fn a_block_keeps_its_lines() {
        assert_eq!(block("one\r\n10%\r50%\r100%\n\u{1b}[1mtwo\u{7}\n"), "one\n100%\ntwo\n");
    }
}
