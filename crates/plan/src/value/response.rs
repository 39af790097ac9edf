//! What an access costs, by where it finds its file.

use hotset_cache::{METADATA_PLACES, PAGE_BYTES, StoreRead};

use super::cost::ProfileCosts;
use crate::PlanError;

/// Where an access finds its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Served {
    Held,
    Hit,
    Miss,
    /// Nor are so many places of its directory and inode in memory.
    Cold(u32),
    /// Partly in the page cache; the rest is read.
    Part(StoreRead),
}

impl Served {
    /// Bytes read from the store for an object of `bytes`.
    pub fn read_bytes(self, bytes: u64) -> u64 {
        match self {
            Served::Held | Served::Hit => 0,
            Served::Miss | Served::Cold(_) => bytes,
            Served::Part(read) => bytes.min(read.pages * PAGE_BYTES),
        }
    }
}

/// Microseconds to serve an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Responses {
    /// When it is held in memory.
    held_us: f64,
    /// When it is in the page cache of its store.
    hit_us: f64,
    /// When its store has to read it.
    miss_us: f64,
    /// When its store has to read its directory and inode as well.
    cold_us: f64,
    /// What part of `miss_us` goes by the places its store reads at, not by bytes: a seek.
    gap_us: f64,
}

impl Responses {
    pub fn of(costs: &ProfileCosts, object: u32) -> Result<Self, PlanError> {
        let (store, size) = (costs.backing(object), costs.size(object));
        let us = [
            costs.memory.cached_us(size),
            store.cached_us(size),
            store.uncached_us(size),
            store.cold_us(size),
            store.uncached.fixed_us,
        ];
        if let Some(&us) = us.iter().find(|us| !(us.is_finite() && **us >= 0.0)) {
            return Err(PlanError::Cost { object, us });
        }
        let [held_us, hit_us, miss_us, cold_us, gap_us] = us;
        Ok(Self {
            held_us,
            hit_us,
            miss_us,
            cold_us,
            gap_us,
        })
    }

    /// Microseconds that an access saves when its object is held instead of read from its store.
    pub fn saved_us(&self) -> f64 {
        self.miss_us - self.held_us
    }

    /// Whether reading directory and inode costs anything.
    pub fn has_metadata(&self) -> bool {
        self.cold_us > self.miss_us
    }

    /// Microseconds to serve an object of `pages` as it was found.
    #[inline]
    pub fn us(&self, served: Served, pages: u64) -> f64 {
        match served {
            Served::Held => self.held_us,
            Served::Hit => self.hit_us,
            Served::Miss => self.miss_us,
            Served::Cold(places) => {
                let share = f64::from(places) / f64::from(METADATA_PLACES);
                self.miss_us + (self.cold_us - self.miss_us) * share
            }
            Served::Part(read) => self.part_us(read.pages as f64 / pages as f64, read.gaps),
        }
    }

    /// Between a hit and a miss by the share of the pages that are read, and each place read at on top.
    fn part_us(&self, share: f64, gaps: u32) -> f64 {
        let by_bytes = self.miss_us - self.hit_us - self.gap_us;
        self.hit_us + by_bytes * share + self.gap_us * f64::from(gaps)
    }
}
