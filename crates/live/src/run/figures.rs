//! What the logs say that holding has come to.

use super::baseline::{Compare, Savings, SiteSaving};
use super::overview::{HotFile, Move, Overview};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::AddAssign;
use std::time::SystemTime;

/// Moves that are remembered.
const MOVES: usize = 60;

/// Intervals that are remembered.
const HISTORY: usize = 240;

/// File reads in the log, and what was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadCounts {
    /// File reads.
    pub reads: u64,
    /// Those of files that were held.
    pub hits: u64,
    /// Bytes of files that were not held before and are now.
    pub moved_bytes: u64,
    /// Requests that nothing was learnt from, since their client had had its share of the site.
    #[serde(default)]
    pub beyond_share: u64,
    /// Requests that nothing was learnt from, since too many new names were asked for.
    #[serde(default)]
    pub beyond_names: u64,
    /// Reads whose time is logged.
    timed: u64,
    /// All these times together. Microseconds.
    took_us: u64,
}

impl ReadCounts {
    /// A read, and how long it took where that is logged.
    pub(super) fn of_read(is_held: bool, took_us: Option<u64>) -> Self {
        Self {
            reads: 1,
            hits: u64::from(is_held),
            timed: u64::from(took_us.is_some()),
            took_us: took_us.unwrap_or(0),
            ..Self::default()
        }
    }

    /// Bytes that were moved.
    pub(super) fn of_move(moved_bytes: u64) -> Self {
        Self {
            moved_bytes,
            ..Self::default()
        }
    }

    /// The share of reads that were of held files; none where nothing was read.
    #[must_use]
    pub fn hit_ratio(&self) -> Option<f64> {
        (self.reads > 0).then(|| self.hits as f64 / self.reads as f64)
    }

    /// The mean of the times that the server logged; none where it logged none. Microseconds.
    #[must_use]
    pub fn mean_us(&self) -> Option<f64> {
        (self.timed > 0).then(|| self.took_us as f64 / self.timed as f64)
    }
}

impl AddAssign for ReadCounts {
    fn add_assign(&mut self, other: Self) {
        self.reads += other.reads;
        self.hits += other.hits;
        self.moved_bytes = self.moved_bytes.saturating_add(other.moved_bytes);
        self.beyond_share += other.beyond_share;
        self.beyond_names += other.beyond_names;
        self.timed += other.timed;
        self.took_us = self.took_us.saturating_add(other.took_us);
    }
}

/// The figures of a site.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteFigures {
    /// Its name.
    pub site: String,
    /// Over the last interval in which a file of any site was read, with what was moved since.
    pub last: ReadCounts,
    /// Since the runner began.
    pub all: ReadCounts,
    /// What holding has saved; none before the first interval with reads.
    #[serde(default)]
    pub saving: Option<SiteSaving>,
}

/// What the logs say, of all sites.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Site by site.
    pub sites: Vec<SiteFigures>,
    /// Requests since the runner began for sites that it was not told of.
    #[serde(default)]
    pub of_other_sites: u64,
    /// The share of reads that the files held now would have had, as far as is known which files are asked for.
    pub predicted_hit_ratio: Option<f64>,
    /// What holding has saved; none before the first interval with reads.
    #[serde(default)]
    pub savings: Option<Savings>,
    /// The files that are asked for most, the hottest first.
    pub hottest: Vec<HotFile>,
    /// What was moved last, the newest last.
    pub moves: VecDeque<Move>,
    /// Interval by interval, the newest last.
    pub history: VecDeque<Point>,
}

/// An interval, and what was predicted for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Its end. Milliseconds since 1970-01-01 UTC.
    #[serde(rename = "told_ms")]
    pub time_ms: u64,
    /// The share of reads that were of held files.
    pub hit_ratio: Option<f64>,
    /// The same as it was predicted when they were chosen.
    pub predicted_hit_ratio: Option<f64>,
    /// The share of reads that found their file in memory, held or in the page cache beside, as predicted.
    #[serde(default)]
    pub memory_hit_ratio: Option<f64>,
    /// The share that would have found it there with the page cache alone, as predicted.
    #[serde(default)]
    pub page_cache_hit_ratio: Option<f64>,
}

