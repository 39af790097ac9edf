//! What an access costs, by where it finds its file.

use hotset_cache::{METADATA_PLACES, PAGE_BYTES, StoreRead};
use hotset_scenario::{CostLine, Profile};

use crate::PlanError;

/// Where an access finds its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessResult {
    Held,
    Hit,
    Miss,
    /// Nor are so many places of its directory and inode in memory.
    Cold(u32),
    /// Partly in the page cache; the rest is read.
    Part(StoreRead),
}

impl AccessResult {
    /// What a read of an object of so many `pages` came to, whose directory and inode are known.
    #[inline]
    pub fn of_read(read: StoreRead, pages: u64) -> Self {
        match read {
            StoreRead { pages: 0, .. } => Self::Hit,
            StoreRead {
                pages: all,
                gaps: 1,
            } if all == pages => Self::Miss,
            part => Self::Part(part),
        }
    }

    /// 0 where it is held, 1 in the page cache, 2 where something is read from the store.
    #[inline]
    pub fn place(self) -> usize {
        match self {
            AccessResult::Held => 0,
            AccessResult::Hit => 1,
            AccessResult::Miss | AccessResult::Cold(_) | AccessResult::Part(_) => 2,
        }
    }

    /// Bytes read from the store for an object of `bytes`.
    pub fn read_bytes(self, bytes: u64) -> u64 {
        match self {
            AccessResult::Held | AccessResult::Hit => 0,
            AccessResult::Miss | AccessResult::Cold(_) => bytes,
            AccessResult::Part(read) => bytes.min(read.pages * PAGE_BYTES),
        }
    }
}

/// Microseconds to serve a site's objects. They are computed for each access: a column of them for each object would push
/// what a scan needs out of the processor's cache.
#[derive(Clone, Debug)]
pub(crate) struct Responses {
    /// Where objects are held.
    memory: Profile,
    /// Where they live.
    store: Profile,
    /// By [`AccessResult::place`]. What is looked up cannot be guessed wrong, as a branch would be at every third access.
    lines: [Line; 3],
}

/// Opening a file and reading it.
#[derive(Clone, Copy, Debug)]
struct Line {
    open_us: f64,
    read: CostLine,
}

impl Line {
    #[inline]
    fn us(self, bytes: u64) -> f64 {
        self.open_us + self.read.us(bytes)
    }
}

impl Responses {
    pub fn new(memory: &Profile, store: &Profile) -> Self {
        let line = |profile: &Profile, read| Line {
            open_us: profile.open_us,
            read,
        };
        Self {
            lines: [
                line(memory, memory.cached),
                line(store, store.cached),
                line(store, store.uncached),
            ],
            memory: memory.clone(),
            store: store.clone(),
        }
    }

    /// Whether `object` of `size` bytes has costs that can be added up.
    pub fn check(&self, object: u32, size: u64) -> Result<(), PlanError> {
        let store = &self.store;
        let us = [
            self.held_us(size),
            store.cached_us(size),
            store.uncached_us(size),
            store.cold_us(size),
            store.uncached.fixed_us,
        ];
        match us.iter().find(|us| !(us.is_finite() && **us >= 0.0)) {
            Some(&us) => Err(PlanError::Cost { object, us }),
            None => Ok(()),
        }
    }

    /// Microseconds that an access saves when its object of `size` bytes is held instead of read from its store.
    pub fn saved_us(&self, size: u64) -> f64 {
        self.store.uncached_us(size) - self.held_us(size)
    }

    /// Whether reading directory and inode of an object of `size` bytes costs anything.
    pub fn has_metadata(&self, size: u64) -> bool {
        self.store.cold_us(size) > self.store.uncached_us(size)
    }

    /// Microseconds to serve an object of `size` bytes on so many `pages` as it was found.
    #[inline]
    pub fn us(&self, served: AccessResult, size: u64, pages: u64) -> f64 {
        let us = self.lines[served.place()].us(size);
        match served {
            AccessResult::Held | AccessResult::Hit | AccessResult::Miss => us,
            AccessResult::Cold(places) => {
                let share = f64::from(places) / f64::from(METADATA_PLACES);
                us + (self.store.cold_us(size) - us) * share
            }
            AccessResult::Part(read) => {
                self.part_us(size, read.pages as f64 / pages as f64, read.gaps)
            }
        }
    }

    #[inline]
    fn held_us(&self, size: u64) -> f64 {
        self.memory.cached_us(size)
    }

    /// Between a hit and a miss by the share of the pages that are read, and each place read at on top: what part of a miss
    /// goes by the places, not by bytes, is a seek.
    fn part_us(&self, size: u64, share: f64, gaps: u32) -> f64 {
        let (hit_us, gap_us) = (self.store.cached_us(size), self.store.uncached.fixed_us);
        let by_bytes = self.store.uncached_us(size) - hit_us - gap_us;
        hit_us + by_bytes * share + gap_us * f64::from(gaps)
    }
}
