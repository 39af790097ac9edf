//! Scoring requests as a model serves them.

use hdrhistogram::Histogram;

use crate::distribution::{HISTOGRAM_DIGITS, add_to_histogram};
use crate::{CostSeries, Distribution, Latencies, Score};

/// Counts requests one by one, in order, and makes a [`Score`] of them.
#[derive(Clone, Debug)]
pub struct Recorder {
    requests: u64,
    hits: u64,
    bytes: u64,
    hit_bytes: u64,
    total_us: f64,
    histogram: Option<Histogram<u64>>,
    series: CostSeries,
}

impl Default for Recorder {
    fn default() -> Self {
        Self {
            requests: 0,
            hits: 0,
            bytes: 0,
            hit_bytes: 0,
            total_us: 0.0,
            // Fails only for more digits than five.
            histogram: Histogram::new(HISTOGRAM_DIGITS).ok(),
            series: CostSeries::default(),
        }
    }
}

impl Recorder {
    /// Counts one request of `bytes` that took `us` microseconds.
    pub fn record(&mut self, hit: bool, bytes: u64, us: f64) {
        self.requests += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        if hit {
            self.hits += 1;
            self.hit_bytes = self.hit_bytes.saturating_add(bytes);
        }
        self.total_us += us;
        if let Some(histogram) = &mut self.histogram {
            add_to_histogram(histogram, us.round() as u64, 1);
        }
        self.series.push(us);
    }

    /// The score of what was recorded so far.
    pub fn score(&self) -> Score {
        let response = self.histogram.as_ref().map(|histogram| {
            Distribution::of(histogram)
                .with_mean(self.total_us / self.requests as f64)
                .with_series(self.series.clone())
        });
        Score {
            requests: Some(self.requests),
            errors: None,
            hits: Some(self.hits),
            bytes: Some(self.bytes),
            hit_bytes: Some(self.hit_bytes),
            throughput_per_s: None,
            latencies: Latencies {
                response,
                ..Latencies::default()
            },
            timeline: None,
        }
    }
}
