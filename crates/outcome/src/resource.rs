//! What requests wait for, and what carries them.

use serde::{Deserialize, Serialize};

use crate::Timeline;

/// A drive, a processor or whatever else serves one request after another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Resource {
    /// Name of the resource.
    pub name: String,
    /// Share of the time in which it was busy, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utilisation: Option<f64>,
    /// Mean number of requests at it, waiting or in service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_queue_length: Option<f64>,
    /// Its utilisation and queue_length over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
}

/// A link between two nodes, seen from one of its ends.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Link {
    /// The node that sends and receives.
    pub name: String,
    /// Bytes that the node sent, headers included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_bytes: Option<u64>,
    /// Packets that the node sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_packets: Option<u64>,
    /// Bytes that the node received, headers included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_bytes: Option<u64>,
    /// Packets that the node received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received_packets: Option<u64>,
    /// The same four over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeline: Option<Timeline>,
}
