//! What the page cache alone would have had of the reads in the logs, and whether holding pays.
//!
//! The planner follows it ([`hotset_plan::Baseline`]); here it is told of the reads that figures count, and of no others. A file whose name is
//! new waits until the interval ends, as it does for learning, and its reads follow each other then.

use super::spec::{RunSite, RunSpec};
use foldhash::quality::FixedState;
use hotset_plan::{Baseline, Compared, Estimate, Sum};
use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::hash::BuildHasher as _;
use std::time::Duration;

/// Blocks of 64 KiB that are followed: 8 GiB of files, or 130,000 small ones. They take 10 MiB at most. More files make a share of them
/// large enough: `estimates_of_shares_hold_the_exact_figure` tests far smaller ones.
const MOST_BLOCKS: u64 = 1 << 17;

/// Chooses the files that are followed where not all are. The same seed chooses the same files on every machine.
const SEED: u64 = 26;

/// Intervals with reads over which it is judged whether holding pays.
const INTERVALS: usize = 10;

/// Holding pays no longer where it saves no more than this part of what the page cache alone would have waited for its stores, and
/// again where it saves twice as much. A rule and not a result: less is not noticed by anybody.
const LEAST: f64 = 0.01;

/// Reads of files that were never read before, as a part of all, up to which a memory that was never full is large enough for
/// all files.
const FEW: f64 = 0.01;

/// What was read from the store, where holding is compared with the page cache alone. Each is predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saving {
    /// Reads that would not have found all of their file in memory with the page cache alone.
    pub missed_alone: Estimate,
    /// The same with held files and the page cache beside them.
    pub missed: Estimate,
    /// Reads that found their file in memory because files are held; less than 0 where the page cache alone would have done better.
    pub reads: Estimate,
    /// Microseconds that these saved, by the profiles of the stores.
    pub us: Estimate,
}

impl Saving {
    fn of(compared: Compared) -> Self {
        let saved = compared.saved();
        Self {
            missed_alone: compared.alone.reads.estimate(),
            missed: compared.with_held.reads.estimate(),
            reads: saved.reads.estimate(),
            us: saved.us.estimate(),
        }
    }

    /// Of so many reads, the share that found their file in memory, held or in the page cache beside; none of no reads.
    #[must_use]
    pub fn hit_ratio(&self, reads: u64) -> Option<Estimate> {
        hit_ratio(self.missed, reads)
    }

    /// The share that would have found it there with the page cache alone.
    #[must_use]
    pub fn hit_ratio_alone(&self, reads: u64) -> Option<Estimate> {
        hit_ratio(self.missed_alone, reads)
    }
}

fn hit_ratio(missed: Estimate, reads: u64) -> Option<Estimate> {
    let share = |part: f64| (part / reads as f64).clamp(0.0, 1.0);
    (reads > 0).then(|| Estimate {
        value: 1.0 - share(missed.value),
        error: share(missed.error),
    })
}

/// What is compared with the page cache alone over the last interval with reads, and since the runner began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteSaving {
    /// The last interval in which a file of any site was read.
    pub last: Saving,
    /// Since the runner began.
    pub all: Saving,
}

/// Whether holding pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Payoff {
    /// Whether it does; none before that is known.
    pub pays: Option<bool>,
    /// The intervals with reads that it is judged by.
    pub intervals: u32,
    /// The reads in them.
    pub reads: u64,
    /// What was saved in them.
    pub saving: Saving,
}

/// What holding has saved, of all sites.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Savings {
    /// The share of the files that is followed.
    pub followed_share: f64,
    /// All sites together.
    pub total: SiteSaving,
    /// Whether holding pays.
    pub payoff: Payoff,
}

/// What an interval with reads came to.
pub(super) struct Compare {
    pub savings: Savings,
    /// Site by site.
    pub sites: Vec<SiteSaving>,
    /// Whether holding pays, where that has changed.
    pub news: Option<Payoff>,
}

/// What is known of an interval with reads.
struct Judged {
    compared: Compared,
    /// Times count by the weights of sites, as they do when files are chosen.
    weighted_alone_us: Sum,
    weighted_saved_us: Sum,
    reads: u64,
    first_reads: Sum,
}

/// Follows what the page cache alone would have had.
pub(super) struct PageCacheAlone {
    baseline: Baseline,
    names: Vec<String>,
    weights: Vec<f64>,
    hasher: FixedState,
    /// A hash of each site's name.
    keys: Vec<u64>,
    all: Vec<Compared>,
    /// The last intervals with reads, the newest last.
    window: VecDeque<Judged>,
    holds: bool,
    /// Whether holding pays, as far as that was known last.
    pays: Option<bool>,
}

