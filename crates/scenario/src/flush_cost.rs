//! What a device takes to put what is in its own volatile cache on its medium, by how much was written to it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{Bounded as _, DeviceUs, Quantiles, Size};

/// Emptying the volatile cache of a device, once so many bytes were written to it since the last time. Below a device there may be others: a
/// loop device has its file synced (`lo_req_flush`, `drivers/block/loop.c`), and a virtual one asks its host. The first write after a tick of the
/// kernel's clock changes the time of that file, and the next flush has its inode written as well (`file_update_time`, `fs/inode.c`;
/// `ext4_fsync_nojournal`, `fs/ext4/fsync.c`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct FlushCost {
    /// Bytes written since the last time.
    #[serde(deserialize_with = "size")]
    pub bytes: u64,
    /// Microseconds that it takes then.
    #[serde(deserialize_with = "microseconds")]
    pub us: f64,
    /// Microseconds that 10, 25, 50, 75, 90 and 99 % of times do not exceed; missing where they were not measured.
    #[serde(
        default,
        deserialize_with = "optional_quantiles",
        skip_serializing_if = "Option::is_none"
    )]
    pub quantiles_us: Option<[f64; 6]>,
    /// Microseconds where something was written after a tick of the kernel's clock, the first in it; as `us` where that was not measured.
    #[serde(
        default,
        deserialize_with = "optional_microseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub new_tick_us: Option<f64>,
    /// Quantiles of that, alike.
    #[serde(
        default,
        deserialize_with = "optional_quantiles",
        skip_serializing_if = "Option::is_none"
    )]
    pub new_tick_quantiles_us: Option<[f64; 6]>,
}

impl FlushCost {
    /// So many microseconds, after any bytes and at any time.
    pub(crate) fn fixed(bytes: u64, us: f64) -> Self {
        Self {
            bytes,
            us,
            quantiles_us: None,
            new_tick_us: None,
            new_tick_quantiles_us: None,
        }
    }
}

/// What emptying the cache takes after so many bytes, by `rows` of rising bytes; nothing without rows. Between two rows it follows the straight
/// line. Below the first row and beyond the last one it is that row: a device empties its cache by itself as well. What a row lacks is missing.
pub(crate) fn interpolated(rows: &[FlushCost], bytes: u64) -> Option<FlushCost> {
    Some(FlushCost {
        bytes,
        us: on_lines(rows, bytes, |row| Some(row.us))?,
        quantiles_us: quantiles(rows, bytes, |row| row.quantiles_us),
        new_tick_us: on_lines(rows, bytes, |row| row.new_tick_us),
        new_tick_quantiles_us: quantiles(rows, bytes, |row| row.new_tick_quantiles_us),
    })
}

fn quantiles(
    rows: &[FlushCost],
    bytes: u64,
    of: impl Fn(&FlushCost) -> Option<[f64; 6]>,
) -> Option<[f64; 6]> {
    let mut all = [0.0; 6];
    for (at, us) in all.iter_mut().enumerate() {
        *us = on_lines(rows, bytes, |row| of(row).map(|it| it[at]))?;
    }
    Some(all)
}

/// A figure of rows after so many bytes; nothing where a row lacks it.
fn on_lines(rows: &[FlushCost], bytes: u64, us: impl Fn(&FlushCost) -> Option<f64>) -> Option<f64> {
    if rows.iter().any(|row| us(row).is_none()) {
        return None;
    }
    let point = |row: &FlushCost| Some((row.bytes as f64, us(row)?));
    let above = rows.partition_point(|row| row.bytes < bytes);
    let below = above.checked_sub(1).and_then(|at| rows.get(at));
    match (below, rows.get(above)) {
        (Some(below), Some(above)) => {
            let ((x0, y0), (x1, y1)) = (point(below)?, point(above)?);
            Some(y0 + (y1 - y0) * (bytes as f64 - x0) / (x1 - x0))
        }
        (Some(alone), None) | (None, Some(alone)) => us(alone),
        (None, None) => None,
    }
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Size::deserialize(deserializer).map(Size::number)
}

fn microseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match DeviceUs::deserialize(deserializer)?.number() {
        us if us > 0.0 => Ok(us),
        _ => Err(D::Error::custom("must be positive: a flush takes time")),
    }
}

fn optional_microseconds<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    microseconds(deserializer).map(Some)
}

fn optional_quantiles<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[f64; 6]>, D::Error> {
    Quantiles::deserialize(deserializer).map(|it| Some(it.0))
}
