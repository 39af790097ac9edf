//! The times that are taken of a request, by name.

use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr, VariantArray};

use crate::Distribution;

/// A first byte within half a second, microseconds: the line that "A Study of the Performance of Diskless Web
/// Servers" (IBM Research, 2002), section 3.4, draws into its plots of that time.
pub const FIRST_BYTE_LINE_US: f64 = 500_000.0;

/// What a time is the time of.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    EnumCount,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[non_exhaustive]
pub enum LatencyKind {
    /// A model's time from a request to the end of its response.
    Response,
    /// Request sent to the last byte of its response.
    Total,
    /// Request sent, on an open connection, to the first byte of its response.
    FirstByte,
    /// The time at which the request was due to the last byte of its response.
    FromIntended,
    /// Opening a connection.
    Connect,
}

impl LatencyKind {
    /// All, the one that best stands for a request's response first.
    pub const ALL: [Self; Self::COUNT] = *Self::VARIANTS.first_chunk().unwrap();

    /// As documents write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Distributions of the times of requests; those that were not taken are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Latencies {
    /// Opening a connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect: Option<Distribution>,
    /// Request sent, on an open connection, to the first byte of its response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_byte: Option<Distribution>,
    /// The time at which the request was due to the last byte of its response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from_intended: Option<Distribution>,
    /// Request sent to the last byte of its response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Distribution>,
    /// A model's time from a request to the end of its response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Distribution>,
}

impl Latencies {
    /// The distribution of one kind.
    pub fn get(&self, kind: LatencyKind) -> Option<&Distribution> {
        match kind {
            LatencyKind::Response => &self.response,
            LatencyKind::Total => &self.total,
            LatencyKind::FirstByte => &self.first_byte,
            LatencyKind::FromIntended => &self.from_intended,
            LatencyKind::Connect => &self.connect,
        }
        .as_ref()
    }

    /// Those that there are, in the order of [`LatencyKind::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (LatencyKind, &Distribution)> {
        LatencyKind::ALL
            .iter()
            .copied()
            .filter_map(|kind| Some((kind, self.get(kind)?)))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}
