//! What accesses count in the parts of the trace, and rank, whatever the memory.

use std::sync::OnceLock;

use crate::select::Ranking;

/// Share of the training part that ranks when a split is validated; the rest of it scores. The same as
/// the default share of the trace that trains.
const INNER_SHARE: f64 = 0.7;

/// How many of the first `accesses` rank when the rest of them validates.
pub(super) fn ranking_part(accesses: usize) -> usize {
    part_of(accesses, INNER_SHARE)
}

/// So many of the first `accesses`, cut to a whole number.
pub(super) fn part_of(accesses: usize, share: f64) -> usize {
    (accesses as f64 * share) as usize
}

/// Rankings and counts that plans for any memory share, each made when it is first asked for.
#[derive(Default)]
pub(super) struct Rankings {
    pub inner: OnceLock<Ranking>,
    pub training: OnceLock<Ranking>,
    pub validating_counts: OnceLock<Vec<u32>>,
    pub held_out_counts: OnceLock<Vec<u32>>,
}
