//! A plan from a workload.

use std::time::{Duration, Instant};

use hotset_cache::PAGE_BYTES;
use hotset_outcome::{Bootstrap, Outcome};
use hotset_scenario::{FilePath, PlacedFile, Placement, Reason};
use rayon::prelude::*;
use serde::Serialize;

use super::arms::{Arms, HeldOut};
use super::curve::{CurvePoint, curve};
use super::nodes::{Nodes, deal, weighted_mean};
use super::options::PlanOptions;
use super::prepare::{Backtest, SHARE_STEPS};
use super::share::{self, Validation};
use super::workload::Workload;
use crate::PlanError;
use crate::select::{Bound, HeldSet, Ranking, bound};
use crate::value::{Catalogue, CostModel, SiteTerms};

/// Held files in total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Files.
    pub objects: u64,
    /// Bytes of the files.
    pub bytes: u64,
    /// Whole 4096-byte pages they take: what counts against memory.
    pub pages: u64,
}

impl Held {
    fn and(self, other: Self) -> Self {
        Self {
            objects: self.objects + other.objects,
            bytes: self.bytes + other.bytes,
            pages: self.pages + other.pages,
        }
    }
}

/// The plan for one site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SitePlan {
    /// Its name.
    pub site: String,
    /// Its weight.
    pub weight: f64,
    /// Bytes of memory it reserves.
    pub reservation_bytes: u64,
    /// Its held files.
    pub held_objects: u64,
    /// Bytes of its held files.
    pub held_bytes: u64,
    /// What the plan buys it on accesses the planner has not seen.
    pub held_out: HeldOut,
}

/// The plan for all sites.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalPlan {
    /// What the plan buys on accesses the planner has not seen.
    pub held_out: HeldOut,
}

/// One held object.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldObject {
    /// Its id.
    pub object: u32,
    /// Why it is held.
    pub reason: Reason,
}

/// The plan for one node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NodePlan {
    /// Memory asked for, in bytes; whole pages of it are used.
    pub memory_bytes: u64,
    /// What is held.
    pub held: Held,
    /// Memory that remains for the page cache, in bytes.
    pub page_cache_bytes: u64,
    /// Share of memory given to held files at most, chosen by validation inside the training part.
    pub share: f64,
    /// Accesses that the plan learnt from.
    pub training_accesses: u64,
    /// What the plan buys on the node's accesses that the planner has not seen.
    pub held_out: HeldOut,
    /// Held objects, the most valuable first.
    #[serde(skip)]
    pub objects: Vec<HeldObject>,
}

/// How long the parts of planning took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Name of each part and its duration, in the order they were done.
    pub parts: Vec<(&'static str, Duration)>,
}

impl Timings {
    fn time<T>(&mut self, part: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.parts.push((part, start.elapsed()));
        done
    }
}

/// Which objects to hold, and what that buys; sums and means are of all nodes together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Plan {
    /// Memory asked for, in bytes; whole pages of it are used.
    pub memory_bytes: u64,
    /// What is held.
    pub held: Held,
    /// Memory that remains for the page cache, in bytes.
    pub page_cache_bytes: u64,
    /// Share of memory given to held files at most, chosen by validation inside the training part.
    pub share: f64,
    /// What that validation says of the choice; never worse than holding nothing but reservations.
    pub validated: Validation,
    /// How far the held set can be from the best one of its size, by the training part's counts.
    pub bound: Bound,
    /// Accesses that the plan learnt from.
    pub training_accesses: u64,
    /// Bytes to read to get there from what was held before.
    pub moved_bytes: u64,
    /// Seed of the intervals.
    pub seed: u64,
    /// Site by site.
    pub sites: Vec<SitePlan>,
    /// All sites together.
    pub total: TotalPlan,
    /// Gain against memory.
    pub curve: Vec<CurvePoint>,
    /// Page cache alone, plan and clairvoyant on the accesses held out, to be laid beside other outcomes.
    pub outcomes: Vec<Outcome>,
    /// Node by node.
    #[serde(skip)]
    pub nodes: Vec<NodePlan>,
    /// How long each part took.
    #[serde(skip)]
    pub timings: Timings,
}

