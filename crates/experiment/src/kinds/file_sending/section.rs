//! `[file-sending]`: the file that is sent, and by blocks of which sizes.

use hotset_scenario::parse_bytes;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::kinds::jobs::{rounds, usual_rounds, whole_pages};

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Size of the file, bytes.
    #[serde(deserialize_with = "pages")]
    pub file: u64,
    /// Sizes of blocks, bytes.
    #[serde(deserialize_with = "many_pages")]
    pub blocks: Vec<u64>,
    /// Rounds that count.
    #[serde(default = "usual_rounds", deserialize_with = "rounds")]
    pub rounds: usize,
}

/// The largest block, bytes: a program has a buffer of that size.
const MOST_BLOCK: u64 = 1 << 30;

fn pages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    whole(&String::deserialize(deserializer)?)
}

fn many_pages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let sizes = Vec::<String>::deserialize(deserializer)?;
    let blocks: Vec<u64> = sizes.iter().map(|it| whole(it)).collect::<Result<_, _>>()?;
    if blocks.is_empty() {
        return Err(D::Error::custom("must have at least one size"));
    }
    match blocks.iter().all(|&bytes| bytes <= MOST_BLOCK) {
        true => Ok(blocks),
        false => Err(D::Error::custom("must be at most 1 GiB each")),
    }
}

fn whole<E: Error>(text: &str) -> Result<u64, E> {
    let bytes = parse_bytes(text).map_err(E::custom)?;
    whole_pages(bytes)
}
