//! What happened over time.

use serde::{Deserialize, Serialize};

/// Figures over time, in columns: one value a point. Columns that nobody filled are empty, and absent from
/// documents.
///
/// A point stands for the time since the point before it, the first one for the time since measuring began.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Timeline {
    /// When the time of each point ends, seconds since measuring began, ascending. Every other column has as many
    /// values, for the time since the point before.
    pub seconds: Vec<f64>,
    /// Requests answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requests: Vec<u64>,
    /// Requests that failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<u64>,
    /// Bytes served.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u64>,
    /// Share of the time in which the resource was busy, 0 to 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub utilisation: Vec<f64>,
    /// Mean number of requests at the resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub queue_length: Vec<f64>,
    /// Bytes sent over the link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sent_bytes: Vec<u64>,
    /// Packets sent over the link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sent_packets: Vec<u64>,
    /// Bytes received over the link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub received_bytes: Vec<u64>,
    /// Packets received over the link.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub received_packets: Vec<u64>,
}

impl Timeline {
    /// Columns of counts by key.
    pub(crate) fn counts(&self) -> [(&'static str, &[u64]); 7] {
        [
            ("requests", &self.requests),
            ("errors", &self.errors),
            ("bytes", &self.bytes),
            ("sent_bytes", &self.sent_bytes),
            ("sent_packets", &self.sent_packets),
            ("received_bytes", &self.received_bytes),
            ("received_packets", &self.received_packets),
        ]
    }
}
