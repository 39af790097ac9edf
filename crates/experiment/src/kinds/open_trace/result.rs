//! What measuring a point comes to.

use serde::{Deserialize, Serialize};

use crate::kept::PointResult;
use crate::study::Comparison;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// Twin or log.
    pub trace: String,
    /// How long a twin lasts at scale 1, at least so long with `seconds`, minutes; null of a log.
    pub twin_minutes: Option<u32>,
    /// How long a twin is sent at least, with connections that outlast it going on at the beginning, seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// Path of a log, as the experiment's file has it; left out of a twin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// SHA-256 of what is in the log, hexadecimal: a result stands for the log that it was measured with. Left out of a twin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log_sha256: Option<String>,
    /// Rule by which the log's requests are counted; left out where it is the default rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Connections start this many times as often.
    pub scale: f64,
    /// File system and disk of the sites' files, in words.
    pub content: String,
    /// Those of the server's program and logs.
    pub system: String,
    /// Whether the node has no disk of its own.
    pub is_diskless: bool,
    /// Memory of the node, bytes.
    pub memory_bytes: u64,
    /// Its processors; null where it has all.
    pub cpus: Option<u64>,
    /// Rate of its link, bits in a second; as fast as the machine where there is none.
    pub link_bits_per_s: Option<u64>,
    /// Seed of the twin, and of arrivals together with the number of the run.
    pub seed: u64,
}

/// What is kept of a point beside its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// Bytes of all files that are asked for.
    pub files_bytes: u64,
    /// Requests a second that were to be sent; null where all are due at once.
    pub requested_per_s: Option<f64>,
    /// Requests a second that the scale asks for, where clearly fewer were to be sent: it does not change the pauses within a connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked_per_s: Option<f64>,
    /// Why this client could not send them in time, where it could not. There is no outcome then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// The kept result of a point.
pub(crate) type TraceResult = PointResult<Settings, Detail>;

/// A point as its tables show it; no model is of it yet.
pub(crate) type TraceComparison = Comparison<Settings, Detail, ()>;
