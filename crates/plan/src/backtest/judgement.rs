//! How a way of using the memory does, by what the plan is made for.

use hotset_scenario::{Measure, Target};

use super::prepare::Backtest;
use crate::PlanError;
use crate::value::{AccessResult, Values, check_length};

/// Means closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-12;

/// The result: how many targets are missed first, by how much second, the mean last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Judgement {
    /// Weighted mean response, in microseconds; 0 of no access.
    pub mean_us: f64,
    /// Weight of the accesses that make the mean.
    weight: f64,
    /// Targets that each site misses. Empty where no targets come first.
    pub missed: Vec<u32>,
    /// By how much all sites together miss their targets, as shares of the targets: of a mean what is above it, of a
    /// percentile the slow accesses beyond those that it allows.
    pub excess: f64,
}

impl Judgement {
    /// By the mean alone: of responses of so many weighted microseconds together; none without accesses.
    pub fn of_mean(us: f64, weight: f64) -> Option<Judgement> {
        (weight > 0.0).then(|| Judgement {
            mean_us: us / weight,
            weight,
            missed: Vec::new(),
            excess: 0.0,
        })
    }

    /// Targets that all sites miss.
    pub fn all_missed(&self) -> u32 {
        self.missed.iter().sum()
    }

    /// Whether it is better than `other`: none where both are equal.
    pub fn is_better(&self, other: &Judgement) -> Option<bool> {
        let differ = |a: f64, b: f64| (a - b).abs() > TIE * b.abs();
        let (missed, others) = (self.all_missed(), other.all_missed());
        match () {
            () if missed != others => Some(missed < others),
            () if differ(self.excess, other.excess) => Some(self.excess < other.excess),
            () if differ(self.mean_us, other.mean_us) => Some(self.mean_us < other.mean_us),
            () => None,
        }
    }

    /// The judgement of accesses that were judged in parts, each with sites of its own.
    pub fn and(mut self, other: Judgement) -> Judgement {
        let weight = self.weight + other.weight;
        if weight > 0.0 {
            let sum = self.mean_us * self.weight + other.mean_us * other.weight;
            self.mean_us = sum / weight;
        }
        self.weight = weight;
        self.excess += other.excess;
        let missed = self.missed.iter_mut().zip(other.missed);
        missed.for_each(|(missed, more)| *missed += more);
        self
    }
}

/// Refuses targets that responses from memory itself miss.
pub(crate) fn check_targets(test: &Backtest, targets: &[Vec<Target>]) -> Result<(), PlanError> {
    let sites = test.workload.files.sites;
    if targets.is_empty() {
        return Ok(());
    }
    check_length("targets", targets.len(), sites.len(), "site")?;
    let mut judge = Judge::of(targets);
    for &object in test.training_accesses() {
        judge.add(&test.values, object, AccessResult::Held);
    }
    let missed = judge.first_missed();
    missed.map_or(Ok(()), |(site, target)| {
        Err(PlanError::Target {
            site: sites[site].clone(),
            target: target.to_string(),
        })
    })
}

/// Judges accesses as they are served.
pub(crate) struct Judge {
    us: f64,
    weight: f64,
    /// By site; empty where no targets come first.
    sites: Vec<Vec<Count>>,
}

/// What is counted for a target.
struct Count {
    target: Target,
    accesses: u64,
    us: f64,
    /// Accesses that are not faster than the target.
    slow: u64,
}

impl Judge {
    /// By what comes first in `test`.
    pub fn new(test: &Backtest) -> Self {
        Self::of(&test.targets)
    }

    /// By these targets of each site.
    pub fn of(targets: &[Vec<Target>]) -> Self {
        let count = |&target: &Target| Count {
            target,
            accesses: 0,
            us: 0.0,
            slow: 0,
        };
        let site = |targets: &Vec<Target>| targets.iter().map(count).collect();
        Self {
            us: 0.0,
            weight: 0.0,
            sites: targets.iter().map(site).collect(),
        }
    }

    /// Counts an access to `object`.
    #[inline]
    pub fn add(&mut self, values: &Values, object: u32, served: AccessResult) {
        self.add_times(values, object, served, 1);
    }

    /// Counts so many accesses to `object` that were served alike.
    #[inline]
    pub fn add_times(&mut self, values: &Values, object: u32, served: AccessResult, times: u32) {
        let (weight, us) = (values.weight(object), values.response_us(object, served));
        let accesses = f64::from(times);
        self.us += us * weight * accesses;
        self.weight += weight * accesses;
        if let Some(counts) = self.sites.get_mut(values.site(object)) {
            counts.iter_mut().for_each(|count| count.add(us, times));
        }
    }

    /// Weighted responses of all accesses together, in microseconds.
    pub fn us(&self) -> f64 {
        self.us
    }

    /// A site with a target that it misses.
    pub fn first_missed(&self) -> Option<(usize, Target)> {
        let mut sites = self.sites.iter().enumerate();
        sites.find_map(|(site, counts)| {
            let missed = counts.iter().find(|count| count.is_missed())?;
            Some((site, missed.target))
        })
    }

    pub fn judgement(&self) -> Judgement {
        let missed = |counts: &Vec<Count>| {
            let missed = counts.iter().filter(|count| count.is_missed());
            missed.count() as u32
        };
        Judgement {
            mean_us: if self.weight > 0.0 {
                self.us / self.weight
            } else {
                0.0
            },
            weight: self.weight,
            missed: self.sites.iter().map(missed).collect(),
            excess: self.sites.iter().flatten().map(Count::excess).sum(),
        }
    }
}

impl Count {
    fn add(&mut self, us: f64, times: u32) {
        let accesses = u64::from(times);
        self.accesses += accesses;
        self.us += us * f64::from(times);
        self.slow += accesses * u64::from(us >= self.target.below_us);
    }

    fn is_missed(&self) -> bool {
        let (measured, bound) = self.against_bound();
        match self.target.measure {
            _ if self.accesses == 0 => false,
            Measure::Mean => measured >= bound,
            _ => measured > bound,
        }
    }

    /// By how much it is missed, as a share of it; 0 where it is met.
    fn excess(&self) -> f64 {
        let (measured, bound) = self.against_bound();
        match self.is_missed() {
            true => measured / bound - 1.0,
            false => 0.0,
        }
    }

    /// What is measured and what bounds it: microseconds of all accesses together, or slow accesses.
    fn against_bound(&self) -> (f64, f64) {
        let accesses = self.accesses as f64;
        match self.target.measure {
            Measure::Mean => (self.us, self.target.below_us * accesses),
            percentile => (self.slow as f64, accesses * (1.0 - percentile.share())),
        }
    }
}
