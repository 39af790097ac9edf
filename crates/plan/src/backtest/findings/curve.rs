//! Gain against memory, and memory against gain.

use hotset_cache::PAGE_BYTES;

use super::curve_point::CurvePoint;
use super::curve_shape::note_setbacks;
use super::estimate::{KnownArm, KnownPoint, SampledPoint};
use crate::PlanError;
use crate::backtest::candidates::choice::Validation;
use crate::backtest::candidates::choice::{Choice, share_of_all};
use crate::backtest::candidates::starvation::by_objective;
use crate::backtest::nodes::{Nodes, deal};
use crate::backtest::options::{PlanOptions, check_share};
use crate::backtest::prepare::Backtest;
use crate::backtest::scoring::arm::Arm;
use crate::backtest::scoring::arms::{self, HeldOutScores};
use crate::backtest::scoring::page_cache_alone::PageCacheAlone;
use crate::backtest::scoring::score::{ArmRun, ArmScore, Tally, of_nodes};
use crate::backtest::workload::Workload;
use crate::value::ProfileCosts;

/// The smallest memory of a curve beside the asked one, as a part of all objects' pages.
const SMALLEST_PART: f64 = 0.01;

/// Memories tried in search of a gain, a quarter apart, and the smallest of them as a part of all objects' pages.
const SEARCH_POINTS: usize = 32;
const SEARCH_SMALLEST_PART: f64 = 0.001;

/// A point, and the split that each node chose there.
pub(crate) struct Point {
    pub steps: Vec<u32>,
    pub scores: CurvePoint,
}

impl Point {
    fn new(
        nodes: &Nodes,
        choices: &[Choice],
        (page_cache, plan): (ArmScore, ArmScore),
        sampled: Option<SampledPoint>,
    ) -> Self {
        Self {
            steps: choices.iter().map(|choice| choice.step).collect(),
            scores: CurvePoint {
                memory_bytes: nodes.memory_bytes,
                share: share_of_all(choices),
                page_cache,
                plan,
                setbacks: Vec::new(),
                sampled,
                validated: Validation::of_all(choices),
            },
        }
    }

    /// The point of the curve that was planned for.
    pub fn asked(nodes: &Nodes, choices: &[Choice], total: &HeldOutScores) -> Self {
        let (page_cache, plan) = (&total[Arm::PageCache], &total[Arm::Plan]);
        Self::new(nodes, choices, (page_cache.clone(), plan.clone()), None)
    }

    /// The plans made and scored for `nodes`; `near` is a point of a memory that is not much different. Where stretches of the accesses
    /// are scored, `known` is what they come to with the memory that was asked for.
    fn of(
        nodes: &Nodes,
        near: Option<&Point>,
        options: &PlanOptions,
        known: Option<&KnownPoint>,
    ) -> Result<Self, PlanError> {
        let near = |node: usize| near.and_then(|point| point.steps.get(node).copied());
        let (mut choices, mut alone, mut plan) = (Vec::new(), Vec::new(), Vec::new());
        for (index, node) in nodes.iter().enumerate() {
            let test = &node.test;
            let beside = PageCacheAlone::of(test, ArmRun::of_total(test));
            test.go_on()?;
            let choice = Choice::of(
                node,
                &beside.validated.judgement(),
                near(index),
                by_objective,
            )?;
            plan.push(planned(&choice, test)?);
            alone.push(beside.runs);
            choices.push(choice);
        }
        let (page_cache, plan) = (of_nodes(alone), of_nodes(plan));
        if let Some(known) = known {
            let (page_cache, plan, sampled) =
                known.estimate(&tallies(&page_cache), &tallies(&plan));
            return Ok(Self::new(
                nodes,
                &choices,
                (page_cache, plan),
                Some(sampled),
            ));
        }
        let whole = |runs: Vec<ArmRun>| runs.into_iter().next().ok_or(PlanError::NoNode);
        let (page_cache, plan) = (whole(page_cache)?, whole(plan)?);
        let bootstrap = options.bootstrap();
        let plan = plan.total_score(Some(&page_cache), &bootstrap);
        let page_cache = page_cache.total_score(None, &bootstrap);
        Ok(Self::new(nodes, &choices, (page_cache, plan), None))
    }
}

/// What `choice` comes to on the accesses of `test` that are scored.
fn planned(choice: &Choice, test: &Backtest) -> Result<Vec<ArmRun>, PlanError> {
    arms::laid_out_runs(test, &choice.layout, ArmRun::of_total(test))
}

fn tallies(runs: &[ArmRun]) -> Vec<Tally> {
    runs.iter().map(ArmRun::tally).collect()
}

