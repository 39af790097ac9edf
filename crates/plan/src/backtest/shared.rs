//! The best plan beside one page cache for all sites.

use super::judged::Judged;
use super::prepare::Backtest;
use super::share::{Split, validated_split};
use crate::select::{HeldSet, select};

/// What the accesses of a site that misses its targets are multiplied by, again and again.
const BOOST: f64 = 4.0;

/// How often: 4 to the power of 8 is more than costs of files differ by.
const BOOSTS: usize = 8;

/// How much to hold, and whose files rather.
pub(super) struct Shared {
    /// Twentieths of memory to hold files in.
    pub step: u32,
    /// What each site's accesses are multiplied by in the ranking; empty where no site has more than its weight.
    boosts: Vec<f64>,
    pub judged: Judged,
    /// How it is with nothing held but reservations.
    pub nothing: Judged,
}

impl Shared {
    /// The best by validation inside the training part, where nothing held does as `alone`. Sites that miss their targets
    /// have their files ranked higher as long as that helps. For `near` see [`validated_split`].
    pub fn of(test: &Backtest, alone: &Judged, near: Option<u32>) -> Self {
        let known = || Some(alone.clone());
        let (split, nothing) = validated_split(test, test.inner_ranking(), known(), near);
        let mut best = Self::with(split, Vec::new(), nothing);
        let mut boosts = vec![1.0; best.judged.missed.len()];
        let mut last = best.judged.clone();
        for _ in 0..BOOSTS {
            let missed = boosts.iter_mut().zip(&last.missed);
            let mut missed = missed.filter(|(_, missed)| **missed > 0).peekable();
            if missed.peek().is_none() {
                break;
            }
            missed.for_each(|(boost, _)| *boost *= BOOST);
            let inner = &test.training_accesses()[..test.inner()];
            let ranking = test.boosted_ranking(inner, &boosts);
            let (split, nothing) = validated_split(test, &ranking, known(), None);
            last = split.judged.clone();
            if split.judged.is_better(&best.judged) == Some(true) {
                best = Self::with(split, boosts.clone(), nothing);
            }
        }
        best
    }

    fn with(split: Split, boosts: Vec<f64>, nothing: Judged) -> Self {
        Self {
            step: split.step,
            boosts,
            judged: split.judged,
            nothing,
        }
    }

    /// What is held of what the whole training part ranks.
    pub fn set(&self, test: &Backtest) -> HeldSet {
        let budget = test.budget(self.step);
        if self.boosts.is_empty() {
            return select(&test.values, test.training_ranking(), budget);
        }
        let ranking = test.boosted_ranking(test.training_accesses(), &self.boosts);
        select(&test.values, &ranking, budget)
    }
}
