//! What measuring one file system comes to.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kept::PointResult;
use crate::study::Comparison;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// File system and disk, in words.
    pub store: String,
    /// Memory of the web node, bytes.
    pub memory_bytes: u64,
    /// Its processors; null where it has all.
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

/// What is kept of a file system beside its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// Its kind.
    pub kind: String,
    /// Whether there is a disk or a server whose caches were dropped and proven empty.
    pub caches_dropped: bool,
    /// What older results have here and newer ones in their first outcome: times of the files read bare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bare: Option<Value>,
}

/// The kept result of a file system.
pub(crate) type StoreResult = PointResult<Settings, Detail>;

/// A file system as its tables show it; no model is of file systems yet.
pub(crate) type StoreComparison = Comparison<Settings, Detail, ()>;
