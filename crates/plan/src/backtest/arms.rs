//! The ways of using the memory that a plan is laid beside, each scored on the held-out accesses.

use hotset_cache::Lru;
use hotset_outcome::{Bootstrap, Outcome, Provenance, ProvenanceKind};
use rayon::prelude::*;
use serde::Serialize;

use super::options::Renewal;
use super::prepare::Backtest;
use super::scan::{self, FileCache, PageCache, WholeFiles};
use super::score::{ArmRun, ArmScore};
use super::{renewed, share};
use crate::PlanError;
use crate::select::{HeldSet, Ranking, select};

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
    /// The plan renewed, where the plan has the share of memory at a step.
    Renewed(Renewal, u32),
    SizeThreshold(&'s Ranking),
    Clairvoyant,
}

impl Arm<'_> {
    fn run(self, test: &Backtest) -> Result<ArmRun, PlanError> {
        Ok(match self {
            Arm::Held(set) => detailed(test, set),
            Arm::Lru => {
                let mut lru = WholeFiles(Lru::new(test.memory_pages, test.objects()));
                let nothing = HeldSet::empty(test.objects());
                served(test, &nothing, &mut lru, ArmRun::new(test))
            }
            Arm::Renewed(renewal, step) => renewed::run(test, renewal, step)?,
            Arm::SizeThreshold(ranking) => held(test, &size_threshold_set(test, ranking)),
            Arm::Clairvoyant => detailed(test, &share::clairvoyant_set(test)),
        })
    }
}

fn size_threshold_set(test: &Backtest, ranking: &Ranking) -> HeldSet {
    let small = ranking
        .filtered(|object| test.workload.files.sizes[object as usize] < SIZE_THRESHOLD_BYTES);
    select(&test.values, &small, test.budget(test.last_step()))
}

/// The held-out accesses with `set` held and the rest of memory as page cache.
pub(super) fn held(test: &Backtest, set: &HeldSet) -> ArmRun {
    let mut cache = PageCache::beside(test, set.pages());
    served(test, set, &mut cache, ArmRun::new(test))
}

/// The same, kept in the detail that an outcome takes.
fn detailed(test: &Backtest, set: &HeldSet) -> ArmRun {
    let mut cache = PageCache::beside(test, set.pages());
    served(test, set, &mut cache, ArmRun::detailed(test))
}

fn served<C: FileCache>(test: &Backtest, set: &HeldSet, cache: &mut C, mut run: ArmRun) -> ArmRun {
    let accesses = test.workload.accesses;
    scan::serve(&test.values, accesses, set, cache, |index, served| {
        if index >= test.training {
            run.add(test, accesses[index], served);
        }
    });
    run
}

/// All arms on the held-out accesses.
pub(super) struct Arms {
    page_cache: ArmRun,
    /// In the order of [`Arms::run`].
    others: [ArmRun; 5],
}

impl Arms {
    /// Runs every arm beside `plan`, which holds files of `ranking` in the share of memory at `step`.
    pub fn run(
        test: &Backtest,
        plan: &HeldSet,
        ranking: &Ranking,
        renewal: Renewal,
        step: u32,
    ) -> Result<Self, PlanError> {
        let arms = [
            Arm::Lru,
            Arm::SizeThreshold(ranking),
            Arm::Held(plan),
            Arm::Renewed(renewal, step),
            Arm::Clairvoyant,
        ];
        let mut others = arms.map(|_| ArmRun::new(test));
        arms.into_par_iter()
            .zip(others.par_iter_mut())
            .try_for_each(|(arm, run)| arm.run(test).map(|done| *run = done))?;
        Ok(Self {
            page_cache: detailed(test, &HeldSet::empty(test.objects())),
            others,
        })
    }

    /// With those of another node that is asked in turn with this one.
    pub fn and(self, other: Self) -> Self {
        let [lru, size_threshold, plan, renewed, clairvoyant] = self.others;
        let [
            lru_of,
            size_threshold_of,
            plan_of,
            renewed_of,
            clairvoyant_of,
        ] = other.others;
        Self {
            page_cache: self.page_cache.and(other.page_cache),
            others: [
                lru.and(lru_of),
                size_threshold.and(size_threshold_of),
                plan.and(plan_of),
                renewed.and(renewed_of),
                clairvoyant.and(clairvoyant_of),
            ],
        }
    }

    /// Page cache alone, plan and clairvoyant, to be laid beside other outcomes.
    pub fn outcomes(&self, sites: &[String], memory_bytes: u64, seed: u64) -> Vec<Outcome> {
        let mut provenance = Provenance::new(ProvenanceKind::Simulated);
        let memory = ("memory_bytes".to_owned(), memory_bytes.to_string());
        provenance.settings.push(memory);
        provenance.seed = Some(seed);
        let [_, _, plan, _, clairvoyant] = self.others.each_ref();
        let arms = [
            ("page_cache", &self.page_cache),
            ("plan", plan),
            ("clairvoyant", clairvoyant),
        ];
        let outcome = |(name, run): (&str, &ArmRun)| run.outcome(name, provenance.clone(), sites);
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
