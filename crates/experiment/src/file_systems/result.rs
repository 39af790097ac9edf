//! What measuring one file system comes to.

use serde::{Deserialize, Serialize};

use hotset_probe::AccessTimes;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    /// File system and disk, in words.
    pub store: String,
    /// Memory of the web node, bytes.
    pub memory_bytes: u64,
    /// Its processors; all where it does not say.
    pub cpus: Option<u64>,
    /// Rate of the web node's and the proxy's links, bits in a second; as fast as the machine where there is none.
    pub link_bits_per_s: [Option<u64>; 2],
    /// Sizes read bare, bytes.
    pub bare_bytes: Vec<u64>,
    /// Sizes served, bytes.
    pub served_bytes: Vec<u64>,
    /// Files of each phase and size.
    pub files: usize,
    /// Clients of the throughput phase.
    pub clients: usize,
    /// Length of a throughput phase with all files cached, seconds.
    pub throughput_seconds: u64,
}

/// Times of one kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Accesses.
    pub accesses: u64,
    /// Median, microseconds.
    pub median_us: f64,
    /// Mean, microseconds.
    pub mean_us: f64,
    /// 95th percentile, microseconds.
    pub p95_us: f64,
    /// 99th percentile, microseconds.
    pub p99_us: f64,
    /// Longest, microseconds.
    pub max_us: f64,
}

impl Summary {
    /// Of these times; nothing without any.
    pub(super) fn of(ns: &[u64]) -> Option<Self> {
        let mut sorted = ns.to_vec();
        sorted.sort_unstable();
        let us = |ns: u64| ns as f64 / 1000.0;
        let last = sorted.len().checked_sub(1)?;
        let quantile = |share: f64| us(sorted[(last as f64 * share).round() as usize]);
        Some(Self {
            accesses: sorted.len() as u64,
            median_us: quantile(0.5),
            mean_us: us(sorted.iter().sum()) / sorted.len() as f64,
            p95_us: quantile(0.95),
            p99_us: quantile(0.99),
            max_us: us(sorted[last]),
        })
    }
}

/// Opening, reading and closing files of one size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Access {
    /// Opening and closing.
    pub open_close: Summary,
    /// Reading, without opening and closing.
    pub read: Summary,
}

impl Access {
    pub(super) fn of(times: &AccessTimes) -> Option<Self> {
        Some(Self {
            open_close: Summary::of(&times.open_close_ns)?,
            read: Summary::of(&times.read_ns)?,
        })
    }
}

/// Files of one size read on the node, by plain calls.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Bare {
    /// Their size.
    pub bytes: u64,
    /// Each for the first time after the caches were dropped; for a file system in memory, after they were written.
    pub uncached: Access,
    /// Each again.
    pub cached: Access,
}

/// What is kept of a file system beside its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Detail {
    /// Its kind.
    pub kind: String,
    /// Read bare, size by size.
    pub bare: Vec<Bare>,
    /// Whether there is a disk or a server whose caches were dropped and proven empty.
    pub caches_dropped: bool,
}
