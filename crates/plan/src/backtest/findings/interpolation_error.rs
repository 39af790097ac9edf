//! How far an interpolated point of the curve may be off.

use serde::Serialize;

use crate::backtest::scoring::score::ArmScore;

/// How far the figures of a point that was interpolated may be off: as far as those of scanned points are when they are
/// interpolated from the others, at most. Scanned points are then twice as far apart. In a test, 95 % of the figures have to be within it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct InterpolationError {
    /// What hit ratios may be off by.
    pub hit_ratio: f64,
    /// What mean responses may be off by, relative to them.
    pub relative_response: f64,
}

impl InterpolationError {
    /// That of one arm.
    pub(super) fn of(interpolated: &ArmScore, scanned: &ArmScore) -> Self {
        let share = |mean: fn(&ArmScore) -> f64| (mean(interpolated) / mean(scanned) - 1.0).abs();
        Self {
            hit_ratio: (interpolated.hit_ratio - scanned.hit_ratio).abs(),
            relative_response: share(|it| it.mean_us).max(share(|it| it.weighted_mean_us)),
        }
    }

    /// The larger of each.
    pub(super) fn max(self, other: Self) -> Self {
        Self {
            hit_ratio: self.hit_ratio.max(other.hit_ratio),
            relative_response: self.relative_response.max(other.relative_response),
        }
    }
}
