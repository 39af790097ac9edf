//! What a site's accesses save in a page cache of its own, by the size of that cache.

use hotset_cache::ReuseDistances;
use hotset_scenario::{Measure, Target};

use super::bins::Bins;
use crate::PlanError;
use crate::backtest::prepare::Backtest;
use crate::backtest::prepare::ranking_part;
use crate::value::{AccessResult, Values};

/// A site's accesses by the memory that each needs to find its file in a least-recently-used page cache.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteCurve {
    /// Microseconds that the accesses of each bin of pages save.
    saved_us: Bins<f64>,
    targets: Vec<TargetCurve>,
}

/// A target, and what of the accesses that judge it breaks it at which memory.
#[derive(Clone, Debug)]
struct TargetCurve {
    target: Target,
    accesses: u64,
    /// Sum of the responses where every access misses, in microseconds.
    missed_us: f64,
    /// Microseconds that the accesses of each bin of pages save.
    saved_us: Bins<f64>,
    /// Accesses that are slower than it with less memory than their bin's.
    short_of: Bins<u64>,
    /// Accesses that are slower than it whatever the memory.
    always: u64,
}

/// Pages of a group, and whether they are enough for a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Demand {
    /// The least with which it is met.
    Enough(u64),
    /// The least that come nearest to it, where no memory is enough.
    Nearest(u64),
}

impl SiteCurve {
    /// Counts an access to `object` that finds its file in a cache of `distance` pages; of none where it was not accessed
    /// before.
    fn add(&mut self, values: &Values, object: u32, distance: Option<u64>) {
        let hit_us = values.response_us(object, AccessResult::Hit);
        let miss_us = values.response_us(object, AccessResult::Miss);
        if let Some(pages) = distance {
            self.saved_us.add(pages, miss_us - hit_us);
        }
        for curve in &mut self.targets {
            curve.add(distance, hit_us, miss_us);
        }
    }

    /// Holds the accesses that follow to `targets`, and none before them.
    fn judge_from_here(&mut self, targets: &[Target]) {
        self.targets = targets.iter().copied().map(TargetCurve::new).collect();
    }

    /// The microseconds that each access saves if it finds its file, by the pages that it needs for that.
    pub fn savings(&self) -> impl Iterator<Item = (u64, f64)> {
        sums(&self.saved_us)
    }

    /// The least pages with which every access but the first to each file finds its file.
    pub fn useful_pages(&self) -> u64 {
        last_pages(&self.saved_us).unwrap_or(0)
    }

    /// The least pages with which all targets are met that memory can meet.
    pub fn needed_pages(&self) -> u64 {
        let enough = self.needed_by_target().filter_map(Demand::enough);
        enough.max().unwrap_or(0)
    }

    /// The same, and with which those that no memory can meet are nearest.
    pub fn nearest_pages(&self) -> u64 {
        let nearest = self.needed_by_target().map(|needed| match needed {
            Demand::Enough(pages) | Demand::Nearest(pages) => pages,
        });
        nearest.max().unwrap_or(0)
    }

    /// The pages that each target needs.
    pub fn needed_by_target(&self) -> impl Iterator<Item = Demand> {
        self.targets.iter().map(TargetCurve::needed)
    }
}

impl Demand {
    /// The pages with which the target is met.
    pub fn enough(self) -> Option<u64> {
        match self {
            Self::Enough(pages) => Some(pages),
            Self::Nearest(_) => None,
        }
    }
}

/// The sum of all bins up to each, by its pages, both rising.
fn sums(bins: &Bins<f64>) -> impl Iterator<Item = (u64, f64)> {
    let mut sum = 0.0;
    bins.iter().map(move |(pages, amount)| {
        sum += amount;
        (pages, sum)
    })
}

impl TargetCurve {
    fn new(target: Target) -> Self {
        Self {
            target,
            accesses: 0,
            missed_us: 0.0,
            saved_us: Bins::default(),
            short_of: Bins::default(),
            always: 0,
        }
    }

    /// Counts an access that takes `hit_us` where a cache of `distance` pages has its file, else `miss_us`.
    fn add(&mut self, distance: Option<u64>, hit_us: f64, miss_us: f64) {
        let below_us = self.target.below_us;
        self.accesses += 1;
        self.missed_us += miss_us;
        if let Some(pages) = distance {
            self.saved_us.add(pages, miss_us - hit_us);
        }
        match distance {
            _ if miss_us < below_us => {}
            Some(pages) if hit_us < below_us => self.short_of.add(pages, 1),
            _ => self.always += 1,
        }
    }

    fn needed(&self) -> Demand {
        let (enough, nearest) = match self.target.measure {
            _ if self.accesses == 0 => (None, None),
            Measure::Mean => (self.pages_for_mean(), last_pages(&self.saved_us)),
            _ => (self.pages_for_share(), last_pages(&self.short_of)),
        };
        enough.map_or(Demand::Nearest(nearest.unwrap_or(0)), Demand::Enough)
    }

    fn pages_for_mean(&self) -> Option<u64> {
        let most_us = self.target.below_us * self.accesses as f64;
        let mut savings = std::iter::once((0, 0.0)).chain(sums(&self.saved_us));
        let enough = savings.find(|&(_, saved_us)| self.missed_us - saved_us < most_us);
        enough.map(|(pages, _)| pages)
    }

    /// The least pages with which no larger share of the accesses is slower than the target allows.
    fn pages_for_share(&self) -> Option<u64> {
        let allowed = self.accesses as f64 * (1.0 - self.target.measure.share());
        let slow = self.short_of.iter().map(|(_, count)| count);
        let mut slow = slow.sum::<u64>() + self.always;
        let mut pages = 0;
        let mut bins = self.short_of.iter();
        while slow as f64 > allowed {
            let (next, count) = bins.next()?;
            (pages, slow) = (next, slow - count);
        }
        Some(pages)
    }
}

/// The largest number of pages that has a bin.
fn last_pages<T: Copy + Default + PartialEq + std::ops::AddAssign>(bins: &Bins<T>) -> Option<u64> {
    bins.iter().last().map(|(pages, _)| pages)
}

/// A site's curves of the training accesses before [`Backtest::inner`], and of all of them. As in every validation, the last
/// of the accesses judge the targets: the first fill the cache, and each of those would count as a miss.
pub(super) struct Curves {
    pub inner: SiteCurve,
    pub whole: SiteCurve,
}

impl Curves {
    /// Of the training accesses of `test`, whose files are one site's.
    pub fn of(test: &Backtest, targets: &[Target]) -> Result<Self, PlanError> {
        let values = &test.values;
        let mut distances = ReuseDistances::new(values.all_pages())?;
        let mut curve = SiteCurve::default();
        let mut add = |curve: &mut SiteCurve, accesses: &[u32]| {
            for &object in accesses {
                curve.add(values, object, distances.access(object));
            }
        };
        let (inner, rest) = test.training_accesses().split_at(test.inner());
        let (first, last) = inner.split_at(ranking_part(inner.len()));
        add(&mut curve, first);
        curve.judge_from_here(targets);
        add(&mut curve, last);
        let inner = curve.clone();
        curve.judge_from_here(targets);
        add(&mut curve, rest);
        Ok(Self {
            inner,
            whole: curve,
        })
    }
}
