//! The best plan beside one page cache for all sites.

use super::split_search::{Split, validated_split};
use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;
use crate::select::{HeldSet, select};

/// What the accesses of a site that misses its targets are multiplied by, again and again.
const BOOST: f64 = 4.0;

/// How often: 4 to the power of 8 is more than costs of files differ by.
const BOOSTS: usize = 8;

/// How much to hold beside one page cache, and whose files rather.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileStrategy {
    /// Twentieths of memory to hold files in.
    pub step: u32,
    /// What each site's accesses are multiplied by in the ranking; empty where no site has more than its weight.
    boosts: Vec<f64>,
}

/// That, as it does inside the training part.
pub(crate) struct FileCandidate {
    pub strategy: FileStrategy,
    pub judgement: Judgement,
    /// How it is with nothing held but reservations.
    pub nothing: Judgement,
}

impl FileCandidate {
    /// The best by validation inside the training part, where nothing held does as `alone`. Sites that miss their targets
    /// have their files ranked higher as long as that helps. For `near` see [`validated_split`].
    pub fn best(test: &Backtest, alone: &Judgement, near: Option<u32>) -> Self {
        let split = validated_split(test, test.inner_ranking(), Some(alone.clone()), near);
        let mut best = Self::with(split, Vec::new());
        let mut boosts = vec![1.0; best.judgement.missed.len()];
        let mut last = best.judgement.clone();
        for _ in 0..BOOSTS {
            let missed = boosts.iter_mut().zip(&last.missed);
            let mut missed = missed.filter(|(_, missed)| **missed > 0).peekable();
            if missed.peek().is_none() {
                break;
            }
            missed.for_each(|(boost, _)| *boost *= BOOST);
            let inner = &test.training_accesses()[..test.inner()];
            let ranking = test.boosted_ranking(inner, &boosts);
            let split = validated_split(test, &ranking, Some(alone.clone()), None);
            let boosted = Self::with(split, boosts.clone());
            last = boosted.judgement.clone();
            if last.is_better(&best.judgement) == Some(true) {
                best = boosted;
            }
        }
        best
    }

    fn with((split, nothing): (Split, Judgement), boosts: Vec<f64>) -> Self {
        Self {
            strategy: FileStrategy {
                step: split.step,
                boosts,
            },
            judgement: split.judgement,
            nothing,
        }
    }
}

impl FileStrategy {
    /// The same files, held in so many twentieths of memory.
    pub fn in_part(&self, step: u32) -> Self {
        let boosts = self.boosts.clone();
        Self { step, boosts }
    }

    /// What is held of what the whole training part ranks.
    pub fn set(&self, test: &Backtest) -> HeldSet {
        let budget = test.budget(self.step);
        if self.boosts.is_empty() {
            return select(&test.values, test.training_ranking(), budget);
        }
        self.set_of(test, test.training_accesses())
    }

    /// What is held of what these accesses rank.
    pub fn set_of(&self, test: &Backtest, accesses: &[u32]) -> HeldSet {
        let ranking = match self.boosts.as_slice() {
            [] => test.ranking(accesses),
            boosts => test.boosted_ranking(accesses, boosts),
        };
        select(&test.values, &ranking, test.budget(self.step))
    }
}
