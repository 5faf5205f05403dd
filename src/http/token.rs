//! Tokens of callers: random, shown once, stored only as their HMAC under the server's key. A file that leaks gives no one a token, and
//! without the key nobody can even try.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use secrecy::{ExposeSecret, SecretString};
use subtle::ConstantTimeEq;

/// What tokens begin with, so that scanners for leaked secrets can find them.
pub const PREFIX: &str = "csl_";

/// Random bytes of a token and of a server key.
const LENGTH: usize = 32;

/// The stored form of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest([u8; 32]);

/// Makes and compares digests.
#[derive(Debug)]
pub struct Hasher(hmac::Key);

impl Hasher {
    /// A hasher under the server's key.
    pub fn new(key: &SecretString) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, key.expose_secret().as_bytes()))
    }

    /// The digest of a token.
    pub fn digest(&self, token: &str) -> Digest {
        let tag = hmac::sign(&self.0, token.as_bytes());
        let mut bytes = [0; 32];
        bytes.copy_from_slice(tag.as_ref());
        Digest(bytes)
    }
}

impl Digest {
    /// The digest as the file has it: 64 hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() != 64 || !text.bytes().all(|letter| letter.is_ascii_hexdigit()) {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }

    /// Whether two digests are the same, in a time that does not tell how far they agree.
    pub fn same(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

/// A new token.
pub fn make() -> anyhow::Result<String> {
    Ok(format!("{PREFIX}{}", random()?))
}

/// A new server key.
pub fn make_key() -> anyhow::Result<String> {
    random()
}

fn random() -> anyhow::Result<String> {
    let mut bytes = [0; LENGTH];
    SystemRandom::new().fill(&mut bytes).map_err(|_| anyhow::anyhow!("this machine gives no random bytes"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_written_and_read_back() {
        let hasher = Hasher::new(&"0123456789abcdef0123456789abcdef".into());
        let digest = hasher.digest("csl_one");
        assert_eq!(Digest::parse(&digest.to_string()), Some(digest));
        assert!(digest.same(&hasher.digest("csl_one")) && !digest.same(&hasher.digest("csl_two")));
        let other = Hasher::new(&"another key of at least 32 letters".into());
        assert!(!digest.same(&other.digest("csl_one")), "another key, another digest");
    }

    #[test]
    fn what_is_no_digest_is_refused() {
        for text in ["", "00", &"g".repeat(64), &"é".repeat(32), &"0".repeat(63)] {
            assert_eq!(Digest::parse(text), None, "{text}");
        }
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(make().unwrap(), make().unwrap());
        assert!(make().unwrap().starts_with(PREFIX));
    }
}
