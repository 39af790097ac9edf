//! Quantiles of sizes.

use crate::{SizeQuantiles, popularity::CountedFile};

/// Quantiles of the sizes of `objects`, each weighing `weight` of it; `None` when nothing weighs.
pub(crate) fn quantiles(
    objects: &[CountedFile],
    weight: impl Fn(&CountedFile) -> u64,
) -> Option<SizeQuantiles> {
    let mut sizes: Vec<(u64, u64)> = objects
        .iter()
        .map(|entry| (entry.size, weight(entry)))
        .collect();
    sizes.sort_unstable();
    let total: u64 = sizes.iter().map(|(_, weight)| weight).sum();
    let (min, max) = (sizes.first()?.0, sizes.last()?.0);
    let at = |percent| nearest_rank(&sizes, total, percent).unwrap_or(max);
    Some(SizeQuantiles {
        mean: sizes
            .iter()
            .map(|&(size, weight)| size as f64 * weight as f64)
            .sum::<f64>()
            / total as f64,
        min,
        p25: at(25),
        p50: at(50),
        p75: at(75),
        p90: at(90),
        p99: at(99),
        max,
    })
}

/// The smallest size that at least `percent` of the weight does not exceed.
fn nearest_rank(sizes: &[(u64, u64)], total: u64, percent: u128) -> Option<u64> {
    let mut covered = 0;
    let reached = |&&(_, weight): &&(u64, u64)| {
        covered += u128::from(weight) * 100;
        covered >= u128::from(total) * percent
    };
    sizes.iter().find(reached).map(|&(size, _)| size)
}
