//! How long the blocks of a block bootstrap should be.

/// The block length of a circular block bootstrap that minimises the error of the variance of the
/// mean of `series`, at least 1.
///
/// D. N. Politis and H. White, "Automatic block-length selection for the dependent bootstrap",
/// Econometric Reviews 23 (2004) 53-70, with the correction of A. Patton, D. N. Politis and
/// H. White, Econometric Reviews 28 (2009) 372-375: (2 G^2 / D)^(1/3) n^(1/3) with a flat-top lag
/// window, D = 4/3 g(0)^2 for the circular bootstrap.
pub(crate) fn politis_white(series: &[f64]) -> usize {
    let n = series.len();
    let longest = (3.0 * (n as f64).sqrt()).min(n as f64 / 3.0).ceil() as usize;
    let covariance = autocovariance(series, max_lag(n));
    if covariance.first().is_none_or(|&variance| variance <= 0.0) {
        return 1;
    }
    let window = 2 * last_significant_lag(&covariance, n).max(1);
    let (mut weighted, mut spectrum) = (0.0, covariance[0]);
    for (lag, &value) in covariance.iter().enumerate().take(window + 1).skip(1) {
        let taper = flat_top(lag as f64 / window as f64);
        weighted += 2.0 * taper * lag as f64 * value;
        spectrum += 2.0 * taper * value;
    }
    let optimum = (1.5 * (weighted / spectrum).powi(2) * n as f64).cbrt();
    (optimum.ceil() as usize).clamp(1, longest.max(1))
}

/// Lags looked at: ceil(sqrt n) plus the run of insignificant lags that ends the search.
fn max_lag(n: usize) -> usize {
    (n as f64).sqrt().ceil() as usize + insignificant_run(n)
}

/// K_n of Politis and White (2004), section 3.2, footnote c: max(5, sqrt(log10 n)).
fn insignificant_run(n: usize) -> usize {
    ((n as f64).log10().sqrt().ceil() as usize).max(5)
}

/// Biased sample autocovariance at lags 0..=max_lag; fewer when the series is shorter.
fn autocovariance(series: &[f64], max_lag: usize) -> Vec<f64> {
    let n = series.len();
    let mean = series.iter().sum::<f64>() / n as f64;
    let centred: Vec<f64> = series.iter().map(|value| value - mean).collect();
    let at = |lag: usize| {
        centred
            .iter()
            .zip(&centred[lag..])
            .map(|(a, b)| a * b)
            .sum::<f64>()
            / n as f64
    };
    (0..n.min(max_lag + 1)).map(at).collect()
}

/// The smallest lag after which a run of correlations stays below 2 sqrt(log10(n) / n).
fn last_significant_lag(covariance: &[f64], n: usize) -> usize {
    let bound = 2.0 * ((n as f64).log10() / n as f64).sqrt() * covariance[0];
    let run = insignificant_run(n);
    let lags = covariance.len();
    (0..lags)
        .find(|&lag| {
            covariance[lags.min(lag + 1)..lags.min(lag + 1 + run)]
                .iter()
                .all(|value| value.abs() < bound)
        })
        .unwrap_or(lags)
}

/// The trapezoidal lag window of Politis and Romano: 1 up to one half, then falling to 0 at 1.
fn flat_top(x: f64) -> f64 {
    (2.0 * (1.0 - x)).clamp(0.0, 1.0)
}
