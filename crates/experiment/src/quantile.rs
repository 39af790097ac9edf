//! Quantiles of repeated measurements.

/// The median of values in any order; nothing of none.
pub(crate) fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// The `share`-quantile of sorted values, between neighbours linearly; nothing of none.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * sorted.len().checked_sub(1)? as f64;
    let (below, part) = (position.floor() as usize, position.fract());
    if part == 0.0 {
        // What is infinite above it does not matter.
        return Some(sorted[below]);
    }
    let above = (below + 1).min(sorted.len() - 1);
    Some(sorted[below] * (1.0 - part) + sorted[above] * part)
}

/// The least and the largest of `values`: between them lies the median of what they are drawn from unless all are on the same side of
/// it, with a probability of 1 / 2^(n - 1) (W. R. Thompson, "On confidence ranges for the median", Annals of Mathematical Statistics 7
/// (1936) 122-128). Nothing for fewer than two.
pub(crate) fn range(values: &[f64]) -> Option<[f64; 2]> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (values.len() > 1).then_some([low, high])
}
