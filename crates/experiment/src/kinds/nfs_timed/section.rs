//! `[nfs-timed]`: records of which sizes, of how many clients, behind which links.

use std::ops::RangeInclusive;

use hotset_scenario::parse_bytes;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::kinds::jobs::{rounds, usual_rounds, whole_pages};
use crate::section_values::count;

/// What is measured.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Section {
    /// Who asks.
    pub client: ClientPolicy,
    /// Rates of the links of all nodes, a point each.
    #[serde(deserialize_with = "links")]
    pub links: Vec<LinkSpeed>,
    /// Bytes of a record, each a call.
    #[serde(deserialize_with = "records")]
    pub records: Vec<u64>,
    /// Clients at the same time.
    #[serde(deserialize_with = "clients")]
    pub clients: Vec<u64>,
    /// Bytes of records that costs are measured with, a small and a large one.
    #[serde(default = "usual_costs", deserialize_with = "costs")]
    pub costs: [u64; 2],
    /// Bytes of the file that each client has.
    #[serde(default = "usual_file", deserialize_with = "file")]
    pub file: u64,
    /// How long calls of a cell are timed in each round.
    #[serde(default = "usual_seconds", deserialize_with = "count::<_, 1, 3600>")]
    pub seconds: u64,
    /// Rounds over all cells.
    #[serde(default = "usual_rounds", deserialize_with = "rounds")]
    pub rounds: usize,
}

/// How clients ask a server of NFS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ClientPolicy {
    /// By this program, with one call under way, no cache and no read-ahead. The kernel of a lab may have no client.
    UserSpace,
}

impl ClientPolicy {
    /// As files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::UserSpace => "user-space",
        }
    }
}

/// A rate of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LinkSpeed {
    /// As files write it.
    pub name: String,
    pub bits_per_s: u64,
}

/// Largest record, bytes: what a call may have of a file.
const MOST_RECORD_BYTES: u64 = 1 << 20;
/// Largest file of a client, bytes: it is in memory.
const MOST_FILE_BYTES: u64 = 1 << 30;
/// Most clients, which are nodes.
const MOST_CLIENTS: u64 = 64;
/// Rates that a token bucket of the lab keeps to, bits in a second.
const RATES: RangeInclusive<f64> = 1e6..=1e11;

fn usual_costs() -> [u64; 2] {
    [8 << 10, 512 << 10]
}

fn usual_file() -> u64 {
    16 << 20
}

fn usual_seconds() -> u64 {
    3
}

impl LinkSpeed {
    fn of(name: String) -> Result<Self, String> {
        let wrong =
            || format!("`{name}` is no rate; write `1Gbit` or `100Mbit`, from 1Mbit to 100Gbit");
        let (number, unit) = match name.strip_suffix("Gbit") {
            Some(number) => (number, 1e9),
            None => (name.strip_suffix("Mbit").ok_or_else(wrong)?, 1e6),
        };
        // A rate becomes the name of a file.
        let is_plain = number.chars().all(|c| c.is_ascii_digit() || c == '.');
        let bits = number.parse::<f64>().map_err(|_| wrong())? * unit;
        match is_plain && RATES.contains(&bits) {
            true => Ok(Self {
                bits_per_s: bits as u64,
                name,
            }),
            false => Err(wrong()),
        }
    }
}

fn links<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<LinkSpeed>, D::Error> {
    let names = Vec::<String>::deserialize(deserializer)?;
    let links: Result<Vec<LinkSpeed>, String> = names.into_iter().map(LinkSpeed::of).collect();
    each_once(links.map_err(D::Error::custom)?)
}

fn records<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let records = texts.iter().map(|it| record(it));
    each_once(records.collect::<Result<Vec<u64>, D::Error>>()?)
}

fn costs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u64; 2], D::Error> {
    let [small, large] = <[String; 2]>::deserialize(deserializer)?;
    let sizes = [record::<D::Error>(&small)?, record::<D::Error>(&large)?];
    match sizes[0] < sizes[1] {
        true => Ok(sizes),
        false => Err(D::Error::custom("must be a small size, then a large one")),
    }
}

fn clients<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    let counts = Vec::<u64>::deserialize(deserializer)?;
    match counts.iter().all(|it| (1..=MOST_CLIENTS).contains(it)) {
        true => each_once(counts),
        false => Err(D::Error::custom(format!(
            "must be from 1 to {MOST_CLIENTS} each"
        ))),
    }
}

fn file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    match pages::<D::Error>(&text)? {
        bytes if bytes <= MOST_FILE_BYTES => Ok(bytes),
        _ => Err(D::Error::custom("must be at most 1 GiB")),
    }
}

fn record<E: Error>(text: &str) -> Result<u64, E> {
    match pages::<E>(text)? {
        bytes if bytes <= MOST_RECORD_BYTES => Ok(bytes),
        _ => Err(E::custom(
            "must be at most 1 MiB each: a record is one call",
        )),
    }
}

fn pages<E: Error>(text: &str) -> Result<u64, E> {
    whole_pages(parse_bytes(text).map_err(E::custom)?)
}

fn each_once<T: PartialEq, E: Error>(values: Vec<T>) -> Result<Vec<T>, E> {
    let is_twice = |(place, value): (usize, &T)| values[..place].contains(value);
    if values.is_empty() {
        return Err(E::custom("the list is empty"));
    }
    match values.iter().enumerate().any(is_twice) {
        true => Err(E::custom("a value is there twice")),
        false => Ok(values),
    }
}
