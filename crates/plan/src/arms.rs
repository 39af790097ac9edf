//! The ways of using the memory that a plan is laid beside, each scored on the held-out accesses.

use hotset_cache::Lru;
use hotset_outcome::{Bootstrap, Outcome, Provenance, ProvenanceKind};
use rayon::prelude::*;
use serde::Serialize;

use crate::problem::Problem;
use crate::scan::{FileCache, PageCache, WholeFiles};
use crate::selection::{HeldSet, Ranking, select};
use crate::tally::{ArmRun, ArmScore};
use crate::{PlanOptions, Renewal, adaptive, scan, split};

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
            Arm::Held(set) => detailed(problem, set),
            Arm::Lru => {
                let lru = Lru::new(problem.memory_pages, problem.objects());
                let run = ArmRun::new(problem);
                served(
                    problem,
                    &HeldSet::nothing(problem),
                    &mut WholeFiles(lru),
                    run,
                )
            }
            Arm::Adaptive(renewal, step) => adaptive::run(problem, renewal, step),
            Arm::SizeThreshold(ranking) => held(problem, &size_threshold_set(problem, ranking)),
            Arm::Clairvoyant => detailed(problem, &split::clairvoyant_set(problem)),
        }
    }
}

fn size_threshold_set(problem: &Problem, ranking: &Ranking) -> HeldSet {
    let small = ranking
        .filtered(|object| problem.workload.files.sizes[object as usize] < SIZE_THRESHOLD_BYTES);
    let budget = split::budget(problem, split::last_step(problem));
    select(problem, &small, budget)
}

/// The held-out accesses with `set` held and the rest of memory as page cache.
pub(crate) fn held(problem: &Problem, set: &HeldSet) -> ArmRun {
    let mut cache = PageCache::beside(problem, set.pages);
    served(problem, set, &mut cache, ArmRun::new(problem))
}

/// The same, kept in the detail that an outcome takes.
fn detailed(problem: &Problem, set: &HeldSet) -> ArmRun {
    let mut cache = PageCache::beside(problem, set.pages);
    served(problem, set, &mut cache, ArmRun::detailed(problem))
}

fn served<C: FileCache>(
    problem: &Problem,
    set: &HeldSet,
    cache: &mut C,
    mut run: ArmRun,
) -> ArmRun {
    let accesses = problem.workload.accesses;
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
    others: [ArmRun; 5],
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
        let mut others = arms.map(|_| ArmRun::new(problem));
        arms.into_par_iter()
            .zip(others.par_iter_mut())
            .for_each(|(arm, run)| *run = arm.run(problem));
        Self {
            page_cache: detailed(problem, &HeldSet::nothing(problem)),
            others,
        }
    }

    /// Page cache alone, plan and clairvoyant, to be laid beside other outcomes.
    pub fn outcomes(&self, problem: &Problem, options: &PlanOptions) -> Vec<Outcome> {
        let mut provenance = Provenance::new(ProvenanceKind::Simulated);
        let memory = ("memory_bytes".to_owned(), options.memory_bytes.to_string());
        provenance.settings.push(memory);
        provenance.seed = Some(options.seed);
        let [_, _, plan, _, clairvoyant] = self.others.each_ref();
        let arms = [
            ("page_cache", &self.page_cache),
            ("plan", plan),
            ("clairvoyant", clairvoyant),
        ];
        let outcome = |(name, run): (&str, &ArmRun)| run.outcome(name, provenance.clone(), problem);
        arms.into_iter().filter_map(outcome).collect()
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
