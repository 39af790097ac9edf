//! Names that were asked for in this interval and stand for no file that is known.

use std::collections::HashMap;

/// Names that wait in an interval, of each site: whoever invents names keeps other sites' from nothing.
const MOST_OF_A_SITE: usize = 20_000;

/// Bytes of the longest name that is looked up (PATH_MAX, limits.h).
const LONGEST: usize = 4096;

/// Names and how often each was asked for.
#[derive(Debug, Default)]
pub(super) struct Newcomers {
    sites: Vec<HashMap<Box<[u8]>, u32>>,
    /// Requests for names that found no room.
    passed_over: u64,
}

impl Newcomers {
    pub fn new(sites: usize) -> Self {
        Self {
            sites: vec![HashMap::new(); sites],
            passed_over: 0,
        }
    }

    /// Counts a request.
    pub fn add(&mut self, site: u16, path: &[u8]) {
        let names = &mut self.sites[usize::from(site)];
        if let Some(requests) = names.get_mut(path) {
            *requests = requests.saturating_add(1);
        } else if names.len() < MOST_OF_A_SITE && path.len() <= LONGEST {
            names.insert(path.into(), 1);
        } else {
            self.passed_over += 1;
        }
    }

    /// All names with their sites and requests, in no order; none are left.
    pub fn take(&mut self) -> Vec<(u16, Box<[u8]>, u32)> {
        let sites = self.sites.iter_mut().enumerate();
        let names = sites.flat_map(|(site, names)| {
            names
                .drain()
                .map(move |(path, requests)| (site as u16, path, requests))
        });
        names.collect()
    }

    /// Requests that found no room since the last call.
    pub fn take_passed_over(&mut self) -> u64 {
        std::mem::take(&mut self.passed_over)
    }
}
