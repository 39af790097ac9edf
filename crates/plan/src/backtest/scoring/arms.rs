//! The ways of using the memory that a plan is laid beside, each scored on the held-out accesses.

use std::ops::{Index, IndexMut};
use std::sync::LazyLock;

use hotset_cache::Lru;
use hotset_outcome::{Bootstrap, Outcome, Provenance, ProvenanceKind};
use rayon::prelude::*;
use serde::Serialize;

use super::arm::{Arm, ByArm};
use super::page_cache_alone::PageCacheAlone;
use super::renewal;
use super::reversals::{Reversal, beside_whole_files, reversals};
use super::score::{ArmRun, ArmScore};
use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::layout::Layout;
use crate::backtest::candidates::split_search;
use crate::backtest::fills::decisive;
use crate::backtest::judgement::Judgement;
use crate::backtest::options::Renewal;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache, Scan, WholeFiles, last_that_fill};
use crate::backtest::stretches::serve_stretches;
use crate::select::{HeldSet, select};

/// Files below this are held by the size-threshold arm: "all small files (less than 1MB)", section 4.4 of
/// "Characterization of multi-tier data-centers", whose file classes count in powers of two.
const SIZE_THRESHOLD_BYTES: u64 = 1 << 20;

/// Scores of all arms on the held-out accesses of a site, or of all sites.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HeldOutScores {
    /// Held-out accesses.
    pub accesses: u64,
    /// The scores; `held_out[arm]` is that of `arm`, or one of no access where the arm is absent.
    #[serde(flatten)]
    pub arms: ByArm<ArmScore>,
}

impl HeldOutScores {
    /// Whether the plan does better than what is held without it, by the weighted mean that it minimises. Without
    /// accesses nothing speaks against it.
    pub fn plan_pays(&self) -> bool {
        let without = self.arms.get(Arm::Reservations);
        let without = without.unwrap_or(&self[Arm::PageCache]);
        pays(self[Arm::Plan].weighted_mean_us, without.weighted_mean_us)
    }
}

impl Index<Arm> for HeldOutScores {
    type Output = ArmScore;

    fn index(&self, arm: Arm) -> &ArmScore {
        static NO_ACCESS: LazyLock<ArmScore> = LazyLock::new(ArmScore::of_no_access);
        self.arms.get(arm).unwrap_or(&NO_ACCESS)
    }
}

impl IndexMut<Arm> for HeldOutScores {
    fn index_mut(&mut self, arm: Arm) -> &mut ArmScore {
        let score = self.arms.entry(arm);
        score.get_or_insert_with(ArmScore::of_no_access)
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
    let held = (test.training_accesses(), layout.set());
    let run = served(test, held, &mut caches, run);
    test.go_on()?;
    Ok(run)
}

/// Adds to `run` the held-out accesses with memory laid out like this, all as one, or each stretch of them that is scored to one of its
/// own.
pub(crate) fn laid_out_runs(
    test: &Backtest,
    layout: &Layout,
    run: ArmRun,
) -> Result<Vec<ArmRun>, PlanError> {
    let (mut caches, stretches) = (layout.caches(test)?, test.held_out_stretches());
    let (set, mut runs) = (layout.set(), vec![run; stretches.len()]);
    let filled = match layout {
        Layout::Files(_) => test.filled_by(set, &stretches),
        // Groups of sites that are hardly asked for take long to fill.
        Layout::Groups(..) => None,
    };
    let held = (set, filled);
    serve_stretches(
        test,
        held,
        &mut caches,
        &stretches,
        |number, object, served| {
            runs[number].add(test, object, served);
        },
    );
    test.go_on()?;
    Ok(runs)
}

/// Adds to `run` the held-out accesses with `set` held and the rest of memory as page cache.
pub(crate) fn held(test: &Backtest, set: &HeldSet, run: ArmRun) -> ArmRun {
    let mut cache = PageCache::beside(test, set.pages());
    served(test, (test.training_accesses(), set), &mut cache, run)
}

/// The same where only the last of the training part warms the page cache: ways that are shown beside the plan.
fn held_beside(test: &Backtest, set: &HeldSet) -> ArmRun {
    let mut cache = PageCache::beside(test, set.pages());
    let warming = decisive(test, test.training_accesses(), set);
    served(test, (warming, set), &mut cache, ArmRun::new(test))
}

/// The node with only what its sites reserve held; nothing where none reserves.
pub(crate) fn reservations(choice: &Choice) -> Option<ArmRun> {
    let reserved = choice.reserved_set();
    (reserved.pages() > 0).then(|| held(choice.test, &reserved, ArmRun::new(choice.test)).packed())
}

/// Warms the cache with the last training accesses, `warming`, and serves the test accesses.
fn served<C: FileCache>(
    test: &Backtest,
    (warming, set): (&[u32], &HeldSet),
    cache: &mut C,
    run: ArmRun,
) -> ArmRun {
    let first = test.training - warming.len();
    cache.warm(Scan::of(&test.values, warming, set).at(first));
    scored(test, set, cache, run)
}

/// Adds to `run` the held-out accesses beside a cache that is warm.
fn scored<C: FileCache>(test: &Backtest, set: &HeldSet, cache: &mut C, mut run: ArmRun) -> ArmRun {
    let held_out = test.held_out_accesses();
    let scan = Scan::of(&test.values, held_out, set).at(test.training);
    cache.serve(scan, |index, served| {
        run.add(test, held_out[index], served);
    });
    run
}

/// What the arms of a node are made from.
struct Node<'a> {
    choice: &'a Choice<'a>,
    alone: &'a PageCacheAlone<'a>,
    renewal: Renewal,
}

