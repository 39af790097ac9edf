//! Which backing store suits a site: a plan for each candidate, scored on the same accesses.
//!
//! "Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand" (slides,
//! "Multi file system for data-centers") chooses memory and a local file system for high temporal
//! locality, memory and a network file system for low. Here each candidate is planned for and priced.

use hotset_outcome::Interval;
use hotset_scenario::Profile;
use rayon::prelude::*;
use serde::Serialize;

use super::estimate::{Estimate, total};
use super::plan::Plan;
use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::layout::Layout;
use crate::backtest::candidates::starvation::unstarved;
use crate::backtest::nodes::{Nodes, deal};
use crate::backtest::options::PlanOptions;
use crate::backtest::prepare::Backtest;
use crate::backtest::scoring::arms::{self, pays};
use crate::backtest::scoring::page_cache_alone::PageCacheAlone;
use crate::backtest::scoring::score::{ArmRun, Tally, of_nodes};
use crate::backtest::steps::step_of;
use crate::backtest::workload::Workload;
use crate::value::{ProfileCosts, Traffic};

/// What a site's mean response would be on one store, with the plan for that store.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StoreAdvice {
    /// Name of the store's profile.
    pub store: String,
    /// Mean response with page cache alone, microseconds; null without accesses.
    pub page_cache_mean_us: f64,
    /// Mean response with the plan for this store, or with page cache alone where that plan does no better,
    /// microseconds; null without accesses.
    pub plan_mean_us: f64,
    /// Bytes of the site's files that it holds.
    pub held_bytes: u64,
    /// Set where the figures are estimated from a sample of the accesses; left out where all of them were scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledStore>,
}

/// Where the figures of a store lie that were estimated from a sample of the held-out accesses. Intervals are null where the sample has
/// too few accesses of the site to tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SampledStore {
    /// Mean response with page cache alone, microseconds.
    pub page_cache_mean_us: Option<Interval>,
    /// Mean response with the plan for this store, microseconds.
    pub plan_mean_us: Option<Interval>,
    /// Share of the mean response with page cache alone that the plan saves.
    pub gain: Option<Interval>,
}

/// Which store suits a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Advice {
    /// Name of the profile with the shortest mean response beside the plan for it; nothing without accesses.
    pub best: Option<String>,
    /// Candidates in the order given. Where they are estimated from a sample of the accesses, the shares and sizes here are its own.
    pub stores: Vec<StoreAdvice>,
    /// Share of the accesses that page cache alone serves from memory, 0 to 1; null without accesses.
    pub hit_ratio: f64,
    /// Share of the accesses that memory serves with the plan for the best store, 0 to 1; null without accesses.
    pub plan_hit_ratio: f64,
    /// Mean size of an access, bytes; null without accesses.
    pub mean_bytes: f64,
    /// Mean size of an access that memory does not serve with the plan for the best store, bytes; null without any.
    pub mean_miss_bytes: f64,
    /// Accesses an hour over the held-out part; nothing for a trace without times.
    pub requests_per_hour: Option<f64>,
}

/// Lays `candidates` beside each other for each site, in the order of the workload's. Files are held at `memory`'s cached
/// cost. Each candidate gets the plan that [`crate::plan_nodes`] makes where every site lives on it, given up if it does no
/// better than what remains without it ([`PlanOptions::give_up_losses`]).
///
/// `plan` is the plan for the stores in use: in long traces the split for a candidate is searched for near its split.
///
/// # Errors
/// As [`crate::plan_nodes`].
pub fn advise(
    workload: &Workload,
    memory: &Profile,
    candidates: &[Profile],
    nodes: &[PlanOptions],
    plan: &Plan,
) -> Result<Vec<Advice>, PlanError> {
    let options = nodes.first().ok_or(PlanError::NoNode)?;
    let dealt = deal(workload, nodes.len());
    let prepare = |store: &Profile| {
        let costs = ProfileCosts {
            memory,
            backing: std::slice::from_ref(store),
            files: workload.files,
        };
        let nodes = Nodes::prepare(&dealt, &costs, nodes)?;
        Ok::<_, PlanError>(nodes.sampled(options).unwrap_or(nodes))
    };
    let prepared = candidates.par_iter().map(prepare);
    let prepared = prepared.collect::<Result<Vec<Nodes>, _>>()?;
    let prepared = counted_together(prepared);
    let stores = candidates.par_iter().zip(&prepared).zip(alone(&prepared));
    let stores = stores.map(|((store, prepared), alone)| {
        Store::planned(&store.name, prepared, alone, nodes, plan)
    });
    let stores = stores.collect::<Result<Vec<_>, _>>()?;
    let held_out = plan.training_accesses as usize..workload.accesses.len();
    let hours = workload.hours(held_out).filter(|hours| *hours > 0.0);
    let sites = plan.sites.iter().enumerate();
    let hourly = |accesses: u64| hours.map(|hours| accesses as f64 / hours);
    Ok(sites
        .filter_map(|(site, of)| advice(site, &stores, hourly(of.held_out.accesses)))
        .collect())
}

