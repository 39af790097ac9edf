//! Sites in memory groups of their own: each has a page cache that no other site's files can take.

mod bins;
mod caches;
mod curve;
mod site;
mod split;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Target;
use rayon::prelude::*;

use crate::PlanError;
use crate::backtest::candidates::split_search::validated_split;
use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;
use crate::select::{Budget, HeldSet, select};
pub(crate) use caches::GroupCaches;
use curve::{Curves, Demand, SiteCurve};
use site::Site;
use split::{LEAST_PAGES, split};

/// What is learnt of sites for groups of any size.
pub(crate) struct Groups {
    sites: Vec<Site>,
    curves: Vec<Curves>,
    /// Each file's number within its site.
    numbers: Vec<u32>,
}

/// A site's group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Group {
    /// None for a site without files.
    pub pages: u64,
    /// Pages of it in which files are held.
    pub held_pages: u64,
    /// Pages that no one else may take: what is held, reserved, or needed for the site's targets.
    pub floor_pages: u64,
}

/// Memory split into groups.
#[derive(Clone, Debug)]
pub(crate) struct GroupSplit {
    /// By site.
    pub groups: Vec<Group>,
    /// What is held in all of them.
    pub set: HeldSet,
}

/// How to split memory into groups, whichever accesses it is then done by.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct GroupStrategy {
    /// Twentieths of its group in which each site holds files.
    steps: Vec<u32>,
    favour: Favour,
}

/// Sites that get memory before it is split by what it saves.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Favour {
    pub sites: Vec<usize>,
    /// Pages for them together; each gets no more than it can use.
    pub pages: u64,
}

/// Groups of all sites, as they do inside the training part.
pub(crate) struct GroupCandidates {
    favour: Favour,
    sites: Vec<GroupCandidate>,
}

/// A site's group.
struct GroupCandidate {
    /// Twentieths of it to hold files in.
    step: u32,
    /// How it does with those files.
    filled: Judgement,
    /// How it does without.
    empty: Judgement,
}

/// The least pages of a group of its own with which site `site` would have met `target` in the training part; none where no
/// memory is enough.
pub(crate) fn needed_pages(
    test: &Backtest,
    site: usize,
    target: Target,
) -> Result<Option<u64>, PlanError> {
    let curve = Site::one(test, site).curves(test, &[target])?.whole;
    Ok(curve.needed_by_target().next().and_then(Demand::enough))
}

impl Groups {
    pub fn of(test: &Backtest) -> Result<Self, PlanError> {
        let (sites, numbers) = Site::all(test);
        let curves = sites.par_iter().enumerate();
        let curves = curves.map(|(index, site)| {
            let targets = test.targets.get(index).map_or(&[][..], Vec::as_slice);
            site.curves(test, targets)
        });
        Ok(Self {
            curves: curves.collect::<Result<_, _>>()?,
            sites,
            numbers,
        })
    }

    /// The groups of these bytes with `set` held in them, whoever chose both.
    pub fn given(&self, test: &Backtest, set: HeldSet, bytes: &[u64]) -> GroupSplit {
        let mut held_pages = vec![0; self.sites.len()];
        for &object in set.objects() {
            held_pages[test.values.site(object)] += test.values.pages(object);
        }
        let groups = bytes.iter().zip(held_pages);
        GroupSplit {
            groups: groups
                .map(|(bytes, held_pages)| Group {
                    pages: bytes / PAGE_BYTES,
                    held_pages,
                    floor_pages: held_pages,
                })
                .collect(),
            set,
        }
    }

    /// Whether the memory of `test` is enough for groups at all.
    pub fn fit(&self, test: &Backtest) -> bool {
        self.least(test).iter().sum::<u64>() <= test.memory_pages
    }

    /// The least pages of each site's group: what it reserves. A site without files has none.
    fn least(&self, test: &Backtest) -> Vec<u64> {
        let sites = self.sites.iter().zip(&test.reserved_pages);
        sites
            .map(|(site, &reserved)| match site.objects.len() {
                0 => 0,
                _ => reserved.max(LEAST_PAGES),
            })
            .collect()
    }

    /// Groups of the memory of `test`, and what to hold in each. As with any plan, the first part of the training accesses
    /// decides what the rest of them judges.
    pub fn candidates(
        &self,
        test: &Backtest,
        favour: Favour,
    ) -> Result<GroupCandidates, PlanError> {
        let pages = self.pages(test, |curves| &curves.inner, &favour);
        let sites = self.sites.par_iter().zip(pages);
        let candidate = |(site, pages): (&Site, u64)| {
            let own = site.backtest(test)?.with_memory(pages);
            let (split, empty) = validated_split(&own, own.inner_ranking(), None, None);
            Ok(GroupCandidate {
                step: split.step,
                filled: split.judgement,
                empty,
            })
        };
        let sites = sites.map(candidate).collect::<Result<_, PlanError>>()?;
        Ok(GroupCandidates { sites, favour })
    }

