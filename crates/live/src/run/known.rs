//! Files that were found beneath the roots of their sites, by dense ids.

use foldhash::fast::RandomState;
use hashbrown::HashTable;
use hotset_trace::PathTable;
use std::hash::BuildHasher as _;

/// Files by site and path.
#[derive(Debug, Default)]
pub(super) struct KnownFiles {
    ids: HashTable<u32>,
    hasher: RandomState,
    pub sites: Vec<u16>,
    pub sizes: Vec<u64>,
    paths: PathTable,
}

impl KnownFiles {
    pub fn len(&self) -> usize {
        self.sites.len()
    }

    pub fn path(&self, id: u32) -> &[u8] {
        self.paths.get(id as usize)
    }

    pub fn site(&self, id: u32) -> u16 {
        self.sites[id as usize]
    }

    pub fn id(&self, site: u16, path: &[u8]) -> Option<u32> {
        let hash = self.hasher.hash_one((site, path));
        let is_it = |&id: &u32| self.site(id) == site && self.path(id) == path;
        self.ids.find(hash, is_it).copied()
    }

    /// Those with these ids alone, which get new ids in their order.
    pub fn kept(&self, ids: &[u32]) -> Self {
        let mut kept = Self::default();
        kept.ids.reserve(ids.len(), |_| 0);
        for &id in ids {
            kept.add(self.site(id), self.path(id), self.sizes[id as usize]);
        }
        kept
    }

    /// Adds a file that is not known.
    pub fn add(&mut self, site: u16, path: &[u8], size_bytes: u64) -> u32 {
        let id = self.len() as u32;
        self.sites.push(site);
        self.sizes.push(size_bytes);
        self.paths.push(path);
        let hash = self.hasher.hash_one((site, path));
        let (hasher, sites, paths) = (&self.hasher, &self.sites, &self.paths);
        self.ids.insert_unique(hash, id, |&id| {
            hasher.hash_one((sites[id as usize], paths.get(id as usize)))
        });
        id
    }
}