/// The same nodes, all of which count accesses once: to count them again for each store took longer than to score a sample.
fn counted_together(mut candidates: Vec<Nodes>) -> Vec<Nodes> {
    if let Some((first, others)) = candidates.split_first_mut() {
        others.iter_mut().for_each(|nodes| nodes.count_with(first));
    }
    candidates
}

/// The page cache alone of each candidate's nodes.
fn alone<'a>(candidates: &'a [Nodes<'a>]) -> Vec<Vec<PageCacheAlone<'a>>> {
    let mut alone: Vec<Vec<PageCacheAlone>> = candidates.iter().map(|_| Vec::new()).collect();
    let nodes = candidates.first().map_or(0, |nodes| nodes.iter().len());
    for node in 0..nodes {
        let tests = candidates.iter();
        let tests = tests.filter_map(|nodes| Some(&nodes.iter().nth(node)?.test));
        let tests: Vec<_> = tests.collect();
        let stores = alone.iter_mut().zip(PageCacheAlone::of_stores(&tests));
        stores.for_each(|(alone, store)| alone.push(store));
    }
    alone
}

/// A candidate with the plan for it. Runs are of all held-out accesses as one, or of each stretch that is scored.
struct Store<'a> {
    name: &'a str,
    alone: Vec<ArmRun>,
    plan: Vec<ArmRun>,
    /// Bytes held of each site.
    held_bytes: Vec<u64>,
}

impl<'a> Store<'a> {
    fn planned(
        name: &'a str,
        nodes: &Nodes,
        alone: Vec<PageCacheAlone>,
        options: &[PlanOptions],
        near: &Plan,
    ) -> Result<Self, PlanError> {
        let sites = nodes.iter().next();
        let sites = sites.map_or(0, |node| node.test.workload.files.sites.len());
        let (mut choices, alone) = choose(nodes, alone, near)?;
        let alone = of_nodes(alone);
        let of_choices = |run: fn(&Choice) -> Result<Vec<ArmRun>, PlanError>| {
            let runs = choices.iter().map(run).collect::<Result<Vec<_>, _>>();
            runs.map(of_nodes)
        };
        let mut plan = of_choices(planned)?;
        let without = match choices.iter().all(reserves) {
            true => of_choices(reservations)?,
            false => alone.clone(),
        };
        let by_mean = options.iter().all(|node| node.targets_first().is_empty());
        if by_mean && !pays(weighted_mean_us(&plan), weighted_mean_us(&without)) {
            choices.iter_mut().for_each(Choice::give_up);
            plan = without;
        }
        Ok(Self {
            name,
            held_bytes: held_bytes(&choices, sites),
            alone,
            plan,
        })
    }

    fn advice(&self, site: usize) -> StoreAdvice {
        StoreAdvice {
            store: self.name.to_owned(),
            page_cache_mean_us: total(&tallies(&self.alone, site), None).mean_us(),
            plan_mean_us: self.plan_mean_us(site),
            held_bytes: self.held_bytes[site],
            sampled: (self.alone.len() > 1).then(|| self.sampled(site)),
        }
    }

    fn plan_mean_us(&self, site: usize) -> f64 {
        total(&tallies(&self.plan, site), None).mean_us()
    }

