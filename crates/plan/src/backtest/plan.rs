//! A plan from a workload.

use std::time::{Duration, Instant};

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Outcome;
use hotset_scenario::{FilePath, PlacedFile, Placement, Reason};
use rayon::prelude::*;
use serde::Serialize;

use super::arms::{Arms, HeldOut};
use super::curve::{CurvePoint, curve};
use super::options::PlanOptions;
use super::prepare::{Backtest, SHARE_STEPS};
use super::share::{self, Validation};
use super::workload::Workload;
use crate::PlanError;
use crate::select::{Bound, HeldSet, bound};
use crate::value::{Catalogue, CostModel};

/// Held files in total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Held {
    /// Files.
    pub objects: u64,
    /// Bytes of the files.
    pub bytes: u64,
    /// Whole 4096-byte pages they take: what counts against memory.
    pub pages: u64,
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

/// Which objects to hold, and what that buys.
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
    /// Held objects, the most valuable first.
    #[serde(skip)]
    pub objects: Vec<HeldObject>,
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
    let mut timings = Timings::default();
    let test = timings.time("prepare", || Backtest::prepare(workload, costs, options))?;
    let (step, validated) = timings.time("split", || share::validated_step(&test));
    let ranking = test.ranking(test.training_accesses());
    let set = share::trained_set(&test, &ranking, step);
    let arms = timings.time("arms", || {
        Arms::run(&test, &set, &ranking, options.renewal, step)
    })?;
    let (sites, total) = timings.time("intervals", || scores(&test, &set, &arms, options));
    let curve = timings.time("curve", || curve(&test, options));
    Ok(Plan {
        memory_bytes: options.memory_bytes,
        held: Held {
            objects: set.objects().len() as u64,
            bytes: test.bytes(&set),
            pages: set.pages(),
        },
        page_cache_bytes: test.memory_pages.saturating_sub(set.pages()) * PAGE_BYTES,
        share: f64::from(step) / f64::from(SHARE_STEPS),
        validated,
        bound: bound(&test.values, &ranking, &set, test.budget(step)),
        training_accesses: test.training as u64,
        moved_bytes: moved_bytes(&test, &set),
        seed: options.seed,
        sites,
        total,
        curve,
        outcomes: arms.outcomes(&test, options),
        objects: reasons(&test, &set),
        timings,
    })
}

fn moved_bytes(test: &Backtest, set: &HeldSet) -> u64 {
    let new = set
        .objects()
        .iter()
        .filter(|&&object| !test.previous[object as usize]);
    new.map(|&object| test.workload.files.sizes[object as usize])
        .sum()
}

fn scores(
    test: &Backtest,
    set: &HeldSet,
    arms: &Arms,
    options: &PlanOptions,
) -> (Vec<SitePlan>, TotalPlan) {
    let bootstrap = options.bootstrap();
    let sites = 0..test.workload.files.sites.len();
    let sites = sites
        .into_par_iter()
        .map(|site| site_plan(test, set, arms, options, site))
        .collect();
    (
        sites,
        TotalPlan {
            held_out: arms.total(&bootstrap),
        },
    )
}

fn site_plan(
    test: &Backtest,
    set: &HeldSet,
    arms: &Arms,
    options: &PlanOptions,
    site: usize,
) -> SitePlan {
    let terms = options.terms.get(site).copied().unwrap_or_default();
    let own = set
        .objects()
        .iter()
        .filter(|&&object| test.values.site(object) == site);
    SitePlan {
        site: test.workload.files.sites[site].clone(),
        weight: terms.weight,
        reservation_bytes: terms.reservation_bytes,
        held_objects: own.clone().count() as u64,
        held_bytes: own
            .map(|&object| test.workload.files.sizes[object as usize])
            .sum(),
        held_out: arms.site(site, &options.bootstrap()),
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
    /// Node that holds them.
    pub node: &'a str,
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
    /// The plan's files for placing them at `destination`, in the order of moving; `identify` says which file an object is.
    pub fn placement(
        &self,
        files: &Catalogue,
        destination: Destination,
        identify: impl Fn(u32) -> FileIdentity,
    ) -> Placement {
        let place = |(order, held): (usize, &HeldObject)| {
            let FileIdentity { path, mtime_ns } = identify(held.object);
            PlacedFile {
                site: files.sites[files.site(held.object)].clone(),
                path,
                size_bytes: held.reason.size_bytes,
                mtime_ns,
                store: destination.store.to_owned(),
                node: destination.node.to_owned(),
                order: order as u32,
                reason: held.reason.clone(),
            }
        };
        Placement {
            version: Placement::VERSION,
            memory_bytes: self.memory_bytes,
            held_pages: self.held.pages,
            files: self.objects.iter().enumerate().map(place).collect(),
        }
    }
}