/// What the choices of `nodes`, of whose accesses stretches are scored, come to on these; `asked` is what they come to on all accesses.
fn known_of(
    nodes: &Nodes,
    choices: &[Choice],
    asked: &CurvePoint,
) -> Result<KnownPoint, PlanError> {
    let tests = || nodes.iter().map(|node| &node.test);
    let alone = tests().map(|test| PageCacheAlone::of(test, ArmRun::of_total(test)).runs);
    let plan = choices.iter().zip(tests());
    let plan = plan.map(|(choice, test)| planned(choice, test));
    let plan = plan.collect::<Result<Vec<_>, _>>()?;
    let arm = |runs, score: &ArmScore| KnownArm {
        stretches: tallies(&of_nodes(runs)),
        score: score.clone(),
    };
    Ok(KnownPoint {
        page_cache: arm(alone.collect(), &asked.page_cache),
        plan: arm(plan, &asked.plan),
    })
}

/// `points` memories in pages, logarithmic from the part `smallest` of all objects up to all of them.
fn spread(nodes: &Nodes, points: usize, smallest: f64) -> impl Iterator<Item = u64> + use<> {
    let all = nodes.object_pages() as f64;
    let last = points.saturating_sub(1).max(1) as f64;
    let part = move |index: usize| smallest.powf(1.0 - index as f64 / last);
    (0..points).map(move |index| ((all * part(index)).ceil() as u64).max(1))
}

/// Plans at these memories, in their order, each near the one before it; the first near `start`.
fn chain(
    nodes: &Nodes,
    memories: impl Iterator<Item = u64>,
    start: Option<&Point>,
    options: &PlanOptions,
    known: Option<&KnownPoint>,
) -> Result<Vec<Point>, PlanError> {
    let mut points: Vec<Point> = Vec::new();
    for pages in memories {
        let near = points.last().or(start);
        let point = Point::of(&nodes.with_memory(pages), near, options, known)?;
        points.push(point);
    }
    Ok(points)
}

/// Plans at these memories, each once, and the point `start` of `middle` pages, ascending. They are made from `start` up and
/// down, so that each split is searched for from its neighbour's.
fn points(
    nodes: &Nodes,
    memories: impl Iterator<Item = u64>,
    (middle, start): (u64, Point),
    options: &PlanOptions,
    known: Option<&KnownPoint>,
) -> Result<Vec<Point>, PlanError> {
    let mut memories: Vec<u64> = memories.filter(|&pages| pages != middle).collect();
    memories.sort_unstable();
    memories.dedup();
    let (below, above) = memories.split_at(memories.partition_point(|&pages| pages < middle));
    let (below, above) = (below.iter().rev().copied(), above.iter().copied());
    let (below, above) = rayon::join(
        || chain(nodes, below, Some(&start), options, known),
        || chain(nodes, above, Some(&start), options, known),
    );
    let mut points = below?;
    points.push(start);
    points.extend(above?);
    // What each node has beyond whole pages may come to a page together.
    points.sort_by_key(|point| point.scores.memory_bytes);
    Ok(points)
}

/// The curve of `nodes` with the point that was `asked` for, of these choices; nothing when no points are asked for.
pub(crate) fn curve(
    nodes: &Nodes,
    choices: &[Choice],
    asked: Point,
    options: &PlanOptions,
) -> Result<Vec<CurvePoint>, PlanError> {
    if options.curve_points == 0 {
        return Ok(Vec::new());
    }
    let memories = spread(nodes, options.curve_points, SMALLEST_PART);
    let sampled = nodes.sampled(options);
    let known = sampled.as_ref();
    let known = known.map(|sampled| known_of(sampled, choices, &asked.scores));
    let known = known.transpose()?;
    let asked = (nodes.memory_pages(), asked);
    let scored = sampled.as_ref().unwrap_or(nodes);
    let points = points(scored, memories, asked, options, known.as_ref())?;
    let mut curve: Vec<CurvePoint> = points.into_iter().map(|point| point.scores).collect();
    if known.is_none() {
        note_setbacks(&mut curve);
    }
    Ok(curve)
}

/// Whether the plan gains as much at `point`.
fn has_gain(point: &Point, gain: f64) -> bool {
    let reached = point.scores.plan.weighted_gain;
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
    let memories: Vec<u64> = spread(&nodes, SEARCH_POINTS, SEARCH_SMALLEST_PART).collect();
    let middle = memories[SEARCH_POINTS / 2];
    let start = Point::of(&nodes.with_memory(middle), None, options, None)?;
    let mut curve = points(&nodes, memories.into_iter(), (middle, start), options, None)?;
    let Some(first) = curve.iter().position(|point| has_gain(point, gain)) else {
        return Ok(None);
    };
    let pages = |point: &Point| point.scores.memory_bytes / PAGE_BYTES;
    let mut low = first
        .checked_sub(1)
        .map_or(0, |before| pages(&curve[before]));
    let mut best = curve.swap_remove(first);
    // Stops at 1 %, or at neighbouring pages.
    while pages(&best) - low > (pages(&best) / 100).max(1) {
        let middle = low + (pages(&best) - low) / 2;
        let halfway = Point::of(&nodes.with_memory(middle), Some(&best), options, None)?;
        if has_gain(&halfway, gain) {
            best = halfway;
        } else {
            low = middle;
        }
    }
    Ok(Some(best.scores))
}
