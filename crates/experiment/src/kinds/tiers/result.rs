//! What measuring a point comes to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::accuracy::TiersPrediction;
use crate::kept::PointResult;
use crate::study::Comparison;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// The nodes, in the order of the scenario.
    pub nodes: Vec<NodeSettings>,
    /// File system and disk of the site's files on each web node, in words.
    pub store: String,
    /// The node that is asked.
    pub asks: String,
    /// The node that clients are on; absent where they are on the machine itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asks_from: Option<String>,
    /// Links between two nodes, and those with packets of another size, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// What happens while clients ask, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
    /// How requests come.
    pub arrivals: ArrivalSettings,
    /// Files of the site.
    pub files: u32,
    /// Their mean size, bytes.
    pub file_bytes: u64,
    /// Exponent of their popularity.
    pub alpha: f64,
    /// Requests that warm the caches up.
    pub warm_up: u64,
    /// Requests that count.
    pub requests: u64,
    /// Seed of the experiment. Together with the number of the run it decides on the files and the requests.
    pub seed: u64,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct NodeSettings {
    /// Its name.
    pub name: String,
    /// Its server, in words.
    pub server: String,
    /// All of its memory, bytes.
    pub memory_bytes: u64,
    /// Its processors, of which a fraction is a share; null where it has all.
    pub cpus: Option<f64>,
    /// Worker processes of its server; null where it has as many as usual.
    pub workers: Option<u64>,
    /// Rate of its link, bits in a second; as fast as the machine where there is none.
    pub link_bits_per_s: Option<u64>,
}

/// How requests come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ArrivalSettings {
    /// Clients each ask, wait for the answer, think, and ask again.
    Closed {
        /// How many.
        clients: u64,
        /// How long each thinks, nanoseconds.
        think_ns: u64,
    },
    /// At random times.
    Open {
        /// Requests a second.
        rate_per_s: f64,
    },
}

/// What is kept of a point beside its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// Bytes of all files.
    pub files_bytes: u64,
    /// Processor time of each node's server by request that a client made, microseconds, by the node's name.
    pub server_us: BTreeMap<String, f64>,
    /// What kernel and server take of each web node's memory once the servers are up, bytes, in the order of the nodes.
    pub server_memory_bytes: Vec<u64>,
    /// Bytes that all disks read; null where an early result does not tell.
    #[serde(default)]
    pub disk_read_bytes: Option<u64>,
    /// Why this client could not send them in time, where it could not. There is no outcome then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// The kept result of a point.
pub(crate) type TiersResult = PointResult<Settings, Detail>;

/// A point as its tables show it.
pub(crate) type TiersComparison = Comparison<Settings, Detail, TiersPrediction>;
