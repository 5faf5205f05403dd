//! Counting tokens, and writing numbers.

/// Tokens of a text, `o200k_base`.
pub fn o200k(text: &str) -> usize {
    tiktoken_rs::o200k_base_singleton().encode_ordinary(text).len()
}

/// Tokens of a text, `cl100k_base`.
pub fn cl100k(text: &str) -> usize {
    tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len()
}

/// Counts are far below 2^52.
#[expect(clippy::cast_precision_loss, reason = "token counts are small")]
pub fn real(count: usize) -> f64 {
    count as f64
}

/// The middle of some counts; 0 where there is none.
pub fn median(mut counts: Vec<usize>) -> usize {
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().unwrap_or_default()
}

/// `12345` as `12,345`.
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A difference with its sign, `+12`, `-3`, `0`.
pub fn signed(old: usize, new: usize) -> String {
    match new.cmp(&old) {
        std::cmp::Ordering::Greater => format!("+{}", thousands(new - old)),
        std::cmp::Ordering::Less => format!("-{}", thousands(old - new)),
        std::cmp::Ordering::Equal => "0".to_owned(),
    }
}
