//! Sites in memory groups of their own: each has a page cache that no other site's files can take.

mod bins;
mod caches;
mod curve;
mod site;
mod split;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Target;
use rayon::prelude::*;

use super::judged::Judged;
use super::prepare::Backtest;
use super::share::{Split, validated_split};
use crate::PlanError;
use crate::select::{HeldSet, select};
pub(super) use caches::GroupCaches;
use curve::{Curves, SiteCurve};
use site::Site;
use split::{LEAST_PAGES, split};

/// What is learnt of sites for groups of any size.
pub(super) struct Groups {
    sites: Vec<Site>,
    curves: Vec<Curves>,
    /// Each file's number within its site.
    numbers: Vec<u32>,
}

/// A site's group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Group {
    pub pages: u64,
    /// Pages of it in which files are held.
    pub held_pages: u64,
    /// Pages that no one else may take: what is held, reserved, or needed for the site's targets.
    pub floor_pages: u64,
}

/// Memory split into groups.
#[derive(Clone, Debug)]
pub(super) struct GroupSplit {
    /// By site.
    pub groups: Vec<Group>,
    /// What is held in all of them.
    pub set: HeldSet,
    /// How it does inside the training part.
    pub judged: Judged,
}

/// Groups without and with held files.
pub(super) struct GroupSplits {
    pub alone: GroupSplit,
    pub with_files: GroupSplit,
}

/// The least pages of a group of its own with which site `site` would have met `target` in the training part; none where no
/// memory is enough.
pub(super) fn needed_pages(
    test: &Backtest,
    site: usize,
    target: Target,
) -> Result<Option<u64>, PlanError> {
    let curve = Site::one(test, site).curves(test, &[target])?.whole;
    let needed = curve.needed_by_target().next().flatten();
    Ok(needed.filter(|_| curve.has_accesses()))
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
            judged: Judged::default(),
        }
    }

    /// Whether the memory of `test` is enough for groups at all.
    pub fn fit(&self, test: &Backtest) -> bool {
        let owed = test
            .reserved_pages
            .iter()
            .map(|&pages| pages.max(LEAST_PAGES));
        owed.sum::<u64>() <= test.memory_pages
    }

    /// The memory of `test`, split. As with any plan, the first part of the training accesses decides what the rest of them
    /// judges, and then all of them decide anew.
    pub fn split(&self, test: &Backtest) -> Result<GroupSplits, PlanError> {
        let inner = self.pages(test, |curves| &curves.inner);
        let chosen = self.sites.par_iter().zip(inner);
        let chosen: Vec<(u32, Judged, Judged)> = chosen
            .map(|(site, pages)| {
                let own = site.backtest(test)?.with_memory(pages);
                let (Split { step, judged, .. }, nothing) =
                    validated_split(&own, own.inner_ranking(), None, None);
                Ok((step, judged, nothing))
            })
            .collect::<Result<_, PlanError>>()?;
        let steps = chosen.iter().map(|&(step, ..)| step);
        let judged = |of: fn(&(u32, Judged, Judged)) -> &Judged| {
            let sites = chosen.iter().map(|chosen| of(chosen).clone());
            sites.reduce(Judged::and).unwrap_or_default()
        };
        let pages = self.pages(test, |curves| &curves.whole);
        let nothing = std::iter::repeat_n(0, self.sites.len());
        Ok(GroupSplits {
            alone: self.filled(test, &pages, nothing, judged(|(_, _, nothing)| nothing))?,
            with_files: self.filled(test, &pages, steps, judged(|(_, judged, _)| judged))?,
        })
    }

    /// Pages of each group, by these curves.
    fn pages(&self, test: &Backtest, of: fn(&Curves) -> &SiteCurve) -> Vec<u64> {
        let curves: Vec<&SiteCurve> = self.curves.iter().map(of).collect();
        split(
            &curves,
            test.values.weights(),
            &test.reserved_pages,
            test.memory_pages,
        )
    }

    /// Groups of these pages, each with files held in so many twentieths of it.
    fn filled(
        &self,
        test: &Backtest,
        pages: &[u64],
        steps: impl Iterator<Item = u32>,
        judged: Judged,
    ) -> Result<GroupSplit, PlanError> {
        let (mut groups, mut held) = (Vec::new(), Vec::new());
        for (index, (&pages, step)) in pages.iter().zip(steps).enumerate() {
            let site = &self.sites[index];
            let own = site.backtest(test)?.with_memory(pages);
            let set = select(&own.values, own.training_ranking(), own.budget(step));
            let owed = self.curves[index].whole.needed_pages();
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
            judged,
        })
    }
}
