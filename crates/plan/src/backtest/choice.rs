//! What is chosen for one node.

use hotset_cache::PAGE_BYTES;
use serde::Serialize;

use super::alone::Alone;
use super::groups::{GroupSplit, GroupSplits};
use super::nodes::weighted_mean;
use super::plan::GroupSize;
use super::prepare::Backtest;
use super::share::{Validation, share_at};
use super::shared::Shared;
use crate::PlanError;
use crate::select::{Bound, HeldSet, bound, select};

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
    /// With what another node holds.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            objects: self.objects + other.objects,
            bytes: self.bytes + other.bytes,
            pages: self.pages + other.pages,
        }
    }
}

/// What a plan uses memory for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lever {
    /// Held files beside one page cache for all sites.
    #[default]
    Files,
    /// A page cache for each site, in a memory group of its own.
    Groups,
    /// Both.
    GroupsAndFiles,
}

impl Lever {
    /// Of all nodes.
    pub(super) fn of_all(mut nodes: impl Iterator<Item = Lever>) -> Lever {
        let first = nodes.next().unwrap_or_default();
        match nodes.all(|lever| lever == first) {
            true => first,
            false => Lever::GroupsAndFiles,
        }
    }
}

/// What is chosen for one node.
pub(super) struct Choice<'a> {
    pub test: &'a Backtest<'a>,
    pub lever: Lever,
    /// Twentieths of memory to hold files in, beside one page cache for all sites.
    pub step: u32,
    pub validated: Validation,
    /// What is held of what the whole training part ranks.
    pub set: HeldSet,
    /// Memory split into groups, where there may be some.
    pub splits: Option<GroupSplits>,
}

impl<'a> Choice<'a> {
    /// Chooses beside the page cache alone; `near` is the split of a memory that is not much different, where one is known.
    pub fn of(test: &'a Backtest<'a>, alone: &Alone, near: Option<u32>) -> Result<Self, PlanError> {
        let shared = Shared::of(test, &alone.validated.judged(), near);
        let groups = test.groups.as_ref().filter(|groups| groups.fit(test));
        let splits = groups.map(|groups| groups.split(test));
        let splits = splits.transpose()?;
        let (mut lever, mut best) = (Lever::Files, &shared.judged);
        if let Some(splits) = &splits {
            for (other, split) in [
                (Lever::Groups, &splits.alone),
                (Lever::GroupsAndFiles, &splits.with_files),
            ] {
                if split.judged.is_better(best) == Some(true) {
                    (lever, best) = (other, &split.judged);
                }
            }
        }
        Ok(Self {
            test,
            lever,
            step: shared.step,
            validated: Validation {
                page_cache_mean_us: shared.nothing.mean_us,
                plan_mean_us: best.mean_us,
                missed_targets: best.all_missed(),
            },
            set: match (lever, &splits) {
                (Lever::Groups, Some(splits)) => splits.alone.set.clone(),
                (Lever::GroupsAndFiles, Some(splits)) => splits.with_files.set.clone(),
                _ => shared.set(test),
            },
            splits,
        })
    }

    /// The groups of the plan, by site, where it has some.
    pub fn groups(&self) -> Option<&GroupSplit> {
        let splits = self.splits.as_ref()?;
        match self.lever {
            Lever::Files => None,
            Lever::Groups => Some(&splits.alone),
            Lever::GroupsAndFiles => Some(&splits.with_files),
        }
    }

    /// The memory group of `site`, where the plan has groups.
    pub fn group_size(&self, site: usize) -> Option<GroupSize> {
        let group = self.groups()?.groups.get(site)?;
        Some(GroupSize {
            memory_bytes: group.pages * PAGE_BYTES,
            floor_bytes: group.floor_pages * PAGE_BYTES,
        })
    }

    /// Holds no more than what sites reserve.
    pub fn give_up(&mut self) {
        self.lever = Lever::Files;
        self.set = self.reserved_set();
        self.step = 0;
    }

    /// What is held where sites have what they reserve and nothing else.
    pub fn reserved_set(&self) -> HeldSet {
        select(
            &self.test.values,
            self.test.training_ranking(),
            self.test.budget(0),
        )
    }

    pub fn held(&self) -> Held {
        let objects = self.set.objects();
        Held {
            objects: objects.len() as u64,
            bytes: self.bytes_of(objects.iter().copied()),
            pages: self.set.pages(),
        }
    }

    pub fn page_cache_bytes(&self) -> u64 {
        self.test.memory_pages.saturating_sub(self.set.pages()) * PAGE_BYTES
    }

    /// Share of memory given to held files at most.
    pub fn share(&self) -> f64 {
        match self.lever {
            Lever::Files => share_at(self.step),
            _ => self.set.pages() as f64 / self.test.memory_pages.max(1) as f64,
        }
    }

    pub fn bound(&self) -> Bound {
        let mut budget = self.test.budget(self.step);
        if self.lever != Lever::Files {
            budget.pages = self.set.pages();
        }
        bound(
            &self.test.values,
            self.test.training_ranking(),
            &self.set,
            budget,
        )
    }

    /// Bytes to read to get there from what was held before.
    pub fn moved_bytes(&self) -> u64 {
        self.bytes_of(self.set.new_beside(&self.test.previous))
    }

    /// Sizes of the held files of a site.
    pub fn sizes_of(&self, site: usize) -> impl Iterator<Item = u64> {
        let held = self.set.objects().iter();
        let own = held.filter(move |&&object| self.test.values.site(object) == site);
        own.map(|&object| self.test.size(object))
    }

    fn bytes_of(&self, objects: impl Iterator<Item = u32>) -> u64 {
        objects.map(|object| self.test.size(object)).sum()
    }
}

/// Share of the memory of all nodes together.
pub(super) fn share_of_all(choices: &[Choice]) -> f64 {
    let shares = choices.iter();
    weighted_mean(shares.map(|choice| (choice.share(), choice.test.memory_pages as f64)))
}

impl Validation {
    /// What validation says of all nodes together, each with the accesses that it learnt from.
    pub(super) fn of_all(choices: &[Choice]) -> Self {
        let mean = |means: fn(&Validation) -> f64| {
            let means = choices.iter().map(|choice| {
                let learnt = choice.test.training as f64;
                (means(&choice.validated), learnt)
            });
            weighted_mean(means)
        };
        Self {
            page_cache_mean_us: mean(|validated| validated.page_cache_mean_us),
            plan_mean_us: mean(|validated| validated.plan_mean_us),
            missed_targets: choices
                .iter()
                .map(|choice| choice.validated.missed_targets)
                .sum(),
        }
    }
}
