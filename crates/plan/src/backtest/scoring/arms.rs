//! The ways of using the memory that a plan is laid beside, each scored on the held-out accesses.

use hotset_cache::Lru;
use hotset_outcome::{Bootstrap, Outcome, Provenance, ProvenanceKind};
use rayon::prelude::*;
use serde::Serialize;

use super::page_cache_alone::PageCacheAlone;
use super::renewal;
use super::reversals::{Arm, Reversal, beside_whole_files, reversals};
use super::score::{ArmRun, ArmScore};
use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::layout::Layout;
use crate::backtest::candidates::split_search;
use crate::backtest::judgement::Judgement;
use crate::backtest::options::Renewal;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache, WholeFiles, last_that_fill};
use crate::select::{HeldSet, select};

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
    /// Only what sites reserve is held; nothing where none reserves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reservations: Option<ArmScore>,
    /// A page cache for each site in a memory group of its own, where there may be groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<ArmScore>,
    /// Groups in which files are held, where there may be groups.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups_and_files: Option<ArmScore>,
    /// The plan.
    pub plan: ArmScore,
    /// The plan renewed as time goes on.
    pub adaptive: ArmScore,
    /// The best set among objects that the training part has seen, chosen knowing the held-out part.
    pub clairvoyant: ArmScore,
}

impl HeldOut {
    /// Whether the plan does better than what is held without it, by the weighted mean that it minimises. Without
    /// accesses nothing speaks against it.
    pub fn plan_pays(&self) -> bool {
        let without = self.reservations.as_ref().unwrap_or(&self.page_cache);
        pays(self.plan.weighted_mean_us, without.weighted_mean_us)
    }
}

/// Whether a plan's weighted mean response is shorter than that without it. Where neither is known, nothing speaks
/// against the plan.
pub(crate) fn pays(plan_us: f64, without_us: f64) -> bool {
    /// Means closer than this, relatively, are equal but for the order of additions.
    const TIE: f64 = 1e-12;
    let gain = 1.0 - plan_us / without_us;
    gain > TIE || gain.is_nan()
}

fn size_threshold_set(test: &Backtest) -> HeldSet {
    let small = test
        .training_ranking()
        .filtered(|object| test.size(object) < SIZE_THRESHOLD_BYTES);
    select(&test.values, &small, test.budget(test.last_step()))
}

/// Adds to `run` the held-out accesses with memory laid out like this.
pub(crate) fn laid_out(test: &Backtest, layout: &Layout, run: ArmRun) -> Result<ArmRun, PlanError> {
    let mut caches = layout.caches(test)?;
    let run = served(test, layout.set(), &mut caches, run);
    test.go_on()?;
    Ok(run)
}

/// Adds to `run` the held-out accesses with `set` held and the rest of memory as page cache.
pub(crate) fn held(test: &Backtest, set: &HeldSet, run: ArmRun) -> ArmRun {
    let mut cache = PageCache::beside(test, set.pages());
    served(test, set, &mut cache, run)
}

/// The node with only what its sites reserve held; nothing where none reserves.
pub(crate) fn reservations(choice: &Choice) -> Option<ArmRun> {
    let reserved = choice.reserved_set();
    (reserved.pages() > 0).then(|| held(choice.test, &reserved, ArmRun::new(choice.test)).packed())
}

fn served<C: FileCache>(test: &Backtest, set: &HeldSet, cache: &mut C, run: ArmRun) -> ArmRun {
    cache.warm(&test.values, test.training_accesses(), set);
    scored(test, set, cache, run)
}

/// Adds to `run` the held-out accesses beside a cache that is warm.
fn scored<C: FileCache>(test: &Backtest, set: &HeldSet, cache: &mut C, mut run: ArmRun) -> ArmRun {
    let held_out = test.held_out_accesses();
    cache.serve(&test.values, held_out, set, |index, served| {
        run.add(test, held_out[index], served);
    });
    run
}

/// The runs of two nodes, where both have one.
fn both(one: Option<ArmRun>, other: Option<ArmRun>) -> Option<ArmRun> {
    one.zip(other).map(|(one, other)| one.and(other))
}

/// All arms on the held-out accesses, those of outcomes in detail.
pub(crate) struct Arms {
    page_cache: ArmRun,
    lru: ArmRun,
    size_threshold: ArmRun,
    reservations: Option<ArmRun>,
    groups: Option<ArmRun>,
    groups_and_files: Option<ArmRun>,
    plan: ArmRun,
    adaptive: ArmRun,
    clairvoyant: ArmRun,
    /// Each of [`Arm::ALL`] beside a page cache of whole files, where it can be and is not how they are scored.
    beside_whole_files: [Option<Judgement>; Arm::ALL.len()],
}

/// A run, and how it does beside a page cache of whole files.
type Scored = (ArmRun, Option<Judgement>);

