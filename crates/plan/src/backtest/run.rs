//! A plan from a workload.

use super::candidates::choice::{Choice, Validation, share_of_all};
use super::candidates::memory_use::{HeldAmount, Lever};
use super::candidates::starvation::unstarved;
use super::findings::curve::{Point, curve};
use super::findings::curve_shape::knee_memory_bytes;
use super::findings::parts::{node_plans, site_plans};
use super::findings::plan::{Plan, Timings, TotalPlan};
use super::findings::traffic_shift::closed_loop;
use super::findings::writer_effect::{WriterEffect, writer_effects};
use super::nodes::{Node, Nodes, deal};
use super::options::PlanOptions;
use super::scoring::arms::{Arms, HeldOutScores, Scores};
use super::scoring::page_cache_alone::PageCacheAlone;
use super::scoring::score::ArmRun;
use super::workload::Workload;
use crate::PlanError;
use crate::select::Bound;
use crate::value::ProfileCosts;

/// Plans which objects to hold, and scores the plan on accesses that it has not seen.
///
/// # Errors
/// A workload without accesses or with columns that do not fit together, options out of range.
pub fn plan(
    workload: &Workload,
    costs: &ProfileCosts,
    options: &PlanOptions,
) -> Result<Plan, PlanError> {
    plan_nodes(workload, costs, std::slice::from_ref(options))
}

/// As [`plan`], for nodes that are asked in turn: the first access goes to the first node, the next to the second. nginx
/// deals requests to the servers of an `upstream` in this way unless told otherwise. Each node's plan is made from its
/// own accesses for its own memory.
///
/// Options of nodes may differ in memory, in what is held until now and in programs that write; the others are those of the first node.
///
/// # Errors
/// As [`plan`]; no node, or more nodes than accesses; [`PlanOptions::stop`] was asked.
pub fn plan_nodes(
    workload: &Workload,
    costs: &ProfileCosts,
    nodes: &[PlanOptions],
) -> Result<Plan, PlanError> {
    let mut timings = Timings::default();
    let options = nodes.first().ok_or(PlanError::NoNode)?;
    let dealt = deal(workload, nodes.len());
    let tests = timings.time("prepare", || Nodes::prepare(&dealt, costs, nodes))?;
    let (mut choices, alone) = timings.time("split", || choose(&tests))?;
    let arms = timings.time("arms", || run_arms(&choices, alone, options))?;
    let names = workload.files.sites;
    let scores = timings.time("intervals", || {
        Scores::of(arms, names.len(), &options.bootstrap())
    })?;
    let closed_loop = timings.time("closed loop", || closed_loop(&choices, &scores.sites))?;
    let asked = Point::asked(&tests, &choices, &scores.total);
    let curve = timings.time("curve", || curve(&tests, &choices, asked, options))?;
    let writers = writers(&tests, &mut timings)?;
    let given_up = give_up_loss(&mut choices, options, &scores.total);
    let floor = |node: &PlanOptions| node.page_cache.floor_bytes(node.memory_bytes);
    let page_cache_floor_bytes = nodes.iter().map(floor).fold(0, u64::saturating_add);
    let nodes = node_plans(&choices, nodes, scores.nodes, writers);
    let bounds = choices.iter().map(Choice::bound);
    Ok(Plan {
        memory_bytes: tests.memory_bytes,
        objective: options.objective,
        lever: Lever::of_all(choices.iter().map(|choice| choice.lever)),
        held: HeldAmount::of_all(nodes.iter().map(|node| node.held)),
        given_up,
        rejected: choices.iter().find_map(|choice| choice.rejected.clone()),
        page_cache_bytes: (nodes.iter())
            .fold(0, |sum, node| node.page_cache_bytes.saturating_add(sum)),
        page_cache_floor_bytes,
        share: share_of_all(&choices),
        validated: Validation::of_all(&choices),
        bound: bounds.reduce(Bound::and).ok_or(PlanError::NoNode)?,
        training_accesses: nodes.iter().map(|node| node.training_accesses).sum(),
        moved_bytes: choices.iter().map(Choice::moved_bytes).sum(),
        seed: options.seed,
        sites: site_plans(&choices, names, options, closed_loop, scores.sites)?,
        total: TotalPlan {
            held_out: scores.total,
        },
        reversals: scores.together.reversals(),
        knee_memory_bytes: knee_memory_bytes(&curve),
        curve,
        outcomes: scores
            .together
            .outcomes(names, tests.memory_bytes, options.seed),
        nodes,
        timings,
    })
}

/// What the programs do that write beside each node's server.
fn writers(tests: &Nodes, timings: &mut Timings) -> Result<Vec<Vec<WriterEffect>>, PlanError> {
    let has_writers = tests.iter().any(|node| node.test.writers.is_some());
    let effects = || {
        let nodes = tests.iter().map(|node| writer_effects(&node.test));
        nodes.collect::<Result<Vec<_>, PlanError>>()
    };
    match has_writers {
        true => timings.time("writers", effects),
        false => effects(),
    }
}

/// Gives the plan of all nodes up if it does no better than what remains without it; what it would have held.
fn give_up_loss(
    choices: &mut [Choice],
    options: &PlanOptions,
    scores: &HeldOutScores,
) -> Option<HeldAmount> {
    let held = HeldAmount::of_all(choices.iter().map(Choice::held));
    if !options.give_up_losses || !options.targets_first().is_empty() || scores.plan_pays() {
        return None;
    }
    let has_groups = choices.iter().any(|choice| choice.lever != Lever::Files);
    choices.iter_mut().for_each(Choice::give_up);
    let kept = HeldAmount::of_all(choices.iter().map(Choice::held));
    (kept != held || has_groups).then_some(held)
}

/// Each node's choice, beside the page cache alone.
fn choose<'a>(
    tests: &'a Nodes<'a>,
) -> Result<(Vec<Choice<'a>>, Vec<PageCacheAlone<'a>>), PlanError> {
    let choose = |node: &'a Node<'a>| {
        let alone = PageCacheAlone::of(&node.test, ArmRun::new(&node.test));
        Ok((
            Choice::of(node, &alone.validated.judgement(), None, unstarved)?,
            alone,
        ))
    };
    tests.iter().map(choose).collect()
}

/// Each node's ways of using its memory.
fn run_arms(
    choices: &[Choice],
    alone: Vec<PageCacheAlone>,
    options: &PlanOptions,
) -> Result<Vec<Arms>, PlanError> {
    let nodes = choices.iter().zip(alone);
    nodes
        .map(|(choice, alone)| Arms::run(choice, alone, options.renewal))
        .collect()
}
