//! What accesses count in the parts of the trace, and rank, whatever the memory.

use std::sync::OnceLock;

use super::prepare::{Backtest, part_of};
use crate::select::Ranking;

/// Share of the training part that ranks when a split is validated; the rest of it scores. The same as
/// the default share of the trace that trains.
const INNER_SHARE: f64 = 0.7;

/// Rankings and counts that plans for any memory share, each made when it is first asked for.
#[derive(Default)]
pub(super) struct Rankings {
    inner: OnceLock<Ranking>,
    training: OnceLock<Ranking>,
    validating_counts: OnceLock<Vec<u32>>,
    held_out_counts: OnceLock<Vec<u32>>,
}

impl Backtest<'_> {
    /// Accesses of the training part that rank when a split is validated.
    pub fn inner(&self) -> usize {
        part_of(self.training, INNER_SHARE)
    }

    /// What those rank.
    pub fn inner_ranking(&self) -> &Ranking {
        let ranking = || self.ranking(&self.training_accesses()[..self.inner()]);
        self.rankings.inner.get_or_init(ranking)
    }

    /// What the whole training part ranks.
    pub fn training_ranking(&self) -> &Ranking {
        let ranking = || self.ranking(self.training_accesses());
        self.rankings.training.get_or_init(ranking)
    }

    /// Accesses of each object in the part of the training part that scores when a split is validated.
    pub fn validating_counts(&self) -> &[u32] {
        let counts = || self.counts(&self.training_accesses()[self.inner()..]);
        self.rankings.validating_counts.get_or_init(counts)
    }

    /// Accesses of each object in the held-out part.
    pub fn held_out_counts(&self) -> &[u32] {
        let counts = || self.counts(self.held_out_accesses());
        self.rankings.held_out_counts.get_or_init(counts)
    }
}
