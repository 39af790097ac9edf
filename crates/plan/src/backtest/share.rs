//! How much of the memory to hold files in, and how much to leave to the page cache.

use rayon::prelude::*;
use serde::Serialize;

use super::prepare::Backtest;
use super::scan;
#[cfg(doc)]
use crate::PageCacheModel;
use crate::select::{Budget, HeldSet, Ranking, select};

/// Splits of memory tried: multiples of 5 %, from holding nothing to leaving no page cache.
const SHARE_STEPS: u32 = 20;

/// Means closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-12;

/// Up to so many accesses all splits are tried: that takes a moment, and how responses depend on the split is too rough
/// for a search.
const FEW_ACCESSES: usize = 100_000;

/// Splits that a search tries first.
const COARSE: [u32; 3] = [10, 15, 20];

/// Steps to either side of the best of those that it tries next, until none of them is better.
const FINE: [u32; 2] = [2, 1];

/// The share of memory at `step`.
pub(super) fn share_at(step: u32) -> f64 {
    f64::from(step) / f64::from(SHARE_STEPS)
}

/// The step of a share.
pub(super) fn step_of(share: f64) -> u32 {
    (share * f64::from(SHARE_STEPS)).round() as u32
}

impl Backtest<'_> {
    /// The last split tried: it leaves [`PageCacheModel::floor_bytes`] to the page cache.
    pub fn last_step(&self) -> u32 {
        SHARE_STEPS - u32::from(self.linux.is_some())
    }

    /// Whether all splits are tried, as [`PageCacheModel::WholeFiles`] defines it, not searched for the best.
    pub fn tries_all_splits(&self) -> bool {
        self.linux.is_none() || self.workload.accesses.len() <= FEW_ACCESSES
    }

    /// Memory to hold files in at `step`.
    pub fn budget(&self, step: u32) -> Budget<'_> {
        Budget {
            pages: (self.memory_pages as f64 * share_at(step)) as u64,
            reserved_pages: &self.reserved_pages,
        }
    }
}

/// What validation inside the training part says of the chosen split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Weighted mean response with nothing held but reservations.
    pub page_cache_mean_us: f64,
    /// Weighted mean response with the chosen split.
    pub plan_mean_us: f64,
}

/// A split of memory with the set it holds and the mean response it has.
pub(super) struct Split {
    /// Twentieths of memory to hold files in.
    pub step: u32,
    pub set: HeldSet,
    pub mean_us: f64,
    /// Pages that have to be read to hold it instead of what is held already.
    moved_pages: u64,
}

/// Whether `new` is better than `old`: a shorter response, or as short with less to move.
fn better(new: &Split, old: &Split) -> bool {
    let slack = TIE * old.mean_us;
    new.mean_us < old.mean_us - slack
        || (new.mean_us <= old.mean_us + slack && new.moved_pages < old.moved_pages)
}

/// What splits are scored on.
pub(super) struct Question<'t> {
    pub test: &'t Backtest<'t>,
    /// Accesses that warm the page cache.
    pub warming: &'t [u32],
    /// Those after them, which score.
    pub scored: &'t [u32],
    /// What the held files are taken from.
    pub ranking: &'t Ranking,
    /// The mean response with nothing held at all.
    pub nothing_us: f64,
    /// A step that is near the best, where one is known. Whatever is chosen from there is scored anew, so that the search may
    /// warm the page cache with [`scan::last_turnovers`].
    pub near: Option<u32>,
}

impl Question<'_> {
    /// The best split, and the mean response of the one that holds nothing but reservations.
    pub fn best_split(&self) -> (Split, f64) {
        let (mut tried, last) = (Tried::nothing(self), self.test.last_step());
        let nothing_us = tried.nothing.mean_us;
        if self.test.tries_all_splits() {
            tried.add(self, 1..=last);
        } else if let Some(step) = self.near {
            tried.climb(self, step, 1);
        } else {
            tried.add(self, COARSE.into_iter());
            FINE.into_iter()
                .for_each(|width| tried.climb(self, tried.best().step, width));
        }
        (tried.into_best(), nothing_us)
    }

    fn select(&self, step: u32) -> HeldSet {
        select(&self.test.values, self.ranking, self.test.budget(step))
    }

    fn mean_us(&self, set: &HeldSet) -> f64 {
        if set.objects().is_empty() {
            return self.nothing_us;
        }
        let warming = match self.near {
            Some(_) if !self.test.tries_all_splits() => {
                scan::last_turnovers(self.test, self.warming, set)
            }
            _ => self.warming,
        };
        scan::mean_us(self.test, warming, self.scored, set)
    }

    fn split(&self, step: u32, set: HeldSet, mean_us: f64) -> Split {
        let moved = set.new_beside(&self.test.previous);
        Split {
            step,
            mean_us,
            moved_pages: moved.map(|object| self.test.values.pages(object)).sum(),
            set,
        }
    }
}

