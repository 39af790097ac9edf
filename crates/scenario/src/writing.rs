//! When a machine writes back what programs have written, and what writing takes.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{MOST_US, Quantiles, Size, TOO_LONG, within};
use crate::copy_cost::interpolate;

/// Most seconds between two deeds of the kernel, a year.
const MOST_S: f64 = 365.0 * 86_400.0;
/// Fewest: the kernel counts hundredths (`dirty_writeback_centisecs`).
const LEAST_S: f64 = 0.01;

/// When a machine writes back what programs have written into its page cache, for models that write (`/proc/sys/vm/dirty_*`). Defaults are
/// the kernel's own (`mm/page-writeback.c`).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default, expecting = "a table")]
pub struct Writing {
    /// Percent of the memory for files that may be dirty before the kernel begins to write.
    #[serde(deserialize_with = "percent")]
    pub dirty_background_ratio: f64,
    /// Bytes of the same, instead.
    #[serde(deserialize_with = "bytes", skip_serializing_if = "Option::is_none")]
    pub dirty_background_bytes: Option<u64>,
    /// Percent of the memory for files that may be dirty before programs wait (`dirty_ratio`).
    #[serde(deserialize_with = "percent")]
    pub dirty_limit_ratio: f64,
    /// Bytes of the same, instead (`dirty_bytes`).
    #[serde(deserialize_with = "bytes", skip_serializing_if = "Option::is_none")]
    pub dirty_limit_bytes: Option<u64>,
    /// Seconds after which a file's dirty pages are written anyway (`dirty_expire_centisecs`).
    #[serde(deserialize_with = "seconds")]
    pub expire_s: f64,
    /// Seconds between two looks for such files (`dirty_writeback_centisecs`).
    #[serde(deserialize_with = "seconds")]
    pub flush_s: f64,
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            dirty_background_ratio: 10.0,
            dirty_background_bytes: None,
            dirty_limit_ratio: 20.0,
            dirty_limit_bytes: None,
            expire_s: 30.0,
            flush_s: 5.0,
        }
    }
}

/// Writing one block into the page cache: the call, and copying to the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct WriteCost {
    /// Size of the block.
    #[serde(deserialize_with = "size")]
    pub block_bytes: u64,
    /// Microseconds to write it over a file of which all is in memory.
    #[serde(deserialize_with = "microseconds")]
    pub us: f64,
    /// Microseconds where the kernel gives its pages anew, as none of them is in memory; as `us` where that was not measured.
    #[serde(
        default,
        deserialize_with = "optional_microseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub new_pages_us: Option<f64>,
    /// Microseconds where the file was synced just before; as `us` where that was not measured.
    #[serde(
        default,
        deserialize_with = "optional_microseconds",
        skip_serializing_if = "Option::is_none"
    )]
    pub after_sync_us: Option<f64>,
    /// Microseconds that 10, 25, 50, 75, 90 and 99 % of such writes do not exceed; missing where they were not measured.
    #[serde(
        default,
        deserialize_with = "optional_quantiles",
        skip_serializing_if = "Option::is_none"
    )]
    pub after_sync_quantiles_us: Option<[f64; 6]>,
}

/// Microseconds for a block of `bytes` by `rows` of rising sizes; nothing without rows. Between and beyond rows as for `[[copy]]`.
pub(crate) fn interpolated(rows: &[WriteCost], bytes: u64) -> Option<f64> {
    interpolate(rows, bytes, |row| (row.block_bytes, row.us))
}

/// Microseconds for a block whose pages the kernel gives anew; alike.
pub(crate) fn interpolated_new_pages(rows: &[WriteCost], bytes: u64) -> Option<f64> {
    interpolate(rows, bytes, |row| {
        (row.block_bytes, row.new_pages_us.unwrap_or(row.us))
    })
}

/// Quantiles for a block of a file that was synced just before; nothing where a row has none.
pub(crate) fn interpolated_after_sync_quantiles(
    rows: &[WriteCost],
    bytes: u64,
) -> Option<[f64; 6]> {
    let all: Option<Vec<(u64, [f64; 6])>> = rows
        .iter()
        .map(|row| Some((row.block_bytes, row.after_sync_quantiles_us?)))
        .collect();
    let all = all.filter(|rows| !rows.is_empty())?;
    let quantile = |index: usize| interpolate(&all, bytes, |row| (row.0, row.1[index]));
    Some(std::array::from_fn(|index| {
        quantile(index).unwrap_or_default()
    }))
}

/// Microseconds for a block of a file that was synced just before; alike.
pub(crate) fn interpolated_after_sync(rows: &[WriteCost], bytes: u64) -> Option<f64> {
    interpolate(rows, bytes, |row| {
        (row.block_bytes, row.after_sync_us.unwrap_or(row.us))
    })
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Size::deserialize(deserializer).map(|it| it.0)
}

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    size(deserializer).map(Some)
}

fn percent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    within(number, &(0.0..=100.0), "percent").map_err(D::Error::custom)
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(deserializer)?;
    within(number, &(LEAST_S..=MOST_S), "seconds").map_err(D::Error::custom)
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

fn microseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if number > MOST_US => Err(D::Error::custom(TOO_LONG)),
        number if number > 0.0 => Ok(number),
        _ => Err(D::Error::custom("must be positive: writing takes time")),
    }
}
