//! File sizes that add up to a given total.

use crate::bisection::last_where;
use crate::error::GenerateError;

/// Shapes beyond this put practically all files at one end of the range.
const STEEPEST: f64 = 40.0;

/// `count` rising sizes within `min..=max` that add up to `total` within rounding.
///
/// They are the quantiles (i + 1/2) / count of a bounded Pareto distribution (density falling as
/// x^(-a-1) on the range) whose shape a is chosen so that the total comes out.
///
/// # Errors
/// [`GenerateError::Sizes`] where no shape does.
pub(crate) fn with_total(
    count: usize,
    total: u64,
    min: u64,
    max: u64,
) -> Result<Vec<u64>, GenerateError> {
    let infeasible = GenerateError::Sizes {
        files: count,
        min_bytes: min,
        max_bytes: max,
        total_bytes: total,
    };
    let quantiles = || (0..count).map(|index| (index as f64 + 0.5) / count as f64);
    let sum = |shape| {
        quantiles()
            .map(|u| quantile(u, shape, min as f64, max as f64))
            .sum::<f64>()
    };
    let wanted = total as f64;
    let (flat, steep) = (-STEEPEST, STEEPEST);
    // Half a byte a file is lost to rounding anyway.
    let slack = count as f64;
    if min == 0 || min > max || sum(flat) + slack < wanted || sum(steep) > wanted + slack {
        return Err(infeasible);
    }
    let shape = last_where(flat..steep, 50, |shape| sum(shape) > wanted);
    Ok(quantiles()
        .map(|u| quantile(u, shape, min as f64, max as f64).round() as u64)
        .collect())
}

/// Quantile `u` of the bounded Pareto distribution; shape 0 is the log-uniform one.
fn quantile(u: f64, shape: f64, min: f64, max: f64) -> f64 {
    let ratio = min / max;
    if shape.abs() < 1e-9 {
        return min * ratio.powf(-u);
    }
    min * (1.0 - u * (1.0 - ratio.powf(shape))).powf(-1.0 / shape)
}

/// Mean of the log-uniform distribution on `min..=max`.
pub(crate) fn log_uniform_mean(min: f64, max: f64) -> f64 {
    if max <= min {
        min
    } else {
        (max - min) / (max / min).ln()
    }
}