/// What an arm did: its run, none of an absent arm and of the page cache alone, which has run; and how it does beside a page cache
/// of whole files, where it can be and is not how it is scored.
type ArmResult = (Option<ArmRun>, Option<Judgement>);

impl Node<'_> {
    fn run(&self, arm: Arm) -> Result<ArmResult, PlanError> {
        let (choice, test) = (self.choice, self.choice.test);
        let nothing = HeldSet::empty(test.objects());
        let (run, beside) = match arm {
            Arm::PageCache => (None, beside_whole_files(test, &nothing)),
            Arm::Lru => self.lru(&nothing),
            Arm::SizeThreshold => self.held_beside(&size_threshold_set(test)),
            Arm::Reservations => (reservations(choice), None),
            Arm::Groups => self.in_groups(0)?,
            Arm::GroupsAndFiles => self.in_groups(1)?,
            Arm::Plan => match &choice.layout {
                Layout::Files(set) => self.held(set),
                layout => self.laid_out(layout)?,
            },
            Arm::Adaptive => {
                let (run, beside) = renewal::run(test, self.renewal, choice.step, self.alone)?;
                (Some(run), beside)
            }
            Arm::Clairvoyant => self.held_beside(&self.clairvoyant_set()),
        };
        Ok((run.map(ArmRun::packed), beside))
    }

    fn lru(&self, nothing: &HeldSet) -> ArmResult {
        let test = self.choice.test;
        let mut cache = WholeFiles(Lru::new(test.memory_pages, test.objects()));
        let warming = last_that_fill(test, test.training_accesses());
        let run = served(test, (warming, nothing), &mut cache, ArmRun::new(test));
        let beside = run.judgement();
        (Some(run), beside)
    }

    fn held(&self, set: &HeldSet) -> ArmResult {
        let test = self.choice.test;
        let run = held(test, set, ArmRun::new(test));
        (Some(run), beside_whole_files(test, set))
    }

    fn held_beside(&self, set: &HeldSet) -> ArmResult {
        let test = self.choice.test;
        (Some(held_beside(test, set)), beside_whole_files(test, set))
    }

    fn laid_out(&self, layout: &Layout) -> Result<ArmResult, PlanError> {
        let test = self.choice.test;
        Ok((Some(laid_out(test, layout, ArmRun::new(test))?), None))
    }

    /// Groups of the first kind hold nothing, those of the second hold files.
    fn in_groups(&self, kind: usize) -> Result<ArmResult, PlanError> {
        match &self.choice.groups {
            Some(strategies) => self.laid_out(&strategies[kind].layout(self.choice.test)?),
            None => Ok((None, None)),
        }
    }

    fn clairvoyant_set(&self) -> HeldSet {
        let test = self.choice.test;
        let known = self.alone.run().judgement();
        let known = known.filter(|_| test.targets.is_empty());
        split_search::clairvoyant_set(test, known, self.choice.step)
    }
}

