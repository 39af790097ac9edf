//! `[file-systems]`: which files are read and served.

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// File sizes read on the node by plain calls, bytes.
    #[serde(default = "usual_bare", deserialize_with = "bare")]
    pub bare_bytes: Vec<u64>,
    /// File sizes served through proxy and web server, bytes.
    #[serde(default = "usual_served", deserialize_with = "served")]
    pub served_bytes: Vec<u64>,
    /// Files of each size.
    #[serde(default = "usual_files", deserialize_with = "at_least_one")]
    pub files: u64,
    /// Clients of the throughput measurement.
    #[serde(default = "usual_clients", deserialize_with = "at_least_one")]
    pub clients: u64,
    /// Length of each throughput measurement, seconds.
    #[serde(default = "usual_seconds", deserialize_with = "at_least_one")]
    pub throughput_seconds: u64,
}

fn usual_bare() -> Vec<u64> {
    vec![4 << 10, 1 << 20]
}

fn usual_served() -> Vec<u64> {
    vec![4 << 10, 64 << 10, 256 << 10, 1 << 20]
}

fn usual_files() -> u64 {
    200
}

fn usual_clients() -> u64 {
    8
}

fn usual_seconds() -> u64 {
    5
}

fn bare<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    sizes(deserializer, usual_bare)
}

fn served<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    sizes(deserializer, usual_served)
}

/// Sizes in bytes; the usual ones where the list is empty.
fn sizes<'de, D: Deserializer<'de>>(
    deserializer: D,
    usual: fn() -> Vec<u64>,
) -> Result<Vec<u64>, D::Error> {
    match Vec::<u64>::deserialize(deserializer)? {
        sizes if sizes.is_empty() => Ok(usual()),
        sizes if sizes.contains(&0) => Err(D::Error::custom("0 is not a size in bytes")),
        sizes => Ok(sizes),
    }
}

fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    std::num::NonZeroU64::deserialize(deserializer).map(std::num::NonZeroU64::get)
}
