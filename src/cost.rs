//! What JSON costs once it is taken apart. A parsed value takes a hundred bytes and more however short it was on the wire, so that a cap
//! on bytes alone would let ten megabytes become a gigabyte.

use crate::error::{Code, Failure};
use callslip_catalog::model::{Action, Kind};
use serde_json::Value;

/// Most bytes that one answer may cost, taken apart and shown.
const BUDGET: usize = 56 << 20;
/// What a value costs once it is taken apart, however short it was: `[0,0,…` of 10 MB would take a gigabyte.
const VALUE: usize = 200;
/// A text of this length is affordable whatever it holds, and need not be looked through.
pub const SMALL: usize = BUDGET / (VALUE + 3);

/// About what a JSON text costs to be taken apart and shown. Signs inside of strings are taken for values too: too much is refused rather
/// than too little.
fn cost(text: &[u8]) -> usize {
    let values = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    3 * text.len() + VALUE * values
}

/// Whether taking a JSON text apart keeps within the memory that a call may use.
pub fn is_affordable(text: &[u8]) -> bool {
    text.len() <= SMALL || cost(text) <= BUDGET
}

/// Whether taking all of these apart does.
pub fn are_affordable<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> bool {
    texts.clone().map(str::len).sum::<usize>() <= SMALL || texts.map(|text| cost(text.as_bytes())).sum::<usize>() <= BUDGET
}

/// The JSON of a line or message; `None`: it is none, or would cost too much.
pub fn line_json(text: &str) -> Option<Value> {
    // Lines come many at a time, and each is kept only a moment.
    let affordable = text.len() <= SMALL / 2 || cost(text.as_bytes()) <= BUDGET / 2;
    if affordable { serde_json::from_str(text).ok() } else { None }
}

/// The failure of an answer that would take more memory than one call may.
pub fn too_much(action: &Action<'_>, what: &str) -> Failure {
    let failure = Failure::new(Code::UpstreamError, format!("The answer of `{}` {what}.", action.id));
    match (action.kind, action.returns.paging) {
        (Kind::Read, Some(_)) => failure.next("Ask for fewer rows with a smaller `limit`, or narrow the list with its filters."),
        (Kind::Read, None) => failure.next("Ask for less: most actions take filters or the id of one thing."),
        _ => failure.next("The change may have been made: look before you try again."),
    }
}

/// What is said of values that are too many.
pub const TOO_MANY: &str = "holds more values than can be taken apart at once";
