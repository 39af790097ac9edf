//! Gain against memory, and memory against gain.

use hotset_cache::PAGE_BYTES;
use rayon::prelude::*;
use serde::Serialize;

use super::options::PlanOptions;
use super::prepare::{Backtest, SHARE_STEPS};
use super::score::ArmScore;
use super::workload::Workload;
use super::{arms, share};
use crate::PlanError;
use crate::select::HeldSet;
use crate::value::CostModel;

/// The smallest memory of a curve beside the asked one, as a part of all objects' pages.
const SMALLEST_PART: f64 = 0.01;

/// Memories tried in search of a gain, a quarter apart, and the smallest of them as a part of all objects' pages.
const SEARCH_POINTS: usize = 32;
const SEARCH_SMALLEST_PART: f64 = 0.001;

/// The plan at one amount of memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// Memory for file data, in bytes.
    pub memory_bytes: u64,
    /// Share of it given to held files at most.
    pub share: f64,
    /// Page cache alone on the held-out accesses of all sites.
    pub page_cache: ArmScore,
    /// The plan on the same.
    pub plan: ArmScore,
}

/// The plan made and scored for `test`.
fn point(test: &Backtest, options: &PlanOptions) -> CurvePoint {
    let (step, _) = share::validated_step(test);
    let ranking = test.ranking(test.training_accesses());
    let set = share::trained_set(test, &ranking, step);
    let page_cache = arms::held(test, &HeldSet::empty(test.objects()));
    let plan = arms::held(test, &set);
    // The asked memory need not be whole pages, and readers look for that very number.
    let asked = test.memory_pages == options.memory_bytes / PAGE_BYTES;
    CurvePoint {
        memory_bytes: if asked {
            options.memory_bytes
        } else {
            test.memory_pages * PAGE_BYTES
        },
        share: f64::from(step) / f64::from(SHARE_STEPS),
        plan: plan.total_score(Some(&page_cache), &options.bootstrap()),
        page_cache: page_cache.total_score(None, &options.bootstrap()),
    }
}

/// `points` memories in pages, logarithmic from the part `smallest` of all objects up to all of them.
fn spread(test: &Backtest, points: usize, smallest: f64) -> impl Iterator<Item = u64> {
    let all: u64 = test.values.all_pages().iter().sum();
    let last = points.saturating_sub(1).max(1) as f64;
    let part = move |index: usize| smallest.powf(1.0 - index as f64 / last);
    (0..points).map(move |index| ((all as f64 * part(index)).ceil() as u64).max(1))
}

/// Plans at these memories, each once, ascending.
fn points(
    test: &Backtest,
    memories: impl Iterator<Item = u64>,
    options: &PlanOptions,
) -> Vec<CurvePoint> {
    let mut memories: Vec<u64> = memories.collect();
    memories.sort_unstable();
    memories.dedup();
    memories
        .into_par_iter()
        .map(|pages| point(&test.with_memory(pages), options))
        .collect()
}

/// The curve of `test`, nothing when no points are asked for.
pub(super) fn curve(test: &Backtest, options: &PlanOptions) -> Vec<CurvePoint> {
    if options.curve_points == 0 {
        return Vec::new();
    }
    let memories = spread(test, options.curve_points, SMALLEST_PART);
    points(test, memories.chain([test.memory_pages]), options)
}

/// Whether the plan gains as much at `point`.
fn reaches(point: &CurvePoint, gain: f64) -> bool {
    point.plan.gain.is_some_and(|reached| reached >= gain)
}

fn check_gain(gain: f64) -> Result<(), PlanError> {
    if gain > 0.0 && gain < 1.0 {
        Ok(())
    } else {
        Err(PlanError::Option {
            option: "gain",
            value: gain,
            range: "above 0 and below 1",
        })
    }
}

/// The least memory, within 1 %, at which the plan gains as much as `gain` over the page cache alone on the held-out
/// accesses (1 - mean response / its mean response), with what it does there; nothing when no memory tried does. [`PlanOptions::memory_bytes`] has no say.
///
/// Some thirty memories from a thousandth of all objects up bracket the answer, bisection narrows it. Gain need not
/// grow with memory (where everything fits there is none), so the answer is the first crossing that they show; a
/// narrower peak between two of them can be missed.
///
/// # Errors
/// As [`crate::plan`], and a gain that is not between 0 and 1.
pub fn memory_for_gain(
    workload: &Workload,
    costs: &dyn CostModel,
    options: &PlanOptions,
    gain: f64,
) -> Result<Option<CurvePoint>, PlanError> {
    check_gain(gain)?;
    let test = Backtest::prepare(workload, costs, options)?;
    let memories = spread(&test, SEARCH_POINTS, SEARCH_SMALLEST_PART);
    let curve = points(&test, memories, options);
    let Some(first) = curve.iter().position(|point| reaches(point, gain)) else {
        return Ok(None);
    };
    let mut low = if first == 0 {
        0
    } else {
        curve[first - 1].memory_bytes / PAGE_BYTES
    };
    let mut best = curve[first].clone();
    let mut high = best.memory_bytes / PAGE_BYTES;
    // Stops at 1 %, or at neighbouring pages.
    while high - low > (high / 100).max(1) {
        let middle = low + (high - low) / 2;
        let tried = point(&test.with_memory(middle), options);
        if reaches(&tried, gain) {
            (high, best) = (middle, tried);
        } else {
            low = middle;
        }
    }
    Ok(Some(best))
}
