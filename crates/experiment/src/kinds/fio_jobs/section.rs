//! `[fio-jobs]`: which job files are run, and which values stand in their places.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::ageing::Grown;

/// Fewer rounds make no interval of the median worth the name (H. A. David, H. N. Nagaraja, "Order Statistics", 2003,
/// section 7.1: of five values, least and greatest cover 93.8 %).
const LEAST_ROUNDS: u64 = 5;
const USUAL_ROUNDS: usize = 6;

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Job files, beside the experiment file.
    pub jobs: Vec<String>,
    /// What stands for `${name}` in them, in turn.
    #[serde(default)]
    pub values: BTreeMap<String, Vec<String>>,
    /// Jobs that only prepare for those behind them in their file: they are run, and not compared.
    #[serde(default)]
    pub preparing: Vec<String>,
    /// Files that are made before, in pieces.
    #[serde(default)]
    pub grown: Vec<Grown>,
    /// Rounds that count.
    #[serde(default = "usual_rounds", deserialize_with = "rounds")]
    pub rounds: usize,
    /// How far off published models of the same jobs were.
    #[serde(default)]
    pub published: Vec<Published>,
}

/// How far off a published model was.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Published {
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
