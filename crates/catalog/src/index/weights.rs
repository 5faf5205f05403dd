//! Every number of the ranking in one place. They were tuned on fifteen sets of queries as a whole, never on one of them.

/// A field of a document with its weight and length normalisation (BM25F).
#[derive(Clone, Copy)]
pub struct Field {
    pub weight: f64,
    pub normal: f64,
}

/// Number of fields.
pub const FIELDS: usize = 10;
pub const TITLE: usize = 0;
pub const DESCRIPTION: usize = 1;
pub const USAGE: usize = 2;
pub const NAME: usize = 3;
pub const GROUP: usize = 4;
pub const PATH: usize = 5;
pub const PARAMETER: usize = 6;
pub const PARAMETER_TEXT: usize = 7;
pub const ALIAS: usize = 8;
pub const WORDS: usize = 9;

/// The fields in the order of the constants above.
pub const FIELD: [Field; FIELDS] = [
    Field { weight: 1.1, normal: 0.14 },
    Field { weight: 1.0, normal: 0.6 },
    Field { weight: 0.8, normal: 0.6 },
    Field { weight: 1.5, normal: 0.3 },
    Field { weight: 1.5, normal: 0.2 },
    Field { weight: 1.6, normal: 0.3 },
    Field { weight: 0.45, normal: 0.7 },
    Field { weight: 0.4, normal: 0.75 },
    Field { weight: 1.8, normal: 0.2 },
    Field { weight: 0.4, normal: 0.5 },
];

/// How fast repeated words stop counting.
pub const SATURATION: f64 = 1.8;

/// A score is multiplied by `COVERAGE_BASE + (1 - COVERAGE_BASE) * share of the query's weight that the document has`,
pub const COVERAGE_BASE: f32 = 0.5;
/// by `1 + TITLE_COVERAGE * share of the title's weight that the query has`,
pub const TITLE_COVERAGE: f32 = 0.95;
/// by `1 ± INTENT` where both say what kind of work it is,
pub const INTENT: f32 = 0.2;
/// by `1 + LISTS` where a query without a verb names several things and the document lists them,
pub const LISTS: f32 = 0.12;
/// and by `1 - SEVERAL` where the query names one thing and the title several.
pub const SEVERAL: f32 = 0.05;
/// Strength of a stopword that tells actions apart.
pub const WEAK: u16 = 100;
/// What a word nobody knows weighs in coverage, as a share of the rarest word's weight.
pub const UNKNOWN: f64 = 0.35;
/// Strength of a mended word: one letter wrong, two letters wrong.
pub const TYPO: [u16; 2] = [230, 180];
/// Strength from which a word is taken to mean what it is near to: synonyms that a catalog states, abbreviations, one letter wrong;
/// and the strength of two letters wrong.
pub const SURE: u16 = 200;
pub const UNSURE: u16 = 180;
/// A weak likeness that more than one document in this many has is not followed: it is costly and tells nothing.
pub const COMMON: usize = 32;
/// So few documents are never many.
pub const FEW: usize = 24;
/// Strength below which a likeness is weak.
pub const LIKENESS: u16 = 128;
/// Strength of two words written as one, or one as two.
pub const COMPOUND: u16 = 230;

/// Fixed-point scales: of a term's weight in the score, and of its weight in coverage.
pub const WEIGHT_SCALE: f64 = 256.0;
pub const MASS_SCALE: f64 = 64.0;

/// Natural logarithm from basic operations alone: those give the same bits on every machine, a library's `ln` may not.
pub fn natural_logarithm(value: f64) -> f64 {
    const LN_2: f64 = std::f64::consts::LN_2;
    if value <= 0.0 {
        return 0.0;
    }
    let mut exponent = 0.0;
    let mut mantissa = value;
    while mantissa > 1.5 {
        mantissa /= 2.0;
        exponent += 1.0;
    }
    while mantissa < 0.75 {
        mantissa *= 2.0;
        exponent -= 1.0;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let mut power = ratio;
    let mut sum = 0.0;
    let mut step = 1.0;
    while step < 40.0 {
        sum += power / step;
        power *= square;
        step += 2.0;
    }
    exponent * LN_2 + 2.0 * sum
}

/// Weight of a term that `having` of `all` documents have.
pub fn inverse_frequency(all: usize, having: usize) -> f64 {
    let (all, having) = (real(all), real(having));
    natural_logarithm(1.0 + (all - having + 0.5) / (having + 0.5))
}

/// A count as a number to calculate with.
pub fn real(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    #[test]
    fn logarithm_agrees_with_the_library() {
        for value in [1.0e-6, 0.5, 1.0, 1.4, 2.0, 3.7, 10.0, 1234.5, 1.0e9] {
            let ours = super::natural_logarithm(value);
            assert!((ours - f64::ln(value)).abs() < 1e-12, "{value}: {ours}");
        }
    }
}
