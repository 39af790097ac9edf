//! Confidence intervals of means.

use std::f64::consts::PI;

/// The mean of independent values and the half width of its 95 % interval after Student; nothing for fewer than two.
#[must_use]
pub fn mean_and_half_width(values: &[f64]) -> Option<(f64, f64)> {
    let count = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    Some((mean, error * student(values.len() - 1)))
}

/// Batches that are joined no further: of fewer, the interval says little of how sure it is.
const FEWEST_BATCHES: usize = 10;
/// Batches count as correlated where one of five independent series is as much (80 % quantile of the normal distribution).
const TESTED_AT: f64 = 0.841_621;
/// The most that is believed of a correlation between batches.
const MOST_CORRELATED: f64 = 0.9;

/// The mean of values that follow each other, such as means of batches of one run, and the half width of its 95 % interval; nothing for fewer
/// than two.
///
/// Neighbours are joined until their correlation is one that independent batches may have, or few are left (G. S. Fishman, "Grouping
/// observations in digital simulation", Management Science 24, 1978; A. M. Law and W. D. Kelton, "Simulation modeling and analysis", on batch
/// means). The interval is widened by the correlation that is left, as in a first-order autoregression (N. M. Steiger and others, "ASAP3: a
/// batch means procedure for steady-state simulation analysis", ACM Transactions on Modeling and Computer Simulation 15, 2005).
#[must_use]
pub fn batch_means(values: &[f64]) -> Option<(f64, f64)> {
    let mut batches = values.to_vec();
    while batches.len() >= 2 * FEWEST_BATCHES && is_correlated(&batches) {
        let pairs = batches.chunks_exact(2);
        batches = pairs.map(|pair| pair[0].midpoint(pair[1])).collect();
    }
    let (_, half_width) = mean_and_half_width(&batches)?;
    let left = correlation(&batches).clamp(0.0, MOST_CORRELATED);
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    Some((mean, half_width * ((1.0 + left) / (1.0 - left)).sqrt()))
}

fn is_correlated(values: &[f64]) -> bool {
    correlation(values) > TESTED_AT / (values.len() as f64).sqrt()
}

/// The correlation of neighbours, without the bias that it has where there is none (M. G. Kendall, "Note on bias in the estimation of
/// autocorrelation", Biometrika 41, 1954).
fn correlation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let neighbours = values.windows(2);
    let products = neighbours.map(|pair| (pair[0] - mean) * (pair[1] - mean));
    match squares > 0.0 {
        true => products.sum::<f64>() / squares + 1.0 / count,
        false => 0.0,
    }
}

/// The 97.5 % quantile of Student's distribution, to six digits: Hill, "Algorithm 396: Student's t-quantiles",
/// Communications of the ACM 13 (1970).
fn student(degrees: usize) -> f64 {
    const P: f64 = 0.05;
    /// The 2.5 % quantile of the normal distribution.
    const NORMAL: f64 = -1.959_963_984_540_054;
    let n = degrees as f64;
    match degrees {
        1 => return 1.0 / (P * PI / 2.0).tan(),
        2 => return (2.0 / (P * (2.0 - P)) - 2.0).sqrt(),
        _ => {}
    }
    let a = 1.0 / (n - 0.5);
    let b = 48.0 / (a * a);
    let mut c = ((20700.0 * a / b - 98.0) * a - 16.0) * a + 96.36;
    let d = ((94.5 / (b + c) - 3.0) / b + 1.0) * (a * PI / 2.0).sqrt() * n;
    let y = libm::pow(d * P, 2.0 / n);
    let square = if y > 0.05 + a {
        let x = NORMAL;
        let y = x * x;
        if degrees < 5 {
            c += 0.3 * (n - 4.5) * (x + 0.6);
        }
        let c = (((0.05 * d * x - 5.0) * x - 7.0) * x - 2.0) * x + b + c;
        let y = (((((0.4 * y + 6.3) * y + 36.0) * y + 94.5) / c - y - 3.0) / b + 1.0) * x;
        libm::expm1(a * y * y)
    } else {
        let tail = ((n + 6.0) / (n * y) - 0.089 * d - 0.822) * (n + 2.0) * 3.0;
        ((1.0 / tail + 0.5 / (n + 4.0)) * y - 1.0) * (n + 1.0) / (n + 2.0) + 1.0 / y
    };
    (n * square).sqrt()
}

#[cfg(test)]
mod tests {
    use super::student;

    /// Values of the usual tables.
    #[test]
    fn quantiles_are_the_tables() {
        for (degrees, value) in [
            (1, 12.7062),
            (2, 4.3027),
            (3, 3.1824),
            (4, 2.7764),
            (9, 2.2622),
            (29, 2.0452),
            (199, 1.9720),
        ] {
            let error = (student(degrees) - value).abs();
            assert!(error < 2e-3, "{degrees}: {} for {value}", student(degrees));
        }
    }
}
