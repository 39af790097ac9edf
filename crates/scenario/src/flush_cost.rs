//! What a device takes to put what is in its own volatile cache on its medium, by how much was written to it.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{Bounded as _, DeviceUs, Quantiles, Size};

/// Emptying the volatile cache of a device, once so many bytes were written to it since the last time. Below a device there may be others: a
/// loop device has its file synced (`lo_req_flush`, `drivers/block/loop.c`), and a virtual one asks its host.
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
}

/// What emptying the cache takes after so many bytes, by `rows` of rising bytes; nothing without rows. Between two rows it follows the straight
/// line, and beyond the last row that through the last two. Below the first row it is that row. There are quantiles where all rows have them.
pub(crate) fn interpolated(rows: &[FlushCost], bytes: u64) -> Option<FlushCost> {
    let us = on_lines(rows, bytes, |row| row.us)?;
    let has_quantiles = rows.iter().all(|row| row.quantiles_us.is_some());
    let quantile = |at: usize| {
        let us = on_lines(rows, bytes, |row| {
            row.quantiles_us.map_or(row.us, |it| it[at])
        });
        us.unwrap_or_default()
    };
    Some(FlushCost {
        bytes,
        us,
        quantiles_us: has_quantiles.then(|| std::array::from_fn(quantile)),
    })
}

/// A figure of rows after so many bytes.
fn on_lines(rows: &[FlushCost], bytes: u64, us: impl Fn(&FlushCost) -> f64) -> Option<f64> {
    let first = rows.first()?;
    if rows.len() == 1 || bytes <= first.bytes {
        return Some(us(first));
    }
    // Where the line ends: at the next row, or at the last one.
    let next = rows.partition_point(|row| row.bytes < bytes);
    let end = next.clamp(1, rows.len() - 1);
    let point = |at: usize| (rows[at].bytes as f64, us(&rows[at]));
    let ((x0, y0), (x1, y1)) = (point(end - 1), point(end));
    Some((y0 + (y1 - y0) * (bytes as f64 - x0) / (x1 - x0)).max(0.0))
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

fn optional_quantiles<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<[f64; 6]>, D::Error> {
    Quantiles::deserialize(deserializer).map(|it| Some(it.0))
}