/// Splits that were scored.
struct Tried {
    /// The one that holds nothing but reservations.
    nothing: Split,
    /// By rising step.
    others: Vec<Split>,
}

impl Tried {
    fn nothing(question: &Question) -> Self {
        let set = question.select(0);
        let mean_us = question.mean_us(&set);
        Self {
            nothing: question.split(0, set, mean_us),
            others: Vec::new(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Split> {
        std::iter::once(&self.nothing).chain(&self.others)
    }

    /// Scores those of `steps` that are new, in parallel.
    fn add(&mut self, question: &Question, steps: impl Iterator<Item = u32>) {
        let mut steps: Vec<u32> = steps
            .map(|step| step.min(question.test.last_step()))
            .collect();
        steps.retain(|&step| self.iter().all(|tried| tried.step != step));
        steps.dedup();
        let sets: Vec<HeldSet> = steps
            .par_iter()
            .map(|&step| question.select(step))
            .collect();
        let means = self.means(question, &sets);
        let new = steps.into_iter().zip(sets).zip(means);
        self.others
            .extend(new.map(|((step, set), mean_us)| question.split(step, set, mean_us)));
        self.others.sort_by_key(|split| split.step);
    }

    /// The mean response of each of `sets`. Where files are few, neighbours are the same.
    fn means(&self, question: &Question, sets: &[HeldSet]) -> Vec<f64> {
        let scored = |set: &HeldSet| {
            let same = self
                .iter()
                .find(|split| split.set.objects() == set.objects());
            same.map_or_else(|| question.mean_us(set), |split| split.mean_us)
        };
        let alike: Vec<&[HeldSet]> = sets.chunk_by(|a, b| a.objects() == b.objects()).collect();
        let means = alike
            .par_iter()
            .map(|sets| vec![scored(&sets[0]); sets.len()]);
        means.flatten().collect()
    }

    /// Tries `width` steps to either side of `step`, and goes on from the best split as long as that finds a better one.
    fn climb(&mut self, question: &Question, mut step: u32, width: u32) {
        loop {
            self.add(
                question,
                [step.saturating_sub(width), step, step + width].into_iter(),
            );
            let best = self.best().step;
            if best == step {
                return;
            }
            step = best;
        }
    }

    fn best(&self) -> &Split {
        let better = |best, split| if better(split, best) { split } else { best };
        self.others.iter().fold(&self.nothing, better)
    }

    fn into_best(self) -> Split {
        let better = |best, split| if better(&split, &best) { split } else { best };
        self.others.into_iter().fold(self.nothing, better)
    }
}

/// The split, and how it did, chosen inside the training part: its first 70 % rank, the rest scores. Choosing on
/// the accesses that ranked would always hold too much. `nothing_us` is the mean response of the rest with nothing held.
pub(super) fn validated_step(
    test: &Backtest,
    nothing_us: f64,
    near: Option<u32>,
) -> (u32, Validation) {
    let (warming, scored) = test.training_accesses().split_at(test.inner());
    let question = Question {
        test,
        warming,
        scored,
        ranking: test.inner_ranking(),
        nothing_us,
        near,
    };
    let (best, page_cache_mean_us) = question.best_split();
    let validation = Validation {
        page_cache_mean_us,
        plan_mean_us: best.mean_us,
    };
    (best.step, validation)
}

/// The best set among objects that the training part has seen, chosen knowing the held-out part: the ceiling of what
/// any ranking could reach with the same splits. `nothing_us` is the mean response of that part with nothing held.
pub(super) fn clairvoyant_set(test: &Backtest, nothing_us: f64, plan_step: u32) -> HeldSet {
    let (warming, scored) = test.workload.accesses.split_at(test.training);
    let known = test.counts(warming);
    let question = Question {
        test,
        warming,
        scored,
        ranking: &test
            .ranking(scored)
            .filtered(|object| known[object as usize] > 0),
        nothing_us,
        near: Some(plan_step),
    };
    question.best_split().0.set
}
