//! A client's share of what counts, so that nobody makes files hot alone.

use foldhash::fast::RandomState;
use std::hash::BuildHasher as _;

/// The share of the last interval's requests of a site that one client may make count in this one.
const SHARE: f64 = 0.1;

/// Requests of a client in an interval that count in any case: sites with few visitors are learnt too.
const LEAST: u32 = 1000;

/// Counters. Clients share them by hash: with a hundred thousand clients a counter has one or two of them, which is far from
/// [`LEAST`] unless one of them asks for as much.
const COUNTERS: usize = 1 << 16;

/// Requests of clients in the current interval.
#[derive(Debug)]
pub struct Clients {
    hasher: RandomState,
    counts: Vec<u32>,
    /// Requests of each site in this interval, and what a client may make count.
    requests: Vec<u32>,
    most: Vec<u32>,
    /// Requests that did not count.
    passed_over: u64,
}

impl Clients {
    /// Nobody has asked yet, for files of so many sites.
    #[must_use]
    pub fn new(sites: usize) -> Self {
        Self {
            hasher: RandomState::default(),
            counts: vec![0; COUNTERS],
            requests: vec![0; sites],
            most: vec![LEAST; sites],
            passed_over: 0,
        }
    }

    /// Whether another request of this client counts. Where the log names no clients, all do.
    pub fn counts(&mut self, site: u16, client: &[u8]) -> bool {
        let site = usize::from(site);
        self.requests[site] = self.requests[site].saturating_add(1);
        if client.is_empty() {
            return true;
        }
        let counter = self.hasher.hash_one((site, client)) as usize % COUNTERS;
        let count = &mut self.counts[counter];
        *count = count.saturating_add(1);
        let does = *count <= self.most[site];
        self.passed_over += u64::from(!does);
        does
    }

    /// Begins the next interval; how many requests did not count in the last.
    pub fn next_interval(&mut self) -> u64 {
        self.counts.fill(0);
        for (most, requests) in self.most.iter_mut().zip(&mut self.requests) {
            let share = f64::from(std::mem::take(requests)) * SHARE;
            *most = LEAST.max(share as u32);
        }
        std::mem::take(&mut self.passed_over)
    }
}
