//! Names that were asked for in this interval and stand for no file that is known.

use super::figures::ReadCounts;
use std::collections::HashMap;

/// Names that wait in an interval, of each site: whoever invents names keeps other sites' from nothing.
const MOST_OF_A_SITE: usize = 20_000;

/// Bytes of the longest name that is looked up (PATH_MAX, limits.h).
const LONGEST: usize = 4096;

/// Names and the reads of each.
#[derive(Debug, Default)]
pub(super) struct Newcomers {
    sites: Vec<HashMap<Box<[u8]>, ReadCounts>>,
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

    /// Counts a read.
    pub fn add(&mut self, site: u16, path: &[u8], read: ReadCounts) {
        let names = &mut self.sites[usize::from(site)];
        if let Some(reads) = names.get_mut(path) {
            *reads += read;
        } else if names.len() < MOST_OF_A_SITE && path.len() <= LONGEST {
            names.insert(path.into(), read);
        } else {
            self.passed_over += 1;
        }
    }

    /// How many names wait.
    pub fn len(&self) -> usize {
        self.sites.iter().map(HashMap::len).sum()
    }

    /// The names of each site with their reads, in no order; none are left, nor the memory that they took.
    pub fn take(&mut self) -> Vec<HashMap<Box<[u8]>, ReadCounts>> {
        let none = vec![HashMap::new(); self.sites.len()];
        std::mem::replace(&mut self.sites, none)
    }

    /// Requests that found no room since the last call.
    pub fn take_passed_over(&mut self) -> u64 {
        std::mem::take(&mut self.passed_over)
    }
}
