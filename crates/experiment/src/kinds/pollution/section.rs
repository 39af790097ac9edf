//! `[shared-node]`: which sites share the node, how long, under which ways of using the memory.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use hotset_scenario::{Site, Target};
use hotset_workload::{CLASS_ALPHA, CLASS_SIZE_CORRELATION, CLASSES};
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use super::arms::{self, ARMS, Arm, Goal, Means, Priority};

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
    /// Those of them that train, the first ones, by class of the background site; 70 % where it does not say.
    #[serde(default, deserialize_with = "training")]
    pub training: Option<Vec<u64>>,
    /// The others are measured in segments of so many, by class of the background site; all at once where it does not say.
    #[serde(default, deserialize_with = "segment")]
    pub segment: Option<Vec<u64>>,
    /// The paced phase ends as soon as the interval of the ratio to the page cache lies within so much of the ratio.
    #[serde(default, deserialize_with = "interval")]
    pub interval: Option<f64>,
    /// Weight of the foreground, for the arms that heed it; the background's is 1.
    #[serde(default, deserialize_with = "weight")]
    pub weight: Option<f64>,
    /// Target of the foreground, cell by cell, for the arms that heed it.
    #[serde(default, deserialize_with = "targets")]
    pub targets: BTreeMap<String, Target>,
    /// How often the throughput phase is measured, the arms taking turns; once, right after the paced phase, where it
    /// does not say.
    #[serde(default, deserialize_with = "runs")]
    pub runs: Option<u64>,
    /// Seconds for which a choice of `hotset run` stays. Servers log their requests then, and clients ask for some intervals before the
    /// throughput phase of a run, under every arm alike.
    #[serde(default, deserialize_with = "daemon_interval")]
    pub daemon_interval: Option<u64>,
    /// Exponent of popularity.
    #[serde(default = "usual_alpha", deserialize_with = "alpha")]
    pub alpha: f64,
    /// Rank correlation of size and popularity; 0 where sizes are shuffled, the classes' own where it does not say.
    #[serde(
        default = "usual_size_correlation",
        deserialize_with = "size_correlation"
    )]
    pub size_correlation: f64,
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
const ALPHAS: RangeInclusive<f64> = 0.0..=5.0;
const CORRELATIONS: RangeInclusive<f64> = -1.0..=1.0;

/// More seconds than anybody waits for.
const MOST_SECONDS: u64 = 3600;
/// More runs than anybody waits for.
const MOST_RUNS: u64 = 1000;
/// Half widths of an interval of a ratio that can be reached and say something.
const INTERVALS: RangeInclusive<f64> = 0.001..=1.0;

impl Section {
    /// Refuses keys that do not fit each other.
    ///
    /// # Errors
    /// What does not fit, and how to put it right.
    pub fn check(&self) -> Result<(), String> {
        let training = self.training.iter().flatten().zip(&self.requests);
        if let Some((training, requests)) = training.into_iter().find(|(some, all)| some >= all) {
            return Err(format!(
                "`training` takes {training} of {requests} `requests`; leave some to be measured"
            ));
        }
        let has_runs = self.runs.is_some() || self.throughput_seconds > 0;
        if self.segment.is_some() && has_runs {
            return Err(
                "`segment` is for the paced phase alone; set throughput_seconds = 0 and leave `runs` out".to_owned(),
            );
        }
        let unknown = |cell: &&String| !self.cells.iter().any(|known| known.to_string() == **cell);
        if let Some(cell) = self.targets.keys().find(unknown) {
            return Err(format!(
                "`targets` has `{cell}`, which is not in `cells`; add it there or take it out here"
            ));
        }
        self.arms.iter().try_for_each(|arm| self.check_arm(arm))
    }

