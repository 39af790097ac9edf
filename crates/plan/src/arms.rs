//! The ways of using the memory that a plan is laid beside, each scored on the held-out accesses.

use hotset_cache::{Lru, Policy};
use hotset_outcome::Bootstrap;
use rayon::prelude::*;
use serde::Serialize;

use crate::problem::Problem;
use crate::selection::{HeldSet, Ranking, select};
use crate::tally::{ArmRun, ArmScore};
use crate::{Renewal, adaptive, scan, split};

/// Files below this are held by the size-threshold arm: "all small files (less than 1MB)", section 4.4 of
/// "Characterization of multi-tier data-centers", whose file classes count in powers of two.
const SIZE_THRESHOLD_BYTES: u64 = 1 << 20;

/// Scores of all arms on the held-out accesses of a site, or of all sites.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HeldOut {
    /// Held-out accesses.
    pub accesses: u64,
    /// Nothing held: all memory is page cache.
    pub page_cache: ArmScore,
    /// Nothing held, and the page cache evicts the least recently used file.
    pub lru: ArmScore,
    /// Files below 2^20 bytes that the training part has seen are held, the most valuable first, until memory is full;
    /// what is left is page cache.
    pub size_threshold: ArmScore,
    /// The plan.
    pub plan: ArmScore,
    /// The plan renewed as time goes on.
    pub adaptive: ArmScore,
    /// The best set among objects that the training part has seen, chosen knowing the held-out part.
    pub clairvoyant: ArmScore,
}

/// One way of using the memory.
#[derive(Clone, Copy)]
enum Arm<'s> {
    /// A held set beside the page cache.
    Held(&'s HeldSet),
    Lru,
    Adaptive(Renewal, u32),
    SizeThreshold(&'s Ranking),
    Clairvoyant,
}

impl Arm<'_> {
    fn run(self, problem: &Problem) -> ArmRun {
        match self {
            Arm::Held(set) => held(problem, set),
            Arm::Lru => {
                let mut lru = Lru::new(problem.memory_pages, problem.objects());
                served(problem, &HeldSet::nothing(problem), &mut lru)
            }
            Arm::Adaptive(renewal, step) => adaptive::run(problem, renewal, step),
            Arm::SizeThreshold(ranking) => held(problem, &size_threshold_set(problem, ranking)),
            Arm::Clairvoyant => held(problem, &split::clairvoyant_set(problem)),
        }
    }
}

fn size_threshold_set(problem: &Problem, ranking: &Ranking) -> HeldSet {
    let small =
        ranking.filtered(|object| problem.workload.sizes[object as usize] < SIZE_THRESHOLD_BYTES);
    select(problem, &small, problem.memory_pages)
}

/// The held-out accesses with `set` held and the rest of memory as page cache.
pub(crate) fn held(problem: &Problem, set: &HeldSet) -> ArmRun {
    served(problem, set, &mut scan::page_cache(problem, set.pages))
}

fn served<P: Policy>(problem: &Problem, set: &HeldSet, cache: &mut P) -> ArmRun {
    let accesses = problem.workload.accesses;
    let mut run = ArmRun::new(problem);
    scan::serve(problem, accesses, &set.held, cache, |index, served| {
        if index >= problem.training {
            run.add(problem, accesses[index], served);
        }
    });
    run
}

/// All arms on the held-out accesses.
pub(crate) struct Arms {
    page_cache: ArmRun,
    /// In the order of [`Arms::run`].
    others: Vec<ArmRun>,
}

impl Arms {
    /// Runs every arm beside `plan`, which holds files of `ranking` in the share of memory at `step`.
    pub fn run(
        problem: &Problem,
        plan: &HeldSet,
        ranking: &Ranking,
        renewal: Renewal,
        step: u32,
    ) -> Self {
        let arms = [
            Arm::Lru,
            Arm::SizeThreshold(ranking),
            Arm::Held(plan),
            Arm::Adaptive(renewal, step),
            Arm::Clairvoyant,
        ];
        let others = arms.into_par_iter().map(|arm| arm.run(problem)).collect();
        Self {
            page_cache: held(problem, &HeldSet::nothing(problem)),
            others,
        }
    }

    /// Scores of site `site`.
    pub fn site(&self, site: usize, bootstrap: &Bootstrap) -> HeldOut {
        self.scores(|run, base| run.site_score(site, base, bootstrap))
    }

    /// Scores of all sites.
    pub fn total(&self, bootstrap: &Bootstrap) -> HeldOut {
        self.scores(|run, base| run.total_score(base, bootstrap))
    }

    fn scores(&self, score: impl Fn(&ArmRun, Option<&ArmRun>) -> ArmScore + Sync) -> HeldOut {
        let page_cache = score(&self.page_cache, None);
        let [lru, size_threshold, plan, adaptive, clairvoyant] =
            [0, 1, 2, 3, 4].map(|arm| score(&self.others[arm], Some(&self.page_cache)));
        let accesses = page_cache.traffic.accesses();
        HeldOut {
            accesses,
            page_cache,
            lru,
            size_threshold,
            plan,
            adaptive,
            clairvoyant,
        }
    }
}
