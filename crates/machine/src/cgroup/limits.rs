//! What a group may use.

use std::fmt;

/// Processors by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSet(pub Vec<usize>);

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

/// Longest time for which a group that has used up its share of the processors stands still: what waits for it is held up by as much, so
/// it is shorter than the 100 ms that the kernel would take (`default_cfs_period` in kernel/sched/fair.c).
const PERIOD_US: u64 = 10_000;
/// Least processor time of a period that the kernel takes (`min_cfs_quota_period` in kernel/sched/core.c), and longest period
/// (`max_cfs_quota_period`).
const LEAST_QUOTA_US: f64 = 1000.0;
const LONGEST_PERIOD_US: f64 = 1e6;

/// A share of the machine's processors: in each period a group may use so much of their time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Processor time of a period, microseconds.
    pub quota_us: u64,
    /// How long a period is, microseconds.
    pub period_us: u64,
}

impl Quota {
    /// That of a number of processors.
    #[must_use]
    pub fn of(processors: f64) -> Self {
        let shortest = (LEAST_QUOTA_US / processors).ceil();
        let period_us = (PERIOD_US as f64).max(shortest).min(LONGEST_PERIOD_US);
        Self {
            quota_us: (processors * period_us).max(LEAST_QUOTA_US).round() as u64,
            period_us: period_us as u64,
        }
    }
}

/// What a group may use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Memory of its processes, their page cache and the kernel's memory on their behalf; all of the machine's
    /// without.
    pub memory_bytes: Option<u64>,
    /// Time of processors, as their number: 0.5 is half of one, whichever they run on; all without.
    pub processors: Option<f64>,
}