impl Arms {
    /// Runs every other arm beside the plan of `choice` and the page cache `alone`.
    pub fn run(
        choice: &Choice,
        alone: PageCacheAlone,
        renewal: Renewal,
    ) -> Result<Self, PlanError> {
        let test = choice.test;
        let nothing = HeldSet::empty(test.objects());
        let lru = || {
            let mut cache = WholeFiles(Lru::new(test.memory_pages, test.objects()));
            let warming = last_that_fill(test, test.training_accesses());
            cache.warm(&test.values, warming, &nothing);
            let run = scored(test, &nothing, &mut cache, ArmRun::new(test));
            let judgement = run.judgement();
            (run, judgement)
        };
        let both = |set: &HeldSet| {
            let run = held(test, set, ArmRun::new(test));
            (run, beside_whole_files(test, set))
        };
        let known = alone.run.judgement().filter(|_| test.targets.is_empty());
        let clairvoyant = || split_search::clairvoyant_set(test, known.clone(), choice.step);
        let in_layout = |layout: &Layout| Ok((laid_out(test, layout, ArmRun::new(test))?, None));
        let in_groups = |of: usize| match &choice.groups {
            Some(strategies) => in_layout(&strategies[of].layout(test)?),
            None => Ok((ArmRun::of_total(test), None)),
        };
        let plan = || match &choice.layout {
            Layout::Files(set) => Ok(both(set)),
            layout => in_layout(layout),
        };
        let arms: [&(dyn Fn() -> Result<Scored, PlanError> + Sync); 8] = [
            &|| Ok((ArmRun::of_total(test), beside_whole_files(test, &nothing))),
            &|| Ok(lru()),
            &|| Ok(both(&size_threshold_set(test))),
            &|| in_groups(0),
            &|| in_groups(1),
            &plan,
            &|| renewal::run(test, renewal, choice.step, &alone),
            &|| Ok(both(&clairvoyant())),
        ];
        let mut runs = arms.map(|_| (ArmRun::of_total(test), None));
        arms.into_par_iter()
            .zip(runs.par_iter_mut())
            .try_for_each(|(arm, run)| {
                arm().map(|(done, beside)| *run = (done.packed(), beside))
            })?;
        let [
            (_, page_cache_beside),
            (lru, lru_beside),
            (size_threshold, size_threshold_beside),
            (groups, _),
            (groups_and_files, _),
            (plan, plan_beside),
            (adaptive, adaptive_beside),
            (clairvoyant, clairvoyant_beside),
        ] = runs;
        test.go_on()?;
        let has_groups = choice.groups.is_some();
        Ok(Self {
            beside_whole_files: [
                page_cache_beside,
                lru_beside,
                size_threshold_beside,
                plan_beside,
                adaptive_beside,
                clairvoyant_beside,
            ],
            page_cache: alone.run,
            lru,
            size_threshold,
            reservations: reservations(choice),
            groups: has_groups.then_some(groups),
            groups_and_files: has_groups.then_some(groups_and_files),
            plan,
            adaptive,
            clairvoyant,
        })
    }

    /// With those of another node that is asked in turn with this one.
    pub fn and(self, other: Self) -> Self {
        Self {
            page_cache: self.page_cache.and(other.page_cache),
            lru: self.lru.and(other.lru),
            size_threshold: self.size_threshold.and(other.size_threshold),
            reservations: both(self.reservations, other.reservations),
            groups: both(self.groups, other.groups),
            groups_and_files: both(self.groups_and_files, other.groups_and_files),
            plan: self.plan.and(other.plan),
            adaptive: self.adaptive.and(other.adaptive),
            clairvoyant: self.clairvoyant.and(other.clairvoyant),
            beside_whole_files: {
                let mut others = other.beside_whole_files.into_iter();
                self.beside_whole_files.map(|one| {
                    let other = others.next().flatten();
                    one.zip(other).map(|(one, other)| one.and(other))
                })
            },
        }
    }

    /// Arms that a page cache of whole files would put in another order.
    pub fn reversals(&self) -> Vec<Reversal> {
        let scored = [
            &self.page_cache,
            &self.lru,
            &self.size_threshold,
            &self.plan,
            &self.adaptive,
            &self.clairvoyant,
        ];
        let beside = self.beside_whole_files.each_ref();
        let beside = beside.map(|judgement| {
            judgement
                .as_ref()
                .map_or(f64::NAN, |judgement| judgement.mean_us)
        });
        reversals(scored.map(ArmRun::weighted_mean_us), beside)
    }

    /// Page cache alone, plan and clairvoyant, to be laid beside other outcomes.
    pub fn outcomes(&self, sites: &[String], memory_bytes: u64, seed: u64) -> Vec<Outcome> {
        let mut provenance = Provenance::new(ProvenanceKind::Simulated);
        let memory = ("memory_bytes".to_owned(), memory_bytes.to_string());
        provenance.settings.push(memory);
        provenance.seed = Some(seed);
        let arms = [
            ("page_cache", &self.page_cache),
            ("plan", &self.plan),
            ("clairvoyant", &self.clairvoyant),
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

    fn scores(&self, score: impl Fn(&ArmRun, Option<&ArmRun>) -> ArmScore) -> HeldOut {
        let page_cache = score(&self.page_cache, None);
        let beside = |run| score(run, Some(&self.page_cache));
        HeldOut {
            accesses: page_cache.traffic.accesses(),
            page_cache,
            lru: beside(&self.lru),
            size_threshold: beside(&self.size_threshold),
            reservations: self.reservations.as_ref().map(beside),
            groups: self.groups.as_ref().map(beside),
            groups_and_files: self.groups_and_files.as_ref().map(beside),
            plan: beside(&self.plan),
            adaptive: beside(&self.adaptive),
            clairvoyant: beside(&self.clairvoyant),
        }
    }
}

/// How the nodes did on their held-out accesses, each and together.
pub(crate) struct Scores {
    pub nodes: Vec<HeldOut>,
    pub together: Arms,
    pub sites: Vec<HeldOut>,
    pub total: HeldOut,
}

impl Scores {
    /// `runs` are those of the nodes.
    pub fn of(runs: Vec<Arms>, sites: usize, bootstrap: &Bootstrap) -> Result<Self, PlanError> {
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
