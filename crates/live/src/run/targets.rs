//! Targets of sites: how urgent the files of a site are beyond its weight, so that targets come before the mean.
//!
//! A target is judged by the times that the server has logged. Where it logs none, or too few, a file that is held counts as read
//! from memory and every other as read from its store: the page cache is not counted.

use super::spec::RunSite;
use hdrhistogram::Histogram;
use hotset_plan::{HeldSet, Values};
use hotset_scenario::{Measure, Objective, Site, Target};

/// What a site's files count is raised and lowered by so much at a time.
const STEP: f64 = 4.0;

/// With fewer logged times, nobody is slower than their 99th percentile.
const LEAST_TIMES: u64 = 100;

/// Intervals in which logged times meet all targets of a site, before it is tried whether less is enough. A rule and not a
/// result: after each try that fails, a site misses its targets for an interval.
const CALM: u32 = 8;

/// Significant digits of the logged times: within 1 %.
const DIGITS: u8 = 2;

/// An hour, which no server waits for a file.
const LONGEST_US: u64 = 3_600_000_000;

/// Whether each target of each site is missed.
pub type MissedTargets = Vec<Vec<bool>>;

/// A target that is missed, or met again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TargetTurn {
    /// The number of its site.
    pub site: usize,
    /// Which target.
    pub target: Target,
    /// Whether it is met again.
    pub is_met: bool,
}

#[derive(Debug)]
struct SiteTargets {
    targets: Vec<Target>,
    urgency: f64,
    most: f64,
    calm: u32,
    /// What the server has logged in this interval; none of a site without targets. Microseconds.
    times: Option<Histogram<u32>>,
    /// Whether each target was missed by the times of the last interval, where there were enough.
    logged: Option<Vec<bool>>,
    /// Whether each was missed when that was announced last.
    announced: Vec<bool>,
}

/// The sites' targets, where they come first.
#[derive(Debug)]
pub struct Targets(Vec<SiteTargets>);

impl SiteTargets {
    fn new(targets: &[Target], weight: f64) -> Self {
        let times = || Histogram::new(DIGITS).ok();
        Self {
            targets: targets.to_vec(),
            urgency: 1.0,
            most: (Site::WEIGHTS.end() / weight).max(1.0),
            calm: 0,
            times: (!targets.is_empty()).then(times).flatten(),
            logged: None,
            announced: vec![false; targets.len()],
        }
    }

    fn next_interval(&mut self) {
        let Some(times) = &mut self.times else { return };
        let is_missed = |target: &Target| logged_us(times, target.measure) >= target.below_us;
        let is_enough = times.len() >= LEAST_TIMES;
        self.logged = is_enough.then(|| self.targets.iter().map(is_missed).collect());
        times.reset();
        let is_missed = self.logged.iter().flatten().any(|&missed| missed);
        self.calm = if is_missed { 0 } else { self.calm + 1 };
    }

    /// Whether its files are to count more. What the log says of the last interval is heeded once.
    fn is_short(&self, modelled: &[bool], is_first: bool) -> bool {
        let by_model = modelled.iter().any(|&missed| missed);
        match &self.logged {
            None => by_model,
            Some(logged) => logged.iter().any(|&missed| missed) && (is_first || by_model),
        }
    }
}

impl Targets {
    /// Those of the sites, where files are held for targets.
    #[must_use]
    pub fn of(objective: Objective, sites: &[RunSite]) -> Self {
        let site = |site: &RunSite| match objective {
            Objective::Targets => SiteTargets::new(&site.targets, site.terms.weight),
            Objective::Mean => SiteTargets::new(&[], site.terms.weight),
        };
        Self(sites.iter().map(site).collect())
    }

