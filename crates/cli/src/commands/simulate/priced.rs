//! What a cache scan costs, request run by request run.

use hotset_cache::Counts;
use hotset_outcome::{CostSeries, Distribution, Latencies, Score};
use hotset_scenario::{CostLine, Profile};

/// Counts of a scan and their course. A cost grows with the bytes, so that only sums are kept while the scan
/// runs, which costs it nothing that could be measured; a histogram of the sizes doubled its time.
pub struct Tally {
    counts: Counts,
    /// Requests in a cell of the series, a power of two.
    cell: u64,
    /// The counts at the end of each full cell.
    borders: Vec<Counts>,
}

impl Tally {
    /// For a scan of `requests` requests.
    pub fn new(requests: usize) -> Tally {
        Tally {
            counts: Counts::default(),
            cell: CostSeries::of_requests(requests as u64).cell_requests(),
            borders: Vec::new(),
        }
    }

    /// Counts the next request.
    #[inline]
    pub fn add(&mut self, hit: bool, bytes: u64) {
        self.counts.add(hit, bytes);
        if self.counts.requests & (self.cell - 1) == 0 {
            self.borders.push(self.counts);
        }
    }

    /// What was counted.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The score of what was counted, priced by `profile`.
    pub fn score(&self, profile: &Profile) -> Score {
        let response =
            Distribution::of_mean(mean_us(&self.counts, profile)).with_series(self.series(profile));
        Score {
            requests: Some(self.counts.requests),
            hits: Some(self.counts.hits),
            bytes: Some(self.counts.bytes),
            hit_bytes: Some(self.counts.hit_bytes),
            latencies: Latencies {
                response: Some(response),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }

    fn series(&self, profile: &Profile) -> CostSeries {
        let mut series = CostSeries::of_requests(self.counts.requests);
        let mut before = 0.0;
        let ends = self.borders.iter().chain([&self.counts]);
        for (cell, counts) in ends.enumerate() {
            let until = total_us(counts, profile);
            series.add(cell as u64 * self.cell, (until - before).max(0.0));
            before = until;
        }
        series
    }
}

/// Mean response in microseconds; 0 without requests.
pub fn mean_us(counts: &Counts, profile: &Profile) -> f64 {
    total_us(counts, profile) / counts.requests.max(1) as f64
}

/// Sum of the responses: costs grow linearly with the bytes, so the sums of the bytes suffice.
fn total_us(counts: &Counts, profile: &Profile) -> f64 {
    let sum = |line: CostLine, requests: u64, bytes: u64| {
        requests as f64 * (profile.open_us + line.fixed_us) + bytes as f64 / line.bytes_per_us
    };
    let misses = counts.requests - counts.hits;
    let missed_bytes = counts.bytes.saturating_sub(counts.hit_bytes);
    sum(profile.cached, counts.hits, counts.hit_bytes) + sum(profile.uncached, misses, missed_bytes)
}
