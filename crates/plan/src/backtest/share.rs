//! How much of the memory to hold files in, and how much to leave to the page cache.

use rayon::prelude::*;
use serde::Serialize;

use super::judged::Judged;
use super::prepare::Backtest;
use super::scan::{self, PageCache};
#[cfg(doc)]
use crate::PageCacheModel;
use crate::select::{Budget, HeldSet, Ranking, select};

/// Splits of memory tried: multiples of 5 %, from holding nothing to leaving no page cache.
const SHARE_STEPS: u32 = 20;

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
    /// Targets that sites miss with the chosen split; 0 where the mean is all that counts.
    #[serde(skip)]
    pub missed_targets: u32,
    /// By how much, as shares of the targets.
    #[serde(skip)]
    pub target_excess: f64,
    /// Whether a split that does better was passed over because it would starve a site whose clients wait.
    #[serde(skip)]
    pub rejected: bool,
}

/// A split of memory with the set it holds and the mean response it has.
pub(super) struct Split {
    /// Twentieths of memory to hold files in.
    pub step: u32,
    pub set: HeldSet,
    pub judged: Judged,
    /// Pages that have to be read to hold it instead of what is held already.
    moved_pages: u64,
}

/// Whether `new` is better than `old`: by what the plan is made for, or as good with less to move.
fn better(new: &Split, old: &Split) -> bool {
    let is_better = new.judged.is_better(&old.judged);
    is_better.unwrap_or(new.moved_pages < old.moved_pages)
}

/// What splits are scored on.
pub(super) struct Question<'t> {
    pub test: &'t Backtest<'t>,
    /// Accesses that warm the page cache.
    pub warming: &'t [u32],
    /// Those after them, which score.
    pub scored: &'t [u32],
    /// How often each object occurs among those.
    pub counts: &'t [u32],
    /// What the held files are taken from.
    pub ranking: &'t Ranking,
    /// How it is with nothing held at all, where that is known.
    pub nothing: Option<Judged>,
    /// A step that is near the best, where one is known. Whatever is chosen from there is scored elsewhere.
    pub near: Option<u32>,
}

impl Question<'_> {
    /// The best split, and how the one does that holds nothing but reservations.
    pub fn best_split(&self) -> (Split, Judged) {
        let (mut tried, last) = (Tried::nothing(self), self.test.last_step());
        let nothing = tried.nothing.judged.clone();
        if self.test.tries_all_splits() {
            tried.add(self, 1..=last);
        } else if let Some(step) = self.near {
            tried.climb(self, step, 1);
        } else {
            tried.add(self, COARSE.into_iter());
            FINE.into_iter()
                .for_each(|width| tried.climb(self, tried.best().step, width));
            tried.judge_best_in_full(self);
        }
        (tried.into_best(), nothing)
    }

    fn select(&self, step: u32) -> HeldSet {
        select(&self.test.values, self.ranking, self.test.budget(step))
    }

    /// Judged quickly where a search is to find the best; that is judged in full in the end.
    fn judged(&self, set: &HeldSet) -> Judged {
        if self.test.tries_all_splits() {
            return self.judged_in_full(set);
        }
        let mut cache = PageCache::beside(self.test, set.pages());
        let accesses = (self.warming, self.scored);
        scan::quickly_judged(self.test, &mut cache, set, accesses, self.counts)
    }

    fn judged_in_full(&self, set: &HeldSet) -> Judged {
        let nothing = self.nothing.as_ref();
        match nothing.filter(|_| set.objects().is_empty()) {
            Some(nothing) => nothing.clone(),
            None => scan::judged(self.test, (self.warming, self.scored), set),
        }
    }

    fn split(&self, step: u32, set: HeldSet, judged: Judged) -> Split {
        let moved = set.new_beside(&self.test.previous);
        Split {
            step,
            judged,
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
        let judged = question.judged_in_full(&set);
        Self {
            nothing: question.split(0, set, judged),
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
        let judged = self.judged(question, &sets);
        let new = steps.into_iter().zip(sets).zip(judged);
        self.others
            .extend(new.map(|((step, set), judged)| question.split(step, set, judged)));
        self.others.sort_by_key(|split| split.step);
    }

    /// How each of `sets` does. Where files are few, neighbours are the same.
    fn judged(&self, question: &Question, sets: &[HeldSet]) -> Vec<Judged> {
        let scored = |set: &HeldSet| {
            let same = self
                .iter()
                .find(|split| split.set.objects() == set.objects());
            same.map_or_else(|| question.judged(set), |split| split.judged.clone())
        };
        let alike: Vec<&[HeldSet]> = sets.chunk_by(|a, b| a.objects() == b.objects()).collect();
        let judged = alike
            .par_iter()
            .map(|sets| vec![scored(&sets[0]); sets.len()]);
        judged.flatten().collect()
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

    /// Leaves the best split and the one that holds nothing but reservations, both judged in full.
    fn judge_best_in_full(&mut self, question: &Question) {
        let best = self.best().step;
        self.others.retain(|split| split.step == best);
        for split in &mut self.others {
            split.judged = question.judged_in_full(&split.set);
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

/// The split chosen inside the training part, and how it does with nothing held but reservations: the first 70 % rank as
/// `ranking`, the rest scores. Choosing on the accesses that ranked would always hold too much. `nothing` is how the rest
/// does with nothing held; a search begins at the step `near`, where one is known.
pub(super) fn validated_split(
    test: &Backtest,
    ranking: &Ranking,
    nothing: Option<Judged>,
    near: Option<u32>,
) -> (Split, Judged) {
    let (warming, scored) = test.training_accesses().split_at(test.inner());
    let question = Question {
        test,
        warming,
        scored,
        counts: test.validating_counts(),
        ranking,
        nothing,
        near,
    };
    question.best_split()
}

/// The best set among objects that the training part has seen, chosen knowing the held-out part: the ceiling of what
/// any ranking could reach with the same splits. `nothing` is how that part does with nothing held.
pub(super) fn clairvoyant_set(test: &Backtest, nothing: Option<Judged>, plan_step: u32) -> HeldSet {
    let (warming, scored) = (test.training_accesses(), test.held_out_accesses());
    let (known, counts) = (test.counts(warming), test.held_out_counts());
    let question = Question {
        test,
        warming,
        scored,
        counts,
        ranking: &test
            .ranking_of(counts)
            .filtered(|object| known[object as usize] > 0),
        nothing,
        near: Some(plan_step),
    };
    question.best_split().0.set
}
