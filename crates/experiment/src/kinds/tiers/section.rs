//! `[tiers]`: which data-centres are stood up, and what their clients ask for.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use hotset_scenario::ScenarioSetting;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::section_values::{bytes, count, count32};

/// What is measured.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// How often everything is measured, the cells taking turns.
    #[serde(default = "usual_runs", deserialize_with = "count::<_, 1, 1000>")]
    pub runs: u64,
    /// Requests that warm the caches up where a cell does not say it.
    #[serde(deserialize_with = "count::<_, 0, MOST_REQUESTS>")]
    pub warm_up: u64,
    /// File of what servers were measured to cost, by which the runs are simulated. Without it by that of the scenario, else by costs
    /// that are assumed.
    pub server_profile: Option<String>,
    /// Requests that count where a cell does not say it.
    #[serde(deserialize_with = "count::<_, 1, MOST_REQUESTS>")]
    pub requests: u64,
    /// What is stood up and asked.
    #[serde(rename = "cell", deserialize_with = "cells")]
    pub cells: Vec<Cell>,
}

/// A data-centre, and what it is asked for.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Cell {
    /// As results and options write it.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// Keys set aside from the scenario, such as `node.web1.cpus=0.2`.
    #[serde(default, deserialize_with = "settings")]
    pub set: Vec<ScenarioSetting>,
    /// The node that is asked. Without it the one that the scenario's clients ask, or the first proxy where nobody is a client.
    pub asks: Option<String>,
    /// Files of the site.
    #[serde(deserialize_with = "count32")]
    pub files: u32,
    /// Their mean size, bytes.
    #[serde(deserialize_with = "bytes")]
    pub file_bytes: u64,
    /// Exponent of their popularity.
    #[serde(default = "usual_alpha", deserialize_with = "exponent")]
    pub alpha: f64,
    /// Requests a second, at random times. Without it the clients of the scenario ask.
    #[serde(default, deserialize_with = "rate")]
    pub rate: Option<f64>,
    /// Requests that warm the caches up.
    #[serde(default, deserialize_with = "some::<_, 0>")]
    pub warm_up: Option<u64>,
    /// Requests that count.
    #[serde(default, deserialize_with = "some::<_, 1>")]
    pub requests: Option<u64>,
}

/// Exponents of popularity; far beyond, one file takes every request.
const ALPHAS: RangeInclusive<f64> = 0.0..=5.0;
/// Requests a second that one client program can send.
const RATES: RangeInclusive<f64> = 0.01..=100_000.0;

fn usual_runs() -> u64 {
    5
}

/// That of the documents' web traces ("Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand",
/// section 4.1).
fn usual_alpha() -> f64 {
    0.9
}

fn within<'de, D: Deserializer<'de>>(
    deserializer: D,
    allowed: &RangeInclusive<f64>,
    what: &str,
) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        value if allowed.contains(&value) => Ok(value),
        value => Err(D::Error::custom(format!(
            "{value} is no {what} from {} to {}",
            allowed.start(),
            allowed.end()
        ))),
    }
}

fn exponent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    within(deserializer, &ALPHAS, "exponent")
}

fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    within(deserializer, &RATES, "rate").map(Some)
}

fn settings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ScenarioSetting>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let setting = |text: &String| text.parse().map_err(|why| format!("{text}: {why}"));
    let settings: Result<_, String> = texts.iter().map(setting).collect();
    settings.map_err(D::Error::custom)
}

/// A name becomes that of a folder.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    match !name.is_empty() && name.chars().all(fits) {
        true => Ok(name),
        false => Err(D::Error::custom(format!(
            "`{name}`: a cell's name has letters, digits and `-`; rename it"
        ))),
    }
}

fn cells<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Cell>, D::Error> {
    let cells = Vec::<Cell>::deserialize(deserializer)?;
    let mut names = BTreeSet::new();
    match cells.iter().find(|cell| !names.insert(&cell.name)) {
        Some(twice) => Err(D::Error::custom(format!(
            "two cells are called `{}`; rename one",
            twice.name
        ))),
        None if cells.is_empty() => Err(D::Error::custom("add a [[tiers.cell]]")),
        None => Ok(cells),
    }
}

/// Most requests of a cell, and most that warm its caches up.
const MOST_REQUESTS: u64 = 10_000_000;

/// A number of requests that a cell gives.
fn some<'de, D: Deserializer<'de>, const LEAST: u64>(
    deserializer: D,
) -> Result<Option<u64>, D::Error> {
    count::<_, LEAST, MOST_REQUESTS>(deserializer).map(Some)
}
