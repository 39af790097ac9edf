//! Times that scatter as a profile's quantiles say.

use hotset_scenario::MeasuredDevice;

/// The time that this share of all does not exceed, 0 to 1, by quantiles at [`MeasuredDevice::QUANTILES`]: between two of them linearly. Before
/// the first and behind the last it is that one. With a share drawn evenly it is a time drawn from the distribution.
pub(crate) fn at_share(quantiles: &[f64; 6], share: f64) -> f64 {
    let shares = MeasuredDevice::QUANTILES;
    let above = shares.partition_point(|&it| it < share);
    let before = above.checked_sub(1).map(|at| (shares[at], quantiles[at]));
    let behind = shares.get(above).zip(quantiles.get(above));
    match (before, behind) {
        (Some((from, low)), Some((to, high))) => low + (high - low) * (share - from) / (to - from),
        (Some((_, time)), None) | (None, Some((_, &time))) => time,
        (None, None) => 0.0,
    }
}
