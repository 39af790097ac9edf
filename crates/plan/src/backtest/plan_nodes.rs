//! A plan from a workload.

use hotset_outcome::Bootstrap;
use hotset_scenario::Reason;
use rayon::prelude::*;

use super::alone::Alone;
use super::arms::{Arms, HeldOut};
use super::choice::{Choice, share_of_all};
use super::closed_loop::{ClosedLoop, asked_in_turn, shifts};
use super::curve::{Point, curve};
use super::curve_point::CurvePoint;
use super::curve_shape::knee_memory_bytes;
use super::memory_use::{GroupSize, Held, Lever};
use super::nodes::{Node, Nodes, deal};
use super::options::PlanOptions;
use super::plan::{HeldObject, NodePlan, Plan, SitePlan, Timings, TotalPlan};
use super::score::ArmRun;
use super::share::Validation;
use super::starving::unstarved;
use super::targets;
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
/// Options of nodes may differ in memory and in what is held until now; the others are those of the first node.
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
    let asked = asked_point(&tests, &choices, &scores.total);
    let curve = timings.time("curve", || curve(&tests, asked, options))?;
    let given_up = give_up_loss(&mut choices, options, &scores.total);
    let floor = |node: &PlanOptions| node.page_cache.floor_bytes(node.memory_bytes);
    let page_cache_floor_bytes = nodes.iter().map(floor).sum();
    let nodes = node_plans(&choices, nodes, scores.nodes);
    let bounds = choices.iter().map(Choice::bound);
    Ok(Plan {
        memory_bytes: tests.memory_bytes,
        objective: options.objective,
        lever: Lever::of_all(choices.iter().map(|choice| choice.lever)),
        held: nodes
            .iter()
            .map(|node| node.held)
            .fold(Held::default(), Held::and),
        given_up,
        rejected: choices.iter().find_map(|choice| choice.rejected.clone()),
        page_cache_bytes: nodes.iter().map(|node| node.page_cache_bytes).sum(),
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

/// Each site if clients wait, by its scores `held_out`; nothing where no site's share would change by much, or several nodes
/// share the traffic.
fn closed_loop(
    choices: &[Choice],
    held_out: &[HeldOut],
) -> Result<Option<Vec<ClosedLoop>>, PlanError> {
    let means = |site: &HeldOut| (site.accesses, site.page_cache.mean_us, site.plan.mean_us);
    let sites: Vec<_> = held_out.iter().map(means).collect();
    match choices {
        [choice] if shifts(&sites) => {
            let alone_us: Vec<f64> = sites.iter().map(|site| site.1).collect();
            let (test, layout) = (choice.test, &choice.layout);
            let caches = layout.caches(test)?;
            let sites = asked_in_turn(test, layout.set(), &alone_us, caches);
            test.go_on()?;
            Ok(Some(sites))
        }
        _ => Ok(None),
    }
}

/// Gives the plan of all nodes up if it does no better than what remains without it; what it would have held.
fn give_up_loss(choices: &mut [Choice], options: &PlanOptions, scores: &HeldOut) -> Option<Held> {
    let held = choices
        .iter()
        .map(Choice::held)
        .fold(Held::default(), Held::and);
    if !options.give_up_losses || !options.targets_first().is_empty() || scores.plan_pays() {
        return None;
    }
    let has_groups = choices.iter().any(|choice| choice.lever != Lever::Files);
    choices.iter_mut().for_each(Choice::give_up);
    let kept = choices
        .iter()
        .map(Choice::held)
        .fold(Held::default(), Held::and);
    (kept != held || has_groups).then_some(held)
}

/// Each node's choice, beside the page cache alone.
fn choose<'a>(tests: &'a Nodes<'a>) -> Result<(Vec<Choice<'a>>, Vec<Alone<'a>>), PlanError> {
    let choose = |node: &'a Node<'a>| {
        let alone = Alone::of(&node.test, ArmRun::new(&node.test));
        Ok((Choice::of(node, &alone, None, unstarved)?, alone))
    };
    tests.iter().map(choose).collect()
}

/// Each node's ways of using its memory.
fn run_arms(
    choices: &[Choice],
    alone: Vec<Alone>,
    options: &PlanOptions,
) -> Result<Vec<Arms>, PlanError> {
    let nodes = choices.iter().zip(alone);
    nodes
        .map(|(choice, alone)| Arms::run(choice, alone, options.renewal))
        .collect()
}

/// The point of the curve that was planned for.
fn asked_point(tests: &Nodes, choices: &[Choice], total: &HeldOut) -> Point {
    Point {
        steps: choices.iter().map(|choice| choice.step).collect(),
        scores: CurvePoint {
            memory_bytes: tests.memory_bytes,
            share: share_of_all(choices),
            page_cache: total.page_cache.clone(),
            plan: total.plan.clone(),
            setbacks: Vec::new(),
            validated: Validation::of_all(choices),
        },
    }
}

/// How the nodes did on their held-out accesses, each and together.
struct Scores {
    nodes: Vec<HeldOut>,
    together: Arms,
    sites: Vec<HeldOut>,
    total: HeldOut,
}

impl Scores {
    fn of(runs: Vec<Arms>, sites: usize, bootstrap: &Bootstrap) -> Result<Self, PlanError> {
        let nodes: Vec<HeldOut> = runs.iter().map(|arms| arms.total(bootstrap)).collect();
        let together = runs.into_iter().reduce(Arms::and);
        let together = together.ok_or(PlanError::NoNode)?;
        let sites = (0..sites).into_par_iter();
        Ok(Self {
            sites: sites.map(|site| together.site(site, bootstrap)).collect(),
            total: match nodes.as_slice() {
                [only] => only.clone(),
                _ => together.total(bootstrap),
            },
            nodes,
            together,
        })
    }
}

fn node_plans(
    choices: &[Choice],
    options: &[PlanOptions],
    held_out: Vec<HeldOut>,
) -> Vec<NodePlan> {
    let plan = |((choice, options), held_out): ((&Choice, &PlanOptions), HeldOut)| NodePlan {
        memory_bytes: options.memory_bytes,
        held: choice.held(),
        page_cache_bytes: choice.page_cache_bytes(),
        share: choice.share(),
        training_accesses: choice.test.training as u64,
        held_out,
        groups: group_sizes(choice),
        objects: held_objects(choice),
    };
    choices
        .iter()
        .zip(options)
        .zip(held_out)
        .map(plan)
        .collect()
}

fn site_plans(
    choices: &[Choice],
    names: &[String],
    options: &PlanOptions,
    closed_loop: Option<Vec<ClosedLoop>>,
    held_out: Vec<HeldOut>,
) -> Result<Vec<SitePlan>, PlanError> {
    let mut training_accesses = vec![0; names.len()];
    for test in choices.iter().map(|choice| choice.test) {
        let sites = test.training_accesses().iter();
        sites.for_each(|&object| training_accesses[test.values.site(object)] += 1);
    }
    let plan = |(site, (name, held_out)): (usize, (&String, HeldOut))| {
        let terms = options.terms.get(site).copied().unwrap_or_default();
        let targets = options.targets.get(site).map_or(&[][..], Vec::as_slice);
        let sizes = || choices.iter().flat_map(|choice| choice.sizes_of(site));
        let groups = choices.iter().filter_map(|choice| choice.group_size(site));
        Ok(SitePlan {
            site: name.clone(),
            weight: terms.weight,
            reservation_bytes: terms.reservation_bytes,
            training_accesses: training_accesses[site],
            held_objects: sizes().count() as u64,
            held_bytes: sizes().sum(),
            group: groups
                .reduce(GroupSize::and)
                .filter(|group| group.memory_bytes > 0),
            targets: targets::results(choices, site, targets, &held_out)?,
            closed_loop: closed_loop.as_ref().map(|sites| sites[site]),
            held_out,
        })
    };
    names.iter().zip(held_out).enumerate().map(plan).collect()
}

fn group_sizes(choice: &Choice) -> Vec<GroupSize> {
    let sites = 0..choice.test.workload.files.sites.len();
    sites.filter_map(|site| choice.group_size(site)).collect()
}

/// Held objects with the training part's figures.
fn held_objects(choice: &Choice) -> Vec<HeldObject> {
    let test = choice.test;
    let counts = test.counts(test.training_accesses());
    let hours = test.workload.hours(0..test.training);
    let held = |&object: &u32| {
        let (requests, size_bytes) = (counts[object as usize], test.size(object));
        let saved_us = test.values.saved_us(object) / test.values.weight(object);
        let reason = Reason {
            requests_per_hour: hours.map(|hours| f64::from(requests) / hours),
            requests: u64::from(requests),
            size_bytes,
            saved_us_per_byte: f64::from(requests) * saved_us / size_bytes.max(1) as f64,
        };
        HeldObject { object, reason }
    };
    choice.layout.set().objects().iter().map(held).collect()
}
