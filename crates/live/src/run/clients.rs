//! A client's share of what counts, so that nobody makes files hot alone.

use foldhash::fast::RandomState;
use std::hash::BuildHasher as _;

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
    sites: Vec<SiteClients>,
}

/// What the clients of a site may do.
#[derive(Clone, Copy, Debug)]
struct SiteClients {
    /// The share of the last interval's requests that one of them may make count in this one.
    share: f64,
    /// Requests in this interval.
    requests: u32,
    /// What one of them may make count.
    most: u32,
}

impl Clients {
    /// Nobody has asked yet. A client's share of the requests of each site; where it is 1, all count.
    pub fn new(shares: impl IntoIterator<Item = f64>) -> Self {
        let site = |share| SiteClients {
            share,
            requests: 0,
            most: LEAST,
        };
        Self {
            hasher: RandomState::default(),
            counts: vec![0; COUNTERS],
            sites: shares.into_iter().map(site).collect(),
        }
    }

    /// Whether another request of this client counts. Where the log names no clients, all do.
    pub fn counts(&mut self, site: u16, client: &[u8]) -> bool {
        let own = &mut self.sites[usize::from(site)];
        own.requests = own.requests.saturating_add(1);
        if client.is_empty() || own.share >= 1.0 {
            return true;
        }
        let counter = self.hasher.hash_one((site, client)) as usize % COUNTERS;
        let count = &mut self.counts[counter];
        *count = count.saturating_add(1);
        *count <= own.most
    }

    /// Begins the next interval.
    pub fn next_interval(&mut self) {
        self.counts.fill(0);
        for site in &mut self.sites {
            let share = f64::from(std::mem::take(&mut site.requests)) * site.share;
            site.most = LEAST.max(share as u32);
        }
    }
}
