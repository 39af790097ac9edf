//! What a scan counts.

/// Hits and misses of a scan. The unit of sizes is that of the scanned size column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Requests scanned.
    pub requests: u64,
    /// Requests that found their object in the cache.
    pub hits: u64,
    /// Sum of the sizes of the requested objects (`u64::MAX` when it does not fit).
    pub bytes: u64,
    /// Sum of the sizes of the hits (`u64::MAX` when it does not fit).
    pub hit_bytes: u64,
}

impl Counts {
    /// Adds one request.
    #[inline]
    pub fn add(&mut self, hit: bool, size: u64) {
        self.requests += 1;
        self.hits += u64::from(hit);
        self.bytes = self.bytes.saturating_add(size);
        self.hit_bytes = self.hit_bytes.saturating_add(if hit { size } else { 0 });
    }

    /// Share of the requests that hit, 0 for an empty scan.
    pub fn hit_ratio(&self) -> f64 {
        ratio(self.hits, self.requests)
    }

    /// Share of the requested bytes that hit, 0 for an empty scan.
    pub fn byte_hit_ratio(&self) -> f64 {
        ratio(self.hit_bytes, self.bytes)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}