impl PageCacheAlone {
    /// For the first `followed` sites.
    pub fn new(spec: &RunSpec, followed: usize) -> Self {
        let sites = &spec.sites[..followed];
        let hasher = FixedState::with_seed(SEED);
        Self {
            baseline: Baseline::new(spec.memory_bytes, &stores(sites), MOST_BLOCKS),
            names: sites.iter().map(|site| site.name.clone()).collect(),
            weights: sites.iter().map(|site| site.terms.weight).collect(),
            keys: sites.iter().map(|it| hasher.hash_one(&it.name)).collect(),
            hasher,
            all: vec![Compared::default(); followed],
            window: VecDeque::new(),
            holds: false,
            pays: None,
        }
    }

    /// Goes on where another one was, which may have other sites.
    pub fn go_on(&mut self, before: &mut Self, spec: &RunSpec) {
        let sites = &spec.sites[..self.names.len()];
        std::mem::swap(&mut self.baseline, &mut before.baseline);
        self.baseline.change(spec.memory_bytes, &stores(sites));
        for (name, all) in self.names.iter().zip(&mut self.all) {
            if let Some(site) = before.names.iter().position(|it| it == name) {
                *all = before.all[site];
            }
        }
        self.window = std::mem::take(&mut before.window);
        (self.holds, self.pays) = (before.holds, before.pays);
    }

    /// Notes a read.
    pub fn read(&mut self, site: u16, path: &[u8], bytes: u64, is_held: bool) {
        let key = self.hasher.hash_one((self.keys[usize::from(site)], path));
        self.baseline.read(key, site, bytes, is_held);
    }

    /// So much is held from now on.
    pub fn hold(&mut self, bytes: u64) {
        self.holds = bytes > 0;
        self.baseline.hold(bytes);
    }

    /// What holding has saved, with the interval that ends now and took so long; nothing is said of one without reads.
    pub fn next_interval(&mut self, passed: Duration) -> Option<Compare> {
        let interval = self.baseline.next_interval(passed);
        if interval.reads == 0 {
            return None;
        }
        for (all, last) in self.all.iter_mut().zip(&interval.sites) {
            *all += *last;
        }
        let mut judged = Judged {
            compared: total(&interval.sites),
            weighted_alone_us: Sum::default(),
            weighted_saved_us: Sum::default(),
            reads: interval.reads,
            first_reads: interval.first_reads,
        };
        for (site, &weight) in interval.sites.iter().zip(&self.weights) {
            judged.weighted_alone_us += site.alone.us * weight;
            judged.weighted_saved_us += site.saved().us * weight;
        }
        if self.window.len() == INTERVALS {
            self.window.pop_front();
        }
        self.window.push_back(judged);
        let pays = self.pays();
        let before = std::mem::replace(&mut self.pays, pays);
        // That it pays is what everybody expects.
        let is_news = match self.pays {
            Some(true) => before == Some(false),
            Some(false) => before != Some(false),
            None => false,
        };
        let site = |(last, all): (&Compared, &Compared)| SiteSaving {
            last: Saving::of(*last),
            all: Saving::of(*all),
        };
        let payoff = self.payoff();
        Some(Compare {
            savings: Savings {
                followed_share: self.baseline.share(),
                total: site((&total(&interval.sites), &total(&self.all))),
                payoff,
            },
            sites: interval.sites.iter().zip(&self.all).map(site).collect(),
            news: is_news.then_some(payoff),
        })
    }

    fn payoff(&self) -> Payoff {
        let window: Vec<Compared> = self.window.iter().map(|it| it.compared).collect();
        Payoff {
            pays: self.pays,
            intervals: self.window.len() as u32,
            reads: self.window.iter().map(|it| it.reads).sum(),
            saving: Saving::of(total(&window)),
        }
    }

    /// Whether holding pays, as far as that is known.
    fn pays(&self) -> Option<bool> {
        let reads: u64 = self.window.iter().map(|it| it.reads).sum();
        let first_reads = sum(self.window.iter().map(|it| it.first_reads)).estimate();
        // An empty memory has room for everything that is read: it says nothing of one that has been in use.
        let is_filled = self.baseline.has_been_full() || first_reads.value <= FEW * reads as f64;
        if !self.holds || !is_filled || self.window.len() < INTERVALS {
            return self.pays.filter(|_| self.holds);
        }
        let waited = sum(self.window.iter().map(|it| it.weighted_alone_us)).estimate();
        let saved = sum(self.window.iter().map(|it| it.weighted_saved_us)).estimate();
        let least_us = LEAST * waited.value;
        match saved.value {
            value if value <= least_us => Some(false),
            value if value > (2.0 * least_us).max(saved.error) => Some(true),
            _ => self.pays,
        }
    }
}

fn stores(sites: &[RunSite]) -> Vec<Profile> {
    sites.iter().map(|site| site.store.clone()).collect()
}

fn total(sites: &[Compared]) -> Compared {
    let mut total = Compared::default();
    sites.iter().for_each(|site| total += *site);
    total
}

fn sum(sums: impl Iterator<Item = Sum>) -> Sum {
    let mut all = Sum::default();
    sums.for_each(|sum| all += sum);
    all
}
