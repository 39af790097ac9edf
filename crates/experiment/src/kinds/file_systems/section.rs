//! `[file-systems]`: which files are read and served.

use std::num::NonZeroU64;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::section_values::count;

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// File sizes read on the node by plain calls, bytes.
    #[serde(deserialize_with = "sizes")]
    pub bare_bytes: Vec<u64>,
    /// File sizes served through proxy and web server, bytes.
    #[serde(deserialize_with = "sizes")]
    pub served_bytes: Vec<u64>,
    /// Files of each size.
    #[serde(deserialize_with = "count::<_, 1, 1_000_000>")]
    pub files: u64,
    /// Clients of the throughput measurement.
    #[serde(deserialize_with = "count::<_, 1, 1024>")]
    pub clients: u64,
    /// Length of each throughput measurement, seconds.
    #[serde(deserialize_with = "count::<_, 1, 3600>")]
    pub throughput_seconds: u64,
}

impl Default for Section {
    fn default() -> Self {
        Self {
            bare_bytes: vec![4 << 10, 1 << 20],
            served_bytes: vec![4 << 10, 64 << 10, 256 << 10, 1 << 20],
            files: 200,
            clients: 8,
            throughput_seconds: 5,
        }
    }
}

/// Bytes of the largest file.
const MOST_FILE_BYTES: u64 = 1 << 30;

fn sizes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let sizes = Vec::<NonZeroU64>::deserialize(deserializer)?;
    if sizes.is_empty() {
        return Err(D::Error::custom("name at least one size in bytes"));
    }
    if sizes.iter().any(|it| it.get() > MOST_FILE_BYTES) {
        return Err(D::Error::custom("a file has at most 1 GiB"));
    }
    Ok(sizes.into_iter().map(NonZeroU64::get).collect())
}
