//! Which backing store suits a site: a plan for each candidate, scored on the same accesses.
//!
//! "Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand" (slides,
//! "Multi file system for data-centers") chooses memory and a local file system for high temporal
//! locality, memory and a network file system for low. Here each candidate is planned for and priced.

use hotset_scenario::Profile;
use rayon::prelude::*;
use serde::Serialize;

use super::plan::Plan;
use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::starvation::unstarved;
use crate::backtest::nodes::{Nodes, deal};
use crate::backtest::options::PlanOptions;
use crate::backtest::scoring::arms::{self, pays};
use crate::backtest::scoring::page_cache_alone::PageCacheAlone;
use crate::backtest::scoring::score::ArmRun;
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
}

/// Which store suits a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Advice {
    /// Name of the profile with the shortest mean response beside the plan for it; nothing without accesses.
    pub best: Option<String>,
    /// Candidates in the order given.
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
    let dealt = deal(workload, nodes.len());
    let prepare = |store: &Profile| {
        let costs = ProfileCosts {
            memory,
            backing: std::slice::from_ref(store),
            files: workload.files,
        };
        Nodes::prepare(&dealt, &costs, nodes)
    };
    let prepared = candidates.par_iter().map(prepare);
    let prepared = prepared.collect::<Result<Vec<Nodes>, _>>()?;
    let stores = candidates.par_iter().zip(&prepared).zip(alone(&prepared));
    let stores = stores.map(|((store, prepared), alone)| {
        Store::planned(&store.name, prepared, alone, nodes, plan)
    });
    let stores = stores.collect::<Result<Vec<_>, _>>()?;
    let held_out = plan.training_accesses as usize..workload.accesses.len();
    let hours = workload.hours(held_out).filter(|hours| *hours > 0.0);
    let sites = 0..workload.files.sites.len();
    Ok(sites
        .filter_map(|site| advice(site, &stores, hours))
        .collect())
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

/// A candidate with the plan for it.
struct Store<'a> {
    name: &'a str,
    alone: ArmRun,
    plan: ArmRun,
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
        let alone = together(alone.into_iter().map(Ok))?;
        let mut plan = together(choices.iter().map(planned))?;
        let reserved: Option<Vec<ArmRun>> = choices.iter().map(arms::reservations).collect();
        let without = match reserved {
            Some(reserved) => together(reserved.into_iter().map(Ok))?,
            None => alone.clone(),
        };
        let by_mean = options.iter().all(|node| node.targets_first().is_empty());
        if by_mean && !pays(plan.weighted_mean_us(), without.weighted_mean_us()) {
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
            page_cache_mean_us: self.alone.site_mean_us(site),
            plan_mean_us: self.plan.site_mean_us(site),
            held_bytes: self.held_bytes[site],
        }
    }
}

/// Each node's choice, in long traces near that of the plan `near`, and its page cache alone.
fn choose<'n>(
    nodes: &'n Nodes<'n>,
    alone: Vec<PageCacheAlone>,
    near: &Plan,
) -> Result<(Vec<Choice<'n>>, Vec<ArmRun>), PlanError> {
    let nodes = nodes.iter().zip(alone).zip(&near.nodes);
    let choices = nodes.map(|((node, beside), planned)| {
        let near = near.given_up.is_none().then(|| step_of(planned.share));
        Ok((
            Choice::of(node, &beside.validated.judgement(), near, unstarved)?,
            beside.run,
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

fn planned(choice: &Choice) -> Result<ArmRun, PlanError> {
    arms::laid_out(choice.test, &choice.layout, ArmRun::of_means(choice.test))
}

/// Runs of nodes that are asked in turn, as one.
fn together(
    mut runs: impl Iterator<Item = Result<ArmRun, PlanError>>,
) -> Result<ArmRun, PlanError> {
    let first = runs.next().ok_or(PlanError::NoNode)??;
    runs.try_fold(first, |sum, run| Ok(sum.and(run?)))
}

/// What `stores` make of a site; nothing without any.
fn advice(site: usize, stores: &[Store], hours: Option<f64>) -> Option<Advice> {
    let us = |store: &&Store| store.plan.site_mean_us(site);
    let known = stores.iter().filter(|store| us(store).is_finite());
    let best = known.min_by(|a, b| us(a).total_cmp(&us(b)));
    let chosen = best.or(stores.first())?;
    let (alone, plan): (&Traffic, &Traffic) = (
        chosen.alone.site_traffic(site),
        chosen.plan.site_traffic(site),
    );
    Some(Advice {
        best: best.map(|store| store.name.to_owned()),
        stores: stores.iter().map(|store| store.advice(site)).collect(),
        hit_ratio: alone.hit_ratio(),
        plan_hit_ratio: plan.hit_ratio(),
        mean_bytes: plan.bytes() as f64 / plan.accesses() as f64,
        mean_miss_bytes: plan.miss.bytes as f64 / plan.miss.accesses as f64,
        requests_per_hour: hours.map(|hours| plan.accesses() as f64 / hours),
    })
}