    /// Whether no site has a target that comes first.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|site| site.targets.is_empty())
    }

    /// How many times their weight the files of a site count.
    #[must_use]
    pub fn urgency(&self, site: usize) -> f64 {
        self.0[site].urgency
    }

    /// Goes on with the urgency of each site, which has another number here.
    pub fn go_on(&mut self, before: &Self, number_before: impl Fn(usize) -> Option<usize>) {
        for (number, site) in self.0.iter_mut().enumerate() {
            let old = number_before(number).and_then(|number| before.0.get(number));
            if let Some(old) = old.filter(|_| !site.targets.is_empty()) {
                site.urgency = old.urgency.min(site.most);
            }
        }
    }

    /// Takes in how long the server took for an answer.
    pub fn note(&mut self, site: u16, took_us: Option<u64>) {
        let times = self.0[usize::from(site)].times.as_mut();
        if let Some((times, took_us)) = times.zip(took_us) {
            // Longer than any answer takes is as good as that.
            let _recorded = times.record(took_us.clamp(1, LONGEST_US));
        }
    }

    /// Begins the next interval: what was logged in the last one counts from now on.
    pub fn next_interval(&mut self) {
        self.0.iter_mut().for_each(SiteTargets::next_interval);
    }

    /// Raises how urgent sites are that miss a target; whether that changes anything.
    pub fn raise(&mut self, modelled: &MissedTargets, is_first: bool) -> bool {
        let mut has_changed = false;
        for (site, modelled) in self.0.iter_mut().zip(modelled) {
            if site.urgency < site.most && site.is_short(modelled, is_first) {
                site.urgency = (site.urgency * STEP).min(site.most);
                has_changed = true;
            }
        }
        has_changed
    }

    /// Lowers how urgent a site is by a step; whether it may be lowered.
    pub fn lower(&mut self, site: usize) -> bool {
        let site = &mut self.0[site];
        let may = site.urgency > 1.0 && (site.logged.is_none() || site.calm >= CALM);
        if may {
            site.urgency = (site.urgency / STEP).max(1.0);
            site.calm = 0;
        }
        may
    }

    /// Takes a lowering back.
    pub fn undo_lower(&mut self, site: usize, urgency: f64) {
        self.0[site].urgency = urgency;
    }

    /// Whether each target is missed where reads take what these files' places say, as often as `heat` says.
    #[must_use]
    pub fn modelled(
        &self,
        values: &Values,
        heat: &[(u32, f64)],
        set: &HeldSet,
        sites: &[u16],
    ) -> MissedTargets {
        let mut sums: Vec<Sums> = self.0.iter().map(|site| Sums::new(&site.targets)).collect();
        for &(id, heat) in heat {
            let site = usize::from(sites[id as usize]);
            let targets = &self.0[site].targets;
            if !targets.is_empty() {
                sums[site].add(targets, heat, values.served_us(id, set.contains(id)));
            }
        }
        let missed = |(sums, site): (&Sums, &SiteTargets)| sums.missed(&site.targets);
        sums.iter().zip(&self.0).map(missed).collect()
    }

    /// The targets that are missed now and were not when that was announced last, and the other way round.
    pub fn turns(&mut self, modelled: &MissedTargets) -> Vec<TargetTurn> {
        let mut turns = Vec::new();
        for (number, (site, modelled)) in self.0.iter_mut().zip(modelled).enumerate() {
            let missed = site.logged.as_ref().unwrap_or(modelled);
            for (index, target) in site.targets.iter().enumerate() {
                if missed[index] != site.announced[index] {
                    turns.push(TargetTurn {
                        site: number,
                        target: *target,
                        is_met: !missed[index],
                    });
                }
            }
            site.announced.clone_from(missed);
        }
        turns
    }
}

fn logged_us(times: &Histogram<u32>, measure: Measure) -> f64 {
    match measure {
        Measure::Mean => times.mean(),
        _ => times.value_at_quantile(measure.share()) as f64,
    }
}

/// What a site's reads come to.
struct Sums {
    reads: f64,
    us: f64,
    /// Reads that are faster than each target.
    faster: Vec<f64>,
}

impl Sums {
    fn new(targets: &[Target]) -> Self {
        Self {
            reads: 0.0,
            us: 0.0,
            faster: vec![0.0; targets.len()],
        }
    }

    fn add(&mut self, targets: &[Target], reads: f64, us: f64) {
        self.reads += reads;
        self.us += reads * us;
        for (faster, target) in self.faster.iter_mut().zip(targets) {
            *faster += if us < target.below_us { reads } else { 0.0 };
        }
    }

    fn missed(&self, targets: &[Target]) -> Vec<bool> {
        let is_missed = |(target, faster): (&Target, &f64)| match target.measure {
            _ if self.reads == 0.0 => false,
            Measure::Mean => self.us >= target.below_us * self.reads,
            measure => *faster < measure.share() * self.reads,
        };
        targets.iter().zip(&self.faster).map(is_missed).collect()
    }
}
