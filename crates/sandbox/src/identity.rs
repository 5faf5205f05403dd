//! Ids that look like Docker's and Arcane's and are the same in every run: they are spread from a name.

use std::fmt::Write;

/// `length` hexadecimal digits.
pub(crate) fn hex(name: &str, length: usize) -> String {
    let mut state = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    let mut text = String::with_capacity(length + 16);
    while text.len() < length {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        // Writing to a string cannot fail.
        let _ = write!(text, "{:016x}", mixed ^ (mixed >> 31));
    }
    text.truncate(length);
    text
}

/// A version-4 UUID.
pub(crate) fn uuid(name: &str) -> String {
    let digits = hex(name, 32);
    format!("{}-{}-4{}-a{}-{}", &digits[..8], &digits[8..12], &digits[13..16], &digits[17..20], &digits[20..])
}

/// An image id or digest.
pub(crate) fn sha256(name: &str) -> String {
    format!("sha256:{}", hex(name, 64))
}
