//! Objects as they are found in a log: ids, paths and sizes.

use super::error::ReadError;
use super::intern::next_id;
use super::names::SharedInterner;
use crate::Objects;
use foldhash::fast::RandomState;
use hashbrown::HashTable;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// Size of an object of a key-only trace that names none: one page of memory.
const KEY_ONLY_BYTES: u64 = 4096;

/// What a size is known from, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SizeSource {
    /// A partial response.
    Partial = 1,
    /// A full response. Aborted transfers log less than the file holds, so the largest counts.
    Full = 2,
    /// The file under a root.
    File = 3,
}

/// The size by the strongest source, the largest of equally strong: the source in the two highest bits, the bytes below.
/// The largest number is the best known, and twice as many of them fit into a processor's cache as of pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SizeEvidence(u64);

impl SizeEvidence {
    const UNKNOWN: SizeEvidence = SizeEvidence(0);
    const SOURCE_BIT: u32 = 62;
    const MOST_BYTES: u64 = (1 << SizeEvidence::SOURCE_BIT) - 1;

    #[inline]
    fn new(source: SizeSource, bytes: u64) -> SizeEvidence {
        SizeEvidence(
            (source as u64) << SizeEvidence::SOURCE_BIT | bytes.min(SizeEvidence::MOST_BYTES),
        )
    }

    /// The bytes that it stands for; 0 where no size is known.
    pub fn bytes(self) -> u64 {
        self.0 & SizeEvidence::MOST_BYTES
    }

    /// The size of an object of which as much is known, at least a byte.
    pub fn size(self) -> u64 {
        self.bytes().max(1)
    }
}

/// Objects under construction; an object has several spellings (`/a%20b` and `/a b`).
#[derive(Debug)]
pub(super) struct ObjectTable {
    /// From targets as they stand in the log: the one look-up that most requests need.
    pub(super) spellings: SharedInterner,
    /// Ids by site and path, compared through the columns below.
    ids: HashTable<u32>,
    hasher: RandomState,
    sites: Vec<u16>,
    paths: crate::PathTable,
    sizes: Vec<SizeEvidence>,
    by_key: HashMap<(u16, u64), u32, RandomState>,
}

impl ObjectTable {
    pub(super) fn new() -> ObjectTable {
        ObjectTable {
            spellings: SharedInterner::default(),
            ids: HashTable::new(),
            hasher: RandomState::default(),
            sites: Vec::new(),
            paths: crate::PathTable::default(),
            sizes: Vec::new(),
            by_key: HashMap::default(),
        }
    }

    /// The object of a site by its decoded path, new if need be.
    pub(super) fn id(&mut self, site: u16, path: &[u8]) -> Result<u32, ReadError> {
        let hash = hash(&self.hasher, site, path);
        let is_object = |&id: &u32| {
            let row = id as usize;
            self.sites[row] == site && self.paths.get(row) == path
        };
        if let Some(&id) = self.ids.find(hash, is_object) {
            return Ok(id);
        }
        let id = self.add(site, path)?;
        let (hasher, sites, paths) = (&self.hasher, &self.sites, &self.paths);
        self.ids.insert_unique(hash, id, |&id| {
            let row = id as usize;
            self::hash(hasher, sites[row], paths.get(row))
        });
        Ok(id)
    }

    /// The object of a site by its key in a key-only trace, new if need be.
    pub(super) fn keyed(&mut self, site: u16, key: u64) -> Result<u32, ReadError> {
        if let Some(&id) = self.by_key.get(&(site, key)) {
            return Ok(id);
        }
        let id = self.add(site, key.to_string().as_bytes())?;
        self.by_key.insert((site, key), id);
        Ok(id)
    }

    /// The object of a key, if it is known.
    pub(super) fn known_key(&self, site: u16, key: u64) -> Option<u32> {
        self.by_key.get(&(site, key)).copied()
    }

    fn add(&mut self, site: u16, path: &[u8]) -> Result<u32, ReadError> {
        let id = next_id(self.sites.len(), "objects")?;
        self.sites.push(site);
        self.paths.push(path);
        self.sizes.push(SizeEvidence::UNKNOWN);
        Ok(id)
    }

    /// Reads what is known of objects, so that it is in the cache when rows of them are made: one after the other, each
    /// row waited for memory, an eighth of the time that a log of 50,000 objects took.
    #[inline]
    pub(super) fn touch(&self, objects: impl Iterator<Item = u32>) {
        let touched = objects.fold(0, |touched, object| {
            let size = self.sizes.get(object as usize).map_or(0, |size| size.0);
            let site = self.sites.get(object as usize).copied().unwrap_or_default();
            touched ^ size ^ u64::from(site)
        });
        std::hint::black_box(touched);
    }

    /// The decoded path of an object.
    pub(super) fn path(&self, object: u32) -> &[u8] {
        self.paths.get(object as usize)
    }

    /// What is known of the sizes, by object.
    pub(super) fn sizes(&self) -> &[SizeEvidence] {
        &self.sizes
    }

    #[inline]
    pub(super) fn site(&self, object: u32) -> u16 {
        self.sites[object as usize]
    }

    /// Learns a size.
    #[inline]
    pub(super) fn learn_size(&mut self, object: u32, source: SizeSource, bytes: u64) {
        let known = &mut self.sizes[object as usize];
        *known = (*known).max(SizeEvidence::new(source, bytes));
    }

    /// Whether every size is unknown or zero.
    pub(super) fn has_no_sizes(&self) -> bool {
        self.sizes.iter().all(|size| size.bytes() == 0)
    }

    /// The finished columns.
    pub(super) fn finish(self) -> Objects {
        let unknown = if self.by_key.is_empty() {
            1
        } else {
            KEY_ONLY_BYTES
        };
        let size = |&size: &SizeEvidence| match size {
            SizeEvidence::UNKNOWN => unknown,
            known => known.size(),
        };
        Objects {
            size: self.sizes.iter().map(size).collect(),
            site: self.sites,
            path: self.paths,
        }
    }
}

fn hash(hasher: &RandomState, site: u16, path: &[u8]) -> u64 {
    let mut state = hasher.build_hasher();
    state.write(path);
    state.write_u16(site);
    state.finish()
}
