//! How much of a run's beginning is left out.

/// Values that are put together before the rule is applied: the 5 of MSER-5.
const BATCH: usize = 5;

/// How many of a series' first values are left out by MSER-5: the cut after which the mean of what is left has the least
/// standard error, looked for in the first half (White, "An effective truncation heuristic for bias reduction in simulation
/// output", Simulation 69, 1997).
pub(super) fn cut(series: &[f64]) -> usize {
    let batches = series.chunks_exact(BATCH);
    let batches: Vec<f64> = batches
        .map(|batch| batch.iter().sum::<f64>() / BATCH as f64)
        .collect();
    let cuts = 0..batches.len() / 2;
    let error = |&cut: &usize| error_after(&batches[cut..]);
    let best = cuts.min_by(|a, b| error(a).total_cmp(&error(b)));
    best.unwrap_or(0) * BATCH
}

/// The square of the mean's standard error, as if the values were independent.
fn error_after(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / count / count
}

/// Whether so much of a series of so many values is left out that its mean is not steady: a quarter or more. A rule of thumb: series of
/// steady nets lose up to 14 % (M/M/1 at half its rate), those of M/M/1 at 99.9 % of its rate 28 % and more.
pub(super) fn is_late(cut: usize, values: usize) -> bool {
    cut * 4 >= values
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn a_transient_is_cut_and_a_steady_series_is_not() {
        let steady = |it: usize| f64::from(u32::try_from(it * 7919 % 100).unwrap());
        let transient: Vec<f64> = (0..1000)
            .map(|it| steady(it) + if it < 100 { 1000.0 } else { 0.0 })
            .collect();
        assert!((100..150).contains(&cut(&transient)), "{}", cut(&transient));
        let steady: Vec<f64> = (0..1000).map(steady).collect();
        assert!(cut(&steady) < 100, "{}", cut(&steady));
    }
}