    /// The groups of `way`, by all training accesses. Sites that are favoured have no less than where `way` was tried.
    pub fn split(
        &self,
        test: &Backtest,
        strategy: &GroupStrategy,
    ) -> Result<GroupSplit, PlanError> {
        let tried = self.pages(test, |curves| &curves.inner, &strategy.favour);
        let mut pages = self.pages(test, |curves| &curves.whole, &strategy.favour);
        let mut favoured = strategy.favour.sites.iter();
        if favoured.any(|&site| pages[site] < tried[site]) {
            pages = tried;
        }
        self.filled(test, &pages, strategy, |_, own, budget| {
            select(&own.values, own.training_ranking(), budget)
        })
    }

    /// The same by the first of the training accesses, as many as `known`; sizes are by [`Backtest::inner`].
    pub fn split_of(
        &self,
        test: &Backtest,
        strategy: &GroupStrategy,
        known: usize,
    ) -> Result<GroupSplit, PlanError> {
        let pages = self.pages(test, |curves| &curves.inner, &strategy.favour);
        let mut known_of = vec![0; self.sites.len()];
        let accesses = test.training_accesses()[..known].iter();
        accesses.for_each(|&object| known_of[test.values.site(object)] += 1);
        self.filled(test, &pages, strategy, |site, own, budget| {
            let ranking = own.ranking(&own.training_accesses()[..known_of[site]]);
            select(&own.values, &ranking, budget)
        })
    }

    /// Pages of each group, by these curves.
    fn pages(&self, test: &Backtest, of: fn(&Curves) -> &SiteCurve, favour: &Favour) -> Vec<u64> {
        let curves: Vec<&SiteCurve> = self.curves.iter().map(of).collect();
        let mut least = self.least(test);
        let free = test.memory_pages.saturating_sub(least.iter().sum());
        let mut left = favour.pages.min(free);
        for &site in &favour.sites {
            let more = curves[site].useful_pages().saturating_sub(least[site]);
            least[site] += more.min(left);
            left -= more.min(left);
        }
        split(&curves, test.values.weights(), least, test.memory_pages)
    }

    /// Groups of these pages, each with the files that `select` holds in its budget.
    fn filled(
        &self,
        test: &Backtest,
        pages: &[u64],
        strategy: &GroupStrategy,
        select: impl Fn(usize, &Backtest, Budget) -> HeldSet,
    ) -> Result<GroupSplit, PlanError> {
        let (mut groups, mut held) = (Vec::new(), Vec::new());
        for (index, (&pages, &step)) in pages.iter().zip(&strategy.steps).enumerate() {
            let site = &self.sites[index];
            let own = site.backtest(test)?.with_memory(pages);
            let set = select(index, &own, own.budget(step));
            let owed = self.curves[index].whole.nearest_pages();
            let owed = owed.max(test.reserved_pages[index]).min(pages);
            groups.push(Group {
                pages,
                held_pages: set.pages(),
                floor_pages: owed.max(set.pages()),
            });
            let objects = set.objects().iter();
            held.extend(objects.map(|&number| site.objects[number as usize]));
        }
        Ok(GroupSplit {
            groups,
            set: HeldSet::of(&test.values, &held),
        })
    }
}

impl GroupStrategy {
    /// Whether no site holds files.
    pub fn holds_nothing(&self) -> bool {
        self.steps.iter().all(|&step| step == 0)
    }
}

impl GroupCandidates {
    /// Groups in which the sites hold files for which `holds`.
    pub fn strategy(&self, holds: impl Fn(usize) -> bool) -> (GroupStrategy, Judgement) {
        let sites = self.sites.iter().enumerate();
        let of = |(site, candidate): (usize, &GroupCandidate)| match holds(site) {
            true => (candidate.step, candidate.filled.clone()),
            false => (0, candidate.empty.clone()),
        };
        let (steps, judgements): (Vec<u32>, Vec<Judgement>) = sites.map(of).unzip();
        let judgements = judgements.into_iter().reduce(Judgement::and);
        let favour = self.favour.clone();
        (
            GroupStrategy { steps, favour },
            judgements.unwrap_or_default(),
        )
    }
}
