//! What is counted while pages are visited.

use hotset_outcome::{Recorder, Resource, Score};

use super::site::{DynamicSite, Tier};
use crate::tiers::CacheCounts;

/// What a database asks of its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileUse {
    /// A page of a table is read.
    Read {
        /// The table, by number.
        table: usize,
        /// Where in its file the page begins, bytes.
        offset: u64,
    },
    /// The log is written behind what was written before, and synced.
    LogWrite {
        /// Bytes that are written.
        bytes: u64,
    },
}

/// What is counted, of pages by their types and of files of other sites by their sites.
pub(super) struct Counts {
    /// Pages of the first application asked for and answered, from the very beginning.
    pub asked: usize,
    pub ended: usize,
    asked_before: usize,
    is_measuring: bool,
    /// Types of pages that are the first application's.
    first_pages: usize,
    all: Recorder,
    pages: Vec<Recorder>,
    neighbour: Vec<Recorder>,
    /// Processor time of each tier, nanoseconds of a measured processor.
    tier_ns: [u64; Tier::COUNT],
    /// What the page cache had of what was asked of it.
    pub cache: CacheCounts,
    /// What databases have asked of their files; nothing where that is not kept.
    pub uses: Option<Vec<FileUse>>,
}

impl Counts {
    pub fn new(site: &DynamicSite) -> Self {
        let recorders = |number: usize| vec![Recorder::default(); number];
        let neighbour = site.neighbour.as_ref().map_or(0, |it| it.sites.len());
        Self {
            asked: 0,
            ended: 0,
            asked_before: 0,
            is_measuring: false,
            first_pages: site.first_pages(),
            all: Recorder::default(),
            pages: recorders(site.pages.len()),
            neighbour: recorders(neighbour),
            tier_ns: [0; Tier::COUNT],
            cache: CacheCounts::default(),
            uses: None,
        }
    }

    /// A database asks something of its files.
    pub fn note(&mut self, of: FileUse) {
        if let Some(uses) = self.uses.as_mut().filter(|_| self.is_measuring) {
            uses.push(of);
        }
    }

    /// A tier works for so long.
    pub fn work(&mut self, tier: Tier, work_ns: u64) {
        let sum = &mut self.tier_ns[tier as usize];
        *sum = sum.saturating_add(work_ns);
    }

    /// A page of a type is answered, which has waited for no disk if it is a hit.
    pub fn answer(&mut self, page: usize, is_hit: bool, bytes: u64, ns: u64) {
        let is_first = page < self.first_pages;
        self.ended += usize::from(is_first);
        if !self.is_measuring {
            return;
        }
        let us = ns as f64 / 1e3;
        self.pages[page].record(is_hit, bytes, us);
        if is_first {
            self.all.record(is_hit, bytes, us);
        }
    }

    /// A file of another site is sent.
    pub fn send(&mut self, site: usize, is_hit: bool, bytes: u64, ns: u64) {
        if self.is_measuring {
            self.neighbour[site].record(is_hit, bytes, ns as f64 / 1e3);
        }
    }

    /// Measuring begins.
    pub fn measure(&mut self) {
        self.is_measuring = true;
        self.asked_before = self.asked;
        self.tier_ns = [0; Tier::COUNT];
        self.cache = CacheCounts::default();
    }

    /// Pages asked for since then.
    pub fn asked_since(&self) -> usize {
        self.asked - self.asked_before
    }

    /// All pages of the first application together, in so many seconds.
    pub fn total(&self, seconds: f64) -> Score {
        score(&self.all, seconds)
    }

    /// Pages of each type, then files of each other site.
    pub fn parts(&self, seconds: f64) -> Vec<Score> {
        let parts = self.pages.iter().chain(&self.neighbour);
        parts.map(|it| score(it, seconds)).collect()
    }

    /// The tiers that are on a machine as shares of its processors, over so long a time.
    pub fn tiers(&self, site: &DynamicSite, machine: usize, length_ns: u64) -> Vec<Resource> {
        let processors = site.machines[machine].processors;
        let all_ns = length_ns.max(1) as f64 * processors.count * processors.speed;
        let own = Tier::ALL.into_iter();
        let own = own.filter(|tier| site.machine_of(*tier) == machine);
        let resources = own.map(|tier| Resource {
            name: format!("{} tier", tier.name()),
            utilisation: Some((self.tier_ns[tier as usize] as f64 / all_ns).min(1.0)),
            mean_queue_length: None,
            timeline: None,
        });
        resources.collect()
    }
}

fn score(recorder: &Recorder, seconds: f64) -> Score {
    let score = recorder.score();
    Score {
        throughput_per_s: score.requests.map(|it| it as f64 / seconds),
        ..score
    }
}
