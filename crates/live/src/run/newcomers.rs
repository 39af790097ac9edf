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
}

impl Newcomers {
    pub fn new(sites: usize) -> Self {
        Self {
            sites: vec![HashMap::new(); sites],
        }
    }

    /// Counts a read. Whether there was room for its name.
    pub fn add(&mut self, site: u16, path: &[u8], read: ReadCounts) -> bool {
        let names = &mut self.sites[usize::from(site)];
        if let Some(reads) = names.get_mut(path) {
            *reads += read;
            return true;
        }
        let has_room = names.len() < MOST_OF_A_SITE && path.len() <= LONGEST;
        if has_room {
            names.insert(path.into(), read);
        }
        has_room
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
}
