//! A point of the curve of gain against memory, and what is worse there than with less memory.

use serde::Serialize;

use super::estimate::SampledPoint;
use crate::backtest::candidates::choice::Validation;
use crate::backtest::scoring::arm::Arm;
use crate::backtest::scoring::score::ArmScore;

/// The plan at one amount of memory.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CurvePoint {
    /// Memory for file data of all nodes together, in bytes.
    pub memory_bytes: u64,
    /// Share of it given to held files at most.
    pub share: f64,
    /// Page cache alone on the held-out accesses of all sites.
    pub page_cache: ArmScore,
    /// The plan on the same.
    pub plan: ArmScore,
    /// What is worse here than with less memory; left out where nothing is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setbacks: Vec<Setback>,
    /// Set where the point is estimated from a sample of the accesses; left out where all of them were scored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<SampledPoint>,
    /// What validation inside the training part says of the plan.
    #[serde(skip)]
    pub validated: Validation,
}

/// A figure that is worse at a point of the curve than with less memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Setback {
    /// Whose figure it is: page cache or plan.
    pub arm: Arm,
    /// Which figure.
    pub figure: SetbackFigure,
    /// The smaller memory that does best by that figure, in bytes.
    pub than_memory_bytes: u64,
    /// Its figure there: a share, or microseconds.
    pub than: f64,
    /// Why.
    pub cause: SetbackCause,
}

/// A figure of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SetbackFigure {
    /// Its hit ratio is lower.
    HitRatio,
    /// Its weighted mean response is longer.
    WeightedMeanUs,
}

/// Why more memory does worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SetbackCause {
    /// What the page cache keeps with more memory need not include what it keeps with less. Only policies that are stack
    /// algorithms promise that: R. Mattson, J. Gecsei, D. Slutz, I. Traiger, "Evaluation techniques for storage
    /// hierarchies", IBM Systems Journal 9 (1970).
    Replacement,
    /// Split and files did better with more memory on the traffic that chose them, and do worse on the held-out traffic.
    Traffic,
    /// The plan shortens the mean response, for which it gives hits up.
    Objective,
    /// The plan meets more targets on the traffic that chose it, or comes nearer to them, and targets come before the mean.
    Targets,
    /// A plan that does better would starve a site with a weight or a target once its clients wait for answers.
    Waiting,
}

impl SetbackFigure {
    /// The figure of an arm.
    pub fn of(self, arm: &ArmScore) -> f64 {
        match self {
            Self::HitRatio => arm.hit_ratio,
            Self::WeightedMeanUs => arm.weighted_mean_us,
        }
    }

    /// The larger, the worse.
    pub(crate) fn badness(self, arm: &ArmScore) -> f64 {
        match self {
            Self::HitRatio => 1.0 - arm.hit_ratio,
            Self::WeightedMeanUs => arm.weighted_mean_us,
        }
    }
}
