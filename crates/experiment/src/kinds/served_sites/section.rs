//! `[served-sites]`: which sites are served from which stores, and how they are asked.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use hotset_scenario::parse_bytes;
use hotset_workload::{CLASS_SIZE_CORRELATION, CLASSES};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::spread::Spread;
use crate::section_values::{bytes, count, count32};

/// What is measured.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Sites of the documents' workload classes.
    #[serde(default)]
    pub classes: Option<Classes>,
    /// Sites with one working set, and popularity of several exponents.
    #[serde(default)]
    pub alphas: Option<Alphas>,
    /// Files of one size.
    #[serde(default)]
    pub files: Option<Files>,
    /// Rank correlations of size and popularity; each is a cell of its own. Sizes are shuffled at 0.
    #[serde(default = "usual_correlation", deserialize_with = "correlations")]
    pub size_correlations: Vec<f64>,
    /// How many identical sites are served at once; each number is a cell of its own.
    #[serde(default = "one_site", deserialize_with = "site_counts")]
    pub sites: Vec<u64>,
    /// Files laid over several stores; each is measured in place of a store. Without it each store is by itself.
    #[serde(default)]
    pub spread: BTreeMap<String, Spread>,
    /// Most requests of one client, after the others.
    #[serde(default = "usual_paced", deserialize_with = "count::<_, 1, 1_000_000>")]
    pub paced_requests: u64,
    /// Longest that one client asks, seconds.
    #[serde(default = "usual_seconds", deserialize_with = "count::<_, 1, 3600>")]
    pub paced_seconds: u64,
    /// Clients of the throughput phase.
    #[serde(default = "usual_clients", deserialize_with = "count::<_, 1, 1024>")]
    pub clients: u64,
    /// Length of the throughput phase, seconds; no such phase at 0.
    #[serde(default = "usual_seconds", deserialize_with = "count::<_, 0, 3600>")]
    pub throughput_seconds: u64,
    /// How often everything is measured, the stores taking turns.
    #[serde(default = "usual_runs", deserialize_with = "count::<_, 1, 1000>")]
    pub runs: u64,
}

/// Sites of the documents' workload classes.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Classes {
    /// Numbers of the classes.
    #[serde(deserialize_with = "classes")]
    pub of: Vec<usize>,
    /// Requests that warm the caches up before anything is measured, by class; none where caches are to be cold.
    pub warm_up: Vec<u64>,
}

/// Sites with one working set, and popularity of several exponents.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Alphas {
    /// Exponents of popularity.
    #[serde(deserialize_with = "exponents")]
    pub of: Vec<f64>,
    /// All files of a site, bytes.
    #[serde(deserialize_with = "bytes")]
    pub working_set: u64,
    /// Files of a site.
    #[serde(deserialize_with = "count32")]
    pub files: u32,
    /// Requests that warm the caches up.
    #[serde(deserialize_with = "count::<_, 0, 1_000_000_000>")]
    pub warm_up: u64,
}

/// Files of one size, each asked for as often as every other.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Files {
    /// Sizes, bytes.
    #[serde(deserialize_with = "sizes")]
    pub of: Vec<u64>,
    /// How many of them are cached before they are asked for, percent.
    #[serde(deserialize_with = "percentages")]
    pub cached: Vec<u64>,
    /// Files of each size in each phase.
    #[serde(deserialize_with = "count32")]
    pub files: u32,
}

/// Exponents of popularity; far beyond, one file takes every request.
const ALPHAS: RangeInclusive<f64> = 0.0..=5.0;
/// Bytes of a file.
const FILE_BYTES: RangeInclusive<u64> = 1..=1 << 30;
/// More sites than this are more files than any disk of the lab holds.
const MOST_SITES: u64 = 16;

impl Section {
    /// Refuses what does not fit together.
    pub fn check(&self) -> Result<(), String> {
        if self.classes.is_none() && self.alphas.is_none() && self.files.is_none() {
            return Err(
                "says nothing to serve: add [served-sites.classes], .alphas or .files".into(),
            );
        }
        let classes = self.classes.iter();
        let of =
            classes.flat_map(|classes| classes.of.iter().map(|class| (class, &classes.warm_up)));
        for (class, warm_up) in of {
            if *class >= warm_up.len() {
                return Err(format!(
                    "`warm_up` of classes has no number for class {class}: give one for each class from 0 on"
                ));
            }
        }
        self.spread
            .iter()
            .try_for_each(|(name, spread)| spread.check(name))
    }
}

fn usual_correlation() -> Vec<f64> {
    vec![CLASS_SIZE_CORRELATION]
}

fn correlations<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let allowed = |correlation: &f64| (-1.0..=1.0).contains(correlation);
    list(deserializer, allowed, "correlations from -1 to 1")
}

fn one_site() -> Vec<u64> {
    vec![1]
}

fn usual_paced() -> u64 {
    2000
}

fn usual_seconds() -> u64 {
    10
}

fn usual_clients() -> u64 {
    8
}

/// The least of which the least and the greatest are an interval of the median at 93.75 %.
fn usual_runs() -> u64 {
    5
}

/// A list that is not empty, each value of which is allowed.
fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
    allowed: impl Fn(&T) -> bool,
    words: &str,
) -> Result<Vec<T>, D::Error> {
    let values = Vec::<T>::deserialize(deserializer)?;
    match values.is_empty() || !values.iter().all(allowed) {
        true => Err(D::Error::custom(format!("write a list of {words}"))),
        false => Ok(values),
    }
}

fn site_counts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let allowed = |count: &u64| (1..=MOST_SITES).contains(count);
    list(
        deserializer,
        allowed,
        &format!("numbers of sites from 1 to {MOST_SITES}"),
    )
}

fn classes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<usize>, D::Error> {
    let most = CLASSES.len() - 1;
    list(
        deserializer,
        |class| *class <= most,
        &format!("classes from 0 to {most}"),
    )
}

fn exponents<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    let words = format!("exponents from {} to {}", ALPHAS.start(), ALPHAS.end());
    list(deserializer, |alpha| ALPHAS.contains(alpha), &words)
}

fn percentages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    list(
        deserializer,
        |percent: &u64| *percent <= 100,
        "percentages from 0 to 100",
    )
}

fn sizes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let sizes: Vec<String> = list(deserializer, |_| true, "sizes such as \"4KiB\"")?;
    let sizes = sizes
        .iter()
        .map(|size| parse_bytes(size).map_err(D::Error::custom));
    let sizes: Vec<u64> = sizes.collect::<Result<_, _>>()?;
    match sizes.iter().all(|bytes| FILE_BYTES.contains(bytes)) {
        true => Ok(sizes),
        false => Err(D::Error::custom(
            "a file of these sizes has nothing to serve, or more than a GiB; give sizes from 1 byte to 1 GiB",
        )),
    }
}