/// All arms on the held-out accesses, those of outcomes in detail.
pub(crate) struct Arms {
    runs: ByArm<ArmRun>,
    /// Each beside a page cache of whole files, where it can be and is not how it is scored.
    beside_whole_files: ByArm<Judgement>,
}

impl Arms {
    /// Runs every other arm beside the plan of `choice` and the page cache `alone`.
    pub fn run(
        choice: &Choice,
        alone: PageCacheAlone,
        renewal: Renewal,
    ) -> Result<Self, PlanError> {
        let node = Node {
            choice,
            alone: &alone,
            renewal,
        };
        let done = Arm::ALL.par_iter().map(|&arm| node.run(arm));
        let done = done.collect::<Result<Vec<ArmResult>, PlanError>>()?;
        choice.test.go_on()?;
        let (runs, beside): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        let mut runs = ByArm::from_iter(runs);
        *runs.entry(Arm::PageCache) = alone.runs.into_iter().next();
        Ok(Self {
            runs,
            beside_whole_files: ByArm::from_iter(beside),
        })
    }

    /// With those of another node that is asked in turn with this one.
    pub fn and(self, other: Self) -> Self {
        let beside = self.beside_whole_files;
        Self {
            runs: self.runs.join(other.runs, ArmRun::and),
            beside_whole_files: beside.join(other.beside_whole_files, Judgement::and),
        }
    }

    /// Arms that a page cache of whole files would put in another order.
    pub fn reversals(&self) -> Vec<Reversal> {
        let both = self.beside_whole_files.iter().filter_map(|(arm, beside)| {
            let scored_us = self.runs.get(arm)?.weighted_mean_us();
            Some((arm, scored_us, beside.mean_us))
        });
        reversals(&both.collect::<Vec<_>>())
    }

    /// Outcomes to be laid beside others: [`Arm::OF_OUTCOMES`].
    pub fn outcomes(&self, sites: &[String], memory_bytes: u64, seed: u64) -> Vec<Outcome> {
        let mut provenance = Provenance::new(ProvenanceKind::Simulated);
        let memory = ("memory_bytes".to_owned(), memory_bytes.to_string());
        provenance.settings.push(memory);
        provenance.seed = Some(seed);
        let outcome = |arm: Arm| {
            let run = self.runs.get(arm)?;
            run.outcome(arm.name(), provenance.clone(), sites)
        };
        Arm::OF_OUTCOMES.into_iter().filter_map(outcome).collect()
    }

    /// Scores of site `site`.
    pub fn site(&self, site: usize, bootstrap: &Bootstrap) -> HeldOutScores {
        self.scores(|run, base| run.site_score(site, base, bootstrap))
    }

    /// Scores of all sites.
    pub fn total(&self, bootstrap: &Bootstrap) -> HeldOutScores {
        self.scores(|run, base| run.total_score(base, bootstrap))
    }

    fn scores(&self, score: impl Fn(&ArmRun, Option<&ArmRun>) -> ArmScore) -> HeldOutScores {
        let base = self.runs.get(Arm::PageCache);
        let arms = ByArm::of(|arm| {
            let base = base.filter(|_| arm != Arm::PageCache);
            Some(score(self.runs.get(arm)?, base))
        });
        let page_cache = arms.get(Arm::PageCache);
        HeldOutScores {
            accesses: page_cache.map_or(0, |score| score.traffic.accesses()),
            arms,
        }
    }
}

/// How the nodes did on their held-out accesses, each and together.
pub(crate) struct Scores {
    pub nodes: Vec<HeldOutScores>,
    pub together: Arms,
    pub sites: Vec<HeldOutScores>,
    pub total: HeldOutScores,
}

impl Scores {
    /// `runs` are those of the nodes.
    pub fn of(runs: Vec<Arms>, sites: usize, bootstrap: &Bootstrap) -> Result<Self, PlanError> {
        let nodes: Vec<HeldOutScores> = runs.iter().map(|arms| arms.total(bootstrap)).collect();
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
