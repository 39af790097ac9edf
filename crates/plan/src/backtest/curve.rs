//! Gain against memory, and memory against gain.

use hotset_cache::PAGE_BYTES;
use rayon::prelude::*;
use serde::Serialize;

use super::nodes::{self, Nodes, deal};
use super::options::PlanOptions;
use super::prepare::{Backtest, SHARE_STEPS};
use super::score::{ArmRun, ArmScore};
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
    /// Memory for file data of all nodes together, in bytes.
    pub memory_bytes: u64,
    /// Share of it given to held files at most.
    pub share: f64,
    /// Page cache alone on the held-out accesses of all sites.
    pub page_cache: ArmScore,
    /// The plan on the same.
    pub plan: ArmScore,
}

/// The plans made and scored for `nodes`.
fn point(nodes: &Nodes, options: &PlanOptions) -> Result<CurvePoint, PlanError> {
    let runs: Vec<NodeRun> = nodes.iter().map(NodeRun::of).collect();
    let shares = runs.iter().map(|run| (run.share, run.memory_pages as f64));
    let share = nodes::weighted_mean(shares);
    let run = runs.into_iter().reduce(NodeRun::and);
    let run = run.ok_or(PlanError::NoNode)?;
    Ok(CurvePoint {
        memory_bytes: nodes.memory_bytes,
        share,
        plan: run
            .plan
            .total_score(Some(&run.page_cache), &options.bootstrap()),
        page_cache: run.page_cache.total_score(None, &options.bootstrap()),
    })
}

/// A node's plan and its page cache alone on the held-out accesses.
struct NodeRun {
    memory_pages: u64,
    share: f64,
    page_cache: ArmRun,
    plan: ArmRun,
}

impl NodeRun {
    fn of(test: &Backtest) -> Self {
        let (step, _) = share::validated_step(test);
        let ranking = test.ranking(test.training_accesses());
        let set = share::trained_set(test, &ranking, step);
        Self {
            memory_pages: test.memory_pages,
            share: f64::from(step) / f64::from(SHARE_STEPS),
            page_cache: arms::held(test, &HeldSet::empty(test.objects())),
            plan: arms::held(test, &set),
        }
    }

    /// With the run of another node that is asked in turn with this one.
    fn and(self, other: Self) -> Self {
        Self {
            page_cache: self.page_cache.and(other.page_cache),
            plan: self.plan.and(other.plan),
            ..self
        }
    }
}

/// `points` memories in pages, logarithmic from the part `smallest` of all objects up to all of them.
fn spread(nodes: &Nodes, points: usize, smallest: f64) -> impl Iterator<Item = u64> + use<> {
    let all = nodes.object_pages() as f64;
    let last = points.saturating_sub(1).max(1) as f64;
    let part = move |index: usize| smallest.powf(1.0 - index as f64 / last);
    (0..points).map(move |index| ((all * part(index)).ceil() as u64).max(1))
}

/// Plans at these memories, each once, ascending.
fn points(
    nodes: &Nodes,
    memories: impl Iterator<Item = u64>,
    options: &PlanOptions,
) -> Result<Vec<CurvePoint>, PlanError> {
    let mut memories: Vec<u64> = memories.collect();
    memories.sort_unstable();
    memories.dedup();
    let points = memories
        .into_par_iter()
        .map(|pages| point(&nodes.with_memory(pages), options));
    let mut points = points.collect::<Result<Vec<CurvePoint>, _>>()?;
    // What each node has beyond whole pages may come to a page together.
    points.sort_by_key(|point| point.memory_bytes);
    Ok(points)
}

/// The curve of `nodes`, nothing when no points are asked for.
pub(super) fn curve(nodes: &Nodes, options: &PlanOptions) -> Result<Vec<CurvePoint>, PlanError> {
    if options.curve_points == 0 {
        return Ok(Vec::new());
    }
    let memories = spread(nodes, options.curve_points, SMALLEST_PART);
    points(nodes, memories.chain([nodes.memory_pages()]), options)
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

/// The least memory of all nodes together, within 1 %, at which their plans gain as much as `gain` over the page cache
/// alone on the held-out accesses (1 - mean response / its mean response), with what they do there; nothing when no memory
/// tried does. [`PlanOptions::memory_bytes`] says only how the memory is divided among several nodes.
///
/// Some thirty memories from a thousandth of all objects up bracket the answer, bisection narrows it. Gain need not
/// grow with memory (where everything fits there is none), so the answer is the first crossing that they show; a
/// narrower peak between two of them can be missed.
///
/// # Errors
/// As [`crate::plan_nodes`], and a gain that is not between 0 and 1.
pub fn memory_for_gain(
    workload: &Workload,
    costs: &dyn CostModel,
    nodes: &[PlanOptions],
    gain: f64,
) -> Result<Option<CurvePoint>, PlanError> {
    check_gain(gain)?;
    let options = nodes.first().ok_or(PlanError::NoNode)?;
    let dealt = deal(workload, nodes.len());
    let nodes = Nodes::prepare(&dealt, costs, nodes)?;
    let memories = spread(&nodes, SEARCH_POINTS, SEARCH_SMALLEST_PART);
    let curve = points(&nodes, memories, options)?;
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
        let tried = point(&nodes.with_memory(middle), options)?;
        if reaches(&tried, gain) {
            (high, best) = (middle, tried);
        } else {
            low = middle;
        }
    }
    Ok(Some(best))
}
