//! What a cache scan costs.

use hotset_cache::Counts;
use hotset_outcome::{CostSeries, Distribution, Score};
use hotset_scenario::Profile;

use super::traffic::{Flow, Traffic};

/// Counts of a scan and how they rose. A cost grows with the bytes, so that only sums are kept while the scan
/// runs, which costs it nothing that could be measured; a histogram of the sizes doubled its time.
pub struct ScanSeries {
    counts: Counts,
    /// Requests in a cell of the series, a power of two.
    cell: u64,
    /// The counts at the end of each full cell.
    borders: Vec<Counts>,
}

impl ScanSeries {
    /// For a scan of `requests` requests.
    pub fn new(requests: usize) -> Self {
        Self {
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
        let response = Distribution::of_mean(scan_mean_us(&self.counts, profile))
            .with_series(self.costs(profile));
        traffic(&self.counts).score(response)
    }

    fn costs(&self, profile: &Profile) -> CostSeries {
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

/// Mean response of a scan in microseconds, priced by `profile`; 0 without requests.
pub fn scan_mean_us(counts: &Counts, profile: &Profile) -> f64 {
    total_us(counts, profile) / counts.requests.max(1) as f64
}

/// What a miss of an object of `bytes` takes beyond a hit, microseconds; never less than nothing.
pub fn miss_penalty_us(profile: &Profile, bytes: u64) -> f64 {
    let of = |hit: bool| {
        let mut counts = Counts::default();
        counts.add(hit, bytes);
        total_us(&counts, profile)
    };
    (of(false) - of(true)).max(0.0)
}

fn total_us(counts: &Counts, profile: &Profile) -> f64 {
    traffic(counts).us(profile, profile)
}

fn traffic(counts: &Counts) -> Traffic {
    Traffic {
        hit: Flow {
            accesses: counts.hits,
            bytes: counts.hit_bytes,
        },
        miss: Flow {
            accesses: counts.requests - counts.hits,
            bytes: counts.bytes.saturating_sub(counts.hit_bytes),
        },
        ..Traffic::default()
    }
}
