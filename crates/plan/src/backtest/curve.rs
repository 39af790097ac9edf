//! Gain against memory, and memory against gain.

use hotset_cache::PAGE_BYTES;
use rayon::prelude::*;
use serde::Serialize;

use super::arms;
use super::choice::{Choice, share_of_all};
use super::curve_shape::{Setback, note_setbacks};
use super::nodes::{Nodes, deal};
use super::options::{PlanOptions, check_share};
use super::score::{ArmRun, ArmScore};
use super::share::Validation;
use super::workload::Workload;
use crate::PlanError;
use crate::select::HeldSet;
use crate::value::ProfileCosts;

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
    /// What is worse here than with less memory.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setbacks: Vec<Setback>,
    /// What validation inside the training part says of the plan.
    #[serde(skip)]
    pub validated: Validation,
}

/// The plans made and scored for `nodes`.
fn point(nodes: &Nodes, options: &PlanOptions) -> Result<CurvePoint, PlanError> {
    let choices: Vec<Choice> = nodes.iter().map(Choice::of).collect();
    let run = |held: fn(&Choice) -> ArmRun| {
        let runs = choices.iter().map(held);
        runs.reduce(ArmRun::and).ok_or(PlanError::NoNode)
    };
    let page_cache = run(|node| {
        let nothing = HeldSet::empty(node.test.objects());
        arms::held(node.test, &nothing, ArmRun::new(node.test))
    })?;
    let plan = run(|node| arms::held(node.test, &node.set, ArmRun::new(node.test)))?;
    let bootstrap = options.bootstrap();
    Ok(CurvePoint {
        memory_bytes: nodes.memory_bytes,
        share: share_of_all(&choices),
        setbacks: Vec::new(),
        validated: Validation::of_all(&choices),
        plan: plan.total_score(Some(&page_cache), &bootstrap),
        page_cache: page_cache.total_score(None, &bootstrap),
    })
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
    let mut curve = points(nodes, memories.chain([nodes.memory_pages()]), options)?;
    note_setbacks(&mut curve);
    Ok(curve)
}

/// Whether the plan gains as much at `point`.
fn reaches(point: &CurvePoint, gain: f64) -> bool {
    let reached = point.plan.weighted_gain;
    reached.is_some_and(|reached| reached >= gain)
}

/// The least memory of all nodes together, within 1 %, at which their plans gain as much as `gain` over the page cache
/// alone on the held-out accesses (1 - weighted mean response / its weighted mean response), with what they do there; nothing
/// when no memory tried does. [`PlanOptions::memory_bytes`] says only how the memory is divided among several nodes.
///
/// Some thirty memories from a thousandth of all objects up bracket the answer, bisection narrows it. Gain need not
/// grow with memory (where everything fits there is none), so the answer is the first crossing that they show; a
/// narrower peak between two of them can be missed.
///
/// # Errors
/// As [`crate::plan_nodes`], and a gain that is not between 0 and 1.
pub fn memory_for_gain(
    workload: &Workload,
    costs: &ProfileCosts,
    nodes: &[PlanOptions],
    gain: f64,
) -> Result<Option<CurvePoint>, PlanError> {
    check_share("gain", gain)?;
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
