//! What measuring a point comes to.

use serde::{Deserialize, Serialize};

use super::cell::Cell;
use super::spread::Rule;
use crate::kept::PointResult;
use crate::study::Comparison;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// The sites.
    pub cell: Cell,
    /// File systems and disks that their files lie on, in words.
    pub stores: Vec<String>,
    /// Which file lies on which of them.
    pub by: Rule,
    /// Web nodes that have all of them.
    pub servers: usize,
    /// Memory of a web node, bytes.
    pub memory_bytes: u64,
    /// Its processors; null where it has all.
    pub cpus: Option<u64>,
    /// Rate of the web nodes' and the proxy's links, bits in a second; as fast as the machine where there is none.
    pub link_bits_per_s: [Option<u64>; 2],
    /// Most requests of one client.
    pub paced_requests: u64,
    /// Longest that one client asks, seconds.
    pub paced_seconds: u64,
    /// Clients of the throughput phase.
    pub clients: u64,
    /// Its length, seconds.
    pub throughput_seconds: u64,
    /// Memory and file sizes are divided by it.
    pub scale: u64,
    /// Seed of the files, and of the requests together with the number of the run.
    pub seed: u64,
}

/// What is kept of a point beside its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// Bytes of all files of the sites.
    pub files_bytes: u64,
    /// Median time of opening and closing a cached file on the web node, microseconds.
    pub open_close_us: f64,
}

/// The kept result of a point.
pub(crate) type SitesResult = PointResult<Settings, Detail>;

/// A point as its tables show it; no model is of it yet.
pub(crate) type SitesComparison = Comparison<Settings, Detail, ()>;
