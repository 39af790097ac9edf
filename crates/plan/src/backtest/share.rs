//! How much of the memory to hold files in, and how much to leave to the page cache.

use rayon::prelude::*;
use serde::Serialize;

use super::prepare::{Backtest, part_of};
use super::scan;
#[cfg(doc)]
use crate::PageCacheModel;
use crate::select::{Budget, HeldSet, Ranking, select};

/// Share of the training part that ranks when a split is validated; the rest of it scores. The same as
/// the default share of the trace that trains.
pub(super) const INNER_SHARE: f64 = 0.7;

/// Splits of memory tried: multiples of 5 %, from holding nothing to leaving no page cache.
const SHARE_STEPS: u32 = 20;

/// Means closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-12;

/// The share of memory at `step`.
pub(super) fn share_at(step: u32) -> f64 {
    f64::from(step) / f64::from(SHARE_STEPS)
}

impl Backtest<'_> {
    /// The last split tried. Pages under way between disk and network, and the kernel's records of pages evicted, need room
    /// that is not held; [`PageCacheModel::WholeFiles`] knows nothing of either.
    pub fn last_step(&self) -> u32 {
        SHARE_STEPS - u32::from(self.linux.is_some())
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

fn try_split(
    test: &Backtest,
    accesses: &[u32],
    ranking: &Ranking,
    scored_from: usize,
    step: u32,
) -> Split {
    let set = select(&test.values, ranking, test.budget(step));
    Split {
        step,
        mean_us: scan::mean_us(test, accesses, &set, scored_from),
        moved_pages: set
            .new_beside(&test.previous)
            .map(|object| test.values.pages(object))
            .sum(),
        set,
    }
}

/// Whether `new` is better than `old`: a shorter response, or as short with less to move.
fn better(new: &Split, old: &Split) -> bool {
    let slack = TIE * old.mean_us;
    new.mean_us < old.mean_us - slack
        || (new.mean_us <= old.mean_us + slack && new.moved_pages < old.moved_pages)
}

/// Every split of memory between objects of `ranking` and the page cache, scored on `accesses` from `scored_from` on;
/// the best, and the one that holds nothing.
fn best_split(
    test: &Backtest,
    accesses: &[u32],
    ranking: &Ranking,
    scored_from: usize,
) -> (Split, f64) {
    let splits = (1..=test.last_step()).into_par_iter();
    let splits: Vec<Split> = splits
        .map(|step| try_split(test, accesses, ranking, scored_from, step))
        .collect();
    let nothing = try_split(test, accesses, ranking, scored_from, 0);
    let nothing_us = nothing.mean_us;
    let best = splits.into_iter().fold(
        nothing,
        |best, split| if better(&split, &best) { split } else { best },
    );
    (best, nothing_us)
}

/// The split, and how it did, chosen inside the training part: its first 70 % rank, the rest scores. Choosing on
/// the accesses that ranked would always hold too much.
pub(super) fn validated_step(test: &Backtest) -> (u32, Validation) {
    let training = test.training_accesses();
    let inner = part_of(training.len(), INNER_SHARE);
    let ranking = test.ranking(&training[..inner]);
    let (best, page_cache_mean_us) = best_split(test, training, &ranking, inner);
    (
        best.step,
        Validation {
            page_cache_mean_us,
            plan_mean_us: best.mean_us,
        },
    )
}

/// The best set among objects that the training part has seen, chosen knowing the held-out part: the ceiling of what
/// any ranking could reach with the same splits.
pub(super) fn clairvoyant_set(test: &Backtest) -> HeldSet {
    let accesses = test.workload.accesses;
    let known = test.counts(test.training_accesses());
    let ranking = test.ranking(&accesses[test.training..]);
    let ranking = ranking.filtered(|object| known[object as usize] > 0);
    best_split(test, accesses, &ranking, test.training).0.set
}
