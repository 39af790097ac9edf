//! What a point of a sweep came to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{number, printable};

/// A point of the grid and what it came to.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepPoint {
    /// Which value each varied key has.
    pub places: Vec<usize>,
    /// What it came to.
    pub figures: PointFigures,
}

/// What a point came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointFigures {
    /// Each site; where there are several, all of them together come last, without a name.
    pub sites: Vec<SiteFigures>,
    /// What saturates first: what it is, and the name of its node.
    pub bottleneck: Option<String>,
    /// Whether requests are served as fast as they come.
    pub stable: bool,
    /// Requests that wait for ever.
    #[serde(default)]
    pub still_waiting: u64,
    /// Keys of the scenario that are not followed.
    pub not_modelled: Vec<String>,
}

/// What the requests of a site got, or those of all sites together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SiteFigures {
    /// Name of the site; null for all sites together.
    pub site: Option<String>,
    /// Requests answered in a second.
    pub throughput_per_s: Option<f64>,
    /// Mean response.
    pub mean_us: Option<f64>,
    /// Median response.
    pub p50_us: Option<f64>,
    /// Response that 95 % of the requests stay below.
    pub p95_us: Option<f64>,
    /// Response that 99 % of the requests stay below.
    pub p99_us: Option<f64>,
    /// Time to the first byte that 95 % of the requests stay below.
    pub first_byte_p95_us: Option<f64>,
    /// Requests served from memory / requests, 0 to 1.
    pub hit_ratio: Option<f64>,
    /// Requests that failed, of all replications together; null where none may.
    pub errors: Option<u64>,
}

impl PointFigures {
    /// All sites together.
    #[must_use]
    pub fn all(&self) -> Option<&SiteFigures> {
        self.sites.last()
    }

    /// Whether requests fail or wait for ever.
    #[must_use]
    pub fn fails(&self) -> bool {
        let failed = |it: &SiteFigures| it.errors.is_some_and(|errors| errors > 0);
        self.still_waiting > 0 || self.sites.iter().any(failed)
    }
}

/// A point that stands out, with what all sites together got there, or one of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ChosenPoint {
    /// Its number, from 0, in the order of the table.
    pub point: u64,
    /// The value of each varied key, by its way.
    pub set: BTreeMap<String, String>,
    /// What was got there.
    #[serde(flatten)]
    pub figures: SiteFigures,
    /// What saturates first there: what it is, and the name of its node; null where nothing was busy.
    pub bottleneck: Option<String>,
}

impl ChosenPoint {
    /// Where it is, as part of a sentence.
    pub(super) fn in_words(&self) -> String {
        let set = self
            .set
            .iter()
            .map(|(path, value)| format!("{path}={value}"));
        let set: Vec<String> = set.collect();
        printable(&set.join(", ")).into_owned()
    }

    /// Its mean response.
    pub(super) fn mean_in_words(&self) -> String {
        let mean_us = self.figures.mean_us;
        mean_us.map_or_else(|| number::NONE.to_owned(), number::duration)
    }
}