/// Plans which objects to hold, and scores the plan on accesses that it has not seen.
///
/// # Errors
/// A workload without accesses or with columns that do not fit together, options out of range.
pub fn plan(
    workload: &Workload,
    costs: &dyn CostModel,
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
/// As [`plan`]; no node, or more nodes than accesses.
pub fn plan_nodes(
    workload: &Workload,
    costs: &dyn CostModel,
    nodes: &[PlanOptions],
) -> Result<Plan, PlanError> {
    let mut timings = Timings::default();
    let options = nodes.first().ok_or(PlanError::NoNode)?;
    let dealt = deal(workload, nodes.len());
    let tests = timings.time("prepare", || Nodes::prepare(&dealt, costs, nodes))?;
    let choices: Vec<Choice> = timings.time("split", || tests.iter().map(Choice::of).collect());
    let runs = timings.time("arms", || {
        let choices = choices.iter();
        let runs = choices.map(|choice| choice.arms(options));
        runs.collect::<Result<Vec<Arms>, _>>()
    })?;
    let sites = workload.files.sites;
    let scores = timings.time("intervals", || {
        Scores::of(runs, sites.len(), &options.bootstrap())
    })?;
    let curve = timings.time("curve", || curve(&tests, options))?;
    let learnt = choices.iter().map(|choice| choice.test.training as f64);
    let mean = |means: fn(&Validation) -> f64| {
        let means = choices.iter().map(|choice| means(&choice.validated));
        weighted_mean(means.zip(learnt.clone()))
    };
    let memory_pages = tests.iter().map(|test| test.memory_pages as f64);
    let bounds = choices.iter().map(Choice::bound);
    let site =
        |(site, held_out)| site_plan(&choices, (site, &sites[site]), &options.terms, held_out);
    Ok(Plan {
        memory_bytes: tests.memory_bytes,
        held: choices
            .iter()
            .map(Choice::held)
            .fold(Held::default(), Held::and),
        page_cache_bytes: choices.iter().map(Choice::page_cache_bytes).sum(),
        share: weighted_mean(choices.iter().map(Choice::share).zip(memory_pages)),
        validated: Validation {
            page_cache_mean_us: mean(|validated| validated.page_cache_mean_us),
            plan_mean_us: mean(|validated| validated.plan_mean_us),
        },
        bound: bounds.reduce(Bound::and).ok_or(PlanError::NoNode)?,
        training_accesses: choices
            .iter()
            .map(|choice| choice.test.training as u64)
            .sum(),
        moved_bytes: choices.iter().map(Choice::moved_bytes).sum(),
        seed: options.seed,
        sites: scores.sites.into_iter().enumerate().map(site).collect(),
        total: TotalPlan {
            held_out: scores.total,
        },
        curve,
        outcomes: scores
            .together
            .outcomes(sites, tests.memory_bytes, options.seed),
        nodes: choices
            .iter()
            .zip(nodes)
            .zip(scores.nodes)
            .map(|((choice, options), held_out)| choice.plan(options.memory_bytes, held_out))
            .collect(),
        timings,
    })
}

/// What is chosen for one node.
struct Choice<'a> {
    test: &'a Backtest<'a>,
    /// Twentieths of memory to hold files in.
    step: u32,
    validated: Validation,
    ranking: Ranking,
    set: HeldSet,
}

impl<'a> Choice<'a> {
    fn of(test: &'a Backtest<'a>) -> Self {
        let (step, validated) = share::validated_step(test);
        let ranking = test.ranking(test.training_accesses());
        Self {
            test,
            step,
            validated,
            set: share::trained_set(test, &ranking, step),
            ranking,
        }
    }

    fn arms(&self, options: &PlanOptions) -> Result<Arms, PlanError> {
        Arms::run(
            self.test,
            &self.set,
            &self.ranking,
            options.renewal,
            self.step,
        )
    }

    fn held(&self) -> Held {
        Held {
            objects: self.set.objects().len() as u64,
            bytes: self.test.bytes(&self.set),
            pages: self.set.pages(),
        }
    }

    fn page_cache_bytes(&self) -> u64 {
        self.test.memory_pages.saturating_sub(self.set.pages()) * PAGE_BYTES
    }

    fn share(&self) -> f64 {
        f64::from(self.step) / f64::from(SHARE_STEPS)
    }

