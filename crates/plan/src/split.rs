//! How much of the memory to hold files in, and how much to leave to the page cache.

use rayon::prelude::*;
use serde::Serialize;

use crate::problem::{Problem, part_of};
use crate::scan;
use crate::selection::{HeldSet, Ranking, select};

/// Splits tried: multiples of 5 % of memory, from holding nothing to leaving no page cache.
pub(crate) const SHARE_STEPS: u32 = 20;

/// Share of the training part that ranks when a split is validated; the rest of it scores. The same as
/// the default share of the trace that trains.
const INNER_SHARE: f64 = 0.7;

/// Means closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-12;

/// What validation inside the training part says of the chosen split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Validation {
    /// Weighted mean response with nothing held but reservations.
    pub page_cache_mean_us: f64,
    /// Weighted mean response with the chosen split.
    pub plan_mean_us: f64,
}

/// A split of memory with the set it holds and the mean response it has.
pub(crate) struct Split {
    /// Twentieths of memory to hold files in.
    pub step: u32,
    pub set: HeldSet,
    pub mean_us: f64,
    moved_pages: u64,
}

/// The last split tried. Pages under way between disk and network, and the kernel's records of pages evicted, need room
/// that is not held; [`crate::PageCacheModel::WholeFiles`] knows nothing of either.
pub(crate) fn last_step(problem: &Problem) -> u32 {
    SHARE_STEPS - u32::from(problem.linux.is_some())
}

/// Pages to hold files in at `step`.
pub(crate) fn budget(problem: &Problem, step: u32) -> u64 {
    (problem.memory_pages as f64 * (f64::from(step) / f64::from(SHARE_STEPS))) as u64
}

fn try_split(
    problem: &Problem,
    accesses: &[u32],
    ranking: &Ranking,
    scored_from: usize,
    step: u32,
) -> Split {
    let set = select(problem, ranking, budget(problem, step));
    Split {
        step,
        mean_us: scan::mean_us(problem, accesses, &set, scored_from),
        moved_pages: set.pages_to_move(problem, &problem.previous),
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
    problem: &Problem,
    accesses: &[u32],
    ranking: &Ranking,
    scored_from: usize,
) -> (Split, f64) {
    let splits = (1..=last_step(problem)).into_par_iter();
    let splits: Vec<Split> = splits
        .map(|step| try_split(problem, accesses, ranking, scored_from, step))
        .collect();
    let nothing = try_split(problem, accesses, ranking, scored_from, 0);
    let nothing_us = nothing.mean_us;
    let best = splits.into_iter().fold(
        nothing,
        |best, split| if better(&split, &best) { split } else { best },
    );
    (best, nothing_us)
}

/// The split, and how it did, chosen inside the training part: its first 70 % rank, the rest scores. Choosing on
/// the accesses that ranked would always hold too much.
pub(crate) fn validated_step(problem: &Problem) -> (u32, Validation) {
    let training = problem.training_accesses();
    let inner = part_of(training.len(), INNER_SHARE);
    let ranking = Ranking::by_counts(problem, &training[..inner]);
    let (best, page_cache_mean_us) = best_split(problem, training, &ranking, inner);
    (
        best.step,
        Validation {
            page_cache_mean_us,
            plan_mean_us: best.mean_us,
        },
    )
}

/// The set that the whole training part ranks into the share of memory at `step`.
pub(crate) fn trained_set(problem: &Problem, ranking: &Ranking, step: u32) -> HeldSet {
    select(problem, ranking, budget(problem, step))
}

/// The best set among objects that the training part has seen, chosen knowing the held-out part: the ceiling of what
/// any ranking could reach with the same splits.
pub(crate) fn clairvoyant_set(problem: &Problem) -> HeldSet {
    let accesses = problem.workload.accesses;
    let known = problem.counts(problem.training_accesses());
    let ranking = Ranking::by_counts(problem, &accesses[problem.training..]);
    let ranking = ranking.filtered(|object| known[object as usize] > 0);
    best_split(problem, accesses, &ranking, problem.training)
        .0
        .set
}