impl Figures {
    pub(super) fn of(sites: impl Iterator<Item = String>) -> Self {
        let site = |site| SiteFigures {
            site,
            last: ReadCounts::default(),
            all: ReadCounts::default(),
            saving: None,
        };
        Self {
            sites: sites.map(site).collect(),
            ..Self::default()
        }
    }

    /// Takes in an interval, site by site, and what holding has saved in it. One in which nothing was read leaves the last one as it
    /// was.
    pub(super) fn add(&mut self, interval: &[ReadCounts], compare: Option<Compare>) {
        let is_silent = interval.iter().all(|served| served.reads == 0);
        for (site, served) in self.sites.iter_mut().zip(interval) {
            site.all += *served;
            if !is_silent {
                site.last = *served;
            }
        }
        let all = sum(interval.iter().copied());
        let last = compare.as_ref().map(|it| it.savings.total.last);
        let point = Point {
            time_ms: now_ms(),
            hit_ratio: all.hit_ratio(),
            predicted_hit_ratio: self.predicted_hit_ratio,
            memory_hit_ratio: last.and_then(|it| Some(it.hit_ratio(all.reads)?.value)),
            page_cache_hit_ratio: last.and_then(|it| Some(it.hit_ratio_alone(all.reads)?.value)),
        };
        push(&mut self.history, HISTORY, point);
        if let Some(compare) = compare {
            self.savings = Some(compare.savings);
            for (site, saving) in self.sites.iter_mut().zip(compare.sites) {
                site.saving = Some(saving);
            }
        }
    }

    /// Takes in what a choice says.
    pub(super) fn show(&mut self, overview: Overview) {
        self.predicted_hit_ratio = overview.predicted_hit_ratio;
        self.hottest = overview.hottest;
        for it in overview.moves {
            push(&mut self.moves, MOVES, it);
        }
    }

    /// Goes on from the figures of the same sites.
    pub(super) fn go_on(&mut self, before: Self) {
        for site in &mut self.sites {
            if let Some(own) = before.of_site(&site.site) {
                *site = own.clone();
            }
        }
        let sites = std::mem::take(&mut self.sites);
        *self = Self { sites, ..before };
    }

    /// Adds what was moved into memory for a site.
    pub(super) fn add_move(&mut self, site: u16, bytes: u64) {
        // One that is not followed any more has no figures.
        if let Some(site) = self.sites.get_mut(usize::from(site)) {
            site.last += ReadCounts::of_move(bytes);
            site.all += ReadCounts::of_move(bytes);
        }
    }

    /// All sites over the last interval in which a file was read.
    #[must_use]
    pub fn last(&self) -> ReadCounts {
        sum(self.sites.iter().map(|site| site.last))
    }

    /// All sites since the runner began.
    #[must_use]
    pub fn all(&self) -> ReadCounts {
        sum(self.sites.iter().map(|site| site.all))
    }

    /// The figures of a site, if the runner was told of it.
    #[must_use]
    pub fn of_site(&self, name: &str) -> Option<&SiteFigures> {
        self.sites.iter().find(|site| site.site == name)
    }
}

/// Adds the newest, and forgets the oldest where there are too many.
fn push<T>(all: &mut VecDeque<T>, most: usize, newest: T) {
    if all.len() == most {
        all.pop_front();
    }
    all.push_back(newest);
}

fn sum(all: impl Iterator<Item = ReadCounts>) -> ReadCounts {
    let mut sum = ReadCounts::default();
    all.for_each(|served| sum += served);
    sum
}

/// Milliseconds since 1970-01-01 UTC.
pub(super) fn now_ms() -> u64 {
    let since_1970 = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since_1970.map_or(0, |time| time.as_millis() as u64)
}
