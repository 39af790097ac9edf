//! Confidence intervals.

use serde::{Deserialize, Serialize};

/// A confidence interval, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end, in the unit of the estimate.
    pub low: f64,
    /// Upper end, in the unit of the estimate.
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
