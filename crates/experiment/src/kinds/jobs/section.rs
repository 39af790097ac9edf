//! What sections of experiments with jobs have in common.

use std::num::NonZeroU64;

use hotset_cache::PAGE_BYTES;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Fewer rounds make no interval of the median worth the name (H. A. David, H. N. Nagaraja, "Order Statistics", 2003,
/// section 7.1: of five values, least and greatest cover 93.8 %).
const LEAST_ROUNDS: u64 = 5;
const USUAL_ROUNDS: usize = 6;

/// How far off a published model was.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct PublishedError {
    /// Of what, and where that is from.
    pub what: String,
    /// Its error, percent of what was measured there.
    pub error_percent: f64,
}

pub(crate) fn usual_rounds() -> usize {
    USUAL_ROUNDS
}

pub(crate) fn rounds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    match NonZeroU64::deserialize(deserializer)?.get() {
        rounds if (LEAST_ROUNDS..=1000).contains(&rounds) => Ok(rounds as usize),
        _ => Err(D::Error::custom(
            "must be from 5 to 1000: least and greatest of fewer say little of the median",
        )),
    }
}

/// `bytes` if they are whole pages.
pub(crate) fn whole_pages<E: Error>(bytes: u64) -> Result<u64, E> {
    match bytes > 0 && bytes.is_multiple_of(PAGE_BYTES) {
        true => Ok(bytes),
        false => Err(E::custom("must be whole pages of 4 KiB")),
    }
}
