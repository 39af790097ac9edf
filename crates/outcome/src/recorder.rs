//! Scoring requests as a model serves them.

use crate::{Latencies, Score, Times};

/// Counts requests one by one, in order, and makes a [`Score`] of them.
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    hits: u64,
    bytes: u64,
    hit_bytes: u64,
    times: Times,
}

impl Recorder {
    /// Counts one request of `bytes` that took `us` microseconds.
    pub fn record(&mut self, hit: bool, bytes: u64, us: f64) {
        self.bytes = self.bytes.saturating_add(bytes);
        if hit {
            self.hits += 1;
            self.hit_bytes = self.hit_bytes.saturating_add(bytes);
        }
        self.times.record(us);
    }

    /// The score of what was recorded so far.
    pub fn score(&self) -> Score {
        Score {
            requests: Some(self.times.count()),
            hits: Some(self.hits),
            bytes: Some(self.bytes),
            hit_bytes: Some(self.hit_bytes),
            latencies: Latencies {
                response: Some(self.times.distribution()),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }
}
