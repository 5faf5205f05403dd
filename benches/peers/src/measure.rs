//! What is measured of an engine: whether it finds, how long it takes and what it allocates.

use crate::counting::allocations;
use crate::engine::Engine;
use crate::set::Query;
use std::hint::black_box;
use std::time::Instant;

/// Rounds over all queries; each query counts with its median.
const ROUNDS: usize = 7;

/// Percentages over the queries of a set.
pub struct Quality {
    /// Mean share of a query's answers among the first five, and among the first ten.
    pub in_five: f64,
    pub in_ten: f64,
    /// Share of queries whose first hit is an answer.
    pub first: f64,
}

/// Whether `engine` finds what the queries ask for.
pub fn quality(queries: &[Query], engine: &Engine<'_>) -> Quality {
    let mut sums = [0.0; 3];
    for query in queries {
        let found = engine(&query.text);
        for (sum, depth) in sums.iter_mut().zip([1, 5, 10]) {
            let hits = found.iter().take(depth).filter(|id| query.gold.iter().any(|gold| gold == *id)).count();
            *sum += if query.any { f64::from(u32::from(hits > 0)) } else { number(hits) / number(query.gold.len().min(depth)) };
        }
    }
    let [first, in_five, in_ten] = sums.map(|sum| 100.0 * sum / number(queries.len().max(1)));
    Quality { in_five, in_ten, first }
}

/// Microseconds and allocations of a query.
pub struct Speed {
    pub median: f64,
    pub last_hundredth: f64,
    pub allocations: f64,
}

/// How long `engine` takes for the queries.
pub fn speed(queries: &[Query], engine: &Engine<'_>) -> Speed {
    for query in queries {
        black_box(engine(&query.text));
    }
    let before = allocations();
    for query in queries {
        black_box(engine(&query.text));
    }
    let made = allocations() - before;
    let mut times: Vec<f64> = queries.iter().map(|query| median_time(|| drop(black_box(engine(&query.text))))).collect();
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times.get(times.len() * share / 100).or(times.last()).copied().unwrap_or(0.0);
    Speed { median: at(50), last_hundredth: at(99), allocations: number(usize::try_from(made).unwrap_or(0)) / number(queries.len().max(1)) }
}

fn median_time(mut work: impl FnMut()) -> f64 {
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[ROUNDS / 2]
}

/// A small count as a number.
pub fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
