//! What a search answers.

/// One action found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its place in the slice the index was built from.
    pub document: u32,
    /// Only good for comparing within one answer.
    pub score: f32,
}

/// How far the first hit can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// Nothing fits, or the thing asked for is known to be absent.
    None,
    /// Something fits in part.
    Low,
    /// The first hits fit.
    High,
}

impl Confidence {
    /// The word an answer uses.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::High => "high",
        }
    }
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// How far to trust the first of them.
    pub confidence: Confidence,
    /// The absent entry (its number in the lexicon) that fits better than any action.
    pub absent: Option<u32>,
    /// The query seems to be in another language; the index is English.
    pub non_english: bool,
    /// Words of the query that the catalog does not know, at most four, as typed but lowercase.
    pub unknown: Vec<String>,
}