    fn bound(&self) -> Bound {
        let budget = self.test.budget(self.step);
        bound(&self.test.values, &self.ranking, &self.set, budget)
    }

    fn moved_bytes(&self) -> u64 {
        let held = self.set.objects().iter();
        let new = held.filter(|&&object| !self.test.previous[object as usize]);
        new.map(|&object| self.test.workload.files.sizes[object as usize])
            .sum()
    }

    /// Sizes of the held files of a site.
    fn sizes_of(&self, site: usize) -> impl Iterator<Item = u64> {
        let held = self.set.objects().iter();
        let own = held.filter(move |&&object| self.test.values.site(object) == site);
        own.map(|&object| self.test.workload.files.sizes[object as usize])
    }

    fn plan(&self, memory_bytes: u64, held_out: HeldOut) -> NodePlan {
        NodePlan {
            memory_bytes,
            held: self.held(),
            page_cache_bytes: self.page_cache_bytes(),
            share: self.share(),
            training_accesses: self.test.training as u64,
            held_out,
            objects: reasons(self.test, &self.set),
        }
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

fn site_plan(
    choices: &[Choice],
    (site, name): (usize, &str),
    terms: &[SiteTerms],
    held_out: HeldOut,
) -> SitePlan {
    let terms = terms.get(site).copied().unwrap_or_default();
    let sizes = || choices.iter().flat_map(|choice| choice.sizes_of(site));
    SitePlan {
        site: name.to_owned(),
        weight: terms.weight,
        reservation_bytes: terms.reservation_bytes,
        held_objects: sizes().count() as u64,
        held_bytes: sizes().sum(),
        held_out,
    }
}

/// Held objects with the training part's figures.
fn reasons(test: &Backtest, set: &HeldSet) -> Vec<HeldObject> {
    let counts = test.counts(test.training_accesses());
    let hours = test.workload.hours(0..test.training);
    let reason = |&object: &u32| {
        let (requests, size_bytes) = (
            counts[object as usize],
            test.workload.files.sizes[object as usize],
        );
        let saved_us = test.values.saved_us(object) / test.values.weight(object);
        Reason {
            requests_per_hour: hours.map(|hours| f64::from(requests) / hours),
            requests: u64::from(requests),
            size_bytes,
            saved_us_per_byte: f64::from(requests) * saved_us / size_bytes.max(1) as f64,
        }
    };
    set.objects()
        .iter()
        .map(|object| HeldObject {
            object: *object,
            reason: reason(object),
        })
        .collect()
}

/// Where a plan's files are to be held.
#[derive(Clone, Copy, Debug)]
pub struct Destination<'a> {
    /// Names of the nodes that hold them, in the order of the plan.
    pub nodes: &'a [&'a str],
    /// Memory store that holds them.
    pub store: &'a str,
}

/// What a placement says of a file and a planner does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileIdentity {
    /// Path within its site.
    pub path: FilePath,
    /// When the file was last changed, in nanoseconds since 1970, where known.
    pub mtime_ns: Option<i64>,
}

impl Plan {
    /// The plan's files for placing them at `destination`, node by node in the order of moving; `identify` says which file
    /// an object is.
    pub fn placement(
        &self,
        files: &Catalogue,
        destination: Destination,
        identify: impl Fn(u32) -> FileIdentity,
    ) -> Placement {
        let place = |node: &str, order: usize, held: &HeldObject| {
            let FileIdentity { path, mtime_ns } = identify(held.object);
            PlacedFile {
                site: files.sites[files.site(held.object)].clone(),
                path,
                size_bytes: held.reason.size_bytes,
                mtime_ns,
                store: destination.store.to_owned(),
                node: node.to_owned(),
                order: order as u32,
                reason: held.reason.clone(),
            }
        };
        let of_node = |(node, plan): (&&str, &NodePlan)| {
            let held = plan.objects.iter().enumerate();
            let files = held.map(|(order, held)| place(node, order, held));
            files.collect::<Vec<_>>()
        };
        Placement {
            version: Placement::VERSION,
            memory_bytes: self.memory_bytes,
            held_pages: self.held.pages,
            files: destination
                .nodes
                .iter()
                .zip(&self.nodes)
                .flat_map(of_node)
                .collect(),
        }
    }
}