    fn check_arm(&self, arm: &Arm) -> Result<(), String> {
        if arm.means == Means::Run && self.daemon_interval.is_none() {
            return Err(format!(
                "arm `{}` needs the seconds for which a choice stays, such as daemon_interval = 10",
                arm.name
            ));
        }
        let without_target = |cell: &&Cell| !self.targets.contains_key(&cell.to_string());
        match arm.goal() {
            Some(Goal::Weight) if self.weight.is_none() => Err(format!(
                "arm `{}` needs the foreground's `weight`, such as weight = 10",
                arm.name
            )),
            Some(Goal::Target) => match self.cells.iter().find(without_target) {
                None => Ok(()),
                Some(cell) => Err(format!(
                    "arm `{}` needs the foreground's target in cell {cell}: add it to [shared-node.targets], such as \
                     {cell} = \"mean < 5ms\"",
                    arm.name
                )),
            },
            _ => Ok(()),
        }
    }

    /// What the foreground of a cell is owed.
    pub fn priority(&self, cell: Cell) -> Priority {
        Priority {
            weight: self.weight.unwrap_or(1.0),
            target: self.targets.get(&cell.to_string()).copied(),
        }
    }
}

/// The arms that need nothing to be said of the foreground's priority, nor of how long choices stay.
fn all_arms() -> Vec<&'static Arm> {
    let arms = ARMS.iter();
    arms.filter(|arm| !arm.has_priority() && arm.means != Means::Run)
        .collect()
}

fn usual_alpha() -> f64 {
    CLASS_ALPHA
}

fn usual_size_correlation() -> f64 {
    CLASS_SIZE_CORRELATION
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
    by_class(deserializer, "requests of both sites together")
}

fn training<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u64>>, D::Error> {
    by_class(deserializer, "requests that train").map(Some)
}

fn segment<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u64>>, D::Error> {
    by_class(deserializer, "requests of a segment").map(Some)
}

/// A number of requests for each class of the background site.
fn by_class<'de, D: Deserializer<'de>>(deserializer: D, what: &str) -> Result<Vec<u64>, D::Error> {
    let requests = Vec::<u64>::deserialize(deserializer)?;
    if requests.len() != CLASSES.len() {
        return Err(D::Error::custom(format!(
            "give {} numbers: {what}, by class of the background site",
            CLASSES.len()
        )));
    }
    let bounds = LEAST_REQUESTS..=MOST_REQUESTS;
    let requests = requests.into_iter();
    requests.map(|count| within(count, &bounds)).collect()
}

fn alpha<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(deserializer, &ALPHAS)
}

fn size_correlation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(deserializer, &CORRELATIONS)
}

fn interval<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    number(deserializer, &INTERVALS).map(Some)
}

fn weight<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    number(deserializer, &Site::WEIGHTS).map(Some)
}

fn targets<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Target>, D::Error> {
    let texts = BTreeMap::<String, String>::deserialize(deserializer)?;
    let target = |(cell, text): (String, String)| {
        let target = text.parse().map_err(D::Error::custom)?;
        Ok((cell, target))
    };
    texts.into_iter().map(target).collect()
}

fn daemon_interval<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    count::<_, 1, MOST_SECONDS>(deserializer).map(Some)
}

fn runs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    count::<_, 1, MOST_RUNS>(deserializer).map(Some)
}

fn count<'de, D: Deserializer<'de>, const LEAST: u64, const MOST: u64>(
    deserializer: D,
) -> Result<u64, D::Error> {
    number(deserializer, &(LEAST..=MOST))
}

/// A number within bounds.
fn number<'de, D, N>(deserializer: D, bounds: &RangeInclusive<N>) -> Result<N, D::Error>
where
    D: Deserializer<'de>,
    N: Deserialize<'de> + PartialOrd + fmt::Display,
{
    within(N::deserialize(deserializer)?, bounds)
}

fn within<N: PartialOrd + fmt::Display, E: Error>(
    number: N,
    bounds: &RangeInclusive<N>,
) -> Result<N, E> {
    match bounds.contains(&number) {
        true => Ok(number),
        false => Err(E::custom(format!(
            "{number} is not a number from {} to {}",
            bounds.start(),
            bounds.end()
        ))),
    }
}
