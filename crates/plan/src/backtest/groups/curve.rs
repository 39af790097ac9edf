//! What a site's accesses save in a page cache of its own, by the size of that cache.

use hotset_cache::ReuseDistances;
use hotset_scenario::{Measure, Target};

use super::bins::Bins;
use crate::PlanError;
use crate::backtest::prepare::Backtest;
use crate::value::{Served, Values};

/// A site's accesses by the memory that each needs to find its file in a least-recently-used page cache.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteCurve {
    accesses: u64,
    /// Sum of the responses where every access misses, in microseconds.
    missed_us: f64,
    /// Microseconds that the accesses of each bin of pages save.
    saved_us: Bins<f64>,
    targets: Vec<TargetCurve>,
}

/// A target, and what of the accesses breaks it at which memory.
#[derive(Clone, Debug)]
struct TargetCurve {
    target: Target,
    /// Accesses that are slower than it whatever the memory.
    always: u64,
    /// Accesses that are slower than it with less memory than their bin's.
    short_of: Bins<u64>,
    /// Accesses that are never found in memory, and slower than it.
    first: u64,
}

impl SiteCurve {
    /// The curve of no access, to be held to `targets`.
    pub fn new(targets: &[Target]) -> Self {
        let target = |&target: &Target| TargetCurve {
            target,
            always: 0,
            short_of: Bins::default(),
            first: 0,
        };
        Self {
            targets: targets.iter().map(target).collect(),
            ..Self::default()
        }
    }

    /// Counts an access to `object` that finds its file in a cache of `distance` pages; of none where it was not accessed
    /// before.
    pub fn add(&mut self, values: &Values, object: u32, distance: Option<u64>) {
        let hit_us = values.response_us(object, Served::Hit);
        let miss_us = values.response_us(object, Served::Miss);
        self.accesses += 1;
        self.missed_us += miss_us;
        if let Some(pages) = distance {
            self.saved_us.add(pages, miss_us - hit_us);
        }
        for curve in &mut self.targets {
            curve.add(distance, hit_us, miss_us);
        }
    }

    /// Whether the site was read at all.
    pub fn has_accesses(&self) -> bool {
        self.accesses > 0
    }

    /// Microseconds saved, by the pages that it takes, both rising.
    pub fn savings(&self) -> impl Iterator<Item = (u64, f64)> {
        let mut sum = 0.0;
        self.saved_us.iter().map(move |(pages, saved_us)| {
            sum += saved_us;
            (pages, sum)
        })
    }

    /// The least pages with which all targets are met that memory can meet.
    pub fn needed_pages(&self) -> u64 {
        let needed = self.needed_by_target().flatten();
        needed.max().unwrap_or(0)
    }

    /// The least pages with which each target is met; none where no memory is enough.
    pub fn needed_by_target(&self) -> impl Iterator<Item = Option<u64>> {
        self.targets.iter().map(|curve| match curve.target.measure {
            Measure::Mean => self.pages_for_mean(curve.target.below_us),
            _ => curve.pages_for_share(self.accesses),
        })
    }

    fn pages_for_mean(&self, below_us: f64) -> Option<u64> {
        let most_us = below_us * self.accesses as f64;
        let mut savings = std::iter::once((0, 0.0)).chain(self.savings());
        let enough = savings.find(|&(_, saved_us)| self.missed_us - saved_us < most_us);
        enough.map(|(pages, _)| pages)
    }
}

impl TargetCurve {
    fn add(&mut self, distance: Option<u64>, hit_us: f64, miss_us: f64) {
        let below_us = self.target.below_us;
        match distance {
            _ if hit_us >= below_us => self.always += 1,
            _ if miss_us < below_us => {}
            Some(pages) => self.short_of.add(pages, 1),
            None => self.first += 1,
        }
    }

    /// The least pages with which no larger share of `accesses` is slower than the target allows; none where none are enough.
    fn pages_for_share(&self, accesses: u64) -> Option<u64> {
        let allowed = accesses as f64 * (1.0 - self.target.measure.share());
        let slow = self.short_of.iter().map(|(_, count)| count);
        let mut slow = slow.sum::<u64>() + self.always + self.first;
        let mut pages = 0;
        let mut bins = self.short_of.iter();
        while slow as f64 > allowed {
            let (next, count) = bins.next()?;
            (pages, slow) = (next, slow - count);
        }
        Some(pages)
    }
}

/// A site's curves of the training accesses before `inner`, and of all of them.
pub(super) struct Curves {
    pub inner: SiteCurve,
    pub whole: SiteCurve,
}

impl Curves {
    /// Of the training accesses of `test`, whose files are one site's.
    pub fn of(test: &Backtest, targets: &[Target]) -> Result<Self, PlanError> {
        let values = &test.values;
        let mut distances = ReuseDistances::new(values.all_pages())?;
        let mut whole = SiteCurve::new(targets);
        let mut add = |curve: &mut SiteCurve, accesses: &[u32]| {
            for &object in accesses {
                curve.add(values, object, distances.access(object));
            }
        };
        let (inner, rest) = test.training_accesses().split_at(test.inner());
        add(&mut whole, inner);
        let halfway = whole.clone();
        add(&mut whole, rest);
        Ok(Self {
            inner: halfway,
            whole,
        })
    }
}
