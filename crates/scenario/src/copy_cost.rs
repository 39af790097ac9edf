//! What reading a block from the page cache takes, by the block's size.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{MOST_US, Size, TOO_LONG};

/// Reading one block of a file that is in the page cache: the call, and copying from the kernel.
///
/// The steps of the processor's caches show in it, which one straight line cannot have: by the block, and by how many bytes are read
/// again and again, the working set. Rows of one working set are a level, as those of the copying formula in chapter 4.5 of the
/// dissertation that `models` follows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct CopyCost {
    /// Bytes that were read again and again; missing where more than any cache holds.
    #[serde(
        default,
        deserialize_with = "optional_size",
        skip_serializing_if = "Option::is_none"
    )]
    pub working_set_bytes: Option<u64>,
    /// Size of the block.
    #[serde(deserialize_with = "size")]
    pub block_bytes: u64,
    /// Microseconds, for blocks one after the other.
    #[serde(deserialize_with = "microseconds")]
    pub sequential_us: f64,
    /// Microseconds, for blocks at random places.
    #[serde(deserialize_with = "microseconds")]
    pub random_us: f64,
}

impl CopyCost {
    fn us(&self, sequential: bool) -> f64 {
        match sequential {
            true => self.sequential_us,
            false => self.random_us,
        }
    }
}

/// Microseconds for a block of `bytes` by `rows` of rising working sets, and in each of rising sizes; nothing without rows.
///
/// Between two working sets it follows the straight line of logarithms; below the first and beyond the last it is that level's.
pub(crate) fn interpolated(
    rows: &[CopyCost],
    bytes: u64,
    sequential: bool,
    working_set_bytes: u64,
) -> Option<f64> {
    let mut below: Option<(f64, f64)> = None;
    for level in rows.chunk_by(|row, next| row.working_set_bytes == next.working_set_bytes) {
        let size = level[0].working_set_bytes.unwrap_or(u64::MAX);
        let us = in_level(level, bytes, sequential)?;
        if size >= working_set_bytes {
            let point = (size as f64, us);
            return Some(below.map_or(us, |below| between(below, point, working_set_bytes as f64)));
        }
        below = Some((size as f64, us));
    }
    below.map(|(_, us)| us)
}

/// At `x` on the straight line of logarithms through two points, which is a power of `x`.
fn between((x0, y0): (f64, f64), (x1, y1): (f64, f64), x: f64) -> f64 {
    // Below a block of no bytes nothing may be left of the call, and nothing has a logarithm.
    if y0 <= 0.0 || y1 <= 0.0 {
        return y0.max(y1);
    }
    let slope = (y1 / y0).ln() / (x1 / x0).ln();
    y0 * (slope * (x / x0).ln()).exp()
}

/// Microseconds for a block of `bytes` by rows of rising sizes; nothing without rows.
///
/// Between two rows it follows the straight line of logarithms, which is a power of the size. Beyond the last row the rate is
/// that of the last row. Below the first, the straight line through the first two rows goes on: what is left of it is the call.
fn in_level(rows: &[CopyCost], bytes: u64, sequential: bool) -> Option<f64> {
    interpolate(rows, bytes, |row| (row.block_bytes, row.us(sequential)))
}

/// The same of any rows that have a size and microseconds.
pub(crate) fn interpolate<Row>(
    rows: &[Row],
    bytes: u64,
    row: impl Fn(&Row) -> (u64, f64),
) -> Option<f64> {
    let size = bytes as f64;
    let point = |it: &Row| {
        let (block_bytes, us) = row(it);
        (block_bytes as f64, us)
    };
    let above = rows.partition_point(|it| row(it).0 <= bytes);
    let below = above.checked_sub(1).and_then(|at| rows.get(at)).map(point);
    Some(match (below, rows.get(above).map(point)) {
        (None, None) => return None,
        (Some((x, y)), None) => y * size / x,
        (Some(below), Some(above)) => between(below, above, size),
        (None, Some((x0, y0))) => match rows.get(1).map(point) {
            Some((x1, y1)) => (y0 - (y1 - y0) / (x1 - x0) * (x0 - size)).clamp(0.0, y0),
            None => y0,
        },
    })
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Size::deserialize(deserializer).map(|it| it.0)
}

fn optional_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    size(deserializer).map(Some)
}

fn microseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if number > MOST_US => Err(D::Error::custom(TOO_LONG)),
        number if number > 0.0 => Ok(number),
        _ => Err(D::Error::custom("must be positive: reading takes time")),
    }
}
