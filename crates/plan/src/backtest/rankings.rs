//! What counts in the training part rank, whatever the memory.

use std::sync::OnceLock;

use super::prepare::{Backtest, part_of};
use crate::select::Ranking;

/// Share of the training part that ranks when a split is validated; the rest of it scores. The same as
/// the default share of the trace that trains.
const INNER_SHARE: f64 = 0.7;

/// Rankings that plans for any memory share, each made when it is first asked for.
#[derive(Default)]
pub(super) struct Rankings {
    inner: OnceLock<Ranking>,
    training: OnceLock<Ranking>,
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
}
