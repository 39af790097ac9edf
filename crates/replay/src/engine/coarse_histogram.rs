//! First-byte times of all threads, in coarse steps, for the one that watches.

use std::sync::atomic::{AtomicU64, Ordering};

/// Steps of a quarter of a power of two are at most 19 % apart, enough for a line on a terminal.
const STEPS: u32 = 4;
/// Up to 2^40 ns, a quarter of an hour.
const BUCKETS: usize = 40 * STEPS as usize;

/// Counts times in coarse steps, from all threads at once. The histograms of the result are each thread's own.
pub struct CoarseHistogram {
    counts: Vec<AtomicU64>,
}

impl CoarseHistogram {
    pub fn new() -> Self {
        Self {
            counts: (0..BUCKETS).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    pub fn add(&self, ns: u64) {
        self.counts[bucket(ns)].fetch_add(1, Ordering::Relaxed);
    }

    /// The time in microseconds that 99 % of the times do not exceed; `None` without times.
    pub fn p99_us(&self) -> Option<f64> {
        let counts: Vec<u64> = self
            .counts
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .collect();
        let all: u64 = counts.iter().sum();
        let beyond = all / 100;
        let mut above = 0;
        let bucket = counts.iter().rposition(|count| {
            above += count;
            above > beyond
        })?;
        Some(f64::powf(2.0, (bucket + 1) as f64 / f64::from(STEPS)) / 1000.0)
    }
}

/// The bucket of times of at least 2^(bucket / [`STEPS`]) ns.
fn bucket(ns: u64) -> usize {
    let steps = (ns.max(1) as f64).log2() * f64::from(STEPS);
    (steps as usize).min(BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_99th_percentile_is_at_most_a_step_too_large() {
        let histogram = CoarseHistogram::new();
        assert_eq!(histogram.p99_us(), None);
        (1..=1000_u64).for_each(|us| histogram.add(us * 1000));
        let p99 = histogram.p99_us().unwrap();
        assert!((990.0..=990.0 * 1.2).contains(&p99), "{p99}");
    }

    #[test]
    fn times_beyond_the_last_step_are_counted_in_it() {
        let histogram = CoarseHistogram::new();
        histogram.add(u64::MAX);
        histogram.add(0);
        assert!(histogram.p99_us().unwrap() > 1e9);
    }
}
