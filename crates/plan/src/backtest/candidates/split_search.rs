//! How much of the memory to hold files in, and how much to leave to the page cache.

use rayon::prelude::*;

use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{self, PageCache};
use crate::backtest::stretches::judge_validating;
use crate::select::{HeldSet, Ranking, select};

/// Splits that a search tries first.
const COARSE: [u32; 3] = [10, 15, 20];

/// Steps to either side of the best of those that it tries next, until none of them is better.
const FINE: [u32; 2] = [2, 1];

/// A split of memory with the set it holds and the mean response it has.
pub(crate) struct Split {
    /// Twentieths of memory to hold files in.
    pub step: u32,
    pub set: HeldSet,
    pub judgement: Judgement,
    /// Pages that have to be read to hold it instead of what is held already.
    moved_pages: u64,
}

/// Whether `new` is better than `old`: by what the plan is made for, or as good with less to move.
fn better(new: &Split, old: &Split) -> bool {
    let is_better = new.judgement.is_better(&old.judgement);
    is_better.unwrap_or(new.moved_pages < old.moved_pages)
}

/// What splits are scored on.
pub(crate) struct SplitSearch<'t> {
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
    pub nothing: Option<Judgement>,
    /// A step that is near the best, where one is known. Whatever is chosen from there is scored elsewhere.
    pub near: Option<u32>,
}

impl SplitSearch<'_> {
    /// The best split, and how the one does that holds nothing but reservations.
    pub fn best_split(&self) -> (Split, Judgement) {
        let (mut splits, last) = (Splits::nothing(self), self.test.last_step());
        let nothing = splits.nothing.judgement.clone();
        if self.test.tries_all_splits() {
            splits.add(self, 1..=last);
        } else if let Some(step) = self.near {
            splits.climb(self, step, 1);
        } else {
            splits.add(self, COARSE.into_iter());
            FINE.into_iter()
                .for_each(|width| splits.climb(self, splits.best().step, width));
            splits.judge_best_in_full(self);
        }
        (splits.into_best(), nothing)
    }

    fn select(&self, step: u32) -> HeldSet {
        select(&self.test.values, self.ranking, self.test.budget(step))
    }

    /// Judges quickly where a search is to find the best; that is judged in full in the end. A sample is quick anyway.
    fn judge(&self, set: &HeldSet) -> Judgement {
        if self.test.tries_all_splits() || self.test.sampling.is_some() {
            return self.judge_in_full(set);
        }
        let mut cache = PageCache::beside(self.test, set.pages());
        let accesses = (self.warming, self.scored);
        scan::judge_quickly(self.test, &mut cache, set, accesses, self.counts)
    }

    fn judge_in_full(&self, set: &HeldSet) -> Judgement {
        let nothing = self.nothing.as_ref();
        match nothing.filter(|_| set.objects().is_empty()) {
            Some(nothing) => nothing.clone(),
            // Only what validates is ever sampled.
            None if self.test.sampling.is_some() => judge_validating(self.test, set),
            None => scan::judge(self.test, (self.warming, self.scored), set),
        }
    }

    fn split(&self, step: u32, set: HeldSet, judgement: Judgement) -> Split {
        let moved = set.new_beside(&self.test.previous);
        Split {
            step,
            judgement,
            moved_pages: moved.map(|object| self.test.values.pages(object)).sum(),
            set,
        }
    }
}

/// Splits that were scored.
struct Splits {
    /// The one that holds nothing but reservations.
    nothing: Split,
    /// By rising step.
    others: Vec<Split>,
}

impl Splits {
    fn nothing(search: &SplitSearch) -> Self {
        let set = search.select(0);
        let judgement = search.judge_in_full(&set);
        Self {
            nothing: search.split(0, set, judgement),
            others: Vec::new(),
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Split> {
        std::iter::once(&self.nothing).chain(&self.others)
    }

    /// Scores those of `steps` that are new, in parallel.
    fn add(&mut self, search: &SplitSearch, steps: impl Iterator<Item = u32>) {
        let mut steps: Vec<u32> = steps
            .map(|step| step.min(search.test.last_step()))
            .collect();
        steps.retain(|&step| self.iter().all(|split| split.step != step));
        steps.dedup();
        let sets: Vec<HeldSet> = steps.par_iter().map(|&step| search.select(step)).collect();
        let judgement = self.judge(search, &sets);
        let new = steps.into_iter().zip(sets).zip(judgement);
        self.others
            .extend(new.map(|((step, set), judgement)| search.split(step, set, judgement)));
        self.others.sort_by_key(|split| split.step);
    }

    /// How each of `sets` does. Where files are few, neighbours are the same.
    fn judge(&self, search: &SplitSearch, sets: &[HeldSet]) -> Vec<Judgement> {
        let scored = |set: &HeldSet| {
            let same = self
                .iter()
                .find(|split| split.set.objects() == set.objects());
            same.map_or_else(|| search.judge(set), |split| split.judgement.clone())
        };
        let alike: Vec<&[HeldSet]> = sets.chunk_by(|a, b| a.objects() == b.objects()).collect();
        let judgement = alike
            .par_iter()
            .map(|sets| vec![scored(&sets[0]); sets.len()]);
        judgement.flatten().collect()
    }

    /// Tries `width` steps to either side of `step`, and goes on from the best split as long as that finds a better one.
    fn climb(&mut self, search: &SplitSearch, mut step: u32, width: u32) {
        loop {
            self.add(
                search,
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
    fn judge_best_in_full(&mut self, search: &SplitSearch) {
        let best = self.best().step;
        self.others.retain(|split| split.step == best);
        for split in &mut self.others {
            split.judgement = search.judge_in_full(&split.set);
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
pub(crate) fn validated_split(
    test: &Backtest,
    ranking: &Ranking,
    nothing: Option<Judgement>,
    near: Option<u32>,
) -> (Split, Judgement) {
    let (warming, scored) = test.training_accesses().split_at(test.inner());
    let search = SplitSearch {
        test,
        warming,
        scored,
        counts: test.validating_counts(),
        ranking,
        nothing,
        near,
    };
    search.best_split()
}

/// The best set among objects that the training part has seen, chosen knowing the held-out part: the ceiling of what
/// any ranking could reach with the same splits. `nothing` is how that part does with nothing held.
pub(crate) fn clairvoyant_set(
    test: &Backtest,
    nothing: Option<Judgement>,
    plan_step: u32,
) -> HeldSet {
    let (warming, scored) = (test.training_accesses(), test.held_out_accesses());
    let (known, counts) = (test.training_counts(), test.held_out_counts());
    let search = SplitSearch {
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
    search.best_split().0.set
}
