//! What is scanned.

use crate::Stop;

/// What is scanned, by [`crate::TwoList`].
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    /// Size of the cache, in the unit of `sizes`.
    pub capacity: u64,
    /// Object ids in the order of requests.
    pub requests: &'a [u32],
    /// Size of each object in the cache.
    pub sizes: &'a [u64],
    /// What a miss of each object weighs, beside 1: bytes, or microseconds beyond a hit. Not negative.
    pub weights: [&'a [f64]; 2],
    /// Ends it when asked.
    pub stop: Option<&'a Stop>,
}
