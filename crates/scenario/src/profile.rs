//! What it costs to serve a file from a store.

/// A cost that grows linearly with the bytes read.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CostLine {
    /// Microseconds before the first byte.
    pub fixed_us: f64,
    /// Bytes per microsecond (= MB/s, 10^6 bytes) after it.
    pub bytes_per_us: f64,
}

impl CostLine {
    /// Microseconds to read `bytes`.
    pub fn us(&self, bytes: u64) -> f64 {
        self.fixed_us + bytes as f64 / self.bytes_per_us
    }
}

/// A store's costs, measured or published.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Profile {
    /// The name it is asked for by.
    pub name: String,
    /// Microseconds to open and close a file, paid by every request, cached or not.
    pub open_us: f64,
    /// Reading a file that is in the page cache (for a store without a client cache: in its servers').
    pub cached: CostLine,
    /// Reading a file that is not.
    pub uncached: CostLine,
    /// Where the figures are from.
    pub source: String,
}

impl Profile {
    /// Microseconds to serve `bytes` that are in the page cache.
    pub fn cached_us(&self, bytes: u64) -> f64 {
        self.open_us + self.cached.us(bytes)
    }

    /// Microseconds to serve `bytes` that are not.
    pub fn uncached_us(&self, bytes: u64) -> f64 {
        self.open_us + self.uncached.us(bytes)
    }
}
