//! `[shared-node]`: which sites share the node, how long, under which ways of using the memory.

use std::fmt;
use std::str::FromStr;

use hotset_workload::{CLASS_ALPHA, CLASSES};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::arms::{self, ARMS, Arm};

/// A foreground site of one workload class beside a background site of another: `0x2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    /// Class of the site whose response counts.
    pub foreground: usize,
    /// Class of the site that takes its memory.
    pub background: usize,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.foreground, self.background)
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let class = |text: &str| {
            let class = text.parse().ok();
            class.filter(|&class: &usize| class < CLASSES.len())
        };
        let cell = text
            .split_once('x')
            .and_then(|(foreground, background)| Some((class(foreground)?, class(background)?)));
        match cell {
            Some((foreground, background)) => Ok(Self {
                foreground,
                background,
            }),
            None => Err(format!(
                "`{text}` is not a cell: write FOREGROUNDxBACKGROUND by workload class, such as 0x2 (classes 0 to {})",
                CLASSES.len() - 1
            )),
        }
    }
}

/// What is measured.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Cells, in the order in which they are run.
    #[serde(deserialize_with = "cells")]
    pub cells: Vec<Cell>,
    /// Ways of using the memory, in the order in which they are run.
    #[serde(default = "all_arms", deserialize_with = "arms")]
    pub arms: Vec<&'static Arm>,
    /// Requests of both sites together, by class of the background site.
    #[serde(deserialize_with = "requests")]
    pub requests: Vec<u64>,
    /// Exponent of popularity.
    #[serde(default = "usual_alpha", deserialize_with = "alpha")]
    pub alpha: f64,
    /// Clients of each site in the throughput phase; each is a thread.
    #[serde(default = "usual_clients", deserialize_with = "count::<_, 1, 1024>")]
    pub clients: u64,
    /// Length of the throughput phase, seconds; no such phase at 0.
    #[serde(default = "usual_seconds", deserialize_with = "count::<_, 0, 3600>")]
    pub throughput_seconds: u64,
}

/// Fewer requests leave nothing to train on or to score.
const LEAST_REQUESTS: u64 = 20;
const MOST_REQUESTS: u64 = 1_000_000_000;
/// Exponents of popularity; far beyond, one file takes every request.
const ALPHAS: std::ops::RangeInclusive<f64> = 0.0..=5.0;

fn all_arms() -> Vec<&'static Arm> {
    ARMS.to_vec()
}

fn usual_alpha() -> f64 {
    CLASS_ALPHA
}

fn usual_clients() -> u64 {
    8
}

fn usual_seconds() -> u64 {
    15
}

fn cells<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Cell>, D::Error> {
    let cells = each_once(deserializer)?;
    if cells.is_empty() {
        return Err(D::Error::custom("name at least one, such as [\"0x2\"]"));
    }
    cells
        .iter()
        .map(|text| text.parse().map_err(D::Error::custom))
        .collect()
}

fn arms<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<&'static Arm>, D::Error> {
    match each_once(deserializer)? {
        names if names.is_empty() => Ok(all_arms()),
        names => names
            .iter()
            .map(|name| arms::named(name).map_err(D::Error::custom))
            .collect(),
    }
}

/// Texts, each once: the second would be measured over the first.
fn each_once<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let mut earlier = texts.iter().enumerate();
    match earlier.find(|(nth, text)| texts[..*nth].contains(text)) {
        None => Ok(texts),
        Some((_, text)) => Err(D::Error::custom(format!(
            "names `{text}` twice; take one away"
        ))),
    }
}

fn requests<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let requests = Vec::<u64>::deserialize(deserializer)?;
    if requests.len() != CLASSES.len() {
        return Err(D::Error::custom(format!(
            "give {} numbers: requests of both sites together, by class of the background site",
            CLASSES.len()
        )));
    }
    let allowed = LEAST_REQUESTS..=MOST_REQUESTS;
    match requests.iter().find(|requests| !allowed.contains(requests)) {
        None => Ok(requests),
        Some(requests) => Err(D::Error::custom(format!(
            "{requests} is not a number from {LEAST_REQUESTS} to {MOST_REQUESTS}"
        ))),
    }
}

fn alpha<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    match f64::deserialize(deserializer)? {
        alpha if ALPHAS.contains(&alpha) => Ok(alpha),
        alpha => Err(D::Error::custom(format!(
            "{alpha} is not a number from 0 to {}",
            ALPHAS.end()
        ))),
    }
}

/// A count within bounds.
fn count<'de, D: Deserializer<'de>, const LEAST: u64, const MOST: u64>(
    deserializer: D,
) -> Result<u64, D::Error> {
    match u64::deserialize(deserializer)? {
        count if (LEAST..=MOST).contains(&count) => Ok(count),
        count => Err(D::Error::custom(format!(
            "{count} is not a number from {LEAST} to {MOST}"
        ))),
    }
}
