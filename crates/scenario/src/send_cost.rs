//! What handing blocks to a local socket takes, by their size.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::bounds::{MOST_US, Size, TOO_LONG};
use crate::copy_cost::interpolate;

/// Handing one block to a local socket that another thread on the same processor empties: all that both and the kernel do for it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub struct SendCost {
    /// Size of the block.
    #[serde(deserialize_with = "size")]
    pub block_bytes: u64,
    /// Microseconds to write it (`write`) from a buffer that was just used.
    #[serde(deserialize_with = "microseconds")]
    pub written_us: f64,
    /// Microseconds to write it from memory that is not in the processor's caches.
    #[serde(deserialize_with = "microseconds")]
    pub cold_us: f64,
    /// Microseconds to hand over a block of a file in the page cache without copying it (`sendfile`). It is in no cache of the processor.
    #[serde(deserialize_with = "microseconds")]
    pub sent_us: f64,
}

/// How a block comes to a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handover {
    /// Written from a buffer that was just used.
    Written,
    /// Written from memory that is not in the processor's caches.
    Cold,
    /// Its pages, without copying them.
    Sent,
}

/// Microseconds for a block of `bytes` by `rows` of rising sizes; nothing without rows. Between and beyond rows as for `[[copy]]`.
pub(crate) fn interpolated(rows: &[SendCost], bytes: u64, handover: Handover) -> Option<f64> {
    let us = |row: &SendCost| match handover {
        Handover::Written => row.written_us,
        Handover::Cold => row.cold_us,
        Handover::Sent => row.sent_us,
    };
    interpolate(rows, bytes, |row| (row.block_bytes, us(row)))
}

fn size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    Size::deserialize(deserializer).map(|it| it.0)
}

fn microseconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        number if number > MOST_US => Err(D::Error::custom(TOO_LONG)),
        number if number > 0.0 => Ok(number),
        _ => Err(D::Error::custom("must be positive: sending takes time")),
    }
}
