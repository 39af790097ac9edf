//! Confidence intervals.

use serde::{Deserialize, Serialize};

/// A confidence interval, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Nominal coverage, 0.95 for 95 %.
    pub level: f64,
}

impl Interval {
    /// Whether `value` lies within the interval.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
