//! What calls on files take that move no data, and waiting until data is on the device.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{Bounded as _, Count, DeviceUs, Size};

/// What calls on files take that move no data, as measured. No model uses them yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub struct FileCalls {
    /// Microseconds to make an empty file.
    #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub create_us: Option<f64>,
    /// Microseconds to remove one.
    #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub unlink_us: Option<f64>,
    /// Microseconds to give one another name in the same folder.
    #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub rename_us: Option<f64>,
    /// Microseconds to cut a file of 4 KiB to nothing.
    #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub truncate_us: Option<f64>,
    /// Microseconds to make a folder.
    #[serde(deserialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub mkdir_us: Option<f64>,
}

/// Waiting until what was written over a file is on the device, as measured. Models calculate that themselves: it is to be laid beside what they
/// say.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct SyncCost {
    /// Bytes written since the last time.
    #[serde(deserialize_with = "size")]
    pub bytes: u64,
    /// Programs that do so at the same time, each with a file of its own.
    #[serde(deserialize_with = "count")]
    pub writers: usize,
    /// Microseconds that each of them waits; where there are several, with writing.
    #[serde(deserialize_with = "microseconds")]
    pub us: f64,
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    microseconds(deserializer).map(Some)
}

fn microseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match DeviceUs::deserialize(deserializer)?.number() {
        us if us > 0.0 => Ok(us),
        _ => Err(D::Error::custom("must be positive: calls take time")),
    }
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Size::deserialize(deserializer).map(Size::number)
}

fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    Count::deserialize(deserializer).map(Count::number)
}
