//! Sums of accesses, and what they cost.

use hotset_cache::METADATA_PLACES;
use hotset_outcome::{Distribution, Latencies, Score};
use hotset_scenario::{CostLine, Profile};

use super::response::AccessResult;

/// Accesses and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// Accesses.
    pub accesses: u64,
    /// Bytes of the objects accessed.
    pub bytes: u64,
}

impl Flow {
    fn add(&mut self, times: u64, bytes: u64) {
        self.accesses += times;
        self.bytes = self.bytes.saturating_add(bytes.saturating_mul(times));
    }

    fn and(self, other: Self) -> Self {
        Self {
            accesses: self.accesses + other.accesses,
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }

    fn us(self, open_us: f64, line: CostLine) -> f64 {
        self.accesses as f64 * (open_us + line.fixed_us) + self.bytes as f64 / line.bytes_per_us
    }
}

/// Where accesses found their objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Held in memory.
    pub held: Flow,
    /// In the page cache.
    pub hit: Flow,
    /// Not all of it in memory: read from the store.
    pub miss: Flow,
    /// Places of directories and inodes that were read for `miss`, and the bytes of the objects once for each of them; only
    /// [`crate::PageCacheModel::Linux`] knows of them.
    pub metadata: Flow,
    /// Bytes read from the store: of objects that are partly in the page cache, the missing pages.
    pub read_bytes: u64,
}

impl Traffic {
    /// Counts an access to an object of `bytes`.
    pub(crate) fn add(&mut self, served: AccessResult, bytes: u64) {
        self.flow(served).add(1, bytes);
        if let AccessResult::Cold(places) = served {
            self.metadata.add(u64::from(places), bytes);
        }
        self.read_bytes = self.read_bytes.saturating_add(served.read_bytes(bytes));
    }

    /// With other accesses.
    pub fn and(self, other: Self) -> Self {
        Self {
            held: self.held.and(other.held),
            hit: self.hit.and(other.hit),
            miss: self.miss.and(other.miss),
            metadata: self.metadata.and(other.metadata),
            read_bytes: self.read_bytes.saturating_add(other.read_bytes),
        }
    }

    fn flow(&mut self, served: AccessResult) -> &mut Flow {
        match served {
            AccessResult::Held => &mut self.held,
            AccessResult::Hit => &mut self.hit,
            AccessResult::Miss | AccessResult::Cold(_) | AccessResult::Part(_) => &mut self.miss,
        }
    }

    /// All accesses.
    pub fn accesses(&self) -> u64 {
        self.held.accesses + self.hit.accesses + self.miss.accesses
    }

    /// All bytes.
    pub fn bytes(&self) -> u64 {
        self.held.bytes + self.hit.bytes + self.miss.bytes
    }

    /// Share of the accesses served from memory; NaN without accesses.
    pub fn hit_ratio(&self) -> f64 {
        (self.held.accesses + self.hit.accesses) as f64 / self.accesses() as f64
    }

    /// The score of accesses that were answered in these times.
    pub(crate) fn score(&self, response: Distribution) -> Score {
        Score {
            requests: Some(self.accesses()),
            hits: Some(self.held.accesses + self.hit.accesses),
            bytes: Some(self.bytes()),
            hit_bytes: Some(self.held.bytes.saturating_add(self.hit.bytes)),
            latencies: Latencies {
                response: Some(response),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }

    /// Sum of the responses in microseconds, held files at `memory`'s cached cost and the rest at `backing`'s: costs grow
    /// linearly with the bytes, so the sums of the bytes suffice.
    pub(crate) fn us(&self, memory: &Profile, backing: &Profile) -> f64 {
        self.held.us(memory.open_us, memory.cached)
            + self.hit.us(backing.open_us, backing.cached)
            + self.miss.us(backing.open_us, backing.uncached)
            + metadata_us(self.metadata, backing)
    }
}

/// What directories and inodes cost on top: a place is one of those between an uncached reading and a cold one.
fn metadata_us(places: Flow, backing: &Profile) -> f64 {
    let Some(cold) = backing.cold else { return 0.0 };
    let us = places.us(0.0, cold) - places.us(0.0, backing.uncached);
    us / f64::from(METADATA_PLACES)
}
