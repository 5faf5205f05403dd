//! Texts of a document in the length a catalog wants: a description is paid for on every request.

/// The text on one line without marks of Markdown and HTML, cut at the end of a sentence, else of a word.
pub fn line(text: &str, most: usize) -> String {
    // A heading says what follows, not what the thing does.
    let mut paragraphs = text.trim().split("\n\n").map(str::trim);
    let heading = |paragraph: &str| paragraph.starts_with('#') && !paragraph.contains('\n');
    let first = paragraphs.clone().find(|paragraph| !heading(paragraph)).or(paragraphs.next()).unwrap_or_default();
    let plain = without_marks(first);
    let words: Vec<_> = plain.split_whitespace().collect();
    cut(&words.join(" "), most)
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    if let Some(end) = head.rfind(". ").filter(|end| *end > most / 3) {
        return head[..=end].to_owned();
    }
    let shorter: String = head.chars().take(most - 1).collect();
    let end = shorter.rfind(' ').filter(|end| *end > 0).unwrap_or(shorter.len());
    format!("{}…", shorter[..end].trim_end_matches([',', ';', ':', '-', ' ']))
}

/// `[text](address)` becomes its text, tags and emphasis go, control characters become spaces.
fn without_marks(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        rest = match letter {
            '<' => match after.split_once('>') {
                Some((tag, after)) if tag.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') && tag.len() < 200 => {
                    out.push(' ');
                    after
                }
                _ => {
                    out.push('<');
                    after
                }
            },
            '[' => match after.split_once("](") {
                Some((label, address)) if !label.contains(['[', ']']) => {
                    out.push_str(label);
                    address.split_once(')').map_or("", |(_, after)| after)
                }
                _ => {
                    out.push('[');
                    after
                }
            },
            '*' => after,
            '#' if out.trim_end_matches(' ').is_empty() || out.ends_with('\n') => after,
            other => {
                out.push(if other.is_control() && other != '\n' { ' ' } else { other });
                after
            }
        };
    }
    out
}

/// A title: a few words, no full stop.
pub fn title(text: &str, fallback: &str) -> String {
    let words = line(text, 60);
    let words = words.trim_end_matches('.').trim();
    if words.is_empty() { fallback.to_owned() } else { words.to_owned() }
}

/// Whether a description says no more than the name does.
pub fn repeats(name: &str, description: &str) -> bool {
    let letters = |text: &str| -> String { text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let said = letters(description);
    let said = said.strip_prefix("the").unwrap_or(&said);
    said.is_empty() || said == letters(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_one_plain_line() {
        for (text, most, expected) in [
            ("  Lists **all** pets.\nSee [the guide](https://a.b/c).  ", 100, "Lists all pets. See the guide."),
            ("One.\n\nTwo.", 100, "One."),
            ("# Welcome\n\nTo the pets.", 100, "To the pets."),
            ("# Alone", 100, "Alone"),
            ("## Pets\nAll <b>of</b> them, 1 < 2", 100, "Pets All of them, 1 < 2"),
            ("First one. Second goes on and on", 15, "First one."),
            ("alpha beta gamma delta", 12, "alpha beta…"),
            ("Größe ändern über alles", 10, "Größe…"),
            ("[x](", 10, "x"),
            ("", 10, ""),
        ] {
            assert_eq!(line(text, most), expected, "{text}");
        }
    }

    #[test]
    fn descriptions_that_say_nothing() {
        assert!(repeats("petId", "Pet ID") && repeats("pet_id", "The pet id.") && !repeats("petId", "id of the pet, such as 7"));
    }
}
