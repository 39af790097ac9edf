//! What a sweep comes to, as a value.

use hotset_scenario::FigureUnit;
use serde::Serialize;
use strum::{EnumString, IntoStaticStr, VariantNames};

use super::point::{ChosenPoint, SweepPoint};

/// How what the points get is had.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, EnumString, IntoStaticStr, VariantNames,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SweepBy {
    /// Each point is simulated.
    #[default]
    Simulate,
    /// Each point is calculated by formulas, which give means alone of times.
    Model,
}

impl SweepBy {
    /// As options and results have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What a scenario gets at the points of a grid. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SweepView {
    /// The scenario file.
    pub scenario: String,
    /// How each point was had: simulated, or calculated by formulas.
    pub by: SweepBy,
    /// Seed of every random choice, the same at all points.
    pub seed: u64,
    /// Points of the grid.
    pub points: u64,
    /// Points that are in the table.
    pub done: u64,
    /// The keys that are varied, in the order in which they were named; the last one changes fastest.
    pub varied: Vec<VariedKey>,
    /// The varied key of which the best point has the least, by its way.
    pub minimised: String,
    /// What responses of sites are to come to, such as shop: p99 < 20 ms.
    pub targets: Vec<String>,
    /// Points that meet all targets, and at which no request fails.
    pub meeting: u64,
    /// The Parquet file that has a row for each site at each point; null where none was asked for.
    pub table: Option<String>,
    /// Of the points that meet all targets, the one with the least of the minimised key, and of several those the one with the least
    /// mean response. Without targets the point with the least mean response. Null where no point meets the targets, or requests fail at all
    /// of them.
    pub best: Option<ChosenPoint>,
    /// Where the mean response bends along the minimised key, with the other keys as at the best point. Up to there each further step
    /// lowers it by more than on average, beyond it by less. Null where it does not bend so.
    pub knee: Option<ChosenPoint>,
    /// For each of several sites the point with its least mean response, of those at which no request fails.
    pub best_of_sites: Vec<ChosenPoint>,
    /// Points at which requests fail or wait for ever. None of these is the best, or the knee.
    pub failing: u64,
    /// Points at which requests come faster than they are served.
    pub unstable: u64,
    /// Keys of the scenario that nothing follows at some point, by their ways.
    pub not_modelled: Vec<String>,
    /// All points, in the order of their numbers.
    #[serde(skip)]
    pub all: Vec<SweepPoint>,
}

/// A key that is varied.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VariedKey {
    /// Its way.
    pub path: String,
    /// What its column of the table is in: plain numbers, bytes, bits_per_s, us (microseconds) or percent. Null where it has words.
    pub unit: Option<FigureUnit>,
    /// Its values, as a scenario file has them.
    pub values: Vec<String>,
    /// The same in its unit; empty where it has words.
    #[serde(skip)]
    pub figures: Vec<f64>,
}
