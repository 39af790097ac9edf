//! Two sites on one node: which, how long, under which ways of using the memory.

use std::fmt;
use std::str::FromStr;

use hotset_scenario::FileError;
use hotset_scenario::document::Section;
use hotset_workload::CLASSES;

use crate::arms::ArmKind;

/// A foreground site of one workload class beside a background site of another: `0x2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
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
                "`{text}` is no cell: write FOREGROUNDxBACKGROUND by workload class, such as 0x2 (classes 0 to {})",
                CLASSES.len() - 1
            )),
        }
    }
}

/// An experiment of two sites on one node.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedNode {
    /// Cells, in the order in which they are run.
    pub cells: Vec<Cell>,
    /// Ways of using the memory.
    pub arms: Vec<ArmKind>,
    /// Requests of both sites together, by class of the background site.
    pub requests: Vec<u64>,
    /// Exponent of popularity.
    pub alpha: f64,
    /// Clients of each site in the throughput phase.
    pub clients: usize,
    /// Length of the throughput phase, seconds; no such phase at 0.
    pub throughput_seconds: u64,
}

const KEYS: [&str; 6] = [
    "cells",
    "arms",
    "requests",
    "alpha",
    "clients",
    "throughput_seconds",
];
/// Fewer requests leave nothing to train on or to score.
const LEAST_REQUESTS: f64 = 20.0;
/// Exponents of popularity; far beyond, one file takes every request.
const ALPHAS: std::ops::RangeInclusive<f64> = 0.0..=5.0;
/// Each client of a site is a thread.
const CLIENTS_MAX: u64 = 1024;
const THROUGHPUT_SECONDS_MAX: u64 = 3600;

pub(super) fn parse(root: &Section) -> Result<SharedNode, FileError> {
    let section = root.section("shared-node", "[shared-node]", &KEYS)?;
    let alpha = section.optional_number("alpha")?;
    if let Some(alpha) = alpha.filter(|alpha| !ALPHAS.contains(alpha)) {
        let message = format!("{alpha} is no number from 0 to {}", ALPHAS.end());
        return Err(section.error("alpha", message));
    }
    let cells: Vec<Cell> = parsed(&section, "cells")?;
    if cells.is_empty() {
        return Err(section.error("cells", "name at least one, such as [\"0x2\"]"));
    }
    let arms: Vec<ArmKind> = parsed(&section, "arms")?;
    Ok(SharedNode {
        requests: requests(&section)?,
        cells,
        arms: if arms.is_empty() {
            ArmKind::ALL.to_vec()
        } else {
            arms
        },
        alpha: alpha.unwrap_or(hotset_workload::CLASS_ALPHA),
        clients: at_most(&section, "clients", 1, CLIENTS_MAX)?.unwrap_or(8) as usize,
        throughput_seconds: at_most(&section, "throughput_seconds", 0, THROUGHPUT_SECONDS_MAX)?
            .unwrap_or(15),
    })
}

/// A count within bounds.
fn at_most(section: &Section, key: &str, least: u64, most: u64) -> Result<Option<u64>, FileError> {
    match section.optional_count(key, least)? {
        Some(count) if count > most => {
            Err(section.error(key, format!("{count} is more than {most}, the most")))
        }
        count => Ok(count),
    }
}

/// What each text names, each once: the second would be measured over the first.
fn parsed<T: FromStr<Err = String> + PartialEq>(
    section: &Section,
    key: &str,
) -> Result<Vec<T>, FileError> {
    let mut all = Vec::new();
    for text in section.texts(key)? {
        let one = text.parse().map_err(|error| section.error(key, error))?;
        if all.contains(&one) {
            return Err(section.error(key, format!("names `{text}` twice; take one away")));
        }
        all.push(one);
    }
    Ok(all)
}

fn requests(section: &Section) -> Result<Vec<u64>, FileError> {
    let requests = section.numbers("requests")?;
    if requests.len() != CLASSES.len() {
        let message = format!(
            "give {} numbers: requests of both sites together, by class of the background site",
            CLASSES.len()
        );
        return Err(section.error("requests", message));
    }
    let bad = |number: &&f64| number.fract() != 0.0 || **number < LEAST_REQUESTS || **number > 1e9;
    if let Some(number) = requests.iter().find(bad) {
        let message = format!("{number} is no whole number from {LEAST_REQUESTS} to 1e9");
        return Err(section.error("requests", message));
    }
    Ok(requests.iter().map(|&number| number as u64).collect())
}