    fn sampled(&self, site: usize) -> SampledStore {
        let (alone, plan) = (tallies(&self.alone, site), tallies(&self.plan, site));
        let mean_us = |stretches: &[Tally], left_out| total(stretches, left_out).mean_us();
        let interval = |stretches: &[Tally]| {
            let mean = Estimate::of(|left_out| mean_us(stretches, left_out));
            mean.interval(0.0, f64::INFINITY)
        };
        let gain =
            Estimate::of(|left_out| 1.0 - mean_us(&plan, left_out) / mean_us(&alone, left_out));
        SampledStore {
            page_cache_mean_us: interval(&alone),
            plan_mean_us: interval(&plan),
            gain: gain.interval(f64::NEG_INFINITY, 1.0),
        }
    }
}

/// What each run comes to for a site.
fn tallies(runs: &[ArmRun], site: usize) -> Vec<Tally> {
    runs.iter().map(|run| run.site_tally(site)).collect()
}

/// Where the accesses of a site found their objects in all runs.
fn traffic(runs: &[ArmRun], site: usize) -> Traffic {
    let traffic = runs.iter().map(|run| *run.site_traffic(site));
    traffic.fold(Traffic::default(), Traffic::and)
}

fn weighted_mean_us(runs: &[ArmRun]) -> f64 {
    let all: Tally = runs.iter().map(ArmRun::tally).collect();
    all.weighted_mean_us()
}

/// Each node's choice, in long traces near that of the plan `near`, and its page cache alone.
fn choose<'n>(
    nodes: &'n Nodes<'n>,
    alone: Vec<PageCacheAlone>,
    near: &Plan,
) -> Result<(Vec<Choice<'n>>, Vec<Vec<ArmRun>>), PlanError> {
    let nodes = nodes.iter().zip(alone).zip(&near.nodes);
    let choices = nodes.map(|((node, beside), planned)| {
        let near = near.given_up.is_none().then(|| step_of(planned.share));
        Ok((
            Choice::of(node, &beside.validated.judgement(), near, unstarved)?,
            beside.runs,
        ))
    });
    choices.collect()
}

/// Bytes that all nodes hold of each site.
fn held_bytes(choices: &[Choice], sites: usize) -> Vec<u64> {
    let of_site = |site| {
        let sizes = choices.iter().flat_map(|choice| choice.sizes_of(site));
        sizes.sum()
    };
    (0..sites).map(of_site).collect()
}

fn planned(choice: &Choice) -> Result<Vec<ArmRun>, PlanError> {
    laid_out(choice.test, &choice.layout)
}

/// The node with only what its sites reserve held.
fn reservations(choice: &Choice) -> Result<Vec<ArmRun>, PlanError> {
    laid_out(choice.test, &Layout::Files(choice.reserved_set()))
}

/// Whether any site reserves anything that can be held.
fn reserves(choice: &Choice) -> bool {
    choice.reserved_set().pages() > 0
}

fn laid_out(test: &Backtest, layout: &Layout) -> Result<Vec<ArmRun>, PlanError> {
    arms::laid_out_runs(test, layout, ArmRun::of_means(test))
}

/// What `stores` make of a site with so many accesses an hour; nothing without any store.
fn advice(site: usize, stores: &[Store], requests_per_hour: Option<f64>) -> Option<Advice> {
    let us = |store: &&Store| store.plan_mean_us(site);
    let known = stores.iter().filter(|store| us(store).is_finite());
    let best = known.min_by(|a, b| us(a).total_cmp(&us(b)));
    let chosen = best.or(stores.first())?;
    let (alone, plan) = (traffic(&chosen.alone, site), traffic(&chosen.plan, site));
    Some(Advice {
        best: best.map(|store| store.name.to_owned()),
        stores: stores.iter().map(|store| store.advice(site)).collect(),
        hit_ratio: alone.hit_ratio(),
        plan_hit_ratio: plan.hit_ratio(),
        mean_bytes: plan.bytes() as f64 / plan.accesses() as f64,
        mean_miss_bytes: plan.miss.bytes as f64 / plan.miss.accesses as f64,
        requests_per_hour,
    })
}
